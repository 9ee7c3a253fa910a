"""Presses that Discord would not deliver: each is answered with one plain sentence, and changes nothing."""

from __future__ import annotations

import sqlite3
import string
from collections.abc import AsyncGenerator
from contextlib import closing
from dataclasses import dataclass

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.driver import Person, Seen
from tests.e2e.forge import Forger
from tests.e2e.hall import Hall, opened_hall
from tests.e2e.house import awaits, code_of, has, key, plain

pytestmark = pytest.mark.asyncio(loop_scope="module")

STALE = "That button is out of date; nothing changed."
FAILED = "Something went wrong"


@dataclass(frozen=True)
class Scene:
    """One message of every kind, with a match that is played and one that is over."""

    hall: Hall
    forger: Forger
    ana: Person
    ben: Person
    messages: dict[str, Seen]
    live: str

    def trouble(self) -> list[str]:
        return self.hall.bot.trouble()

    async def press(self, where: str, custom_id: str, values: list[object] | None = None) -> str:
        return await self.forger.press(self.ana, self.messages[where], custom_id, values)

    def text(self, where: str) -> str:
        now = self.ana.now(self.messages[where])
        assert now is not None
        return plain(now.text)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Scene]:
    async with opened_hall(tmp_path_factory.mktemp("forged")) as hall:
        await hall.crowd(["Ana", "Ben", "Cem"])
        ana, ben, cem = hall.people
        shown: dict[str, Seen] = {}
        await ana.slash("/gops challenge", opponent=ben, cards=2)
        challenge = await ben.sees("challenges you")
        shown["result"] = (await ben.press("Accept", in_=challenge)).shown
        for person, card in ((ana, 1), (ben, 2)):
            await person.press(key(card), in_=await person.sees(awaits(1, dm=True)))
        await ana.sees(has("[Rematch]"), in_=challenge)
        await ana.slash("/gops challenge", opponent=ben, options="two cards")
        challenge = await ben.sees(has("challenges you", "2 cards a bid"))
        board = shown["board"] = (await ben.press("Accept", in_=challenge)).shown
        shown["console"] = await ana.sees(awaits(1, dm=True))
        shown["more"] = (await ana.press("More", in_=board)).shown
        shown["sheet"] = (await ana.press("Sheet", in_=board)).shown
        shown["rules"] = (await ana.press("Rules", in_=shown["more"])).shown
        for command in ("leaderboard", "history", "profile", "games", "preferences"):
            shown[command] = (await ana.slash(f"/gops {command}")).shown
        await ana.slash("/gops block", player=cem)
        shown["preferences"] = (await ana.slash("/gops preferences")).shown
        shown["question"] = (await ana.slash("/gops resign")).shown
        shown["set-up"] = (await ana.menu("Challenge to GOPS", ben)).shown
        shown["table"] = (await ana.slash("/gops open")).shown
        shown["challenge"] = (await ben.slash("/gops challenge", opponent=ana, game="pico")).shown
        yield Scene(hall, Forger(hall.playground), ana, ben, shown, code_of(board))
        assert hall.bot.trouble() == []


