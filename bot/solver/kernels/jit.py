"""The decorator for numba kernels and the array types that kernels take. Only this module and `simd` import numba.

numba caches compiled code in the user's cache folder.
"""

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
    """Compile a function at its first call. The kernel releases the GIL; division by zero gives inf or nan."""
    has_cache = FOLDER is not None
    compile_it: Any = numba.njit(  # pyright: ignore
        cache=has_cache, nogil=True, error_model="numpy", fastmath={"contract"}
    )
    return compile_it(function)


if FOLDER is not None:
    numba.config.CACHE_DIR = str(FOLDER)  # pyright: ignore
