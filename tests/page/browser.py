"""A browser for the tests of the page: `python -m tests.page.browser` prints where one is, and gets one if need be.

One that is there (`CHROMIUM`, the PATH, Playwright's own), else Playwright's download, else Debian's package.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence

from playwright.sync_api import Error, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""the first one draws no window and no menus: a fifth less work for every test"""
OPTIONS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]

PATIENCE = {"download": 240.0, "update": 120.0, "install": 300.0}
"""seconds that each way of getting one may take"""

MISSING = "No Chromium is here and none could be had: the tests of the page need one. Name it with CHROMIUM=/path/to/it"


def there() -> str | None:
    """The browser that needs nothing to be done: the one that is named, on the PATH, or downloaded earlier."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None) or _downloaded()


def get(say: Callable[[str], None]) -> str | None:
    """Return a browser that starts, installed by the first way that works."""
    found = there()
    if found is not None and (os.environ.get("CHROMIUM") or _starts(found)):
        return found  # one that was named is not second-guessed
    for what, steps in _ways():
        say(f"Chromium is missing: trying {what} ...")
        if all(_done(step, PATIENCE[kind]) for kind, step in steps):
            found = there()
            if found is not None and _starts(found):
                return found
    return None


def _ways() -> Iterator[tuple[str, list[tuple[str, Sequence[str]]]]]:
    download = (sys.executable, "-m", "playwright", "install", "--no-shell", "chromium")
    yield "Playwright's download", [("download", download)]
    may = _as_root()
    if shutil.which("apt-get") and may is not None:
        quiet = (*may, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq")
        install = (*quiet, "install", "--yes", "--no-install-recommends")
        yield (
            "Debian's package without a window",
            [("update", (*quiet, "update")), ("install", (*install, "chromium-headless-shell"))],
        )
        yield "Debian's package", [("install", (*install, "chromium"))]


def _as_root() -> tuple[str, ...] | None:
    """Return the prefix of a command that only root may run, or None if that needs a password."""
    if os.geteuid() == 0:
        return ()
    sudo = ("sudo", "--non-interactive")
    return sudo if shutil.which("sudo") and _done((*sudo, "true"), 10) else None


def _done(command: Sequence[str], patience: float) -> bool:
    """Whether it went well, and in time; what it says is nobody's concern."""
    quick = {**os.environ, "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"}
    nothing = subprocess.DEVNULL
    with subprocess.Popen(
        command, env=quick, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
    ) as process:
        try:
            return process.wait(patience) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return False


def _downloaded() -> str | None:
    """The one that Playwright keeps for itself."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def _starts(path: str) -> bool:
    """Whether it runs here: a download may want libraries that are missing."""
    with sync_playwright() as playwright:
        try:
            playwright.chromium.launch(executable_path=path, args=OPTIONS).close()
        except Error:
            return False
    return True


def main() -> int:
    def say(words: str) -> None:
        print(words, file=sys.stderr, flush=True)

    found = get(say)
    if found is None:
        say(MISSING)
        return 1
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
