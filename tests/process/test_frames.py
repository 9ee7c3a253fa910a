"""Frames between processes: what arrives is what was sent, in its order, by a process with the same key, or nothing."""

from __future__ import annotations

import itertools
import struct
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.process.peers.frames import MAX_BODY, OVERHEAD, PROTOCOL, Handshake, PeerError, PeerIdentity, Session

IDENTITY = PeerIdentity.from_token("hunter2", 61, 5)
OTHER = PeerIdentity.from_token("hunter2", 62, 2**64 - 1)

FRAME = st.tuples(st.integers(0, 255), st.integers(0, 2**64 - 1), st.binary(max_size=300))
Frame = tuple[int, int, bytes]


def connect(asker: PeerIdentity = IDENTITY, owner: PeerIdentity = OTHER) -> tuple[Session, Session]:
    """Return the sessions of both sides."""
    one, two = Handshake(asker, is_asker=True), Handshake(owner, is_asker=False)
    proof, none, _ = two.receive(one.hello)
    assert none is None
    answer, first, _ = one.receive(two.hello + proof)
    _, second, _ = two.receive(answer)
    assert first is not None
    assert second is not None
    return first, second


def split(data: bytes, cuts: list[int]) -> list[bytes]:
    at = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[one:two] for one, two in itertools.pairwise(at)]


def read(session: Session, data: bytes) -> list[Frame]:
    """Return the frames up to the end, or up to the first one that is refused."""
    found: list[Frame] = []
    with suppress(PeerError):
        found.extend(session.read(data))
    return found


@given(st.lists(FRAME), st.lists(st.integers(0, 10**6), max_size=20))
def test_frames_arrive_as_they_were_written_however_they_are_cut(frames: list[Frame], cuts: list[int]) -> None:
    asker, owner = connect()
    data = b"".join(asker.write(*frame) for frame in frames)
    assert [frame for piece in split(data, cuts) for frame in owner.read(piece)] == frames


@given(st.lists(FRAME, min_size=1, max_size=4), st.integers(0), st.integers(0, 7))
def test_changed_frame_and_all_after_it_are_refused(frames: list[Frame], place: int, bit: int) -> None:
    asker, owner = connect()
    written = [asker.write(*frame) for frame in frames]
    changed = bytearray(b"".join(written))
    place %= len(changed)
    changed[place] ^= 1 << bit
    intact = sum(end <= place for end in itertools.accumulate(map(len, written)))
    assert read(owner, bytes(changed)) == frames[:intact]


@given(st.lists(FRAME, min_size=2, max_size=6), st.data())
def test_frame_that_is_replayed_dropped_or_out_of_order_is_refused(frames: list[Frame], data: st.DataObject) -> None:
    asker, owner = connect()
    written = [asker.write(*frame) for frame in frames]
    order = data.draw(st.lists(st.integers(0, len(frames) - 1), min_size=2))
    good = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], enumerate(order)))
    assert read(owner, b"".join(written[number] for number in order)) == frames[:good]


def test_frame_sent_back_to_its_side_is_refused() -> None:
    asker, owner = connect()
    frame = asker.write(1, 2, b"three")
    assert read(asker, frame) == []
    assert read(owner, frame) == [(1, 2, b"three")]


def test_frame_of_another_connection_is_refused() -> None:
    first, _ = connect()
    _, owner = connect()
    assert read(owner, first.write(1, 2, b"three")) == []


def test_frame_that_is_too_large_is_refused_before_its_body_comes() -> None:
    asker, owner = connect()
    assert [*owner.read(asker.write(1, 2, bytes(MAX_BODY)))] == [(1, 2, bytes(MAX_BODY))]
    head = asker.write(1, 2, bytes(MAX_BODY + 1))[:OVERHEAD]
    with pytest.raises(PeerError, match="sent a frame that is too large"):
        list(owner.read(head))


@given(st.lists(st.integers(0, 10**6), max_size=8), st.lists(FRAME, max_size=3))
def test_handshake_succeeds_however_it_is_cut_and_gives_what_follows(cuts: list[int], frames: list[Frame]) -> None:
    asker, owner = Handshake(IDENTITY, is_asker=True), Handshake(OTHER, is_asker=False)
    proof, _, _ = owner.receive(asker.hello)
    answer, session, _ = asker.receive(owner.hello + proof)
    assert session is not None
    assert (session.schema, session.process) == (62, 2**64 - 1)
    data = answer + b"".join(session.write(*frame) for frame in frames)
    found: list[Frame] = []
    reading: Session | None = None
    for piece in split(data, cuts):
        if reading is None:
            _, reading, piece = owner.receive(piece)
        if reading is not None:
            found += reading.read(piece)
    assert reading is not None
    assert (reading.schema, reading.process) == (61, 5)
    assert found == frames


def test_another_key_is_refused() -> None:
    with pytest.raises(PeerError, match="has another key: all processes need the same DISCORD_TOKEN"):
        connect(owner=PeerIdentity.from_token("hunter3", 61, 5))


def test_changed_hello_is_refused() -> None:
    """Nobody changes the schema or the nonce on the way."""
    for place in range(6, len(Handshake(IDENTITY, is_asker=True).hello)):
        asker, owner = Handshake(IDENTITY, is_asker=True), Handshake(OTHER, is_asker=False)
        hello = bytearray(asker.hello)
        hello[place] ^= 1
        proof, _, _ = owner.receive(bytes(hello))
        with pytest.raises(PeerError, match="has another key"):
            asker.receive(owner.hello + proof)


def test_peer_that_sends_back_what_it_hears_is_refused() -> None:
    for is_asker in (True, False):
        handshake = Handshake(IDENTITY, is_asker=is_asker)
        proof, _, _ = handshake.receive(handshake.hello)
        with pytest.raises(PeerError, match="has another key"):
            handshake.receive(proof)


def test_recorded_handshake_is_refused() -> None:
    asker, owner = Handshake(IDENTITY, is_asker=True), Handshake(OTHER, is_asker=False)
    proof, _, _ = owner.receive(asker.hello)
    recorded, _, _ = asker.receive(owner.hello + proof)
    later = Handshake(OTHER, is_asker=False)
    with pytest.raises(PeerError, match="has another key"):
        later.receive(asker.hello + recorded)


def test_other_version_of_the_protocol_is_named() -> None:
    asker, owner = Handshake(IDENTITY, is_asker=True), Handshake(OTHER, is_asker=False)
    newer = asker.hello[:4] + struct.pack(">H", PROTOCOL + 1) + asker.hello[6:]
    with pytest.raises(
        PeerError, match=f"speaks version {PROTOCOL + 1} of the protocol between processes, and this one"
    ):
        owner.receive(newer)
    with pytest.raises(PeerError, match="is no process of this bot"):
        Handshake(OTHER, is_asker=False).receive(b"GET / HTTP/1.1\r\n".ljust(80))


def test_key_and_content_are_in_no_repr() -> None:
    asker, owner = connect()
    assert repr(IDENTITY) == "PeerIdentity(schema=61, process=5)"
    list(owner.read(asker.write(1, 2, b"seal K")[:-1]))
    assert "seal" not in repr((asker, owner))
