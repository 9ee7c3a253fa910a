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
    " nothing beats bidding the prize's own rank. Against anybody else every plan can be read and beaten, so"
    " perfect play mixes. Glenn Rhoads and Laurent Bartholdi published it for 13 cards in 2012; Sage plays by it,"
    " */gops review* and */gops odds* tell it.",
    "about-relatives": "**Relatives** *Gops for three* and *Throps* are David Parlett's. *Vultures* is Alex"
    " Randolph's, known as Hol's der Geier, Raj and Beat the Buzzard. *Psych* is by Brad Chapman, *SOPS* by John"
    " Conway, *Bid* by Brendan Winter, *Welsh Warfare* by Rhys Morgan. *Pico* was published by Doris & Frank.",
    "about-trivia": "**Trivia** The 13 prizes are worth 91 points, an odd number: without a tie no deal is drawn."
    " Nobody can win all of them against the same cards: 90 is the most. Who bids one above every prize beats who"
    " bids its rank, until their K meets an A.",
    "about-sources": "**Sources** pagat.com and its page of inventions, David Parlett's card games, Kerr's and"
    " Mittal's pages on GOPS, and OpenSpiel. Where they are silent the referee has rulings, which its documents"
    " list.",
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