# --- the ones that were found ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "custom_id", "values"),
    [
        ("board", "g1:", None),
        ("board", "g1", None),
        ("board", "", None),
        ("board", "hello", None),
        ("board", "g2:bd:{m}:bid", None),
        ("board", "g1:zz:{m}", None),
        ("board", "g1:bd", None),
        ("board", "g1:bd:{m}", None),
        ("board", "g1:bd:{m}:bid:", None),
        ("board", "g1:cf:resign:{m}:n", None),
        ("board", "g1:cf:..:n", None),
        ("console", "g1:cf:draw:{m}:n", None),
        ("board", "g1:co:{m}:0:5", None),
        ("board", "g1:oc:{m}", None),
        ("board", "g1:mo:{m}:draw", None),
        ("board", "g1:sh:{m}:1:0:s", None),
        ("console", "g1:ch:{m}:a", None),
        ("console", "g1:co:{m}:" + "9" * 5000 + ":5", None),
        ("console", "g1:co:{m}:" + "9" * 19 + ":5", None),
        ("console", "g1:co:{m}:0:\ud800", None),
        ("console", "g1:co:{m}:٣:5", None),
        ("profile", "g1:pr:9223372036854775808:history", None),
        ("question", "g1:cf:resign:9223372036854775808:y", None),
        ("question", "g1:cf:resign:" + "9" * 20 + ":y", None),
        ("question", "g1:cf:resign:{m}:maybe", None),
        ("set-up", "g1:su:1y2p0ij32e8e8:classic:-:120:-:-:y:-:send", None),  # 2 to the 63rd
        ("set-up", "g1:su:zzzzzzzzzzzzz:classic:-:120:-:-:y:-:drop", None),
        ("set-up", "g1:su:9999999999999:classic:-:120:-:-:y:-:send", None),
        ("set-up", "g1:su:-9:classic:-:120:-:-:y:-:send", None),
        ("set-up", "g1:su:1:classic:-:x:-:-:y:-:game", ["pico"]),
        ("set-up", "g1:su:..:classic:-:120:-:-:y:-:game", ["pico"]),
        ("set-up", "{su}", ["chess"]),
        ("set-up", "g1:su:-3:classic:-:120:-:-:y:-:add", ["1"]),
        ("set-up", "{su}", []),
        ("set-up", "{su}", None),
        ("preferences", "g1:pf:unblock", ["abc"]),
        ("preferences", "g1:pf:unblock", [str(10**30)]),
        ("preferences", "g1:pf:unblock", ["\ud800"]),
        ("preferences", "g1:pf:unblock", []),
        ("preferences", "g1:pf:console", ["upstairs"]),
        ("preferences", "g1:pf:nothing", None),
        ("rules", "g1:se:game", ["chess"]),
        ("rules", "g1:se:game", ["classic.clinch=maybe"]),
        ("rules", "g1:ru:chess:practise", None),
        ("history", "g1:se:open", ["\ud800"]),
    ],
)
async def test_what_none_of_our_messages_holds(
    scene: Scene, where: str, custom_id: str, values: list[object] | None
) -> None:
    before = scene.text(where)
    su = next(one.custom_id for one in scene.messages["set-up"].selects if one.placeholder == "Game")
    forged = custom_id.replace("{m}", scene.live).replace("{su}", su or "")
    assert await scene.press(where, forged, values) == STALE
    assert scene.text(where) == before
    assert scene.trouble() == []


async def test_a_form_that_nobody_opened(scene: Scene) -> None:
    for custom_id in ("hello", "g1:bd:K7Q2:bid"):
        assert await scene.forger.submit(scene.ana, scene.messages["board"], custom_id) == STALE


async def test_what_is_for_one_person_is_never_drawn_where_others_read(scene: Scene) -> None:
    """A key of a console on a board, and a page of a sheet: the board stays what it is, for everybody."""
    for custom_id in (f"g1:co:{scene.live}:0:5", f"g1:cc:{scene.live}:0", f"g1:sh:{scene.live}:1:0:g"):
        assert await scene.press("board", custom_id) == STALE
    assert "Your bid" not in scene.text("board")
    assert scene.ben.now(scene.messages["board"]) is not None


@pytest.mark.parametrize(
    ("where", "custom_id"),
    [
        ("console", "g1:co:{m}:99:5"),
        ("console", "g1:cs:{m}:99:3"),
        ("console", "g1:cm:{m}:99:0:5"),
        ("console", "g1:cc:{m}:99"),
        ("board", "g1:dr:{m}:99:y"),
        ("board", "g1:bd:{m}:verify"),
        ("board", "g1:bd:{m}:rematch"),
    ],
)
async def test_more_than_was_shown_stops_no_match(scene: Scene, where: str, custom_id: str) -> None:
    """It would say that the store was put back; but then the id stands in the message, by Discord's own word. Else
    whoever is about to lose could end any match."""
    await scene.press(where, custom_id.replace("{m}", scene.live))
    with closing(sqlite3.connect(scene.hall.bot.database)) as connection:
        assert connection.execute("SELECT live FROM matches WHERE id = ?", (scene.live,)).fetchone() == (1,)


