"""The proof as people meet it: digits on their screens, what stands behind a press, and a record checked with them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.driver import File, Seen
from tests.e2e.house import House, answer, awaits, behind_more, code_of, has, key, plain, seal_of, told
from tests.e2e.test_match import bid, gops, rounds

pytestmark = pytest.mark.asyncio(loop_scope="module")

DIGITS = "[0-9a-f]{4}(?: [0-9a-f]{4}){3}"


def digits(name: str, seen: Seen) -> str:
    """Those of an opening or of a record, as somebody notes them."""
    found = re.search(rf"{name} `({DIGITS})`", seen.text)
    assert found is not None, seen.text
    return found[1]


async def test_what_was_noted_holds_the_record(scene: House, tmp_path: Path) -> None:
    """The opening under the challenge, the digits of a seal, those of the result: all of them are in the record."""
    challenge = await scene.challenge(cards=4)
    opening = digits("🔒 Fair play", challenge)
    whole = told(await scene.ben.press("Rules", in_=challenge))
    assert re.search(rf"The seal of this deal: `{opening.replace(' ', '')}[0-9a-f]{{48}}`", whole)
    board = (await scene.ben.press("Accept", in_=challenge)).shown
    await bid(scene.ana, 1, 4)
    label = await seal_of(scene.ben, "Ana", board)
    assert label not in board.text
    await bid(scene.ben, 1, 1)
    await rounds(scene, 2, 2)
    await bid(scene.ana, 3, 1)
    await bid(scene.ben, 3, 2)
    result = await scene.ana.sees(lambda seen: seen.has_button("Rematch"), in_=board)
    record = digits("🔒 Fair play", result)
    more = (await scene.ana.press("More", in_=result)).shown
    assert (digits("Match seal", more), digits("deal seal", more)) == (record, opening)

    verified = await answer(scene.ana, await behind_more(scene.ana, "Verify", result))
    assert f"✔ The match seal is {record}." in plain(verified.text)
    names = {file["filename"]: file["url"] for file in verified.files}
    code = code_of(result)
    exported = await scene.stage.link.read(names[f"gops-{code}.json"])
    sheet = await answer(scene.ana, await behind_more(scene.ana, "Sheet", result))
    [attached] = sheet.files
    assert attached["filename"] == f"gops-{code}.json", "one record has one name, wherever it is given out"
    assert await scene.stage.link.read(attached["url"]) == exported
    assert label in (await scene.stage.link.read(names[f"gops-{code}-seals.txt"])).decode()
    file = tmp_path / "record.json"
    file.write_bytes(exported)
    assert any(one[5].startswith(label) for one in json.loads(exported)["fairness"]["seals"])
    noted = ("--record", record, "--opening", opening, "--message", str(board.id))
    exit_code, out = await gops("verify", str(file), *noted)
    assert exit_code == 0, out
    assert "Last step for you" not in out
    exit_code, out = await gops("verify", str(file), "--record", "0" * 16)
    assert exit_code == 1

    async def looked_at() -> str:
        sent = await scene.ben.slash("/gops verify", record=File("record.json", file.read_bytes()))
        return plain((await answer(scene.ben, sent)).text)

    assert f"✔ The match seal is {record}." in await looked_at()
    file.write_bytes(exported.replace(b'"rated": true', b'"rated": false'))
    assert "✘" in await looked_at()
    file.write_text("no record", encoding="utf-8")
    assert "This file is not a match record" in await looked_at()


async def test_who_seals_and_then_leaves_loses_the_sealed_bid(scene: House, tmp_path: Path) -> None:
    """At a table of three the others play on. Ana's highest card, under seal when she resigned, is never played; the
    referee bids her lowest (RULING C5), and the exported record says the same."""
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    asked = await scene.challenge_all(cem, cards=4)
    await ben.press("Accept", in_=asked)
    board = (await cem.press("Accept", in_=asked)).shown
    for person, card in ((ana, 1), (ben, 2), (cem, 3)):
        await bid(person, 1, card)
    await bid(ana, 2, 4)
    await ana.press("Leave match", in_=(await ana.slash("/gops resign")).shown)
    await bid(ben, 2, 3)
    await bid(cem, 2, 2)
    await bid(ben, 3, 1)
    await bid(cem, 3, 4)
    result = await ben.sees(has("Ana 0 · left"), in_=board)
    verified = (await behind_more(ben, "Verify", result)).shown
    names = {file["filename"]: file["url"] for file in verified.files}
    exported = await scene.stage.link.read(names[f"gops-{code_of(result)}.json"])
    hers = [one for one in json.loads(exported)["deals"][0]["decisions"] if one[0] == 0]
    assert hers[:2] == [[0, 1], [0, 2, "forced"]]
    file = tmp_path / "record.json"
    file.write_bytes(exported)
    exit_code, out = await gops("verify", str(file))
    assert exit_code == 0, out


async def test_first_seal_is_told_on_the_board_before_the_second_comes(scene: House) -> None:
    """The board waits for no second bid, three rounds in a row."""
    board = await scene.match(cards=5)
    for number in (1, 2, 3):
        await bid(scene.ana, number, number)
        await scene.ben.sees(has(f"round {number} of 5", "✔ has bid"), in_=board, patience=10)
        await scene.ben.press(key(number + 1), in_=await scene.ben.sees(awaits(number, dm=True)))
