"""Compiled kernels are unpickled when they are loaded, so a folder that another user prepared is not used."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bot.solver.kernels import cache_folder
from tests.conftest import ROOT


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The cache folder and the one below /tmp, neither there yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cache_folder.tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    return tmp_path / "cache" / "gops", tmp_path / "tmp" / f"gops-{os.getuid()}"


def found() -> Path:
    folder = cache_folder._find_cache_folder()
    assert folder is not None
    return folder


def mode(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


def test_cache_folder_is_private(places: tuple[Path, Path]) -> None:
    before = os.umask(0)
    try:
        folder = found()
    finally:
        os.umask(before)
    assert folder.parent == places[0]
    assert (mode(folder), mode(folder.parent)) == (0o700, 0o700)


def test_permissions_of_an_existing_cache_folder_are_narrowed(places: tuple[Path, Path]) -> None:
    folder = found()
    folder.chmod(0o755)
    folder.parent.chmod(0o755)
    assert found() == folder
    assert (mode(folder), mode(folder.parent)) == (0o700, 0o700)


@pytest.mark.parametrize("wide", [0o777, 0o775, 0o757, 0o1777])
@pytest.mark.parametrize("inner", [False, True])
def test_cache_folder_that_others_can_write_is_refused(places: tuple[Path, Path], wide: int, inner: bool) -> None:
    folder = found()
    (folder if inner else folder.parent).chmod(wide)
    assert found().parent == places[1]


def test_cache_folder_of_another_user_is_refused(places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = found()
    places[1].mkdir(mode=0o700)
    monkeypatch.setattr(cache_folder.os, "getuid", lambda: os.geteuid() + 1)
    (places[1].parent / f"gops-{os.geteuid() + 1}").mkdir(mode=0o700)  # prepared, in the name that we would take
    ours = found()
    assert ours.parent == places[1].parent, "neither of those two"
    assert ours != theirs
    assert mode(ours) == 0o700


def test_symbolic_link_as_cache_folder_is_refused(places: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    places[0].parent.mkdir()
    places[0].symlink_to(tmp_path / "elsewhere")
    assert found().parent == places[1]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_solver_works_without_a_writable_folder(tmp_path: Path) -> None:
    code = """
import tempfile
tempfile.gettempdir = tempfile.mkdtemp = lambda *_, **__: (_ for _ in ()).throw(FileNotFoundError("nowhere"))
from bot.solver.kernels import cache_folder
assert cache_folder.FOLDER is None
from bot.solver.exact.solve import solve_position, start_whole_game
print(len(solve_position(start_whole_game(2)).layers))
"""
    file = tmp_path / "a file"
    file.touch()
    environment = {**os.environ, "XDG_CACHE_HOME": str(file)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_warm_up_compiles_every_kernel_that_sage_and_hawk_need(tmp_path: Path) -> None:
    code = """
import os
from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.kernels import cache_folder
from bot.solver.players import sage
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Question, find_level
def count():
    return sum(name.endswith(".nbc") for _, _, names in os.walk(cache_folder.FOLDER) for name in names)
sage.compile_kernels()
before = count()
for key in ("classic", "carry", "known-order", "sops", "pico", "bid", "psych"):
    game, offer = find_offer(key)
    rules = game.rules(2, offer.options)
    seen = observe(rules.start(rules.deal(tuple(rules.pack()))), 0)
    for series in sage.SERIES:
        for level in ("sage", "hawk"):
            find_level(level).mind(Question(rules, series, seen, (), Chance(b"x")))
print(before > 0, count() - before, cache_folder.is_compiled())
"""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "True 0 True\n"), done.stderr
