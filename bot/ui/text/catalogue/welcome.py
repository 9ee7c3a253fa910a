"""The home card, the first match, where the games come from, and the glossary."""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence

WELCOME: Mapping[str, Sentence] = {
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
    "home-title": "### GOPS: sealed bids for prizes",
    "home-text": "A prize is turned up. You and your opponent each bid one card in secret; the higher card takes the"
    " prize, and both cards are spent. You hold the same cards, so nothing but your nerve decides.",
    "home-house": "Play the house",
    "home-waiting": Counted(
        "You have a practice match with {names}: #{m}, 1 round played.",
        "You have a practice match with {names}: #{m}, {n} rounds played.",
    ),
    "continue": "Continue",
    "new-match": "New match",
    "home-guide": "How it works",
    "home-challenge": "Challenge somebody",
    "home-more": "-# /gops open seats anybody who comes, /gops games finds your matches, /gops leaderboard says who is"
    " best.",
    "home-more-dm": "-# To challenge somebody, use /gops challenge in a server. /gops games finds your matches.",
    "home-more-outside": "-# To challenge somebody here, use /gops challenge. /gops games finds your matches.",
    "home-foot": "-# GOPS referee {version} · Something wrong? Tell whoever added me, with the code of the match.",
    "home-support": "-# GOPS referee {version} · Something wrong? Tell it here, with the code of the match: <{link}>",
    "lesson-title": "### How it works · round {n} of {of}",
    "lesson-begin": "Five prizes are turned up, one after the other. You and Matcher, a player of the house, hold the"
    " same five cards: A, which counts 1, to 5. In each round both bid one card in secret. The higher card takes the"
    " prize, and both cards are gone. Whoever has more points at the end wins.",
    "lesson-back": "Welcome back: this is where you left.",
    "lesson-prize": Counted("## Prize {prize}, worth 1", "## Prize {prize}, worth {n}"),
    "lesson-bid-first": "Press a card: that is your bid.",
    "lesson-bid": "What do you bid for it?",
    "lesson-score": "You {x} · Matcher {y}",
    "lesson-held": "-# Matcher holds {hand} · prizes to come: {left}",
    "lesson-skip": "Skip the rest",
    "lesson-won": "Your {x} beats Matcher's {y}. The {prize} is yours, and cheap: no lower card of yours would have"
    " done. Matcher always bids the prize's rank.",
    "lesson-dear": "Your {x} beats Matcher's {y}. The {prize} is yours, but dear: your {card} would have done, and"
    " your {x} is gone. Matcher always bids the prize's rank.",
    "lesson-tied": "Both bid {x}: nobody gets the {prize}, and both cards are gone. Matcher always bids the prize's"
    " rank, so one more would have won it.",
    "lesson-tied-high": "Both bid {x}: nobody gets the {prize}, and both cards are gone. Matcher always bids the"
    " prize's rank.",
    "lesson-given": "Matcher's {y} beats your {x} and takes the {prize}. You gave it up well: it cost you your lowest"
    " card, and Matcher its {y}.",
    "lesson-beaten": "Matcher's {y} beats your {x} and takes the {prize}. Your {x} is gone for nothing: to give a"
    " prize up, bid your lowest card, the {low}.",
    "lesson-last-you": "Then one card was left to each, and the last round played itself: the {prize} is yours.",
    "lesson-last-house": "Then one card was left to each, and the last round played itself: the {prize} goes to"
    " Matcher.",
    "lesson-last-nobody": "Then one card was left to each, and the last round played itself: equal, so nobody gets the"
    " {prize}.",
    "lesson-won-all": "**You win {x}–{y}.**",
    "lesson-lost-all": "**Matcher wins {y}–{x}.**",
    "lesson-drawn-all": "**A draw, {x}–{y}.**",
    "lesson-best": "Nobody can make more of these prizes.",
    "lesson-better": "{x}–{y} was within reach: one more than Matcher for each prize, and the lowest card where it"
    " cannot be beaten.",
    "lesson-now": "That is the whole game. Matcher never changes its mind; people do, and that is where bluffing"
    " begins.",
}
