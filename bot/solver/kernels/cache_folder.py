"""The cache folder for compiled kernels."""

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def _find_cache_folder() -> Path | None:
    """Return a private folder; None if no folder is writable, and then each process compiles its own kernels.

    The folder's name is a hash of all kernel sources. numba itself invalidates its cache only when the compiled file
    changes, not when a kernel that it calls changes.
    """
    if configured := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(configured) if os.access(configured, os.W_OK) else None
    texts = [path.read_bytes() for path in sorted(Path(__file__).parents[1].rglob("*.py"))]
    text = b"".join(each for each in texts if b"@kernel" in each or b"numba" in each)
    name = f"kernels-{hashlib.sha256(text).hexdigest()[:16]}"
    for base in _list_bases():
        if _is_private(base) and _is_private(base / name):
            return base / name
    try:
        return Path(tempfile.mkdtemp(prefix="gops-"))
    except OSError:
        return None


def _list_bases() -> Iterator[Path]:
    """Yield the user's cache folder, then a folder of this user in the system's temporary folder."""
    with suppress(RuntimeError):  # the user has no home folder
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gops"
    with suppress(OSError):
        yield Path(tempfile.gettempdir()) / f"gops-{os.getuid() if hasattr(os, 'getuid') else 0}"


def _is_private(folder: Path) -> bool:
    """Create the folder if needed; return True if only this user can write to it.

    numba unpickles the files in the folder, so another user with write access could run code as this user.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()  # do not follow a symbolic link
        if not stat.S_ISDIR(status.st_mode):
            return False
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
            return False
        folder.chmod(0o700)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


FOLDER = _find_cache_folder()
"""The cache folder; None if no folder is writable."""

_COMPLETE = "complete"


def is_compiled() -> bool:
    """Return True if the folder holds every kernel."""
    return FOLDER is not None and (FOLDER / _COMPLETE).exists()


def mark_compiled() -> None:
    """Record that the folder holds every kernel."""
    if FOLDER is not None:
        with suppress(OSError):  # without the mark the next process compiles the kernels that are missing
            (FOLDER / _COMPLETE).touch()
