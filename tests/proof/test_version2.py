"""Version 2, byte for byte: a record as a test vector, and an independent implementation of the document."""

import hashlib
import hmac
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.referee.proof import version2 as v2
from bot.referee.proof.version2 import Uncanonical, canonical, is_same, parse
from bot.solver.players.chance import Chance

RECORD: dict[str, Any] = json.loads((Path(__file__).parent / "vector.json").read_text(encoding="utf-8"))
PROOF = RECORD["fairness"]
NONCE = bytes.fromhex(PROOF["nonce"])
AGREED = "fe0ea56cb2f0309d43b2fdc9a53b470f49d553529baaf28dc15fed679af80b1e"

CHOICES = st.one_of(
    st.integers(-50, 50),
    st.lists(st.integers(1, 25), min_size=2, max_size=3),
    st.sampled_from(["QS", "A+", "Jk"]),
    st.builds(lambda card: {"pick": card}, st.integers(1, 25)),
)


def test_vector_gives_the_documented_bytes() -> None:
    given = PROOF["agreement"]
    opened = v2.opening("K7Q2", NONCE)
    assert opened == PROOF["opening"]
    written = v2.agreement(
        "K7Q2", "classic", {"ties": "discard", "cards": 3}, {"mode": "single"}, 120, True, ["100", "101"], opened,
        given["message"],
    )  # fmt: skip
    assert json.loads(written) == given
    assert v2.agreement_hash(written) == AGREED
    assert list(v2.shuffle_deal(NONCE, opened, given["message"], 0, (1, 2, 3))) == RECORD["deals"][0]["stock"]
    assert v2.salt(NONCE, AGREED, (0, 0, 0), 0, 2).hex() == "2145b1c90bf2a8a4268c381887e02ba3"
    choices = [choice for _, choice, *forced in RECORD["deals"][0]["decisions"] if not forced]
    for (deal, round, sub, seat, n, digest), choice in zip(PROOF["seals"], choices, strict=True):
        salt = v2.salt(NONCE, AGREED, (deal, round, sub), seat, n)
        assert v2.seal_digest(salt, "K7Q2", (deal, round, sub), seat, choice).hex() == digest
    assert v2.record_seal(RECORD) == PROOF["record"]
    key = v2.house_key(NONCE, AGREED, (0, 4, 0), 1)
    assert key.hex() == "04e10e75bb8b96e1550b0ad125f5f41f9afbbe1e357fd5674a2b70e64d4cce6d"
    chance = Chance(key)
    assert [chance.number() for _ in range(3)] == [2054606193, 2073012280, 223795692]


# --- the document, by hand ---------------------------------------------------------------------------------------


def shuffled_by_the_document(nonce: bytes, label: str, pack: list[int]) -> list[int]:
    numbers: list[int] = []
    counter = 0
    for last in range(len(pack) - 1, 0, -1):
        while True:
            if not numbers:
                block = hmac.new(nonce, f"{label}|{counter}".encode("ascii"), hashlib.sha256).digest()
                numbers = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
                counter += 1
            number = numbers.pop(0)
            if number < 2**32 - 2**32 % (last + 1):
                break
        other = number % (last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    return pack


@given(st.binary(min_size=32, max_size=32), st.integers(0, 30), st.integers(1, 52), st.integers(0, 2**63))
def test_shuffle_follows_the_document(nonce: bytes, deal: int, cards: int, message: int) -> None:
    opened = hashlib.sha256(b"gops open 2|" + b"ABCD|" + nonce.hex().encode()).hexdigest()
    assert v2.opening("ABCD", nonce) == opened
    label = f"gops deal 2|{opened}|{message}|{deal}"
    by_hand = shuffled_by_the_document(nonce, label, list(range(1, cards + 1)))
    assert list(v2.shuffle_deal(nonce, opened, str(message), deal, range(1, cards + 1))) == by_hand


def test_every_order_of_three_cards_is_equally_likely() -> None:
    seen = Counter(v2.shuffle_deal(n.to_bytes(32, "big"), "opened", "0", 0, (1, 2, 3)) for n in range(6000))
    assert len(seen) == 6
    # 1000 expected each; 150 is five standard deviations, and the draws are fixed by the nonces anyway
    assert all(abs(count - 1000) < 150 for count in seen.values())


@given(
    st.binary(min_size=32, max_size=32), st.tuples(*[st.integers(0, 30)] * 3), st.integers(0, 7), st.integers(0, 15),
    CHOICES,
)  # fmt: skip
def test_seal_follows_the_document(nonce: bytes, place: v2.RoundPlace, seat: int, n: int, choice: Any) -> None:
    where = "|".join(map(str, (*place, seat, n)))
    salt = hmac.new(nonce, f"gops salt 2|{AGREED}|{where}".encode(), hashlib.sha256).digest()[:16]
    assert v2.salt(nonce, AGREED, place, seat, n) == salt
    text = json.dumps(["K7Q2", *place, seat, choice]).replace(" ", "")
    assert v2.seal_digest(salt, "K7Q2", place, seat, choice) == hashlib.sha256(salt + text.encode()).digest()


@given(st.binary(min_size=32, max_size=32), CHOICES, CHOICES, st.integers(0, 15), st.integers(0, 15))
def test_another_choice_or_number_gives_another_seal(nonce: bytes, one: Any, two: Any, n: int, m: int) -> None:
    first = v2.seal_digest(v2.salt(nonce, AGREED, (0, 0, 0), 0, n), "K7Q2", (0, 0, 0), 0, one)
    second = v2.seal_digest(v2.salt(nonce, AGREED, (0, 0, 0), 0, m), "K7Q2", (0, 0, 0), 0, two)
    assert (first == second) == (n == m and is_same(one, two))


# --- canonical JSON ----------------------------------------------------------------------------------------------

TEXT = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "Zs"]))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(1 - 2**53, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc|", max_size=3), inner, max_size=4),
    max_leaves=15,
)  # fmt: skip


@given(PLAIN)
def test_value_has_one_canonical_form(value: Any) -> None:
    assert parse(canonical(value).decode()) == value
    assert canonical(parse(json.dumps(value, indent=2))) == canonical(value)
    assert b" " not in canonical(value).replace(b'" "', b"") or " " in str(value)


def test_true_does_not_equal_one() -> None:
    assert not is_same(True, 1)
    assert not is_same([0], [False])
    assert is_same({"b": 1, "a": [True]}, {"a": [True], "b": 1})


@pytest.mark.parametrize(
    "text",
    [
        "1.0", "1e2", "-0", "-0.0", "NaN", "Infinity", "9007199254740992", "-9007199254740992", "1" * 5000,
        '{"a":1,"a":1}', '{"\\u0061":1,"a":2}', '"\\u00e9"', '"é"', '"\\n"', '"\x7f"', '"\\ud800"', '[[{"a":[1.0]}]]',
    ],
)  # fmt: skip
def test_value_without_a_canonical_form_is_refused(text: str) -> None:
    with pytest.raises(Uncanonical):
        canonical(parse(text))


def test_escaped_character_equals_the_character() -> None:
    assert canonical(parse('"\\u0041\\/"')) == b'"A/"'
