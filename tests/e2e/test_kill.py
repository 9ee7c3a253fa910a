"""Nothing is lost: the bot is killed again and again, at random and at chosen instants, while six people play."""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.playground.faults.call import When
from bot.ratings import pool as ratings
from bot.ratings.pool import replay_results
from bot.referee.model.clock_changes import read_owner
from bot.referee.repository.live import replay_match
from bot.referee.repository.view_builder import record_data
from bot.referee.verify.check import verify
from data.sql.surfaces import select_behind
from data.store import SqlStore
from tests.driver import Outcome, Person, Seen
from tests.e2e.hall import SEALED, Hall, Watch, card_of, is_over, opened_hall, round_of
from tests.e2e.house import ADD, plain

RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
"""the same in every worker of a run, so that all collect the same tests"""
NAMED = os.environ.get("SEEDS")
"""SEEDS=247893,4711 plays these again"""
SEEDS = (
    list(map(int, NAMED.split(",")))
    if NAMED
    else [1, 2, 3, 4]
    if os.environ.get("CI")
    else random.Random(RUN).sample(range(10**6), 4)
)
KILLS = 26
"""in each of the four runs"""
IN_EARNEST = KILLS
"""every so many kills the bot comes from an interpreter of its own, as it does with people"""

AGAIN = 10.0
"""seconds without the board after which they press once more who have accepted"""

LATER = 5.0
"""seconds at the most until somebody who thinks about bids asks again where a challenge came to nothing"""

ASKS_TOO_MUCH = ("Too fast.", "open challenges", "in the last hour")
"""who is told so in a long run lets somebody else challenge"""

GIVEN_UP = "-"

NAMES = ("Ana", "Ben", "Cem", "Dia", "Eli", "Fay")
CARDS = 4

COMMITTED = ("is still open", "done this already")
"""what says that a challenge was made before"""

ANNOUNCED, DRAWN = 5, 7
"""answers to an interaction: there will be a message; here is the message that was pressed as it is now"""

CALLBACK = "POST /interactions/*/callback"
ROUTES = {
    CALLBACK: 8,
    "PATCH /webhooks/*": 6,
    "PATCH /channels/*/messages/*": 3,
    "POST /channels/*/messages": 2,
    "POST /users/@me/channels": 1,
}
"""calls at which the bot is killed, and how many of them may go by first"""


@dataclass
class Pressed:
    at: int
    card: int
    on: str
    """the message whose key it was"""
    revealed: bool = False
    """the answer to this press was the reveal of its round"""
    steady: float = field(default_factory=time.monotonic)
    """when, by a clock that nobody sets"""
    sure: bool = False
    """the answer to this press was that its card is sealed; else nobody was told what became of it, and it may be dealt
    with at any time after it"""


