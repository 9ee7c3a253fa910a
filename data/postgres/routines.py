"""Functions of the server for frequent changes. One call replaces BEGIN, a round trip for each statement, and COMMIT.

A function is temporary: each session creates the ones that it lacks. It executes the statements of the change in order,
and checks the number of rows of each. Statements that are repeated are a loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from typing import Any, TypeAlias

from data.postgres.dialect import number_parameters, to_parameter
from data.postgres.driver import PostgresConnection, read_parameter_types
from data.sql.statement import Statement

CREATE_AFTER = 3
"""Number of changes with the same statements after which a function is created for them."""

CAPACITY = 256
"""Maximum number of functions. Other changes are executed statement by statement."""

CALLS = "SELECT pg_advisory_xact_lock", "SELECT set_config"
"""Begin of a statement that only calls a function: an expression, which costs less than a query."""

ROW_COUNT_MISMATCH = "GP001"
"""SQLSTATE for a wrong number of rows. The message is the index of the statement."""

Shape: TypeAlias = tuple[str, int | None, bool]
"""The text of a statement, its number of rows, and whether it gives an id."""

Outline: TypeAlias = tuple[int, tuple[Shape, ...]]
"""The statements of a change; equal ones that follow each other are one. The number is the place of the first that is
repeated: from there on each is a loop. So changes of any length share a function, and a session plans each once."""


@dataclass(frozen=True, slots=True)
class Routine:
    """Function of the server."""

    name: str
    definition: str
    call: str
    types: tuple[str, ...]
    """Type of each of its array parameters."""
    types_of: Mapping[str, Sequence[str]]
    has_loops: bool

    def arguments(self, change: Sequence[Statement]) -> list[list[Any]]:
        """Build the arrays of parameters for a change, one for each type; before them how often to repeat what."""
        values: dict[str, list[Any]] = {kind: [] for kind in self.types}
        for statement in change:
            for kind, value in zip(self.types_of[statement.sql], statement.params, strict=True):
                values[kind].append(to_parameter(value))
        counts = [[len(list(run)) for _, run in groupby(change, _shape)]] if self.has_loops else []
        return [*counts, *values.values()]


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
            routine = self._known[outline] = build_routine(outline, self._types)
        await connection.execute(routine.definition)
        return routine

    def _is_frequent(self, outline: Outline) -> bool:
        """Count a change with these statements. Return True if it deserves a function."""
        if len(self._seen) >= 4 * CAPACITY:  # counts of rare changes
            self._seen.clear()
        seen = self._seen[outline] = self._seen.get(outline, 0) + 1
        return seen >= CREATE_AFTER and len(self._known) < CAPACITY


def _shape(statement: Statement) -> Shape:
    return statement.sql, statement.rows, statement.gives_id


def _build_outline(change: Sequence[Statement]) -> Outline:
    shapes = tuple([(statement.sql, statement.rows, statement.gives_id) for statement in change])
    runs = tuple([shape for shape, _ in groupby(shapes)])
    # Up to the first repeated statement, the statements and their runs are the same.
    last = len(runs) - (len(runs) < len(shapes))
    return next((at - 1 for at, run in enumerate(runs) if shapes[at] != run), last), runs


def _is_supported(statement: Statement) -> bool:
    """Return True unless a statement returns values other than an id."""
    return "RETURNING" not in statement.sql or statement.gives_id


def build_routine(outline: Outline, types_of: Mapping[str, Sequence[str]]) -> Routine:
    """Build the function for changes with this outline. `types_of` maps each SQL text to its parameter types."""
    looped, shapes = outline
    has_loops = looped < len(shapes)
    types = tuple(sorted({kind for sql, _, _ in shapes for kind in types_of[sql]}))
    takes = ", ".join(f"{kind}[]" for kind in (*(["int4"] if has_loops else []), *types))
    body = "\n".join(_write_body(outline, types, types_of))
    name = f"pg_temp.gops_{sha256(f'{takes} {body}'.encode()).hexdigest()[:24]}"
    places = "".join(f" gops_p{number} int4;" for number in range(len(types))) if has_loops else ""
    definition = f"""CREATE OR REPLACE FUNCTION {name}({takes}) RETURNS int8[] LANGUAGE plpgsql AS $gops$
DECLARE gops_ids int8[] := '{{}}'; gops_id int8; gops_rows int8; gops_at int4 := {looped};{places}
BEGIN
{body}
RETURN gops_ids;
END $gops$"""
    marks = ", ".join(f"${number}" for number in range(1, len(types) + has_loops + 1))
    return Routine(
        name, definition, f"SELECT {name}({marks})", types, {sql: types_of[sql] for sql, *_ in shapes}, has_loops
    )


def _write_body(outline: Outline, types: Sequence[str], types_of: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Write each statement, and the later ones as loops. If there are loops, the first parameter is how often each
    statement is repeated, and a variable for each other one is how many of its values were used."""
    looped, shapes = outline
    own = 1 + (looped < len(shapes))
    used = Counter[str]()
    for index, shape in enumerate(shapes):
        kinds = [(kind, types.index(kind)) for kind in types_of[shape[0]]]
        if index == looped:
            yield from (f"gops_p{number} := {used[kind]};" for number, kind in enumerate(types))
        if index >= looped:
            used.clear()
        marks: list[str] = []
        for kind, number in kinds:
            used[kind] += 1
            place = f"{used[kind]}" if index < looped else f"gops_p{number} + {used[kind]}"
            marks.append(f"(${number + own})[{place}]")
        if index < looped:
            yield from _write_statement(shape, marks, f"'{index}'")
            continue
        yield f"FOR gops_turn IN 1..($1)[{index + 1}] LOOP"
        yield from _write_statement(shape, marks, "CAST(gops_at AS TEXT)")
        yield from (f"gops_p{number} := gops_p{number} + {used[kind]};" for kind, number in dict(kinds).items())
        yield "gops_at := gops_at + 1;"
        yield "END LOOP;"


def _write_statement(shape: Shape, marks: Sequence[str], index: str) -> Iterator[str]:
    """Write a statement, and the check of its rows. `index` is the expression for its place in the change."""
    sql, rows, gives_id = shape
    first, *others = sql.strip().split("?")
    sql = first + "".join(f"{mark}{part}" for mark, part in zip(marks, others, strict=True))
    if sql.startswith(CALLS) and " FROM " not in sql:
        sql = f"IF {sql.removeprefix('SELECT')} IS NULL THEN END IF"
    elif sql.startswith("SELECT"):
        sql = f"PERFORM{sql.removeprefix('SELECT')}"
    yield f"{sql} INTO gops_id;" if gives_id else f"{sql};"
    if rows is not None:
        yield "GET DIAGNOSTICS gops_rows = ROW_COUNT;"
        yield (
            f"IF gops_rows <> {rows} THEN"
            f" RAISE EXCEPTION USING ERRCODE = '{ROW_COUNT_MISMATCH}', MESSAGE = {index}; END IF;"
        )
    if gives_id:
        yield "IF gops_id IS NOT NULL THEN gops_ids := gops_ids || gops_id; END IF;"