async def test_what_only_a_host_may_press_in_a_pair_which_has_none(scene: Scene) -> None:
    """No button of a pair is for one of the two alone, so nobody is named who could press it."""
    ben, cem = scene.ben, scene.hall.people[2]
    for person in (ben, cem):
        await person.slash("/gops find", game="quick")
    pair = await cem.sees("you were paired")
    text = plain(pair.text)
    for person in (ben, cem, scene.ana):
        for verb in ("w", "s", "h", "u"):
            assert await scene.forger.press(person, pair, f"g1:ch:{pair_id(pair)}:{verb}") == STALE
    assert plain((await cem.sees("you were paired", in_=pair)).text) == text
    await cem.press("Leave", in_=pair)


def pair_id(pair: Seen) -> str:
    ready = next(one.custom_id for one in pair.buttons if one.label == "Ready")
    return str(ready).split(":")[2]


async def test_to_forget_a_set_up_card(scene: Scene) -> None:
    card = (await scene.ana.menu("Challenge to GOPS", scene.ben)).shown
    assert plain((await scene.ana.press("Cancel", in_=card)).shown.text) == "┃ Nothing changed."


# --- and any other ---------------------------------------------------------------------------------------

JUNK = st.one_of(
    st.sampled_from(["", "-", "..", "-1", "00", "9" * 19, "9" * 30, "9" * 5000, "\ud800", "٣", "x", "Jk", "A+", "🂡"]),
    st.text(alphabet=string.ascii_letters + string.digits + "+-:.", max_size=6),
    st.integers(min_value=-(2**70), max_value=2**70).map(str),
)
MUTATIONS = ("part", "without", "with", "swapped", "verb", "letter", "none")
WHERE = (
    *(
        "result",
        "board",
        "console",
        "more",
        "sheet",
        "rules",
        "leaderboard",
        "history",
        "profile",
        "games",
        "preferences",
    ),
    *("question", "set-up", "table", "challenge"),
)


@given(data=st.data())
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_whatever_is_pressed_never_fails(scene: Scene, data: st.DataObject) -> None:
    where = data.draw(st.sampled_from(WHERE))
    real = ids_of(scene.messages[data.draw(st.sampled_from(WHERE))])
    custom_id, values = data.draw(st.sampled_from(real))
    parts = custom_id.split(":")
    place = data.draw(st.integers(0, len(parts) - 1))
    mutation = data.draw(st.sampled_from(MUTATIONS))
    other = data.draw(st.sampled_from(ids_of(scene.messages[data.draw(st.sampled_from(WHERE))])))[0].split(":")
    match mutation:
        case "part":
            parts[place] = data.draw(JUNK)
        case "without":
            del parts[place]
        case "with":
            parts.insert(place, data.draw(JUNK))
        case "swapped":
            parts[place] = other[min(place, len(other) - 1)]
        case "verb":
            parts[1:2] = other[1:2]
        case "letter":
            letter = data.draw(st.characters())
            parts[place] = parts[place][: place + 1] + letter + parts[place][place + 2 :]
        case _:
            pass
    chosen: list[object] | None = None
    if values and data.draw(st.booleans()):
        chosen = data.draw(st.lists(st.one_of(JUNK, st.sampled_from(values)), max_size=2))
    forged = ":".join(parts)
    if forged.startswith("g1:rv:") or forged.endswith(":review"):
        return  # the coach takes its time
    if not scene.forger.there(scene.messages[where]):
        return
    person = data.draw(st.sampled_from([scene.ana, scene.ben]))
    said = await scene.forger.press(person, scene.messages[where], forged, chosen)
    assert FAILED not in said
    assert scene.trouble() == []


def ids_of(message: Seen) -> list[tuple[str, list[object]]]:
    """Everything that can be pressed on a message, with the options of a menu."""
    buttons: list[tuple[str, list[object]]] = [(one.custom_id, []) for one in message.buttons if one.custom_id]
    return buttons + [(one.custom_id, [value for _, value, _ in one.options]) for one in message.selects]