@dataclass
class Play:
    """Six people at several tables."""

    hall: Hall
    rng: random.Random
    patience: float = 90.0
    """seconds in which something has to be seen"""
    wishes: dict[str, Any] = field(default_factory=dict[str, Any])
    """what a challenge says beyond who, how many cards and where"""
    pace: float = 0.0
    """seconds that a person thinks about a bid, on average, until it is time to end"""
    calm: asyncio.Event = field(default_factory=asyncio.Event)
    """cleared while everybody keeps still"""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    pressed: dict[tuple[str, str, int], list[Pressed]] = field(default_factory=dict[Any, Any])
    agreed: dict[str, float] = field(default_factory=dict[str, float])
    """when the last ones to accept a match set about it, by a clock that nobody sets"""
    left: dict[str, str] = field(default_factory=dict[str, str])
    """why people left a challenge, by its message"""
    done: list[tuple[str, list[Person]]] = field(default_factory=list[Any])
    results: set[str] = field(default_factory=set[str])
    """matches that were seen to show their end"""
    busy: int = 0
    on_press: list[Callable[[], None]] = field(default_factory=list[Any])
    still: asyncio.Event = field(default_factory=asyncio.Event)
    late: set[tuple[str, str, int]] = field(default_factory=set[Any])
    """matches, people and rounds in which a clock may have bid: nobody had sealed anything when it ran out"""

    async def act(self, work: Callable[[], Awaitable[Any]]) -> Any:
        """Something that somebody does; not while everybody keeps still."""
        while not (self.calm.is_set() and self.hall.up.is_set()):
            await self.calm.wait()
            await self.hall.up.wait()
        self.busy += 1
        self.still.clear()
        for tell in self.on_press:
            tell()
        try:
            return await work()
        finally:
            self.busy -= 1
            if not self.busy:
                self.still.set()

    async def press(self, person: Person, message: Seen, button: str) -> Any:
        return await self.act(lambda: self.hall.press(person, message, button))

    async def table(self, crowd: Sequence[Person] = ()) -> None:
        """One match after the other until it is time to end, of these people or of all."""
        while not self.ended.is_set():
            people = self.rng.sample(crowd or self.hall.people, 3 if self.rng.random() < 0.2 else 2)
            match = await self.begin(people)
            if match:
                await asyncio.gather(*(self.play(person, match) for person in people))
                self.done.append((match, people))
            elif self.pace:
                await waited(self.ended, min(self.pace, LATER))

    async def ask(self, host: Person, options: dict[str, Any]) -> Outcome:
        return await self.act(lambda: host.slash("/gops challenge", may_fail=True, **options))

    async def ask_on_card(self, host: Person, others: Sequence[Person], options: dict[str, Any]) -> Outcome | None:
        """Challenge several people on the set-up card; None if it was lost before its last press, which alone commits.
        What became of the card itself is no message of the challenge."""
        asked = await self.ask(host, {**options, "game": "three-handed"})
        steps: tuple[tuple[str, Callable[[Seen], Awaitable[Outcome]]], ...] = (
            (
                "\N{BULLET}Three-handed",
                lambda card: host.choose("Classic GOPS", select="Game", in_=card, may_fail=True),
            ),
            (ADD, lambda card: host.choose(*others[1:], select=ADD, in_=card, may_fail=True)),
            (others[-1].name, lambda card: host.press("Send the challenge", in_=card, may_fail=True)),
        )
        card = asked.message
        for needed, step in steps:  # a step that was acknowledged before a kill may not show on the card
            shown = asked.message
            if asked.failed or card is None or shown is None or shown.id != card.id or needed not in shown.text:
                return None
            asked = await self.act(partial(step, shown))
        is_card = card is not None and asked.message is not None and asked.message.id == card.id
        return replace(asked, message=None) if is_card else asked

    async def begin(self, people: list[Person]) -> str:
        """Challenge and accept; nothing if the challenge was lost before anybody saw it."""
        host, *others = people
        options: dict[str, Any] = {"opponent": others[0], "cards": CARDS, "where": "own", **self.wishes}
        before = set(self.hall.watch(others[0]).lobbies)
        outcome = await (self.ask_on_card(host, others, options) if others[1:] else self.ask(host, options))
        if outcome is None:
            return ""
        if not outcome.failed and outcome.message is not None and outcome.message.is_ephemeral:
            text = outcome.message.text
            if asks_again(outcome) or any(words in text for words in ASKS_TOO_MUCH):
                await asyncio.sleep(0.5)
                return ""
            # The last one was committed, and the process died before it was shown: it is forgotten after a while. So
            # is one that its host only knows from an announcement, or from the answer to a repeated event.
            assert outcome.answer == ANNOUNCED or any(words in text for words in COMMITTED), text
            if self.wishes:  # where clocks are the matter, nobody moves them on for all others
                await asyncio.sleep(6)
            else:
                await self.hall.stage.forward(6)
            return ""
        new = [one for id, one in self.hall.watch(others[0]).lobbies.items() if id not in before]
        shown = outcome.message or next((one for one in new if is_of(one, host, others)), None)
        if shown is None:
            return ""

        def begun() -> str | None:
            boards = self.hall.watch(host).boards
            match = next((id for id, board in boards.items() if board.id == shown.id), None)
            now = host.now(shown)
            if match is None and (now is None or not now.buttons):  # its process died before it knew it
                self.left[shown.id] = f"{host.name} saw {now} in the place of {shown}"
                return GIVEN_UP
            return match

        agreed = time.monotonic()
        until = asyncio.get_running_loop().time() + self.patience
        while True:
            for person in others:
                if not await self.accept(person, shown):
                    self.left[shown.id] = f"{person.name} was told that it has ended: {shown}"
                    return ""
            left = until - asyncio.get_running_loop().time()
            try:  # what was only said to be on its way may have ended with who said so: they press once more
                async with asyncio.timeout(AGAIN if left > AGAIN else None):
                    begun_as = await self.hall.watch(host).until(begun, "the board", left)
                break
            except TimeoutError:
                continue
        if begun_as == GIVEN_UP:
            return ""
        self.agreed[begun_as] = agreed
        return begun_as

    async def accept(self, person: Person, challenge: Seen) -> bool:
        """Press *Accept*, and again where nobody answered, or nothing changed by it; whether there is such a challenge:
        of one whose process died before it knew the message only a press tells that it has ended."""
        while (now := person.now(challenge)) is not None and now.has_button("Accept"):
            answered = await self.press(person, now, "Accept")
            if answered is not None and not asks_again(answered):
                text = "" if answered.message is None else answered.message.text
                return "has ended" not in text or "it was accepted" in text
            await asyncio.sleep(0.1)
        return True

    async def play(self, person: Person, match: str) -> None:
        """Bid in every round, sometimes change the bid; press again whatever was not answered."""
        watch = self.hall.watch(person)
        sealed: set[int] = set()

        def console() -> Seen | bool | None:
            if watch.over(match):
                return True
            found = watch.newest(match)
            return found if found is not None and not is_over(found) and round_of(found) not in sealed else None

        while True:
            if self.rng.random() < 0.15 and match in watch.boards:
                await self.press(person, watch.boards[match], "Bid")
            found = await watch.until(console, f"a console of {match} beyond {sealed}", 2 * self.patience)
            if not isinstance(found, Seen):
                return
            if self.pace:
                await waited(self.ended, self.rng.expovariate(1 / self.pace))
            if await self.bid(person, match, found):
                sealed.add(round_of(found))
                if self.rng.random() < 0.3:
                    await self.bid(person, match, found)
            else:
                await asyncio.sleep(0)  # pressed again at once, but nobody else is kept from theirs

    async def bid(self, person: Person, match: str, console: Seen) -> bool:
        """Press some key; whether the answer says that a bid of this round is in. A refusal is pressed again."""
        round = round_of(console)
        ids = [one.custom_id or "" for one in console.buttons if not one.disabled]
        keys = [one for one in ids if one.startswith("g1:co:")]
        if not keys:
            return False
        key = self.rng.choice(keys)
        press = Pressed(0, card_of(key.rsplit(":", 1)[1]), console.id)

        async def work() -> Any:
            press.at, press.steady = next(self.hall.tick), time.monotonic()
            self.pressed.setdefault((match, person.id, round), []).append(press)
            return await self.hall.press(person, console, key)

        outcome = await self.act(work)
        if outcome is None or outcome.message is None:
            return False
        text = outcome.message.text
        further = is_over(outcome.message) or round_of(outcome.message) > round
        # What is answered later may be found on a message that somebody else has brought up meanwhile.
        press.revealed = outcome.answer == DRAWN and "⚠" not in text and further
        said = SEALED.search(text)
        press.sure = outcome.answer == DRAWN and not further and said is not None and card_of(said[1]) == press.card
        return further or "is sealed" in text


