"""The version of this program."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def own_version() -> str:
    """Return the version as it was installed; a checkout that was not installed has none."""
    try:
        return version("gops-referee")
    except PackageNotFoundError:
        return "(not installed)"
