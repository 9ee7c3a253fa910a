"""What a folded match is, byte by byte: the format that is there is read for ever, and damage is refused."""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from bot.errors import DamagedMatch
from bot.referee.match.live import revive
from bot.referee.ports.model import EarlierSeal, StoredDeal, StoredMatch
from bot.referee.query.look import record_data
from data.sql import folding
from data.store import SqliteStore
from tests.data import examples as ex
from tests.data.sqlite.test_migrate import at_version

KEPT = "VT8Y"
"""in the seed: five cards, one seal that was not played"""
BIDS = [3, 4, 1, 2, 5, 5, 2, 1, 4, 3]
EARLIER = "81e9939ac9cece1e9d9b063cd024f9480850250bab7f32fd1480a32da74314e1"
RECORD = "138237b9bf75a64992ac5a80fac81ff396482dd8b873deaa9a51f33670bf18cd"


Kept: TypeAlias = tuple[StoredMatch, tuple[EarlierSeal, ...], bytes]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """As an older bot left it."""
    path = tmp_path_factory.mktemp("seed") / "gops.sqlite3"
    at_version(path, 1)
    path.chmod(0o600)
    return asyncio.run(_read(path))


async def _read(path: Path) -> Kept:
    async with await SqliteStore.open(path) as store:
        match = await store.match(KEPT)
        assert match is not None
        asked = "SELECT folded FROM matches WHERE id = ?"
        folded = await store.database.inspect(lambda one: one.execute(asked, (KEPT,)).fetchone()[0])
        return match, tuple(await store.earlier_seals(KEPT)), folded


def test_the_first_format_is_read_for_ever(kept: Kept) -> None:
    match, earlier, folded = kept
    assert [one.choice for one in match.deals[0].decisions] == BIDS
    assert [one.digest.hex() for one in earlier] == [EARLIER]
    assert record_data(revive(match))["fairness"]["record"] == RECORD
    assert folding.unfold(KEPT, match.nonce, folding.fold(match, earlier)) == (match.deals, earlier)
    assert len(folded) < 200


def test_no_byte_may_be_another_one(kept: Kept) -> None:
    match, _, folded = kept
    for at in range(len(folded)):
        for other in (folded[:at], folded[:at] + bytes([folded[at] ^ 0x10]) + folded[at + 1 :]):
            with pytest.raises(DamagedMatch):
                folding.unfold(KEPT, match.nonce, other)
    for other in (b"", folded + b"\0", bytes(200)):
        with pytest.raises(DamagedMatch, match=rf"^Match {KEPT} cannot be read, .+: .+ `gops restore`\.$"):
            folding.unfold(KEPT, match.nonce, other)
    with pytest.raises(DamagedMatch):
        folding.unfold("K7Q2", match.nonce, folded)
    with pytest.raises(DamagedMatch):
        folding.unfold(KEPT, bytes(32), folded)


def test_what_a_newer_bot_folded_is_told_from_damage(kept: Kept) -> None:
    match, _, folded = kept
    newer = bytes([folding.FORMAT + 1]) + folded[1:]
    for look in (lambda: folding.unfold(KEPT, match.nonce, newer), lambda: folding.check(KEPT, newer)):
        with pytest.raises(DamagedMatch, match="a newer bot has folded it: update the bot"):
            look()


def test_a_bid_that_was_changed_in_the_database_is_noticed() -> None:
    """Somebody unfolds it, puts another card in, and folds it as well as they can."""
    match = ex.over("OVER", deals=ex.rich_match().deals)
    folded = folding.fold(match, ())
    other = replace(match.deals[0].decisions[0], choice=2)
    changed = replace(match.deals[0], decisions=(other, *match.deals[0].decisions[1:]))
    forged = folding.fold(replace(match, deals=(changed, *match.deals[1:])), ())
    header = folding.HEADER.size
    with pytest.raises(DamagedMatch):
        folding.unfold("OVER", match.nonce, folded[:header] + forged[header:])


def test_what_does_not_come_back_is_not_folded() -> None:
    deals: tuple[Any, ...] = (StoredDeal(0, {"hands": ((1, 2), (1, 2))}),)
    with pytest.raises(ValueError, match="match OVER would not be the same again"):
        folding.fold(ex.over("OVER", deals=deals), ())


@pytest.mark.parametrize("agreement", [b"", b"{", b'{"match":"OVER","v":2}', b"\1", b"\1\2\3", bytes(range(256)) * 3])
def test_any_agreement_comes_back(agreement: bytes) -> None:
    match = ex.over("OVER", agreement=agreement, proof=2)
    packed = folding.pack_agreement(match)
    assert len(packed) <= max(len(agreement), 20)
    assert folding.unpack_agreement("OVER", match.nonce, match.setup, packed) == agreement


def test_a_damaged_agreement_is_refused(kept: Kept) -> None:
    match, _, _ = kept
    packed = folding.pack_agreement(match)
    assert len(packed) < 40 < 200 < len(match.agreement)
    for at in range(1, len(packed)):
        for other in (packed[:at], packed[:at] + bytes([packed[at] ^ 0x10]) + packed[at + 1 :], packed + b"\0"):
            with pytest.raises(DamagedMatch):
                folding.unpack_agreement(KEPT, match.nonce, match.setup, other)


def test_nobody_is_named_in_it(kept: Kept) -> None:
    _, _, folded = kept
    text = zlib.decompressobj(zdict=folding.USUAL).decompress(folded[folding.HEADER.size :]).decode()
    for one in ("10,", "11,", "Ana", "Ben"):
        assert one not in text


def test_a_check_alone_finds_damage() -> None:
    match = ex.over("OVER", deals=ex.rich_match().deals)
    folded = folding.fold(match, ())
    folding.check("OVER", folded)
    for other in (folded[:-1], folded[:60] + b"\0" + folded[61:], b"", b"\1"):
        with pytest.raises(DamagedMatch):
            folding.check("OVER", other)