def is_of(challenge: Seen, host: Person, others: Sequence[Person]) -> bool:
    """Return True for a challenge of this host to these people."""
    asks, _, _ = plain(challenge.text).partition(" challenges you")
    *asked, asking = (name.strip("@*") for name in asks.split())
    return asking == host.name and {*asked} == {other.name for other in others}


def asks_again(outcome: Outcome) -> bool:
    """Return True if nothing changed: the bot was about to end, could not write, no process led, or a press before was
    still being dealt with."""
    text = outcome.message.text if outcome.message is not None else ""
    nothing = ("ress again", "nothing changed", "changed nothing", "I am changing over")
    return any(words in text for words in nothing)


async def stopped(hall: Hall, play: Play) -> None:
    """Kill the bot at some instant."""
    await at_some_instant(hall, play, hall.strike)
    await hall.down()


async def at_some_instant(hall: Hall, play: Play, strike: Callable[[], None]) -> None:
    """Strike after a while, just after a press, or at one of the bot's calls."""
    rng, aim = play.rng, play.rng.random()
    if aim < 0.6:
        await soon(play, aim < 0.25, strike)
    else:
        route = rng.choice(list(ROUTES))
        hall.trap.kill = strike
        hall.trap.set(route, rng.choice([When.BEFORE, When.AFTER]), rng.randint(1, ROUTES[route]))
        await waited(hall.trap.sprung, 1.5)
        hall.trap.set("", When.BEFORE, 0)


