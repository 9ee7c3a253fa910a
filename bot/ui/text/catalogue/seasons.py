"""Seasons: their names, their tables, and how a server sets them."""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence

SEASONS: Mapping[str, Sentence] = {
    "season-quarter": "quarter {n} of {year}",
    # the leaderboard
    "leaderboard-title-season": "### Leaderboard · {pool} · {season}",
    "leaderboard-all-time": "### Leaderboard · {pool} · all time",
    "all-time": "All time",
    "which-season": "Another season",
    "season-ends": "-# This season ends on {t}.",
    "season-over": "-# This season is over; its table stays as it was then.",
    "season-voided": Counted(
        "-# 1 match of this season was taken out of the ratings later; the table stays as it was.",
        "-# {n} matches of this season were taken out of the ratings later; the table stays as it was.",
    ),
    "season-empty": "No rated match has ended in this season yet.",
    "season-option-going": "{season}, going on",
    "unknown-season": "I know no such season. Choose one of those offered.",
    "leaderboard-you-up": Counted(
        "You: {place} of {size} · {shown} · up 1 place in a week",
        "You: {place} of {size} · {shown} · up {n} places in a week",
    ),
    "leaderboard-you-down": Counted(
        "You: {place} of {size} · {shown} · down 1 place in a week",
        "You: {place} of {size} · {shown} · down {n} places in a week",
    ),
    "leaderboard-you-same": "You: {place} of {size} · {shown} · where you were a week ago",
    # the champions, told once
    "champions-title": "**{season} is over.** Its champions:",
    "champions-pool": "{pool}: 🏆 **{name}** {shown}",
    "champions-pool-more": "{pool}: 🏆 **{name}** {shown}, then {list}",
    "champions-next": "-# The tables stay in `/gops leaderboard`. A new season has begun.",
    "champions-last": "-# The tables stay in `/gops leaderboard`.",
    # settings
    "league-title": "### Seasons",
    "league": "Seasons",
    "back-to-settings": "◀ All settings",
    # roles by rating
    "bands": "Roles by rating",
    "bands-title": "### Roles by rating",
    "bands-about": "Each role has a number. Whoever's rating ({pool}) reaches it has the role; of several, only the"
    " highest. It changes with their results. I give and take these roles only, and take none that I did not give.",
    "bands-about-season": "Each role has a number. Whoever's rating in this season ({pool}) reaches it has the role; of"
    " several, only the highest. It changes with their results, and a new season begins without roles. I give and take"
    " these roles only, and take none that I did not give.",
    "bands-line": "{role} from {least} on",
    "bands-none": "No role is given yet.",
    "bands-which": "A role, to set its rating",
    "bands-no-right": "⚠ I lack the permission Manage Roles here, so nobody gets or loses one.",
    "bands-above": "⚠ {role} stands above my own highest role. Drag mine above it in the server's roles.",
    "bands-never": "⚠ {role} belongs to an integration or to everybody: nobody can be given it.",
    "bands-gone": "⚠ A role of this list is gone from the server.",
    "bands-clean": "Take off what is gone",
    "bands-many": "This list is full. Take a role off first: leave its number empty.",
    "bands-same": "Another role is given from that rating on. Choose another number.",
    "form-band": "Role by rating",
    "form-band-least": "From which rating on",
    "form-band-note": "{low} to {high}; empty: not given by rating",
    "value-band-off": "{role} no longer",
    "role-given": "GOPS: a role by rating",
    "role-taken": "GOPS: another rating, another role",
}
