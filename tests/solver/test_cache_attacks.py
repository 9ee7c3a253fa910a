"""What was compiled is unpickled when it is loaded: a folder that somebody else prepared is not used."""

import os
import stat
from pathlib import Path

import pytest

from bot.solver import compiled


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The cache folder and the one below /tmp, neither there yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled.tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    return tmp_path / "cache" / "gops", tmp_path / "tmp" / f"gops-{os.getuid()}"


def mode(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


def test_the_folder_is_for_us_alone(places: tuple[Path, Path]) -> None:
    before = os.umask(0)
    try:
        folder = compiled._cache_folder()
    finally:
        os.umask(before)
    assert folder.parent == places[0]
    assert (mode(folder), mode(folder.parent)) == (0o700, 0o700)


def test_one_of_an_earlier_version_is_narrowed(places: tuple[Path, Path]) -> None:
    folder = compiled._cache_folder()
    folder.chmod(0o755)
    folder.parent.chmod(0o755)
    assert compiled._cache_folder() == folder
    assert (mode(folder), mode(folder.parent)) == (0o700, 0o700)


@pytest.mark.parametrize("wide", [0o777, 0o775, 0o757, 0o1777])
@pytest.mark.parametrize("inner", [False, True])
def test_one_that_others_could_write_is_refused(places: tuple[Path, Path], wide: int, inner: bool) -> None:
    folder = compiled._cache_folder()
    (folder if inner else folder.parent).chmod(wide)
    assert compiled._cache_folder().parent == places[1]


def test_one_that_belongs_to_somebody_else_is_refused(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = compiled._cache_folder()
    places[1].mkdir(mode=0o700)
    monkeypatch.setattr(compiled.os, "getuid", lambda: os.geteuid() + 1)
    (places[1].parent / f"gops-{os.geteuid() + 1}").mkdir(mode=0o700)  # prepared, in the name that we would take
    ours = compiled._cache_folder()
    assert ours.parent == places[1].parent, "neither of those two"
    assert ours != theirs
    assert mode(ours) == 0o700


def test_a_link_is_refused(places: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    places[0].parent.mkdir()
    places[0].symlink_to(tmp_path / "elsewhere")
    assert compiled._cache_folder().parent == places[1]
    assert list((tmp_path / "elsewhere").iterdir()) == []
