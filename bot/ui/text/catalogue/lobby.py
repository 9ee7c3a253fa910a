"""Challenges and tables: what they say, and why one is refused."""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence

LOBBY: Mapping[str, Sentence] = {
    # refusals
    "self": "You cannot challenge yourself. To play alone, use /gops practice.",
    "bot": "{name} is a bot and cannot play.",
    "house": "I am the referee. To play the house, use /gops practice.",
    "not-taking": "{name} is not taking challenges. Try somebody else, or /gops open.",
    "you-blocked": "You blocked {name}. Unblock them in /gops notify first.",
    "left-member": "{name} is not in this server any more.",
    "twice": "You named {name} twice. Each seat needs another person.",
    "not-invited": "This challenge is for {names}. Start your own with /gops challenge.",
    "own-challenge": "This is your own challenge. {names} must accept; you can withdraw it.",
    "already-answered": "You already answered this challenge.",
    "challenge-gone": "This challenge has ended: {how}. Send a new one with /gops challenge.",
    "asked-already": "You already asked {name}: {link}",
    "asked-lately": "You have asked {name} three times within the hour. You can again from {t}.",
    "too-many-open": Counted(
        "You have 1 open invitation. Take it back, or wait for an answer.",
        "You have {n} open invitations. Take one back, or wait for an answer.",
    ),
    "too-many-tables": "You have two open tables here. Close one first.",
    "declined-lately": "{name} declined a moment ago. You can ask again from {t}.",
    "too-many-live-you": Counted(
        "You are in 1 live match, which is the most. Finish it first: /gops games",
        "You are in {n} live matches, which is the most. Finish one first: /gops games",
    ),
    "too-many-live-them": Counted(
        "{name} is in 1 live match already. Try again later.", "{name} is in {n} live matches already. Try again later."
    ),
    "channel-full": Counted(
        "This channel has 1 live board, its limit. Use another channel, or wait for it to end.",
        "This channel has {n} live boards, its limit. Use another channel, or wait for one to end.",
    ),
    "place-own": "Each where they like it",
    "place-table": "All on the board: one tap, no DMs",
    "busy-table": "Discord lets me say little more just now, so this match is bid on the board itself.",
    "term-table": "bids on the board",
    "no-board-keys": "By these rules the board has no keys: press *Bid* on it to see your cards.",
    "table-full": "This table is full. Open another with /gops open.",
    "joined": "You already sit at this table.",
    "not-seated": "You do not sit at this table.",
    "table-not-yours": "You cannot sit down at this table. Open your own with /gops open.",
    "series-unread": 'I cannot read "{x}" as a series. Write it like: one deal, 5 deals, to 150 points, best of 7,'
    " first to win 3 deals, a draw is replayed. A best of may end with: level by points.",
    "host-only": "Only {host} can do that.",
    "too-few-seats": Counted(
        "{Game} needs 1 player; {m} more must join.", "{Game} needs {n} players; {m} more must join."
    ),
    "not-shown-yet": "I do not find the message of this challenge yet. Press again in a moment.",
    "table-gone": "This table has closed. Open one with /gops open.",
    "role-needed": "In this server only {roles} may play. Ask a moderator.",
    "role-needed-them": "{name} may not play here: this server asks for {roles}.",
    # why a challenge is no more, as `challenge-gone` says it
    "asked-already-bare": "You already asked {name}, and may still be answered.",
    "how-started": "it was accepted",
    "how-declined": "it was declined",
    "how-expired": "nobody answered in time",
    "how-withdrawn": "it was withdrawn",
    "how-deleted": "its message was deleted",
    "how-failed": "it could not start",
    "how-put_back": "my records were put back to an earlier time",
    "how-unknown": "it is not known any more",
    # the message of a challenge
    "challenge": "{mentions}  **{host}** challenges you to **{game}**: {terms}.",
    "challenge-seal": "-# 🔒 `{digits}` · answer by {t}",
    "answer-accepted": "{name} ✔ accepted",
    "answer-asked": "{name} … asked",
    "answer-declined": "{name} ✘ declined",
    "starts-when": "Starts when all have accepted.",
    "starts-by-host": "Starts when {host} says so.",
    "challenge-started": "{host} and {names} play.",
    "challenge-declined": "{name} declined.",
    "challenge-declined-many": "{names} declined, and {game} cannot be played by those who are left. You are all free.",
    "challenge-expired": "Nobody answered in time.",
    "challenge-expired-many": "Not everybody answered in time ({names} did not). You are all free.",
    "challenge-not-started": "{host} did not start in time. You are all free.",
    "challenge-withdrawn": "{host} withdrew the challenge.",
    "challenge-declined-former": "The challenge was declined.",
    "challenge-withdrawn-former": "The challenge was withdrawn.",
    "challenge-failed": "The challenge could not start.",
    "accept": "Accept",
    "decline": "Decline",
    "withdraw": "Withdraw",
    "start-with": "Start with {n}",
    # the message of a table
    "table": "**{host}** opens a table: **{game}**, {seats} seats, {terms}. Open until {t}",
    "table-seats": "Seats {n} of {most}: {names}",
    "table-host": "{name} (host)",
    "table-seal": "-# 🔒 `{digits}` · all of it behind *Rules*",
    "table-started": "The table started.",
    "table-closed": "The table closed.",
    "table-expired": "The table closed: it did not start in time.",
    "join": "Join",
    "leave": "Leave",
    "start-now": "Start now",
    "close": "Close",
}
