"""Functions of the server for frequent changes. One call replaces BEGIN, a round trip for each statement, and COMMIT.

A function is temporary: each session creates the ones that it lacks. It executes the statements of the change in order,
and checks the number of rows of each.
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
"""Number of changes with the same statements after which a function is created for them."""

CAPACITY = 256
"""Maximum number of functions. Other changes are executed statement by statement."""

ROW_COUNT_MISMATCH = "GP001"
"""SQLSTATE for a wrong number of rows. The message is the index of the statement."""

Outline: TypeAlias = tuple[tuple[str, int | None, bool], ...]


@dataclass(frozen=True, slots=True)
class Routine:
    """Function of the server. `positions` holds, for each of its array parameters, the indexes of its values."""

    name: str
    definition: str
    call: str
    positions: tuple[tuple[int, ...], ...]

    def arguments(self, change: Sequence[Statement]) -> list[list[Any]]:
        """Build the arrays of parameters for a change, one for each type."""
        params = [to_parameter(value) for statement in change for value in statement.params]
        return [[params[place] for place in places] for places in self.positions]


class Routines:
    """Functions that this process has built, and counts of the changes without one."""

    def __init__(self) -> None:
        self.is_off = False
        """True if the role may not create functions in this database."""
        self._seen: dict[Outline, int] = {}
        self._known: dict[Outline, Routine] = {}
        self._types: dict[str, tuple[str, ...]] = {}

    def find(self, change: Sequence[Statement]) -> Routine | None:
        """Return the function for a change, or None."""
        return None if self.is_off else self._known.get(_build_outline(change))

    async def ensure(self, connection: PostgresConnection, change: Sequence[Statement]) -> Routine | None:
        """Create the function for a frequent change in this session. Return it, or None for other changes.

        The connection must have an open transaction.
        """
        if self.is_off:
            return None
        outline = _build_outline(change)
        routine = self._known.get(outline)
        if routine is None:
            if not self._is_frequent(outline) or not all(map(_is_supported, change)):
                return None
            for statement in change:
                if statement.sql not in self._types:
                    self._types[statement.sql] = await read_parameter_types(
                        connection, number_parameters(statement.sql)
                    )
            routine = self._known[outline] = build_routine(change, self._types)
        await connection.execute(routine.definition)
        return routine

    def _is_frequent(self, outline: Outline) -> bool:
        """Count a change with these statements. Return True if it deserves a function."""
        if len(self._seen) >= 4 * CAPACITY:  # counts of rare changes
            self._seen.clear()
        seen = self._seen[outline] = self._seen.get(outline, 0) + 1
        return seen >= CREATE_AFTER and len(self._known) < CAPACITY


def _build_outline(change: Sequence[Statement]) -> Outline:
    return tuple([(statement.sql, statement.rows, statement.gives_id) for statement in change])


def _is_supported(statement: Statement) -> bool:
    """Return True unless a statement returns values other than an id."""
    return "RETURNING" not in statement.sql or statement.gives_id


def build_routine(change: Sequence[Statement], types_of: Mapping[str, Sequence[str]]) -> Routine:
    """Build the function for changes of these statements. `types_of` maps each SQL text to its parameter types."""
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
