"""The folder in which compiled kernels are kept."""

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def _find_cache_folder() -> Path | None:
    """A folder of our own, named after the kernels' text: numba notices only changes of the very file it compiles.
    None where nothing can be written: then each process compiles for itself."""
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(given) if os.access(given, os.W_OK) else None
    texts = [path.read_bytes() for path in sorted(Path(__file__).parents[1].rglob("*.py"))]
    text = b"".join(each for each in texts if b"@kernel" in each or b"numba" in each)
    name = f"kernels-{hashlib.sha256(text).hexdigest()[:16]}"
    for base in _list_bases():
        if _is_ours(base) and _is_ours(base / name):
            return base / name
    try:
        return Path(tempfile.mkdtemp(prefix="gops-"))
    except OSError:
        return None


def _list_bases() -> Iterator[Path]:
    """The user's cache folder, then one of the user's in the folder for temporary files."""
    with suppress(RuntimeError):  # nobody knows where this user is at home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gops"
    with suppress(OSError):
        yield Path(tempfile.gettempdir()) / f"gops-{os.getuid() if hasattr(os, 'getuid') else 0}"


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


FOLDER = _find_cache_folder()
"""None where nothing can be written."""

_COMPLETE = "complete"


def is_compiled() -> bool:
    """Return True if the folder holds every kernel."""
    return FOLDER is not None and (FOLDER / _COMPLETE).exists()


def mark_compiled() -> None:
    if FOLDER is not None:
        with suppress(OSError):  # then the next process compiles what is missing
            (FOLDER / _COMPLETE).touch()
