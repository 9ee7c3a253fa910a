"""Files that people attach to a command."""

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.errors import RefereeError
from cogs.records.record_files import read_attachment


class Gone:
    """An attachment that Discord's servers do not have any more, or do not give."""

    size = 100

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def read(self) -> bytes:
        raise self.error


NOT_FOUND: Any = SimpleNamespace(status=404, reason="Not Found")


@pytest.mark.parametrize("error", [discord.NotFound(NOT_FOUND, "asset not found"), aiohttp.ClientError(), OSError()])
async def test_attachment_that_is_gone_is_refused(error: Exception) -> None:
    gone: Any = Gone(error)
    with pytest.raises(RefereeError, match="record-gone"):
        await read_attachment(gone)
