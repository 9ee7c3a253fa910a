"""The home card and the first match."""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence

WELCOME: Mapping[str, Sentence] = {
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
