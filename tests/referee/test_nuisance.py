"""Limits on nuisance: repeated invitations, and stopping matches in search of a better hand."""

import asyncio
from datetime import timedelta

import pytest

from bot.engine.variants import GAMES
from bot.errors import RefereeError
from bot.referee.lobby.setups import Wish
from bot.referee.match.resignation import Quitting
from bot.referee.model.model import Lobby
from bot.referee.model.participant import Person, Place
from bot.referee.model.surfaces import Surface, SurfaceKind
from tests.referee.stage import ANA, BEN, CEM, HERE, Table

CROWD = [Person(100 + number, f"P{number}") for number in range(40)]


async def ask(table: Table, other: Person, **wish: object) -> Lobby:
    lobby = await table.referee.challenges.open(HERE, ANA, (other,), Wish(**wish))  # pyright: ignore[reportArgumentType]
    shown = Surface(lobby.id, SurfaceKind.LOBBY, 0, HERE.channel, 900, 0, lobby.created)
    await table.referee.lobbies.note_message(lobby, shown)
    return lobby


async def refusal(table: Table, other: Person = CROWD[39], **wish: object) -> RefereeError:
    with pytest.raises(RefereeError) as caught:
        await ask(table, other, **wish)
    return caught.value


async def test_sixth_open_invitation_is_refused(table: Table) -> None:
    asked = [await ask(table, person) for person in CROWD[:5]]
    no = await refusal(table)
    assert (no.id, no.data) == ("too-many-open", {"n": 5})
    await table.referee.challenges.withdraw(asked[0].id, ANA.user)
    await ask(table, CROWD[39])
    assert (await refusal(table, CROWD[38])).id == "too-many-open"
    table.clock.forward(24 * 3600)
    await ask(table, CROWD[38])


async def test_invitations_sent_at_once_count_towards_the_limit(table: Table) -> None:
    """Forty challenges and withdrawals in two seconds once gave forty pings."""
    came = await asyncio.gather(*(ask(table, person) for person in CROWD), return_exceptions=True)
    assert sum(isinstance(one, Lobby) for one in came) == 5
    assert all(isinstance(one, Lobby) or (isinstance(one, RefereeError) and one.id == "too-many-open") for one in came)


async def test_more_than_twenty_challenges_an_hour_are_refused(table: Table) -> None:
    first = table.clock.now()
    for person in CROWD[:20]:
        await table.referee.challenges.withdraw((await ask(table, person)).id, ANA.user)
        table.clock.forward(0.05)
    no = await refusal(table)
    assert (no.id, no.data["t"]) == ("too-fast", first + timedelta(hours=1))
    with pytest.raises(RefereeError, match="too-fast"):
        await table.referee.tables.open(HERE, ANA, 2, Wish())
    table.clock.forward(3600)
    await ask(table, CROWD[39])


async def test_fourth_invitation_to_one_person_in_an_hour_is_refused(table: Table) -> None:
    first = table.clock.now()
    for cards in (3, 4, 5):
        await table.referee.challenges.withdraw((await ask(table, BEN, cards=cards)).id, ANA.user)
        table.clock.forward(60)
    no = await refusal(table, BEN)
    assert (no.id, no.data) == ("asked-lately", {"name": "Ben", "t": first + timedelta(hours=1)})
    await table.referee.challenges.withdraw((await ask(table, CEM)).id, ANA.user)
    with pytest.raises(RefereeError, match="asked-lately"):  # nor among others
        await table.referee.challenges.open(HERE, ANA, (CEM, BEN), Wish())
    table.clock.forward(3600 - 180)
    await ask(table, BEN)
    assert (await refusal(table, BEN, cards=7)).id == "asked-already"


async def test_person_who_accepts_can_be_invited_again(table: Table) -> None:
    for _ in range(4):
        lobby = await ask(table, BEN, cards=3)
        await table.referee.challenges.accept(lobby.id, BEN.user)
        await table.play_out(lobby.id, (1, 2, 3), (3, 1, 2))
        assert (await table.referee.live(lobby.id)).stored.live is False


async def test_accepting_resets_the_count_of_unanswered_invitations(table: Table) -> None:
    for cards in (3, 4):
        await table.referee.challenges.withdraw((await ask(table, BEN, cards=cards)).id, ANA.user)
        table.clock.forward(60)
    lobby = await ask(table, BEN, cards=3)
    await table.referee.challenges.accept(lobby.id, BEN.user)
    await table.play_out(lobby.id, (1, 2, 3), (3, 1, 2))
    table.clock.forward(60)
    for cards in (4, 5, 6):
        await table.referee.challenges.withdraw((await ask(table, BEN, cards=cards)).id, ANA.user)
        table.clock.forward(60)
    assert (await refusal(table, BEN)).id == "asked-lately"


