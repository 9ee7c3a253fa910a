"""Every rule of what is drawn when, without a bot, a store or a clock: each test takes a millisecond or so."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from bot.messages.display import STUCK, STUCK_MOST, STUCK_PRESSED, TICK, Display, Moment, Offer
from bot.messages.plan import (
    SHORT,
    SPACING_COUNTED,
    SPACING_FREE,
    Close,
    Edit,
    Leave,
    LetGo,
    Step,
    Wait,
    plan,
)
from bot.referee.model.model import DrawOffer, Invite, Lobby, LobbyState, Reply
from bot.referee.model.surfaces import Surface, SurfaceKind, SurfaceState
from bot.referee.repository.live import Live, new_engine_match
from tests.data import examples as ex
from tests.data.examples import ANA, BEN, CEM, at

BOARD, BY_DM, PRIVATE = 1, 2, 3
"""ids of surfaces"""


@dataclass
class Scene:
    """A match of two, ten minutes old, at 1000 s of the loop; all of it is as it should be."""

    live: Live = field(default_factory=lambda: match())
    display: Display = field(default_factory=lambda: Display("K7Q2"))
    surfaces: list[Surface] = field(default_factory=list[Surface])
    free: float = 1.0
    busy: set[int] = field(default_factory=set[int])
    stale: set[int] = field(default_factory=set[int])
    time: Moment = field(default_factory=lambda: Moment(at(600), 1000.0))

    def plan(self) -> tuple[Step, ...]:
        self.display.notice(self.live, self.surfaces, self.now)
        before = repr(self.display)
        steps = plan(self.surfaces, self.live, self.display, self.now)
        assert repr(self.display) == before
        return steps

    @property
    def now(self) -> Moment:
        return replace(self.time, free=self.free, busy=self.busy, stale=self.stale)

    def later(self, seconds: float) -> None:
        self.time = Moment(self.time.at + timedelta(seconds=seconds), self.time.loop + seconds)

    def becomes(self, **changed: Any) -> None:
        """The next version of the match."""
        stored = replace(self.live.stored, version=self.live.stored.version + 1, **changed)
        self.live = replace(self.live, stored=stored)

    def sealed(self, seat: int) -> None:
        self.becomes(sealed=(*self.live.stored.sealed, ex.seal(seat)))

    def revealed(self) -> None:
        self.becomes(prompt=self.live.stored.prompt + 1, sealed=())

    def ends(self, **changed: Any) -> None:
        self.becomes(live=False, deadline=None, ended=self.now.at, **changed)

    def drawn(self) -> None:
        """Everything shows what there is."""
        self.surfaces = [replace(one, shown=self.live.stored.version) for one in self.surfaces]
        self.plan()


def match(**changed: Any) -> Live:
    stored = ex.match(**changed)
    return Live(stored, new_engine_match(stored.setup), ())


def board(**changed: Any) -> Surface:
    return ex.surface(**{"id": BOARD, "message": 501, **changed})


def by_token(surface: Surface, until: float = 900) -> Surface:
    return replace(surface, token="t", token_until=at(until), token_app=7)


def console(kind: SurfaceKind = SurfaceKind.CONSOLE_DM, user: int = ANA, **changed: Any) -> Surface:
    id = BY_DM if kind is SurfaceKind.CONSOLE_DM else PRIVATE
    return ex.surface(kind=kind, **{"user": user, "id": id, "message": 500 + id, **changed})


def shown(*surfaces: Surface) -> Scene:
    """All of these are up to date."""
    scene = Scene(surfaces=list(surfaces))
    scene.drawn()
    assert scene.plan() == ()
    return scene


# --- boards -----------------------------------------------------------------------------------------------


def test_a_reveal_is_drawn_at_once_where_a_token_lives() -> None:
    scene = shown(by_token(board()))
    scene.revealed()
    assert scene.plan() == (Edit(scene.surfaces[0]),)


@pytest.mark.parametrize(("free", "spacing"), [(True, SPACING_FREE), (False, SPACING_COUNTED)])
def test_two_edits_keep_their_distance(free: bool, spacing: float) -> None:
    scene = shown(by_token(board()) if free else board())
    scene.display.edited = 999.5
    scene.revealed()
    assert scene.plan() == (Wait(scene.surfaces[0], 999.5 + spacing),)
    scene.later(spacing - 0.5)
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_a_result_waits_for_no_distance() -> None:
    scene = shown(by_token(board()))
    scene.display.edited = 999.5
    scene.ends()
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_several_ticks_are_one_edit() -> None:
    scene = shown(board())
    scene.sealed(0)
    assert scene.plan() == (Wait(scene.surfaces[0], 1000.0 + TICK),)
    scene.later(TICK / 2)
    scene.sealed(1)
    assert scene.plan() == (Wait(scene.surfaces[0], 1000.0 + TICK),)
    scene.later(TICK / 2)
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_a_seal_is_on_the_board_at_once_where_that_is_free() -> None:
    scene = shown(by_token(board()))
    scene.sealed(0)
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_a_seal_is_on_the_board_within_two_seconds_where_calls_are_counted() -> None:
    """Also right after the reveal before it: a tick, and the space between two edits."""
    assert max(TICK, SPACING_COUNTED) < 2


def test_a_reveal_does_not_wait_for_a_tick() -> None:
    scene = shown(by_token(board()))
    scene.sealed(0)
    assert scene.plan() != ()
    scene.revealed()
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_a_tick_is_dropped_where_the_budget_is_short() -> None:
    scene = shown(board())
    scene.free = SHORT - 0.01
    scene.sealed(0)
    assert scene.plan() == (Leave(scene.surfaces[0], SurfaceState.LIVE),)
    scene.free = SHORT
    assert scene.plan() == (Wait(scene.surfaces[0], 1000.0 + TICK),)


def test_a_tick_by_token_and_a_reveal_are_never_dropped() -> None:
    scene = shown(by_token(board()))
    scene.free = 0.0
    scene.sealed(0)
    assert scene.plan() == (Edit(scene.surfaces[0]),)
    scene.surfaces = [board()]
    scene.revealed()
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_after_a_restart_a_board_that_lacks_seals_alone_waits_for_a_tick() -> None:
    scene = Scene(surfaces=[board(shown=Scene().live.stored.version)])
    scene.sealed(0)
    assert scene.plan() == (Wait(scene.surfaces[0], 1000.0 + TICK),)
    scene.revealed()
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_after_a_restart_a_board_that_lacks_more_than_seals_is_shown_at_once() -> None:
    scene = Scene(surfaces=[board(shown=Scene().live.stored.version - 1)])
    scene.sealed(0)
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_a_board_stays_where_it_is_however_old() -> None:
    scene = shown(board())
    scene.later(86_400.0)
    scene.revealed()
    assert scene.plan() == (Edit(scene.surfaces[0]),)


# --- boards in trouble ------------------------------------------------------------------------------------


def forbidden() -> Scene:
    """Its board may not be edited, as was found out just now."""
    scene = shown(by_token(board(), until=1e6))
    scene.surfaces[0] = replace(scene.surfaces[0], state=SurfaceState.STUCK)
    scene.display.edited = 1000.0
    scene.display.record_forbidden()
    return scene


def test_a_board_that_is_due_in_a_thread_is_posted_there_before_anything_is_shown() -> None:
    """By a token or without; up to date or behind. Then it is like any other."""
    for surface in (board(), by_token(board())):
        for behind in (False, True):
            scene = shown(surface)
            if behind:
                scene.revealed()
            scene.display.into_thread = True
            assert scene.plan() == (Edit(scene.surfaces[0]),)
            scene.display.into_thread = False
            assert behind or not scene.plan()


def test_a_board_that_is_stuck_is_tried_again_and_again() -> None:
    scene = forbidden()
    for _ in range(3):
        scene.later(1)
        assert scene.plan() == (Wait(scene.surfaces[0], 1000.0 + STUCK),)
    scene.later(STUCK)
    assert scene.plan() == (Edit(scene.surfaces[0]),)
    pauses = list[float]()
    for _ in range(8):
        scene.display.record_forbidden()
        [wait] = scene.plan()
        assert isinstance(wait, Wait)
        pauses.append(wait.until - 1000.0)
    assert pauses == [120, 240, 480, 960, 1920, STUCK_MOST, STUCK_MOST, STUCK_MOST]


def test_a_press_brings_the_next_try_of_a_stuck_board_near() -> None:
    scene = forbidden()
    scene.display.look()
    assert scene.plan() == (Wait(scene.surfaces[0], 1000.0 + STUCK_PRESSED),)


def test_after_a_restart_a_stuck_board_is_tried_at_once() -> None:
    scene = Scene(surfaces=[by_token(board(shown=1, state=SurfaceState.STUCK))])
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_a_match_that_is_over_waits_an_hour_for_a_stuck_board() -> None:
    scene = forbidden()
    scene.ends()
    scene.drawn()
    assert scene.plan() == (Wait(scene.surfaces[0], 1000.0 + STUCK),)
    for _ in range(6):
        assert LetGo() not in scene.plan()
        scene.display.record_forbidden()
    assert scene.plan() == (LetGo(),)


@pytest.mark.parametrize("state", [SurfaceState.CLOSED, SurfaceState.LOST])
def test_closed_or_lost_board_is_left_alone(state: SurfaceState) -> None:
    scene = shown(board(state=state))
    scene.revealed()
    assert scene.plan() == ()


# --- consoles ---------------------------------------------------------------------------------------------


def test_a_console_is_drawn_by_its_token() -> None:
    scene = shown(by_token(console(SurfaceKind.CONSOLE_EPHEMERAL)))
    scene.revealed()
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_console_ignores_seals_of_others() -> None:
    scene = shown(console(user=ANA))
    scene.sealed(1)
    assert scene.plan() == (Leave(scene.surfaces[0], SurfaceState.LIVE),)


def test_what_is_read_in_the_place_of_a_console_stays_until_a_reveal() -> None:
    scene = shown(by_token(console(user=ANA, state=SurfaceState.READ)))
    scene.sealed(1)
    assert scene.plan() == (Leave(scene.surfaces[0], SurfaceState.READ),)
    scene.drawn()
    scene.revealed()
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_console_shows_its_own_seal() -> None:
    scene = shown(by_token(console(user=ANA)))
    scene.sealed(0)
    assert scene.plan() == (Edit(scene.surfaces[0]),)
    scene.drawn()
    scene.sealed(1)
    assert scene.plan() == (Leave(scene.surfaces[0], SurfaceState.LIVE),)


def test_news_that_were_not_shown_stay_news_when_others_seal() -> None:
    scene = shown(by_token(console(user=ANA)))
    scene.revealed()
    scene.plan()
    scene.sealed(1)
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def shift(scene: Scene, seconds: float) -> None:
    """Credit time away, as the store does: surfaces that were current still are, unless they show much too early."""
    stored = scene.live.stored
    assert stored.deadline is not None
    deadline = stored.deadline + timedelta(seconds=seconds)
    scene.becomes(deadline=deadline, away=stored.away + max(round(seconds), 0))


@pytest.mark.parametrize(("clock", "brief"), [(120, 4.4), (60, 2.4), (0, 4.4)])
def test_console_is_behind_when_its_deadline_is_much_too_early(clock: int, brief: float) -> None:
    """That is 10 s, or a tenth of the clock: more than two times of brief downtime."""
    bens = console(user=BEN)
    scene, left = shown(bens), Leave(bens, SurfaceState.LIVE)
    stored = scene.live.stored
    scene.live = replace(scene.live, stored=replace(stored, setup=replace(stored.setup, clock=clock)))
    for step in (left, left, Edit(bens)):
        shift(scene, brief)
        scene.surfaces = [replace(scene.surfaces[0], shown=scene.live.stored.version)]
        scene.sealed(0)
        assert scene.plan() == (replace(step, surface=scene.surfaces[0]),)
        scene.becomes(sealed=())


def test_after_a_restart_the_store_knows_whether_a_deadline_is_much_too_early() -> None:
    bens = console(user=BEN)
    scene = Scene(surfaces=[bens])
    shift(scene, 1)
    version = scene.live.stored.version
    scene.sealed(0)
    for counts_as, step in ((version, Leave(bens, SurfaceState.LIVE)), (0, Edit(bens))):
        scene.display = Display("K7Q2")
        scene.surfaces = [replace(scene.surfaces[0], shown=counts_as)]
        assert scene.plan() == (replace(step, surface=scene.surfaces[0]),)


def test_deadline_that_comes_nearer_is_news() -> None:
    """The clock of the machine was corrected."""
    scene = shown(console(user=BEN))
    shift(scene, -1)
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_an_ephemeral_past_its_token_is_lapsed_and_costs_no_call() -> None:
    scene = shown(by_token(console(SurfaceKind.CONSOLE_EPHEMERAL), until=599))
    scene.revealed()
    assert scene.plan() == (Leave(scene.surfaces[0], SurfaceState.LAPSED),)
    scene.surfaces[0] = replace(scene.surfaces[0], state=SurfaceState.LAPSED)
    assert scene.plan() == ()


def test_an_ephemeral_that_is_known_by_its_token_alone_is_drawn_once() -> None:
    scene = shown(board(), by_token(console(SurfaceKind.CONSOLE_EPHEMERAL, message=0)))
    assert scene.plan() == ()
    scene.revealed()
    assert Edit(scene.surfaces[1]) in scene.plan()
    scene.drawn()
    assert scene.plan() == ()


def test_a_console_by_dm_is_edited_without_a_token() -> None:
    scene = shown(console())
    scene.revealed()
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_a_match_is_kept_until_its_last_reveal_was_announced() -> None:
    scene = shown(console())
    scene.ends()
    scene.drawn()
    scene.display.revealed = -1
    assert scene.plan() == ()
    scene.display.revealed = len(scene.live.turns)
    assert scene.plan() == (LetGo(),)


def test_a_console_that_is_owed_is_brought_up_to_date_however_new_it_is() -> None:
    """It is sent then, or dropped after the end."""
    scene = Scene(surfaces=[console(message=0)])
    scene.drawn()
    assert scene.plan() == (Edit(scene.surfaces[0]),)
    scene.ends()
    assert scene.plan() == (Edit(scene.surfaces[0]),)


def test_consoles_and_the_board_have_a_step_each() -> None:
    scene = shown(by_token(board()), by_token(console(SurfaceKind.CONSOLE_EPHEMERAL)), console(user=BEN))
    scene.revealed()
    first, second, third = scene.surfaces
    assert scene.plan() == (Edit(first), Edit(second), Edit(third))


# --- what is being shown, presses --------------------------------------------------------------------------

KINDS = [board(), console(), console(SurfaceKind.CONSOLE_EPHEMERAL), console(message=0)]


@pytest.mark.parametrize("surface", KINDS)
def test_message_that_a_press_or_a_call_is_showing_is_left_to_that(surface: Surface) -> None:
    scene = shown(by_token(surface)) if surface.message else Scene(surfaces=[surface])
    scene.revealed()
    scene.busy = {surface.key}
    assert scene.plan() == ()
    scene.busy = set()
    assert scene.plan() != ()


@pytest.mark.parametrize("surface", KINDS[:3])
def test_a_stale_message_is_shown_once_more_however_new_it_is_believed_to_be(surface: Surface) -> None:
    scene = shown(by_token(surface))
    scene.stale = {surface.message}
    assert scene.plan() == (Edit(replace(scene.surfaces[0], shown=0)),)
    scene.surfaces[0] = replace(scene.surfaces[0], state=SurfaceState.LAPSED)
    assert scene.plan() == ()


def test_presses_that_only_seal_are_told_from_a_reveal() -> None:
    scene = shown(board())
    assert not scene.display.only_sealed(scene.live)
    scene.display.presses = 1
    scene.sealed(0)
    assert scene.display.only_sealed(scene.live)
    scene.revealed()
    assert not scene.display.only_sealed(scene.live)


# --- the end ----------------------------------------------------------------------------------------------


def test_finished_and_shown_match_is_forgotten() -> None:
    scene = shown(board(), console(SurfaceKind.CONSOLE_EPHEMERAL, state=SurfaceState.LAPSED))
    scene.ends()
    assert LetGo() not in scene.plan()
    scene.drawn()
    assert scene.plan() == (LetGo(),)


@pytest.mark.parametrize("who", ["press", "call"])
def test_match_is_not_forgotten_while_it_is_shown(who: str) -> None:
    scene = shown(board())
    scene.ends()
    scene.drawn()
    if who == "press":
        scene.display.presses = 1
    else:
        scene.busy = {99}
    assert scene.plan() == ()


def test_live_match_is_not_forgotten() -> None:
    assert shown(board()).plan() == ()
    assert not shown(board()).display.is_empty
    assert Display("K7Q2").is_empty


# --- lobbies and offers -----------------------------------------------------------------------------------


def of_lobby(lobby: Lobby, *surfaces: Surface, display: Display | None = None, **room: Any) -> tuple[Step, ...]:
    return plan(surfaces, lobby, display or Display(lobby.id), Moment(at(30), 1000.0, **room))


def asked(**changed: Any) -> Surface:
    return ex.surface(kind=SurfaceKind.LOBBY, **{"id": 6, "message": 506, **changed})


def test_a_lobby_is_shown_when_it_changes() -> None:
    lobby = ex.lobby(version=2)
    assert of_lobby(lobby, asked(shown=2)) == ()
    assert of_lobby(lobby, by_token(asked(shown=1))) == (Edit(by_token(asked(shown=1))),)
    assert of_lobby(lobby, asked(shown=1)) == (Edit(asked(shown=1)),)


def test_a_lobby_is_left_to_a_press_and_shown_once_more_like_others() -> None:
    lobby, message = ex.lobby(version=2), by_token(asked(shown=1))
    assert of_lobby(lobby, message, busy={506}) == ()
    fresh = replace(message, shown=2)
    assert of_lobby(lobby, fresh, stale={506}) == (Edit(replace(message, shown=0)),)


@pytest.mark.parametrize("state", [LobbyState.DECLINED, LobbyState.EXPIRED, LobbyState.WITHDRAWN, LobbyState.FAILED])
def test_closed_and_shown_lobby_is_forgotten(state: LobbyState) -> None:
    lobby, message = ex.lobby(state=state, version=3), by_token(asked(shown=2))
    assert of_lobby(lobby, message) == (Edit(message),)
    assert of_lobby(lobby, replace(message, shown=3)) == (LetGo(),)
    assert of_lobby(replace(lobby, state=LobbyState.OPEN), replace(message, shown=3)) == ()


def offered(user: int = BEN) -> tuple[Display, Offer]:
    display, surface = Display("K7Q2"), console(user=user, id=0, message=777)
    offer = Offer("OLD2", surface)
    display.offers = {777: offer}
    return display, offer


def test_an_offer_stands_until_it_is_answered() -> None:
    display, offer = offered()
    assert of_lobby(ex.lobby(), display=display) == ()
    people = (Invite(ANA, "Ana", Reply.HOST), Invite(BEN, "Ben", Reply.ACCEPTED), Invite(CEM, "Cem", Reply.ASKED))
    assert of_lobby(ex.lobby(people=people), display=display) == (Close(offer),)
    assert of_lobby(ex.lobby(people=people), display=offered(CEM)[0]) == ()
    assert of_lobby(ex.lobby(state=LobbyState.WITHDRAWN), display=display) == (Close(offer),)


def test_an_offer_is_closed_when_the_match_has_begun() -> None:
    scene = shown(board())
    scene.display.offers = offered()[0].offers
    assert scene.plan() == (Close(scene.display.offers[777]),)
    scene.busy = {777}
    assert scene.plan() == ()


def test_the_offer_of_a_draw_stands_until_it_is_answered() -> None:
    scene = shown(board())
    prompt = scene.live.stored.prompt
    offer = replace(offered()[1], prompt=prompt)

    def planned(**changed: Any) -> tuple[Any, ...]:
        scene.display.offers = {777: offer}
        stored = replace(scene.live.stored, **changed)
        steps = plan(scene.surfaces, replace(scene.live, stored=stored), scene.display, scene.now)
        return tuple(step for step in steps if isinstance(step, Close))

    stands = DrawOffer(0, frozenset((0,)))
    assert planned(draw=stands) == ()
    assert planned(draw=DrawOffer(0, frozenset((0, 1)))) == (Close(offer),)
    assert planned(draw=None) == (Close(offer),)
    assert planned(draw=stands, prompt=prompt + 1) == (Close(offer),)


def test_private_question_stands_until_its_match_ends_or_no_token_reaches_it() -> None:
    scene = shown(board())
    asked = console(SurfaceKind.CONSOLE_EPHEMERAL, user=BEN, id=0, message=777)
    reached = replace(asked, token="t", token_until=scene.now.at + timedelta(minutes=1))
    question = Offer("K7Q2", reached, is_question=True)
    scene.display.offers = {777: question}
    assert scene.plan() == ()
    over = replace(scene.live, stored=replace(scene.live.stored, live=False))
    assert Close(question) in plan(scene.surfaces, over, scene.display, scene.now)
    lost = replace(question, surface=replace(asked, token="t", token_until=scene.now.at))
    scene.display.offers = {777: lost}
    assert scene.plan() == (Close(lost),)


# --- what consoles say of the board -----------------------------------------------------------------------


def test_a_board_is_late_from_the_moment_that_it_should_look_otherwise() -> None:
    scene = shown(board())
    scene.sealed(0)
    scene.plan()
    scene.later(60)
    assert not scene.display.is_behind(scene.now.at)  # a tick is best effort
    scene.revealed()
    scene.plan()
    assert not scene.display.is_behind(scene.now.at)
    scene.later(10)
    assert scene.display.is_behind(scene.now.at)
    scene.display.late = None
    assert not scene.display.is_behind(scene.now.at)


# --- purity -----------------------------------------------------------------------------------------------


def test_a_plan_reads_no_clock_and_needs_no_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden() -> float:
        raise AssertionError

    monkeypatch.setattr(time, "monotonic", forbidden)
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()
    scene = shown(by_token(board()), console())
    scene.revealed()
    again = [scene.plan() for _ in range(3)]
    assert again[0] == again[1] == again[2] == (Edit(scene.surfaces[0]), Edit(scene.surfaces[1]))