async def soon(play: Play, at_any_time: bool, strike: Callable[[], object]) -> None:
    """Strike after a while, or just after a press."""
    rng, struck = play.rng, asyncio.Event()
    if at_any_time:
        await asyncio.sleep(rng.uniform(0, 0.8))
        strike()
        return
    left, delay = rng.randint(1, 6), rng.uniform(0, 0.025)

    def count() -> None:
        nonlocal left
        left -= 1
        if not left:
            asyncio.get_running_loop().call_later(delay, lambda: (strike(), struck.set()))

    play.on_press.append(count)
    await waited(struck, 3)
    play.on_press.remove(count)


async def waited(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return


async def shows_the_store(hall: Hall, play: Play) -> None:
    """While nobody does anything, every board and console comes to show what the store holds.

    A result that was seen is not looked at again, until all is over.
    """
    for match, live in hall.rows("SELECT id, live FROM matches"):
        if live or match not in play.results:
            await shows(hall, match, play.patience)
            play.results.update([] if live or play.ended.is_set() else [match])
    match = play.rng.choice(list(hall.watch(hall.people[0]).boards) or [None])
    if match is not None:
        answered = await an_old_button(hall, hall.people[1], match, play.patience)
        assert answered.message is not None
        text = answered.message.text
        assert "score sheet" in text or f"#{match}" in text, f"a button of #{match} was answered: {text}"


async def an_old_button(hall: Hall, who: Person, match: str, patience: float) -> Outcome:
    """What a button on the board came to; clocks run, and where that has ended a match it has another one. Where
    the answer asks for it, it is pressed again."""
    watch = hall.watch(who)
    async with asyncio.timeout(patience):
        while True:
            board = watch.boards[match]
            answered = await hall.press(who, board, "Sheet") or await hall.press(who, board, "More")
            if answered is None:
                await watch.until(lambda seen=board: watch.boards[match] is not seen or None, f"#{match}", patience)
            elif not asks_again(answered):
                return answered


async def shows(hall: Hall, match: str, patience: float, *, ticks: bool = True) -> None:
    """The board, and the console of each seat: the round that is due, and who has sealed. Without `ticks` the board may
    lack some: where a bot has more to show than it may call for, it leaves those out."""
    users = [str(user) for (user,) in hall.rows('SELECT "user" FROM seats WHERE match_id = ? ORDER BY seat', match)]

    def stored() -> tuple[bool, int, set[int]]:
        [(live,)] = hall.rows("SELECT live FROM matches WHERE id = ?", match)
        [(due,)] = hall.rows("SELECT count(DISTINCT round) + 1 FROM decisions WHERE match_id = ?", match)
        return bool(live), due, {seat for (seat,) in hall.rows("SELECT seat FROM seals WHERE match_id = ?", match)}

    def fits(watch: Watch, seat: int, live: bool, due: int, sealed: set[int]) -> bool:
        board, console = watch.boards.get(match), watch.newest(match)
        if board is None or (console is None and match not in watch.forgotten):
            return False
        if not live:
            return is_over(board) and (console is None or is_over(console))
        marked = [line for line in board.text.splitlines() if "✔ has bid" in line]
        own = console is None or (round_of(console) == due and ("is sealed" in console.text) == (seat in sealed))
        there = len(marked) == len(sealed) if ticks else len(marked) <= len(sealed)
        return round_of(board) == due and there and own

    known = stored()

    def caught_up(watch: Watch, seat: int) -> bool | None:
        """Clocks run while nobody does anything: a match may go on, or end, while another one is looked at."""
        nonlocal known
        if not fits(watch, seat, *known):
            known = stored()
        return fits(watch, seat, *known) or None

    for seat, user in enumerate(users):
        look = partial(caught_up, hall.watches[user], seat)
        await hall.watches[user].until(look, f"#{match} as it is stored ({known})", patience)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", SEEDS)
async def test_nothing_is_lost(tmp_path: Path, seed: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    async with opened_hall(tmp_path) as hall:
        await hall.crowd(NAMES)
        play = Play(hall, rng)
        play.calm.set()
        play.still.set()
        tables = [asyncio.create_task(play.table()) for _ in range(4)]
        killer = asyncio.create_task(kill(hall, play))
        finished, _ = await asyncio.wait([killer, *tables], return_when=asyncio.FIRST_EXCEPTION)
        for task in finished:
            task.result()
        await shows_the_store(hall, play)
        await hall.bot.stop()
        await holds(hall, play)
        assert "Traceback" not in hall.bot.logged(), hall.bot.logged()


async def kill(hall: Hall, play: Play) -> None:
    for life in range(KILLS):
        hall.bot.forked = life % IN_EARNEST != 0
        if life % 5 == 4:
            play.calm.clear()
            await play.still.wait()
            await hall.down()
            await hall.restart()
            await shows_the_store(hall, play)
            play.calm.set()
            continue
        await stopped(hall, play)
        if play.rng.random() < 0.1:  # and once more while it starts
            task = asyncio.create_task(hall.bot.start())
            await asyncio.sleep(play.rng.uniform(0.02, 0.3) if hall.bot.forked else play.rng.uniform(0.3, 0.9))
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await hall.down()
        await hall.restart()
    play.ended.set()


async def holds(hall: Hall, play: Play) -> None:
    """What the store holds is what people were told, once each, and adds up."""
    async with await hall.store() as store:
        ids = [id for (id,) in hall.rows("SELECT id FROM matches")]
        stored = [match for id in ids if (match := await store.match(id)) is not None]
        assert {match.id for match in stored} >= {id for id, _ in play.done}
        assert not [match.id for match in stored if match.live], "every match went on to its end"
        records: list[dict[str, Any]] = []
        for match in stored:
            record = json.loads(json.dumps(record_data(replay_match(match))))
            assert all(finding.holds for finding in verify(record).findings)
            records.append(record)
            bids_are_kept(play, match)
        for match, judged in zip(stored, await hall.judged(records), strict=True):
            assert [str(one) for one in judged["totals"]] == list(match.totals)
            assert (judged["winner"], judged["placings"]) == (match.winner, list(match.placings or ()))
        shown_once(hall, stored)
        await rated_once(hall, store, stored)
    assert hall.rows("SELECT count(*) FROM seals") == [(0,)]
    behind = hall.rows(f"SELECT owner, kind, shown FROM surfaces WHERE id IN ({select_behind()})")
    assert [row for row in behind if row[0] in ids] == []
    print(f"{len(stored)} matches, {sum(map(len, play.pressed.values()))} presses, {KILLS} kills")


def opened(play: Play, match: Any, round: int) -> float:
    """A time at which this round was not open yet, by a clock that nobody sets: somebody was still to press their first
    card of the one before."""
    chosen = {
        one.seat for deal in match.deals for one in deal.decisions if one.round + 1 == round - 1 and not one.forced
    }
    users = [str(match.seats[seat].user) for seat in chosen]
    return max((play.pressed[match.id, user, round - 1][0].steady for user in users), default=play.agreed[match.id])


def bids_are_kept(play: Play, match: Any) -> None:
    """Each bid that somebody was told is sealed was played, unless they pressed another card after it."""
    about = [watch.about for watch in play.hall.watches.values()]
    left = [why for id, why in play.left.items() if any(match.id in seen.get(id, ()) for seen in about)]
    assert match.id in play.agreed, f"#{match.id} has begun, and its people left: {left}"
    decisions = {(one.seat, one.round + 1): one for deal in match.deals for one in deal.decisions}
    assert len(decisions) == sum(len(deal.decisions) for deal in match.deals), "nobody bids twice in a round"
    for seat, one in enumerate(match.seats):
        user, watch = str(one.user), play.hall.watches[str(one.user)]
        for round in range(1, CARDS):
            decision, pressed = decisions[seat, round], play.pressed.get((match.id, user, round), [])
            told = watch.sealed.get((match.id, round), [])
            if decision.forced:
                had, clock = watch.had(match.id, round, opened(play, match, round)), play.wishes.get("clock", math.inf)
                assert (match.id, user, round) in play.late or had >= clock, (
                    f"#{match.id} round {round} seat {seat}: lost by the clock at {decision.at}, after {had:.0f} s"
                )
                assert not told, f"#{match.id} round {round}: {user} was told of a seal"
                continue
            last = {message: (at, card) for at, card, message in told}
            for message, (at, card) in last.items():
                origins = {press.at: press.on for press in pressed if press.card == card and press.at < at}
                assert origins, f"#{match.id} round {round}: {card} was never pressed"
                # What another console shows may be older: it is brought up while they go on pressing here. So may what
                # is drawn here, if it was on its way while they pressed; the answer to a press is what it came to.
                here = sorted(press for press, on in origins.items() if on == message)
                sure = {press.at for press in pressed if press.sure}
                origin = next((at for at in reversed(here) if at in sure), here[0] if here else min(origins))
                possible = {card} | {press.card for press in pressed if press.at > origin}
                when = play.hall.tick.when
                assert decision.choice in possible, (
                    f"#{match.id} round {round} seat {seat}: {decision}, {[(when(one.at), one) for one in pressed]},"
                    f" told {[(when(one), *rest) for one, *rest in told]}"
                )
            assert decision.choice in {press.card for press in pressed}, f"{match.id} {round} {decision} {pressed}"
            for press in pressed:
                if press.revealed:
                    assert decision.choice == press.card, f"#{match.id} {round}: {press} of {pressed} showed {decision}"


def shown_once(hall: Hall, stored: list[Any]) -> None:
    """One board a match for everybody in its server, one console a person by DM, and both tell the result."""
    guilds = hall.playground.core.world.guilds
    # One whose place another has taken just before a kill goes a minute after that, by a deadline.
    going = {read_owner(owner)[1] for (owner,) in hall.rows("SELECT owner FROM deadlines WHERE owner LIKE 'message %'")}
    for user, watch in hall.watches.items():
        for match in stored:
            if int(user) in guilds[match.guild].members:
                assert len(watch.posted[match.id]) == 1, f"#{match.id} has one board"
            there = [one for one in watch.consoles.get(match.id, {}).values() if watch.person.now(one) is not None]
            by_dm = [f"{one.id} {one}" for one in there if not one.is_ephemeral and int(one.id) not in going]
            assert len(by_dm) <= 1, f"#{match.id} has one console by DM: " + "\n".join(by_dm)


async def rated_once(hall: Hall, store: SqlStore[Any], stored: list[Any]) -> None:
    """The ratings are those that the table of matches gives."""
    results: dict[int, list[ratings.RatedMatch]] = {}
    for match in stored:
        entries = hall.rows('SELECT "user" FROM rating_history WHERE match_id = ?', match.id)
        assert len(entries) == (0 if match.unrated else len(match.seats))
        if not match.unrated:
            places = tuple((one.user, place) for one, place in zip(match.seats, match.placings, strict=True))
            results.setdefault(match.guild, []).append(ratings.RatedMatch(match.id, match.ended, places))
    standings = {
        (guild, user): one for guild, those in results.items() for user, one in replay_results(those).standings.items()
    }
    kept = hall.rows('SELECT guild, "user", mu, sigma, played, won, drawn, lost FROM ratings')
    assert {(guild, user) for guild, user, *_ in kept} == set(standings)
    for guild, user, mu, sigma, *counted in kept:
        one = standings[guild, user]
        assert counted == [one.played, one.won, one.drawn, one.lost]
        assert (mu, sigma) == pytest.approx((one.skill.mu, one.skill.sigma))
