"""The daily deal, and what a profile has to show."""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence

DAILY: Mapping[str, Sentence] = {
    "daily-title": "### Daily deal · {x}",
    "daily-console": "-# Daily deal of {x}: the same cards for everybody here, one try. The next one comes {t}.",
    "daily-own": "{story} **{score}**: {tally}.",
    "daily-tally": "won {won}, tied {drawn}, lost {lost}",
    "daily-nothing": "You gave this one up, or finished it too late: it does not count.",
    "daily-best": "The best that there was: **{score}**.",
    "daily-best-yours": "That is the best that there was.",
    "daily-best-soon": "What the best was is still being worked out.",
    "daily-streak": Counted("1 day in a row; your longest row is {k}.", "{n} days in a row; your longest row is {k}."),
    "daily-line": "{place}. {name} {score}",
    "daily-nobody": "Nobody has finished it yet.",
    "daily-share": "Share",
    "daily-table": "Table",
    "daily-play": "Play it too",
    "daily-shared-row": "{name} · Daily deal of {x}\n{story} **{score}**: {tally}",
    "daily-first": "Play the daily deal first: /gops daily. Its table is for those who have.",
    "daily-shared": "You have shared this one already.",
    "daily-spoils": "Others here may still play this deal. You can show it to everybody {t}.",
    "odds-daily": "Nobody is helped with the daily deal. Odds and hints open when #{m} ends.",
    "honour-wins": "Wins in a row: {n}; the most so far: {most}",
    "honour-days": "Daily deals in a row: {n}; the most so far: {most}",
    "honour-best": "Best win: over {names}, rated {score} (#{m})",
    "honour-habit-same": "Favourite bid: the prize's own rank, {share} of bids",
    "honour-habit-above": "Favourite bid: {x} above the prize, {share} of bids",
    "honour-habit-below": "Favourite bid: {x} below the prize, {share} of bids",
    "honour-medals": "Medals: {list}",
    "medal-first-win": "🏅 first win",
    "medal-ten-wins": "🏅 ten wins in a row",
    "medal-all-round": "🏅 won at five games",
    "medal-hundred": "🏅 a hundred matches",
    "medal-sage": "🏅 beat Sage",
    "medal-perfect-day": "🏅 a perfect daily deal",
    "medal-seven-days": "🏅 seven days in a row",
    "honour-curve": "Rating in {pool}, rated matches: {n}, from {first} to {after}, lowest {low}, highest {high}.",
    "home-daily": "Daily deal",
}
