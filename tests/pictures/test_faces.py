"""Card faces: the shipped pictures equal the drawn ones, and cards can be told apart."""

import hashlib
import re
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest

from bot.engine.cards import PACK, rank, suit
from bot.pictures import faces
from tests.pictures import draw_faces
from tests.pictures.pixels import pixels

DARK, LIGHT = "#313338", "#ffffff"
"""Discord's backgrounds"""

SHIPPED = files("bot.pictures") / "shipped"
TOLERANCE = 12
"""of 255, for another build of the renderer"""

BLINDNESS = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""The remaining linear red, green and blue: Machado, Oliveira and Fernandes 2009, severity 1."""


def linear(colour: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    values = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """As WCAG counts it."""
    low, high = sorted(float(linear(each) @ [0.2126, 0.7152, 0.0722]) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(light: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ light
    scaled = np.maximum(xyz / [0.9505, 1.0, 1.089], 0)
    x, y, z = np.where(scaled > 0.008856, np.cbrt(scaled), 7.787 * scaled + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(inks: dict[str, draw_faces.Ink], blindness: str) -> float:
    """How far the two suits that look most alike are from each other: by card or by ink, whichever tells more."""

    def seen(colour: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        return lab(np.clip(np.array(BLINDNESS[blindness]) @ linear(colour), 0, 1))

    return min(
        max(
            float(np.linalg.norm(seen(one.card) - seen(other.card))),
            float(np.linalg.norm(seen(one.ink) - seen(other.ink))),
        )
        for one, other in combinations(inks.values(), 2)
    )


def test_shipped_faces_equal_the_drawn_faces() -> None:
    assert sorted(one.name for one in SHIPPED.iterdir()) == sorted(f"{name}.png" for name in faces.list_faces())
    for name in faces.list_faces():
        kept, drawn = (SHIPPED / f"{name}.png").read_bytes(), draw_faces.render_face(name)
        if kept != drawn:
            assert np.abs(pixels(kept) - pixels(drawn)).max() <= TOLERANCE, name


def test_redrawn_faces_have_a_new_number() -> None:
    """A changed picture needs the next number in `REDRAWN`, else servers keep the old emoji; then put its hash here."""
    shipped = hashlib.sha256(b"".join(map(faces.read_face, faces.list_faces())))
    pinned = "f25b8481c0787db371cd096cc2f28f43bad11eccf439e95ee3f638a1d727a301"
    assert (shipped.hexdigest(), faces.REDRAWN) == (pinned, {})


def test_comparison_of_faces_finds_another_face() -> None:
    """The comparison of shipped and drawn faces can fail."""
    one, other = pixels(draw_faces.render_face("spade_8")), pixels(draw_faces.render_face("spade_9"))
    assert one.shape == (draw_faces.FACE_PIXELS, draw_faces.FACE_PIXELS, 4)
    assert np.abs(one - other).max() > 10 * TOLERANCE


def test_faces_are_drawn_with_shapes_only() -> None:
    for name in faces.list_faces():
        assert set(re.findall(r"<(\w+)", draw_faces.draw_face(name))) <= {"svg", "g", "path", "rect", "circle"}, name


def test_no_two_faces_are_alike() -> None:
    drawn = [(SHIPPED / f"{name}.png").read_bytes() for name in faces.list_faces()]
    assert len(set(drawn)) == len(drawn)


def test_faces_keep_the_emoji_limits_of_discord() -> None:
    assert len(faces.list_faces()) <= 2000
    for name in faces.list_faces():
        assert re.fullmatch(r"\w{2,26}", name), "a name has 32 characters at most, with its number"
        assert len((SHIPPED / f"{name}.png").read_bytes()) < 8 * 1024


def test_every_card_has_a_face_in_both_sets() -> None:
    ranks = {1: "A", 11: "J", 12: "Q", 13: "K"}
    wanted = {f"{faces.SUITS[suit(card)]}_{ranks.get(rank(card), rank(card))}" for card in PACK}
    wanted |= {f"safe_{name}" for name in wanted}
    wanted |= {f"card_{number}" for number in (*range(1, 26), "A", "J", "Q", "K", "back", "sealed")}
    wanted |= {f"mouse_{number}" for number in range(1, 11)} | {f"vulture_{number}" for number in range(1, 6)}
    assert set(faces.list_faces()) == wanted | {"joker"}


@pytest.mark.parametrize("inks", [draw_faces.FOUR_COLOURS, draw_faces.SAFE_COLOURS], ids=["four", "safe"])
def test_cards_can_be_read_on_dark_and_light_backgrounds(inks: dict[str, draw_faces.Ink]) -> None:
    for ink in inks.values():
        assert contrast(ink.ink, ink.card) >= 4.5
        for background in (DARK, LIGHT):
            assert max(contrast(ink.card, background), contrast(ink.edge, background)) >= 2.5


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_suits_of_the_safe_set_differ_for_colour_blind_people(blindness: str) -> None:
    assert apart(draw_faces.SAFE_COLOURS, blindness) >= 25


def test_suits_of_the_four_colour_set_do_not_differ_for_colour_blind_people() -> None:
    """This is why there are two sets, and it shows that the measure can fail."""
    assert min(apart(draw_faces.FOUR_COLOURS, blindness) for blindness in BLINDNESS) < 25
