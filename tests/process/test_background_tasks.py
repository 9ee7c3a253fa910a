"""Work that nobody awaits."""

from bot.process.base.event_loop import BackgroundTasks
from bot.referee.repository.match_repository import INTERACTION, HandledInteraction


async def test_background_work_is_not_the_work_of_the_interaction_that_started_it() -> None:
    """Else what a repeated interaction starts, like a console in a new DM channel, may store nothing."""
    found: list[HandledInteraction | None] = []

    async def work() -> None:
        found.append(INTERACTION.get())

    token = INTERACTION.set(HandledInteraction(1))
    try:
        await BackgroundTasks().start(work())
    finally:
        INTERACTION.reset(token)
    assert found == [None]
