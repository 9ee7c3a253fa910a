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
    "season-over": "-# This season is over. Its ranking does not change any more.",
    "season-unrated": Counted(
        "-# 1 match of this season was taken out of the ratings later; the ranking stays as it was.",
        "-# {n} matches of this season were taken out of the ratings later; the ranking stays as it was.",
    ),
    "season-empty": "No rated match has ended in this season yet.",
    "season-option-going": "{season}, running",
    "unknown-season": "No such season. Choose one from the list.",
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
    "champions-next": "The rankings stay in `/gops leaderboard`. A new season has begun.",
    "champions-last": "The rankings stay in `/gops leaderboard`.",
    # settings
    "league-title": "### Seasons",
    "league": "Seasons",
    "back-to-settings": "◀ All settings",
    # roles by rating
    "bands": "Roles by rating",
    "bands-title": "### Roles by rating",
    "bands-about": "Each role has a number. Players with that rating ({pool}) or more get the role, and only their"
    " highest one. Results change it. I take away only roles that I gave.",
    "bands-about-season": "Each role has a number. Players with that rating ({pool}) or more in this season get the"
    " role, and only their highest one. Results change it, and a new season begins without roles. I take away only"
    " roles that I gave.",
    "bands-line": "{role} from {least} on",
    "bands-none": "No role is given yet.",
    "bands-which": "A role, to set its rating",
    "bands-no-right": "⚠ I need the Manage Roles permission here: nobody gets or loses a role now.",
    "bands-above": "⚠ {role} is above my highest role. Drag my role above it in the server settings.",
    "bands-never": "⚠ {role} belongs to an app or to everybody, so I can't give it.",
    "bands-gone": "⚠ A role of this list was deleted.",
    "bands-clean": "Remove deleted roles",
    "bands-many": "This list is full. Remove a role first: leave its number empty.",
    "bands-same": "Another role already has this rating. Choose another number.",
    "form-band": "Role by rating",
    "form-band-least": "Lowest rating",
    "form-band-note": "{low} to {high}; empty: remove the role",
    "value-band-off": "{role} removed",
    "role-given": "GOPS: a role by rating",
    "role-taken": "GOPS: the rating changed",
}
