"""The hashes of every file of every pinned version, for all systems and Pythons, as the package index gives them.

`make hashes` asks for them again after a pin was changed. It needs uv, which can ask for packages not installed.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = (
    *("requirements.txt", "requirements-postgres.txt", "requirements-http.txt"),
    *("requirements-dev.txt", "requirements-audit.txt", "tests/postgres.txt"),
)

_PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[0-9][^\s;\\]*)(?P<marker>\s*;[^\\]*?)?\s*\\?")
_HASH = re.compile(r"\s+--hash=sha256:(?P<hash>[0-9a-f]{64})\s*\\?")


def plain(name: str) -> str:
    """A package's name as the index writes it."""
    return re.sub(r"[._-]+", "-", name).lower()


def read(text: str) -> dict[str, tuple[str, list[str]]]:
    """Version and hashes of each pin. Raises ValueError at a line that is something else."""
    pins: dict[str, tuple[str, list[str]]] = {}
    last = ""
    for number, line in enumerate(text.splitlines(), 1):
        if pin := _PIN.fullmatch(line):
            last = plain(pin["name"])
            pins[last] = (pin["version"], [])
        elif (one := _HASH.fullmatch(line)) and last:
            pins[last][1].append(one["hash"])
        elif line.strip() and not line.startswith("#") and not re.fullmatch(r"-r [a-z-]+\.txt", line):
            raise ValueError(f"line {number}: {line}")
    return pins


def with_hashes(text: str, hashes: dict[str, list[str]]) -> str:
    """The same pins and comments, with these hashes."""
    lines: list[str] = []
    for line in text.splitlines():
        if _HASH.fullmatch(line):
            continue
        pin = _PIN.fullmatch(line)
        if pin is None:
            lines.append(line)
            continue
        found = [f"    --hash=sha256:{one}" for one in sorted(hashes[plain(pin["name"])])]
        lines.append(" \\\n".join([line.rstrip(" \\"), *found]))
    return "\n".join(lines) + "\n"


def ask(pins: str) -> str:
    """Ask the package index for the files of these pins."""
    with tempfile.TemporaryDirectory() as folder:
        asked, told = Path(folder) / "asked.txt", Path(folder) / "told.txt"
        asked.write_text(pins, encoding="utf-8")
        command = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--no-deps"]
        command += ["--generate-hashes", "--no-header", "--no-annotate", str(asked), "--output-file", str(told)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return told.read_text(encoding="utf-8")


def main() -> int:
    for name in FILES:
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        pins = [line.rstrip(" \\") for line in text.splitlines() if _PIN.fullmatch(line)]
        told = read(ask("\n".join(pins)))
        path.write_text(with_hashes(text, {one: hashes for one, (_, hashes) in told.items()}), encoding="utf-8")
        print(f"{name}: {len(told)} pins, {sum(len(hashes) for _, hashes in told.values())} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
