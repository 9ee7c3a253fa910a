"""The fairness commitments, against an implementation of docs/fairness.md that shares no code with ours."""

import hashlib
import hmac
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bot.referee.proof.fairness import joint_digest, nonce_seal, seal_digest, shuffled
from tests.conftest import ROOT

NONCE = bytes(range(32))
DOCUMENT = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")


def shuffled_by_the_document(nonce: bytes, match: str, deal: int, pack: list[int]) -> list[int]:
    """Written from the document alone."""
    stream: list[int] = []
    for counter in range(100):
        block = hmac.new(nonce, f"gops deal 1|{match}|{deal}|{counter}".encode("ascii"), hashlib.sha256).digest()
        stream += [int.from_bytes(block[at : at + 4], "big") for at in (0, 4, 8, 12, 16, 20, 24, 28)]
    at = 0
    for i in range(len(pack) - 1, 0, -1):
        n = i + 1
        while stream[at] >= 2**32 - (2**32 % n):
            at += 1
        j = stream[at] % n
        at += 1
        pack[i], pack[j] = pack[j], pack[i]
    return pack


def test_the_documents_vectors() -> None:
    stock = " ".join(map(str, shuffled(NONCE, "K7Q2", 0, tuple(range(1, 14)))))
    assert f"`{stock}`" in DOCUMENT
    assert nonce_seal(NONCE) in DOCUMENT
    assert seal_digest(bytes(range(16)), "K7Q2", 0, 4, 0, 1, 9).hex() in DOCUMENT
    by_hand = hashlib.sha256(bytes(range(16)) + b'["K7Q2",0,4,0,1,9]').hexdigest()
    assert by_hand in DOCUMENT


@given(st.binary(min_size=32, max_size=32), st.integers(0, 20), st.integers(2, 53))
def test_the_shuffle_is_the_documents(nonce: bytes, deal: int, cards: int) -> None:
    pack = list(range(cards))
    assert list(shuffled(nonce, "K7Q2", deal, tuple(pack))) == shuffled_by_the_document(nonce, "K7Q2", deal, pack)


def test_every_order_of_three_is_as_likely() -> None:
    seen = Counter(shuffled(n.to_bytes(32, "big"), "K7Q2", 0, (1, 2, 3)) for n in range(6000))
    assert len(seen) == 6
    # 1000 expected each; 150 is five standard deviations, and the draws are fixed by the nonces anyway
    assert all(abs(count - 1000) < 150 for count in seen.values())


def test_choices_are_sealed_as_the_record_writes_them() -> None:
    salt = bytes(16)
    for choice, text in (([5, 7], "[5,7]"), ("A+", '"A+"'), ("QS", '"QS"'), ({"pick": 3}, '{"pick":3}')):
        by_hand = hashlib.sha256(salt + f'["M",1,2,3,4,{text}]'.encode()).digest()
        assert seal_digest(salt, "M", 1, 2, 3, 4, choice) == by_hand


def test_one_digest_over_many() -> None:
    digests = [hashlib.sha256(bytes([n])).digest() for n in range(5)]
    assert joint_digest(digests) == hashlib.sha256(b"".join(digests)).hexdigest()
