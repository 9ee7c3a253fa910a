"""The home card and the first match."""

from collections.abc import Mapping

from bot.engine.counted import Sentence

WELCOME: Mapping[str, Sentence] = {
    "home-title": "### GOPS: sealed bids for prizes",
    "home-text": "A prize is turned up. You and your opponent each bid one card in secret; the higher card takes the"
    " prize, and both cards are spent. You hold the same cards, so nothing but your nerve decides.",
    "home-house": "Play the house",
    "home-challenge": "Challenge somebody",
    "home-more": "-# /gops open seats anybody who comes, /gops games finds your matches, /gops leaderboard says who is"
    " best.",
    "home-more-dm": "-# To challenge somebody, use /gops challenge in a server. /gops games finds your matches.",
    "home-foot": "-# GOPS referee {version} · Something wrong? Tell whoever added me, with the code of the match.",
    "home-support": "-# GOPS referee {version} · Something wrong? Tell it here, with the code of the match: <{link}>",
}
