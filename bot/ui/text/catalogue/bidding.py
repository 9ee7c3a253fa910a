"""What can be wrong with a press on a key, and what is told about missed bids."""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence
from bot.referee.model.durations import MISSES
from bot.ui.text.catalogue.numbers import bids_in_a_row, ordinal_word

BIDDING: Mapping[str, Sentence] = {
    "stale-console": "That card was for round {r}. Nothing was bid; this is round {now}.",
    "stale-console-old": "That card was for an earlier round. Nothing was bid; this is round {now}.",
    "stale-button": "That button is out of date. The live board is here: {link}",
    "stale-here": "That button is out of date; nothing changed.",
    "not-in-match": "You have no seat in #{m}. Watch here, or start your own with /gops challenge.",
    "already-revealed": "Round {r} was revealed just before your press. Your bid stayed {card}.",
    "clock-ran-out": "Your clock ran out before this press. I bid your lowest card, {card}.",
    "card-spent": "You spent {card} in round {r}. Pick a card that is still lit.",
    "card-spent-before": "You spent {card} already. Pick a card that is still lit.",
    "table-card-spent": "You spent {card} in round {r}. You still hold {hand}.",
    "card-not-held": "You do not hold {card}. Your cards are {hand}.",
    "card-switched": "{card} went to {name} when the hands were switched. Pick one of yours.",
    "card-aside": "{card} lies aside until this trick ends. Bid another card.",
    "same-card": "{card} is already sealed. Press another card to change it.",
    "too-many-changes": Counted(
        "You have changed this bid once; {card} stands.", "You have changed this bid {n} times; {card} stands."
    ),
    "not-awaited": "Nothing is asked of you now. We wait for {names}.",
    "not-awaited-now": "Nothing is asked of you now.",
    "not-your-pick": "{name} picks now. You pick {ordinal}.",
    "prize-gone": "{prize} is taken already. Pick one of {prizes}.",
    "too-few-cards": Counted("Choose 1 card to seal; you have {n}.", "Choose {k} cards to seal; you have {n}.", by="k"),
    "too-many-cards": Counted(
        "A bid is 1 card. Take the other out first.", "A bid is {k} cards. Take one out first.", by="k"
    ),
    "ace-undeclared": "Say how your Ace counts: A low is the first button, A high the last.",
    "no-draft": "Your choice was cleared because the round moved on. Choose again.",
    "match-over": "#{m} is over: {result}. Press Rematch to go again.",
    "match-stopped": "#{m} was stopped: {reason}. It does not count.",
    "match-stopped-bare": "#{m} was stopped. It does not count.",
    "seat-left": "You left #{m}; your seat plays its lowest cards. You can still watch.",
    "missed-bid": "Your clock ran out in round {r}, so I bid your lowest card, {card}.",
    "missed-pick": "Your clock ran out in round {r}, so I picked {prize} for you.",
    "missed-more": "{n} more in a row and you forfeit.",
    "last-chance": f"{{link}}: bid before {{t}}, or you forfeit. This would be your {ordinal_word(MISSES)} miss.",
    "forfeited": f"You missed {bids_in_a_row(MISSES)} and forfeited #{{m}}. {{name}} wins.",
    "forfeited-many": f"You missed {bids_in_a_row(MISSES)} and forfeited #{{m}}. The others play on.",
    "abandoned-idle": "Nobody bid in #{m} for a long time, so I stopped it. It does not count.",
    "abandoned": "All players missed {span}, so #{m} was abandoned. It does not count.",
    "over-won": "{name} won",
    "over-drawn": "a draw",
    "refused": "That cannot be done now. Nothing changed.",
}
