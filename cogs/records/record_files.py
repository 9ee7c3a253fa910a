"""Records as files: of one match, of a whole history, and records that people send."""

from __future__ import annotations

import json
from collections.abc import Sequence

import discord

from bot.engine.record.transcript import transcript
from bot.errors import RefereeError
from bot.interactions.context import InteractionContext
from bot.interactions.shared.board_button import board_component
from bot.referee.archive import record_import
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from bot.referee.repository.live import Live
from bot.rest.rest_client import CONNECTION_ERRORS
from bot.ui.message import Attachment, Message, join_lines
from bot.ui.text.names import make_names
from bot.ui.text.sentences import say

MOST_BYTES = 8 * 1024 * 1024
"""The size of one file; Discord accepts 10 MiB from a bot."""


@board_component("export")
async def export_match(context: InteractionContext, view: MatchView) -> None:
    live = await context.referee.archive.load(context.user, context.origin.guild, view.id)
    await context.answer.send(await export_message(context.referee, live))


async def export_message(referee: Referee, live: Live) -> Message:
    """Return a finished match as its record and as text."""
    id = live.stored.id
    record = await referee.views.record(id)
    labels = make_names(await referee.views.view_live(live)).labels
    files = (
        Attachment(f"gops-{id}.json", json.dumps(record, ensure_ascii=False, indent=1).encode()),
        Attachment(f"gops-{id}.txt", (transcript(live.match, labels) + "\n").encode()),
    )
    return Message(say("export-match", m=id), attachments=files)


async def send_history(context: InteractionContext) -> None:
    """Send every finished match of the person, a record a line, in several files if one would be too large."""
    archive = context.referee.archive
    context.answer.so_far = lambda: say("export-so-far", n=archive.count_exported(context.user))
    lines = await archive.export_history(context.user)
    parts = split_lines(lines)
    for number, part in enumerate(parts, 1):
        several = say("export-part", n=number, of=len(parts)) if len(parts) > 1 else ""
        name = f"gops-history-{number}.jsonl" if several else "gops-history.jsonl"
        text = join_lines(say("export-history", n=len(lines)), several)
        await context.answer.send(Message(text, attachments=(Attachment(name, part),)))


def split_lines(lines: Sequence[bytes], most: int = MOST_BYTES) -> list[bytes]:
    """Join lines into files that may be uploaded; no line is split."""
    parts: list[list[bytes]] = [[]]
    size = 0
    for line in lines:
        if parts[-1] and size + len(line) > most:
            parts.append([])
            size = 0
        parts[-1].append(line)
        size += len(line)
    return [b"".join(part) for part in parts]


async def read_attachment(file: discord.Attachment) -> bytes:
    """Return the content of a file that a person sent; one that is too large is not fetched."""
    if file.size > record_import.MOST_BYTES:
        raise RefereeError("record-big")
    try:
        return await file.read()
    except (discord.HTTPException, *CONNECTION_ERRORS) as error:
        raise RefereeError("record-gone") from error
