"""Records as files: of one match, of a whole history, and records that people send; `/gops verify` checks them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import discord

from bot.engine.record.transcript import transcript
from bot.errors import RefereeError
from bot.interactions.commands import command, message_menu
from bot.interactions.context import InteractionContext
from bot.interactions.shared.board_button import board_component
from bot.referee.archive import record_import
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from bot.referee.repository.live import Live
from bot.referee.verify.check import verify_text
from bot.referee.verify.findings import FindingKind, Report
from bot.rest.rest_client import CONNECTION_ERRORS
from bot.solver.coach.advice import Review
from bot.ui.message import Attached, Attachment, Message, Text, join_lines
from bot.ui.text.names import begin_sentences, make_names
from bot.ui.text.sentences import say
from cogs.records.replay_page import render_page

MOST_BYTES = 8 * 1024 * 1024
"""The size of one file; Discord accepts 10 MiB from a bot."""


@board_component("export")
async def export_match(context: InteractionContext, view: MatchView) -> Message:
    live = await context.referee.archive.load(context.user, context.origin.guild, view.id)
    return await export_message(context.referee, live, context.services.coach.find_review(view.id))


async def export_message(referee: Referee, live: Live, review: Review | None) -> Message:
    """Return a finished match as a page with its review if one was made, as its record, and as text."""
    id = live.stored.id
    record = await referee.views.record(id)
    view, tape = await referee.views.view_live(live), await referee.views.tape(live)
    labels = make_names(view).labels
    page = await asyncio.to_thread(render_page, tape, view, review)
    files = (
        Attachment(f"gops-{id}-replay.html", page),
        Attachment(f"gops-{id}.json", json.dumps(record, ensure_ascii=False, indent=1).encode()),
        Attachment(f"gops-{id}.txt", begin_sentences(transcript(live.match, labels) + "\n").encode()),
    )
    return Message(say("export-match", m=id), attachments=files)


async def send_history(context: InteractionContext) -> None:
    """Send every finished match of the person, a record a line, in several files if one would be too large."""
    archive = context.referee.archive
    context.answer.so_far = lambda: say("export-so-far", n=archive.count_exported(context.user))
    lines = await archive.export_history(context.user)
    await context.send_parts(say("export-history", n=len(lines)), "gops-history", "jsonl", split_lines(lines))


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


MOST_LINES, MOST_TEXT = 40, 3000
"""The most lines and characters of findings that are shown."""


@command(
    "verify",
    "Check that the referee did not cheat",
    match="Match code, like K7Q2 (default: your last)",
    record="Or a record file that you exported",
)
async def verify(
    context: InteractionContext, match: str | None = None, record: discord.Attachment | None = None
) -> None:
    if record is not None:
        if match is not None:
            raise RefereeError("either-match-or-record")
        report = await context.services.desk.verify(context.user, await read_attachment(record))
        # The names in a record are not covered, so people are named by their ids.
        await context.answer.send(_card(say("verify-title-file"), report, ()))
        return
    await _send_report(context, match)


@message_menu("Verify")
async def verify_menu(context: InteractionContext, match: str) -> None:
    await _send_report(context, match)


async def _send_report(context: InteractionContext, match: str | None) -> None:
    live = await context.referee.finder.find_finished(context.user, match)
    if live.stored.is_practice and not live.stored.channel and live.stored.seat_of(context.user) is None:
        raise RefereeError("unknown-match", x=live.stored.id)
    await context.answer.send(await verify_message(context.referee, live.stored.id))


@board_component("verify")
async def verify_match(context: InteractionContext, view: MatchView) -> Message:
    return await verify_message(context.referee, view.id)


async def verify_message(referee: Referee, id: str) -> Message:
    """Return the report of a finished match, with its record and its digits as files."""
    record = await referee.views.record(id)
    view = await referee.views.view(id)
    text = json.dumps(record, ensure_ascii=False, indent=1)
    names = make_names(view)
    report = await asyncio.to_thread(verify_text, text, names=[names[seat] for seat in range(len(view.seats))])
    files = (
        Attachment(f"gops-{id}.json", text.encode()),
        Attachment(f"gops-{id}-seals.txt", (await referee.views.proof_sheet(id)).encode()),
    )
    return _card(verdict_title(id, report), report, files)


def verdict_title(id: str, report: Report) -> str:
    """Return the verdict on a match: all of it is right, something could not be checked, or something is wrong."""
    unchecked = sum(finding.kind is FindingKind.OPEN for finding in report.findings)
    if not all(finding.holds for finding in report.findings):
        return say("verify-title-wrong", m=id)
    return say("verify-title-open", m=id, n=unchecked) if unchecked else say("verify-title", m=id)


def _card(title: str, report: Report, files: Sequence[Attachment]) -> Message:
    """Return the report; if it is too long, findings of what is wrong come first."""
    findings = report.findings
    lines = [finding.line for finding in findings]
    if len(lines) > MOST_LINES or sum(map(len, lines)) > MOST_TEXT:
        lines = [finding.line for finding in sorted(findings, key=lambda finding: finding.holds)]
        kept: list[str] = []
        while len(kept) < MOST_LINES and sum(map(len, kept)) + len(lines[len(kept)]) <= MOST_TEXT:
            kept.append(lines[len(kept)])
        lines = [*kept, say("verify-more", n=len(lines) - len(kept))]
    body = (Text(join_lines(title, *lines)), *(Attached(file.name) for file in files))
    return Message(body=body, attachments=tuple(files), essence=title)
