"""Where these games come from, and what our words mean."""

from collections.abc import Mapping

from bot.engine.counted import Sentence

ABOUT: Mapping[str, Sentence] = {
    "tip": "-# Tip: {tip}",
    "tip-line": "* {tip}",
    "tips": "Tips",
    "tips-title": "### {game}: how to play it well",
    "about": "About",
    "about-title": "### About these games",
    "about-history": "**History** GOPS, the Game of Pure Strategy, is also called Goofspiel. Merrill Flood is"
    " said to have made it at Princeton in the 1930s. Game theory has liked it ever since: everybody has the same"
    " cards, and nothing but the order of the prizes is left to chance.",
    "about-solved": "**Pure strategy?** In 1971 Sheldon Ross showed that against somebody who bids at random"
    " nothing beats bidding the prize's own rank. But whoever keeps to any plan can be read and beaten, and so perfect"
    " play mixes its bids by chance. Glenn Rhoads and Laurent Bartholdi published such play for 13 cards in 2012."
    " */gops odds* and */gops review* tell the mixes, and Sage bids by them.",
    "about-relatives": "**Relatives** *Gops for three* and *Throps* are David Parlett's. *Vultures* is Alex"
    " Randolph's, sold as Hol's der Geier, Raj, Beat the Buzzard and What the Heck? *Psych* comes from Brad Chapman,"
    " *SOPS* from John Conway, *Bid* from Brendan Winter, *Welsh Warfare* from Rhys Morgan. *Pico* is Frank Nestel's,"
    " published by Doris & Frank.",
    "about-trivia": "**Trivia** The 13 prizes are worth 91 points, an odd number: two who never tie a round cannot"
    " draw. Nobody can win all of them, for both hold the same cards: 90 is the most. Alex Randolph first met bidding"
    " like this in the war, in the 5th Indian division, where it was played for money.",
    "about-many": "**How many** With {cards} cards the prizes can come in {deals} orders ({cards}!), and each of two"
    " players can play their cards in as many: in all {cards}! × {cards}! × {cards}! different games, a number of"
    " {digits} digits.",
    "about-sources": "**Sources** pagat.com and its page of invented games, David Parlett's card games, texts on GOPS"
    " by Kerr and Mittal, and OpenSpiel. Where they are silent the referee has rulings, which its documents list.",
    "glossary": "Glossary",
    "glossary-title": "### Glossary",
    "back-to-rules": "◀ Rules",
    "word-match": "**Match** What is played from challenge to result; its code looks like #K7Q2.",
    "word-game": "**Game** A set of rules: Classic, Vultures, Pico.",
    "word-seat": "**Seat** A place in a match. The house takes seats, too.",
    "word-challenge": "**Challenge, table** An invitation to people by name, or to anybody.",
    "word-prize": "**Prize** What is auctioned now.",
    "word-pot": "**Pot, kitty** Prizes left from tied rounds, which go with the next one.",
    "word-hand": "**Hand** The cards that you hold.",
    "word-bid": "**Bid** The card, or cards, that you put in.",
    "word-seal": "**Seal** A sealed bid is in, and nobody can see it. Its digits prove that it was not changed"
    " afterwards.",
    "word-reveal": "**Reveal** All bids are shown at once.",
    "word-round": "**Round, re-bid, trick** One auction; its repeat after a tie; a round of Pico or Welsh Warfare.",
    "word-deal": "**Deal, series** One distribution of cards; several deals that make a match.",
    "word-board": "**Board** The public message of a match.",
    "word-console": "**Console** Your own keys, private.",
    "word-sheet": "**Sheet** The list of rounds.",
    "word-clock": "**Clock** The time for each bid.",
    "word-house": "**House** Computer players: Random, Matcher, Sly, Reader, Hawk and Sage.",
}
