"""Only the pinned files are installed, from any index and for any Python."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.pins import FILES, read, with_hashes


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FILES)
def test_every_pin_has_the_hashes_of_its_files(name: str) -> None:
    pins = read(text(name))
    assert pins
    for package, (version, hashes) in pins.items():
        assert hashes, f"{package}=={version} has none: make hashes"
        assert hashes == sorted(set(hashes))


def test_pins_have_the_hashes_of_all_systems() -> None:
    """A compiled package has a wheel for each Python and system."""
    pins = read(text("requirements.txt"))
    for package in ("aiohttp", "yarl", "multidict", "frozenlist", "propcache", "numpy"):
        assert len(pins[package][1]) > 60, package
    for package in ("numba", "llvmlite"):
        assert len(pins[package][1]) > 20, package


@pytest.mark.parametrize("name", FILES)
def test_pins_hold_no_addresses_and_no_options(name: str) -> None:
    assert "://" not in text(name)
    assert not re.search(r"^\s*--(?!hash=)|^-(?!r )", text(name), re.MULTILINE)


def test_every_install_of_pins_requires_hashes() -> None:
    for name in ("Makefile", "Dockerfile"):
        lines = [line for line in text(name).splitlines() if re.search(r"-r requirements[a-z-]*\.txt", line)]
        assert lines
        for line in lines:
            assert "--require-hashes" in line or "$(PINNED)" in line, line
    assert re.search(r"^PINNED := .*--require-hashes$", text("Makefile"), re.MULTILINE)


def test_other_file_of_the_pinned_name_is_not_installed(tmp_path: Path) -> None:
    """In this attack an index or a folder of wheels has another file under the pinned name and version."""
    wheel = tmp_path / "iniconfig-2.3.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("iniconfig/__init__.py", "raise SystemExit('run as you')")
        made.writestr("iniconfig-2.3.1.dist-info/METADATA", "Metadata-Version: 2.1\nName: iniconfig\nVersion: 2.3.1\n")
        made.writestr("iniconfig-2.3.1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        made.writestr("iniconfig-2.3.1.dist-info/RECORD", "")
    block = re.search(r"^iniconfig==.*\n(?:    --hash.*\n)+", text("requirements-dev.txt"), re.MULTILINE)
    assert block
    pinned = tmp_path / "pinned.txt"
    pinned.write_text(block[0], encoding="utf-8")
    command = [sys.executable, "-m", "pip", "install", "--isolated", "--no-index", f"--find-links={tmp_path}"]
    command += ["--target", str(tmp_path / "there"), "--require-hashes", "-r", str(pinned)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in done.stderr
    assert not (tmp_path / "there" / "iniconfig").exists()


def test_pin_is_read_and_written() -> None:
    given = '# why\nA.b_c==1.0; python_version >= "3.13" \\\n    --hash=sha256:' + "0" * 64 + "\n"
    assert read(given) == {"a-b-c": ("1.0", ["0" * 64])}
    new = with_hashes(given, {"a-b-c": ["2" * 64, "1" * 64]})
    assert read(new) == {"a-b-c": ("1.0", ["1" * 64, "2" * 64])}
    assert new.startswith('# why\nA.b_c==1.0; python_version >= "3.13" \\\n')
    with pytest.raises(ValueError, match="line 1"):
        read("somewhere @ https://evil.example/a.whl\n")
