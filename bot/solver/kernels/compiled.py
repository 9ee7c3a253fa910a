"""The one door to numba: kernels keep their Python types, and what was compiled is kept in the user's cache folder."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba  # pyright: ignore[reportMissingTypeStubs] - numba has no types; nothing untyped leaves this module

from bot.solver.kernels.cache_folder import FOLDER

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a function at its first call. It lets other threads run, and never divides by zero aloud."""
    kept = FOLDER is not None
    compile_it: Any = numba.njit(cache=kept, nogil=True, error_model="numpy", fastmath={"contract"})  # pyright: ignore
    return compile_it(function)


if FOLDER is not None:
    numba.config.CACHE_DIR = str(FOLDER)  # pyright: ignore
