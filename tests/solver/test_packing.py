"""Packed layers: unpacking restores them exactly, they are small, and a flipped bit is refused."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from bot.solver.exact.solve import answer_position, solve_position, start_whole_game
from bot.solver.kernels.jit import Ints
from bot.solver.tables.build import TablePlan, build_table, recheck_table, ship_table
from bot.solver.tables.packing import pack, unpack
from bot.solver.tables.table import TableError, open_table


def unpacked(data: bytes, *blocks: Ints) -> list[Ints]:
    return list(unpack(np.frombuffer(data, np.uint8), [(block.shape[0], block.shape[1]) for block in blocks]))


@settings(max_examples=25)
@given(
    st.lists(
        arrays.arrays(
            np.int64,
            arrays.array_shapes(min_dims=2, max_dims=2, max_side=9),
            elements=st.one_of(st.integers(-3, 3), st.integers(-(2**24), 2**24)),
        ),
        max_size=3,
    )
)
def test_unpacked_blocks_equal_the_packed_blocks(blocks: list[Ints]) -> None:
    found = unpacked(pack(blocks), *blocks)
    assert len(found) == len(blocks)
    assert all(np.array_equal(one, other) for one, other in zip(found, blocks, strict=True))


def test_rows_of_few_shapes_need_under_two_and_a_half_bits_a_number() -> None:
    """Rows made of three shapes, with errors of at most one: about two bits for each number."""
    dice = np.random.default_rng(18)
    block = np.rint(dice.normal(size=(200, 3)) @ dice.normal(size=(3, 120)) * 300).astype(np.int64)
    block += dice.integers(0, 2, block.shape)
    data = pack([block])
    assert len(data) * 8 < 2.5 * block.size
    assert np.array_equal(unpacked(data, block)[0], block)


@pytest.fixture(scope="module", params=["discard", "carry"])
def packed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    table = open_table(build_table(TablePlan(6, request.param, 2, folder), 1))
    return ship_table(table, 3, 0.01, folder / "packed" / table.path.name)


def test_packed_table_agrees_with_a_solve_within_its_error(packed: Path) -> None:
    table = open_table(packed)
    assert [section.cards for section in table.head.layers] == [3, 4, 5]
    assert [section.step for section in table.head.layers] == pytest.approx([0.01, 0.001, 0.0001])
    solved = solve_position(start_whole_game(6, table.head.ties))
    for section in table.head.layers:
        off = np.abs(table.decode_layer(section.cards) - solved.layers[section.cards - 1].values).max()
        assert off <= section.error < 0.51 * section.step + 1e-3
    assert all(finding.is_fine for finding in recheck_table(table, 20))
    at = start_whole_game(6, table.head.ties).turned(6)
    rounded, exact = answer_position(table, at), answer_position(solved, at)
    assert rounded is not None
    assert exact is not None
    assert rounded.mix == pytest.approx(exact.mix, abs=1e-3)


def test_packed_table_with_a_flipped_bit_is_refused(packed: Path, tmp_path: Path) -> None:
    data = packed.read_bytes()
    broken, dice = tmp_path / "broken.table", random.Random(1)
    for at in dice.sample(range(len(data)), 300):
        broken.write_bytes(data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :])
        with pytest.raises(TableError):
            open_table(broken)
