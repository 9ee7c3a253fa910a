"""SIMD for kernels: LLVM vectors of eight floats as a numba type, with intrinsics to load, store and compute.

LLVM does not vectorize loops this short by itself. The intrinsics can be called in kernels only.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numba.core.cgutils  # pyright: ignore[reportMissingTypeStubs] - numba has no types, see `jit`
import numba.extending  # pyright: ignore[reportMissingTypeStubs]
import numpy as np
from numpy.typing import NDArray

LANES = 8

_types: Any = numba.types
_extending: Any = numba.extending
_cgutils: Any = numba.core.cgutils
_ir: Any = _cgutils.ir
_VECTOR: Any = _ir.VectorType(_ir.DoubleType(), LANES)
_CONTRACT = ("contract",)


class Vector(Protocol):
    """Eight floats, one for each lane."""


class _VectorType(_types.Type):
    """The numba type of a vector."""

    def __init__(self) -> None:
        start: Any = super().__init__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        start(name="Eight")


_EIGHT = _VectorType()


class _VectorModel(_extending.models.PrimitiveModel):
    def __init__(self, manager: Any, of: Any) -> None:
        start: Any = super().__init__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        start(manager, of, _VECTOR)


_extending.register_model(_VectorType)(_VectorModel)


def _pointer(context: Any, builder: Any, kinds: Any, array: Any, at: Any) -> Any:
    """Return a pointer to the vector at an index of an array; the last axis of the array are the lanes."""
    view = context.make_array(kinds[0])(context, builder, array)
    places = _cgutils.unpack_tuple(builder, at) if isinstance(kinds[1], _types.BaseTuple) else [at]
    places = [*places, context.get_constant(_types.intp, 0)]
    shape, strides = (_cgutils.unpack_tuple(builder, each) for each in (view.shape, view.strides))
    pointer = _cgutils.get_item_pointer2(context, builder, view.data, shape, strides, kinds[0].layout, places)
    return builder.bitcast(pointer, _VECTOR.as_pointer())


def _index_type(array: Any) -> Any:
    """Return the numba type of an index: an integer, or a tuple of integers. Negative indexes are not supported."""
    return _types.intp if array.ndim == 2 else _types.UniTuple(_types.intp, array.ndim - 1)


def _load(_: Any, array: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args, *values), align=8)

    return _EIGHT(array, _index_type(array)), generate


def _store(_: Any, array: Any, at: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        builder.store(values[2], _pointer(context, builder, signature.args, *values[:2]), align=8)
        return context.get_dummy_value()

    return _types.void(array, _index_type(array), _EIGHT), generate


def _broadcast(_: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        first = builder.insert_element(_ir.Constant(_VECTOR, _ir.Undefined), values[0], _ir.IntType(32)(0))
        lanes = _ir.Constant(_ir.VectorType(_ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(first, _ir.Constant(_VECTOR, _ir.Undefined), lanes)

    return _EIGHT(_types.float64), generate


def _build_operation(emit: Callable[..., Any], operands: int) -> Any:
    """Return an intrinsic that combines two or three vectors; `emit` adds its instructions to the builder."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return emit(builder, *values)

    def two(_: Any, a: Any, b: Any) -> Any:
        return _EIGHT(_EIGHT, _EIGHT), generate

    def three(_: Any, a: Any, b: Any, c: Any) -> Any:
        return _EIGHT(_EIGHT, _EIGHT, _EIGHT), generate

    return _extending.intrinsic(two if operands == 2 else three)


def _less(on: Any, a: Any, b: Any) -> Any:
    return on.select(on.fcmp_ordered("<", b, a), b, a)


def _more(on: Any, a: Any, b: Any) -> Any:
    return on.select(on.fcmp_ordered(">", b, a), b, a)


def _sum(on: Any, a: Any, b: Any) -> Any:
    return on.fadd(a, b)


def _product(on: Any, a: Any, b: Any) -> Any:
    return on.fmul(a, b)


def _quotient(on: Any, a: Any, b: Any) -> Any:
    return on.fdiv(a, b)


def _more_by(on: Any, a: Any, b: Any, c: Any) -> Any:
    return on.fadd(a, on.fmul(b, c, flags=_CONTRACT), flags=_CONTRACT)


def _less_by(on: Any, a: Any, b: Any, c: Any) -> Any:
    return on.fsub(a, on.fmul(b, c, flags=_CONTRACT), flags=_CONTRACT)


load: Callable[[NDArray[np.float64], int | tuple[int, int]], Vector] = _extending.intrinsic(_load)
store: Callable[[NDArray[np.float64], int | tuple[int, int], Vector], None] = _extending.intrinsic(_store)
broadcast: Callable[[float], Vector] = _extending.intrinsic(_broadcast)
add: Callable[[Vector, Vector], Vector] = _build_operation(_sum, 2)
multiply: Callable[[Vector, Vector], Vector] = _build_operation(_product, 2)
divide: Callable[[Vector, Vector], Vector] = _build_operation(_quotient, 2)
minimum: Callable[[Vector, Vector], Vector] = _build_operation(_less, 2)
maximum: Callable[[Vector, Vector], Vector] = _build_operation(_more, 2)
multiply_add: Callable[[Vector, Vector, Vector], Vector] = _build_operation(_more_by, 3)
multiply_subtract: Callable[[Vector, Vector, Vector], Vector] = _build_operation(_less_by, 3)
