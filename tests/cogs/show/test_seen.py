"""What is read of Discord at the start stops no match that its players only play on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.messages.seen import SeenComparison
from bot.referee.lobby.setups import Wish
from bot.referee.model.participant import Person
from bot.rest.call_result import CallResult
from bot.ui.custom_ids import match_ids
from tests.cogs.test_memory_leaks import Stage, place
from tests.referee.stage import HERE

__all__ = ["place"]

BEN, CEM = Person(1, "Ben"), Person(2, "Cem")


async def test_match_that_goes_on_while_its_message_is_read_is_not_stopped(place: Stage) -> None:
    referee = place.referee
    lobby = await referee.challenges.open(HERE, BEN, [CEM], Wish(game="classic", cards=4))
    await place.posted(lobby)
    await referee.challenges.accept(lobby.id, CEM.user)
    await place.publisher.idle()
    prompt = (await referee.live(lobby.id)).stored.prompt

    class Reader:
        async def read_custom_ids(self, *_: int) -> tuple[CallResult, Sequence[str]]:
            """Both bid before the answer of Discord comes, and it shows their next round already."""
            for person, card in ((BEN, 2), (CEM, 3)):
                await referee.matches.seal(lobby.id, person.user, prompt, card, place.table.clock.now())
            return CallResult.DONE, match_ids.cards(lobby.id, prompt + 1, [1, 4])

    reader: Any = Reader()
    compared = await SeenComparison(referee, reader, strict=False).run()
    assert compared.stopped == []
    assert (await referee.live(lobby.id)).stored.live
    await place.publisher.idle()
