"""The one door to numba: kernels keep their Python types, and what was compiled is kept in the user's cache folder."""

import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba  # pyright: ignore[reportMissingTypeStubs] - numba has no types; nothing untyped leaves this module

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a function at its first call. It lets other threads run, and never divides by zero aloud."""
    compile_it: Any = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})  # pyright: ignore
    return compile_it(function)


def _cache_folder() -> Path:
    """A folder of our own, named after the kernels' text: numba notices only changes of the very file it compiles."""
    texts = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    text = b"".join(each for each in texts if b"@kernel" in each or b"numba" in each)
    name = f"kernels-{hashlib.sha256(text).hexdigest()[:16]}"
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for base in (home / "gops", Path(tempfile.gettempdir()) / f"gops-{os.getuid() if hasattr(os, 'getuid') else 0}"):
        if _is_ours(base) and _is_ours(base / name):
            return base / name
    return Path(tempfile.mkdtemp(prefix="gops-"))


def _is_ours(folder: Path) -> bool:
    """Whether this folder is, from now on, for us alone, and always was. What lies in it is unpickled: whoever could
    write there could run anything as us."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()  # a link could lead anywhere
        if not stat.S_ISDIR(found.st_mode):
            return False
        if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
            return False
        folder.chmod(0o700)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(_cache_folder())  # pyright: ignore
