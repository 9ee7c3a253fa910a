"""Changes that come often as functions of the server: one call in place of a round trip for each statement, with BEGIN
and COMMIT before and after it.

A function is made in the session that lacks it, and goes with it. What it does is what its statements do one after the
other: each sees what the ones before have done, and is held to the number of rows that it must find.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeAlias

from data.postgres.dialect import number_parameters, to_parameter
from data.postgres.driver import LOCK_PATIENCE, PostgresConnection, read_parameter_types
from data.sql.statement import Statement

CREATE_AFTER = 3
"""how often a change of the same statements is written before it becomes a function"""

CAPACITY = 256
"""functions of one session; changes of other statements are carried out one statement after the other"""

ROW_COUNT_MISMATCH = "GP001"
"""SQLSTATE of a function of ours that met another number of rows than it must; its message is which statement"""

Outline: TypeAlias = tuple[tuple[str, int | None, bool], ...]


@dataclass(frozen=True, slots=True)
class Routine:
    """A function: how it is made, how it is called, and which parameters go into which of its arrays."""

    name: str
    definition: str
    call: str
    positions: tuple[tuple[int, ...], ...]

    def arguments(self, change: Sequence[Statement]) -> list[list[Any]]:
        """Parameters of one type are one array."""
        params = [to_parameter(value) for statement in change for value in statement.params]
        return [[params[place] for place in places] for places in self.positions]


class Routines:
    """Those that this process knows."""

    def __init__(self) -> None:
        self.is_off = False
        """nobody may make any here"""
        self._seen: dict[Outline, int] = {}
        self._known: dict[Outline, Routine] = {}
        self._types: dict[str, tuple[str, ...]] = {}

    def find(self, change: Sequence[Statement]) -> Routine | None:
        """The function that carries this change out, where there is one."""
        return None if self.is_off else self._known.get(_outline(change))

    async def ensure(self, connection: PostgresConnection, change: Sequence[Statement]) -> Routine | None:
        """In an open transaction: where a change comes often this session has its function from here on."""
        if self.is_off:
            return None
        outline = _outline(change)
        routine = self._known.get(outline)
        if routine is None:
            if not self._comes_often(outline) or not all(map(_is_supported, change)):
                return None
            for statement in change:
                if statement.sql not in self._types:
                    self._types[statement.sql] = await read_parameter_types(
                        connection, number_parameters(statement.sql)
                    )
            routine = self._known[outline] = build_routine(change, self._types)
        await connection.execute(routine.definition)
        return routine

    def _comes_often(self, outline: Outline) -> bool:
        if len(self._seen) >= 4 * CAPACITY:  # of the rare ones
            self._seen.clear()
        seen = self._seen[outline] = self._seen.get(outline, 0) + 1
        return seen >= CREATE_AFTER and len(self._known) < CAPACITY


def _outline(change: Sequence[Statement]) -> Outline:
    return tuple([(statement.sql, statement.rows, statement.gives_id) for statement in change])


def _is_supported(statement: Statement) -> bool:
    """Whether its answer is a number of rows, or one id."""
    return "RETURNING" not in statement.sql or statement.gives_id


def build_routine(change: Sequence[Statement], types_of: Mapping[str, Sequence[str]]) -> Routine:
    """The function for changes of these statements, whose parameters have these types."""
    types = sorted({kind for statement in change for kind in types_of[statement.sql]})
    positions: dict[str, list[int]] = {kind: [] for kind in types}
    lines: list[str] = []
    count = 0
    for number, statement in enumerate(change):
        first, *others = statement.sql.strip().split("?")
        sql = first
        for kind, part in zip(types_of[statement.sql], others, strict=True):
            positions[kind].append(count)
            count += 1
            sql += f"(${types.index(kind) + 1})[{len(positions[kind])}]{part}"
        if sql.startswith("SELECT"):
            sql = f"PERFORM{sql.removeprefix('SELECT')}"
        lines.append(f"{sql} INTO gops_id;" if statement.gives_id else f"{sql};")
        if statement.rows is not None:
            lines.append("GET DIAGNOSTICS gops_rows = ROW_COUNT;")
            lines.append(
                f"IF gops_rows <> {statement.rows} THEN"
                f" RAISE EXCEPTION USING ERRCODE = '{ROW_COUNT_MISMATCH}', MESSAGE = '{number}'; END IF;"
            )
        if statement.gives_id:
            lines.append("IF gops_id IS NOT NULL THEN gops_ids := gops_ids || gops_id; END IF;")
    takes = ", ".join(f"{kind}[]" for kind in types)
    body = "\n".join(lines)
    name = f"pg_temp.gops_{sha256(f'{takes} {body}'.encode()).hexdigest()[:24]}"
    definition = f"""CREATE OR REPLACE FUNCTION {name}({takes}) RETURNS int8[] LANGUAGE plpgsql
SET lock_timeout = '{LOCK_PATIENCE}' SET plan_cache_mode = force_generic_plan AS $gops$
DECLARE gops_ids int8[] := '{{}}'; gops_id int8; gops_rows int8;
BEGIN
{body}
RETURN gops_ids;
END $gops$"""
    marks = ", ".join(f"${number}" for number in range(1, len(types) + 1))
    return Routine(name, definition, f"SELECT {name}({marks})", tuple(tuple(positions[kind]) for kind in types))
