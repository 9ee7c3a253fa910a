"""The version of this program."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def own_version() -> str:
    """Return the installed version, or a placeholder in a checkout that was not installed."""
    try:
        return version("gops-referee")
    except PackageNotFoundError:
        return "(not installed)"
