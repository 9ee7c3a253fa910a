"""What was dealt, decided and sealed in a match that is over, as one small value, and back to the last byte.

Of a seal neither salt nor digest is kept where they follow from the nonce and the agreement, as under version 2 of the
proof they do. Only what never changes is needed to unfold: the match's id, its nonce, and what was agreed before the
first card. Formats are never changed; a new one gets a number of its own.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any, NamedTuple

from bot.errors import DamagedMatch
from bot.referee.ports.model import EarlierSeal, Setup, StoredDeal, StoredDecision, StoredMatch
from bot.referee.proof import version2 as v2
from data.sql.codec import dump, micros, parse, time

FORMAT = 1
HEADER = Struct(">B16s32s")
"""the format, a hash of all that comes out in the end, and the hash of the agreement"""

USUAL = (
    b'{"pick":"10S","partial":true,"AH","2D","3C","JS","QH","KD",[0,1,2,3,0,1,2,3,0,1,2,3],'
    b"[0,0,0,1,1,1,2,2,2,3,3,3,4,4,4,5,5,5,6,6,6,7,7,7,8,8,8,9,9,9,10,10,10,11,11,11,12,12,12],"
    b"[0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2],"
    b'[[[0,{"hands":[[1,2,3,4,5,6,7,8,9,10,11,12,13],[1,2,3,4,5,6,7,8,9,10,11,12,13]],"out":[],"stock":[]},'
    b"[0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1],"
    b"[0,0,1,1,2,2,3,3,4,4,5,5,6,6,7,7,8,8,9,9,10,10,11,11,12,12],"
    b"[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"
    b"[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1],[179,0,1,1]]],[]]"
)
"""with what is in nearly every match, so that it takes no room in each; part of the format"""

DERIVED, NONE = 0, 1
"""in the place of a salt and a digest: both follow from the nonce; there are none"""

PACKED = b"\1"
"""before an agreement that takes little room; any other begins with a brace"""


class Unfolded(NamedTuple):
    """All that a fold holds."""

    deals: tuple[StoredDeal, ...]
    earlier: tuple[EarlierSeal, ...]


@dataclass(frozen=True, slots=True)
class _Sealing:
    """From which the salts and digests of one match follow."""

    nonce: bytes
    agreed: bytes
    name: str

    def of(self, deal: int, seat: int, choice: Any, turn: int, sub: int, n: int) -> tuple[bytes, bytes]:
        place = deal, turn, sub
        salt = v2.salt(self.nonce, self.agreed.hex(), place, seat, n)
        return salt, v2.seal_digest(salt, self.name, place, seat, choice)


# --- folded -----------------------------------------------------------------------------------------------


def fold(match: StoredMatch, earlier: Sequence[EarlierSeal]) -> bytes:
    """Deals, decisions and seals of a match as one value; what could not be read back is refused with ValueError."""
    sealing = _sealing(match)
    kept: list[Any] = [
        [_folded_deal(deal, sealing) for deal in match.deals],
        [[one.deal, one.round, one.sub, one.seat, one.n, one.digest.hex()] for one in earlier],
    ]
    if sealing.name != match.id:
        kept.append(sealing.name)
    squeezer = zlib.compressobj(9, zdict=USUAL)
    squeezed = squeezer.compress(dump(kept).encode()) + squeezer.flush()
    folded = HEADER.pack(FORMAT, _hash(match.deals, earlier), sealing.agreed) + squeezed
    try:
        same = unfold(match.id, match.nonce, folded) == (match.deals, tuple(earlier))
    except DamagedMatch:
        same = False
    if not same:
        raise ValueError(f"match {match.id} would not be the same again")
    return folded


def _sealing(match: StoredMatch) -> _Sealing:
    """By the agreement, or by its hash, which is all that is left of it where somebody had their data erased. What is
    no agreement leads to no seal that fits, and so all of them are kept."""
    try:
        agreed = {**json.loads(match.agreement)}
    except (ValueError, TypeError):
        agreed = {}
    try:
        key = bytes.fromhex(agreed["hash"])
    except (KeyError, ValueError, TypeError):
        key = bytes.fromhex(v2.agreed(match.agreement))
    return _Sealing(match.nonce, key.rjust(32, b"\0")[:32], str(agreed.get("match") or match.id))


def _folded_deal(deal: StoredDeal, sealing: _Sealing) -> list[Any]:
    """Column by column: alike stands beside alike."""
    made, before, times = deal.decisions, 0, list[int]()
    for one in made:
        times.append(micros(one.at) - before)
        before = micros(one.at)
    columns: list[Any] = [[getattr(one, name) for one in made] for name in ("seat", "choice", "round", "sub", "n")]
    return [
        deal.number,
        dict(deal.zones),
        *columns,
        [int(one.forced) for one in made],
        times,
        [_proof(deal.number, one, sealing) for one in made],
    ]


def _proof(deal: int, one: StoredDecision, sealing: _Sealing) -> Any:
    if not one.salt and not one.digest:
        return NONE
    try:
        if (one.salt, one.digest) == sealing.of(deal, one.seat, one.choice, one.round, one.sub, one.n):
            return DERIVED
    except ValueError:  # nothing that version 2 could seal
        pass
    return [one.salt.hex(), one.digest.hex()]


# --- unfolded ---------------------------------------------------------------------------------------------


def unfold(id: str, nonce: bytes, folded: bytes) -> Unfolded:
    """Everything as it was. Raises `DamagedMatch`."""
    try:
        held, agreed, kept = _opened(id, folded)
        deals, earlier = kept[:2]
        sealing = _Sealing(nonce, agreed, kept[2] if len(kept) > 2 else id)
        found = Unfolded(
            tuple(_deal(deal, sealing) for deal in deals),
            tuple(
                EarlierSeal(deal, turn, sub, seat, n, bytes.fromhex(digest))
                for deal, turn, sub, seat, n, digest in earlier
            ),
        )
        whole = _hash(*found) == held
    except DamagedMatch:
        raise
    except Exception as error:  # whatever does not fit: these are not the bytes that were written
        raise DamagedMatch(id) from error
    if not whole:
        raise DamagedMatch(id)
    return found


def check(id: str, folded: bytes) -> None:
    """Whether these bytes are those that were written, without what follows from others. Raises `DamagedMatch`."""
    _opened(id, folded)


def _opened(id: str, folded: bytes) -> tuple[bytes, bytes, Any]:
    if folded[:1] > bytes([FORMAT]):
        raise DamagedMatch(id, newer=True)
    try:
        number, held, agreed = HEADER.unpack_from(folded)
        if number != FORMAT:
            raise DamagedMatch(id)
        opener = zlib.decompressobj(zdict=USUAL)
        text = opener.decompress(folded[HEADER.size :]) + opener.flush()
        if not opener.eof or opener.unused_data:
            raise DamagedMatch(id)
        return held, agreed, parse(text.decode())
    except DamagedMatch:
        raise
    except Exception as error:
        raise DamagedMatch(id) from error


def _deal(kept: list[Any], sealing: _Sealing) -> StoredDeal:
    number, zones, *columns = kept
    return StoredDeal(number, zones, tuple(_decisions(number, columns, sealing)))


def _decisions(deal: int, columns: list[Any], sealing: _Sealing) -> Iterator[StoredDecision]:
    at = 0
    for seat, choice, turn, sub, n, forced, since, proof in zip(*columns, strict=True):
        at += since
        if proof == DERIVED:
            salt, digest = sealing.of(deal, seat, choice, turn, sub, n)
        else:
            salt, digest = (b"", b"") if proof == NONE else map(bytes.fromhex, proof)
        yield StoredDecision(seat, choice, bool(forced), turn, sub, salt, time(at), n, digest)


def _hash(deals: Sequence[StoredDeal], earlier: Sequence[EarlierSeal]) -> bytes:
    """Of all that comes out in the end: a nonce or an agreement that is not the same any more is noticed as well."""
    told = [
        [[one.number, dict(one.zones), [_told(made) for made in one.decisions]] for one in deals],
        [[one.deal, one.round, one.sub, one.seat, one.n, one.digest.hex()] for one in earlier],
    ]
    return hashlib.sha256(dump(told).encode()).digest()[:16]


def _told(one: StoredDecision) -> tuple[Any, ...]:
    salt, digest = one.salt.hex(), one.digest.hex()
    return one.seat, one.choice, one.forced, one.round, one.sub, salt, micros(one.at), one.n, digest


def decision_row(one: StoredDecision) -> tuple[Any, ...]:
    """A decision as its row has it, from its seat on, with its bytes as hex digits."""
    salt, digest = one.salt.hex(), one.digest.hex()
    return one.seat, dump(one.choice), int(one.forced), one.round, one.sub, salt, micros(one.at), one.n, digest


# --- agreements -------------------------------------------------------------------------------------------


def pack_agreement(match: StoredMatch) -> bytes:
    """An agreement in little room: nearly all of it follows from what stands beside it."""
    if not match.agreement:
        return b""
    squeezer = zlib.compressobj(9, zdict=_expected(match.id, match.nonce, match.setup))
    packed = PACKED + squeezer.compress(match.agreement) + squeezer.flush()
    if len(packed) < len(match.agreement) or match.agreement.startswith(PACKED):
        return packed
    return match.agreement


def unpack_agreement(id: str, nonce: bytes, setup: Setup, kept: bytes) -> bytes:
    """Of a folded match; one that was written since stands as it is. Raises `DamagedMatch`."""
    if not kept.startswith(PACKED):
        return kept
    try:
        opener = zlib.decompressobj(zdict=_expected(id, nonce, setup))
        found = opener.decompress(kept[len(PACKED) :]) + opener.flush()
    except zlib.error as error:
        raise DamagedMatch(id) from error
    if not opener.eof or opener.unused_data:
        raise DamagedMatch(id)
    return found


def _expected(id: str, nonce: bytes, setup: Setup) -> bytes:
    """What an agreement looks like but for its people and its message; part of the format."""
    opened = v2.opening(id, nonce)
    likely = f'"players":["house:sage","house:sly","anybody"],"rated":{dump(setup.rated)},"seats":{setup.seats},'
    written = [
        f'{{"clock":{setup.clock},"game":"{setup.game}","match":"{id}","message":"',
        f'","opening":"{opened}","options":{json.dumps(dict(setup.options), separators=(",", ":"), sort_keys=True)},',
        likely,
        f'"series":{json.dumps(dict(setup.series), separators=(",", ":"), sort_keys=True)},"v":2}}',
    ]
    return "".join(written).encode()
