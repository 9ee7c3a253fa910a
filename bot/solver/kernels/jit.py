"""The only door to numba, and the arrays that kernels take. Compiled code is kept in the user's cache folder."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba  # pyright: ignore[reportMissingTypeStubs] - numba has no types; nothing untyped leaves this module
import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.cache_folder import FOLDER

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Signs = NDArray[np.int8]

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a function at its first call. It releases the GIL, and a division by zero raises nothing."""
    kept = FOLDER is not None
    compile_it: Any = numba.njit(cache=kept, nogil=True, error_model="numpy", fastmath={"contract"})  # pyright: ignore
    return compile_it(function)


if FOLDER is not None:
    numba.config.CACHE_DIR = str(FOLDER)  # pyright: ignore