async def test_third_open_table_in_a_channel_is_refused(table: Table) -> None:
    async def open_table(channel: int) -> Lobby:
        opened = await table.referee.tables.open(Place(HERE.guild, channel), ANA, 2, Wish())
        shown = Surface(opened.id, SurfaceKind.LOBBY, 0, channel, 900 + channel, 0, opened.created)
        await table.referee.lobbies.note_message(opened, shown)
        return opened

    first = await open_table(2)
    await open_table(2)
    with pytest.raises(RefereeError, match="too-many-tables"):
        await open_table(2)
    await open_table(3)
    await ask(table, BEN)
    await table.referee.tables.close(first.id, ANA.user)
    await open_table(2)


async def test_challenges_that_a_crash_left_unseen_do_not_count(table: Table) -> None:
    for person in CROWD[:5]:
        await table.referee.challenges.open(HERE, ANA, (person,), Wish())
    table.clock.forward(6)
    await ask(table, CROWD[39])


# --- giving up before the first reveal --------------------------------------------------------------------


async def test_fourth_stop_before_the_first_reveal_in_a_day_counts_as_a_loss(table: Table) -> None:
    """It counts for this person alone, and the question says so in advance."""
    for number in range(3):
        id = await table.start(clock=60)
        assert await table.referee.matches.preview_quit(id, ANA.user) is Quitting.FREE, number
        view = await table.referee.matches.resign(id, ANA.user, free=True)
        assert view.outcome is not None
        assert not view.outcome.termination.counts
        table.clock.forward(60)
    id = await table.start(clock=60)
    assert await table.referee.matches.preview_quit(id, BEN.user) is Quitting.FREE
    assert await table.referee.matches.preview_quit(id, ANA.user) is Quitting.OFTEN
    with pytest.raises(RefereeError, match="expired-question"):
        await table.referee.matches.resign(id, ANA.user, free=True)
    view = await table.referee.matches.resign(id, ANA.user)
    assert view.outcome is not None
    assert view.outcome.winner == 1
    assert len(view.changes) == 2
    table.clock.forward(24 * 3600)
    id = await table.start(clock=60)
    assert await table.referee.matches.preview_quit(id, ANA.user) is Quitting.FREE


async def test_stops_at_once_share_the_free_stops_of_the_day(table: Table) -> None:
    matches = [await table.start(clock=60) for _ in range(2)]
    matches += [await table.start((ANA, one), clock=60) for one in CROWD[:3]]
    views = await asyncio.gather(*(table.referee.matches.resign(id, ANA.user) for id in matches))
    assert sum(view.outcome is not None and view.outcome.termination.counts for view in views) == 2


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
async def test_stop_is_a_loss_in_games_with_different_or_hidden_hands(table: Table, game: object) -> None:
    """A person with a bad hand could stop and be dealt another hand without end."""
    key, seats = game.key, game.seats[0]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    people = (ANA, BEN, *CROWD)[:seats]
    id = await table.start(people, game=key, clock=60)
    expected = Quitting.HAND if key in ("throps", "pico") else Quitting.FREE
    assert await table.referee.matches.preview_quit(id, ANA.user) is expected
    view = await table.referee.matches.resign(id, ANA.user)
    if expected is Quitting.FREE:
        assert view.outcome is not None
        assert not view.outcome.termination.counts
    elif seats == 2:
        assert view.outcome is not None
        assert view.outcome.winner == 1
    else:
        assert view.seats[0].left


async def test_stop_is_free_in_a_game_with_hidden_bids(table: Table) -> None:
    id = await table.start(clock=60, options={"info": "win-only"})
    assert await table.referee.matches.preview_quit(id, ANA.user) is Quitting.FREE


async def test_reveal_makes_the_stop_question_out_of_date(table: Table) -> None:
    id = await table.start(clock=60)
    assert await table.referee.matches.preview_quit(id, ANA.user) is Quitting.FREE
    await table.round(id, 5, 6)
    with pytest.raises(RefereeError, match="expired-question"):
        await table.referee.matches.resign(id, ANA.user, free=True)
    assert await table.referee.matches.preview_quit(id, ANA.user) is Quitting.RESIGNED
