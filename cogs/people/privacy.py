"""A person's own data: a copy of it, and erasing it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from discord import app_commands

from bot.interactions.commands import subcommand
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.referee.people.privacy import Erasure
from bot.ui.custom_ids import server_ids
from bot.ui.message import RED, Button, Message, join_lines, make_row
from bot.ui.text.names import join_words
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_time

MOST_BYTES = 8 * 1024 * 1024
"""The size of one file; Discord accepts 10 MiB from a bot."""

MOST_NAMED = 10
"""The most matches that one sentence names."""


PRIVACY_GROUP = app_commands.Group(name="privacy", description="Your data")


@subcommand(PRIVACY_GROUP, "export", "Everything stored about you, as one file")
async def export(context: InteractionContext) -> None:
    kept = await context.referee.privacy.export(context.user)
    await context.send_parts(say("export-ready"), "gops-my-data", "json", await asyncio.to_thread(split_files, kept))


def split_files(kept: Mapping[str, Any], most: int = MOST_BYTES) -> list[bytes]:
    """Return one JSON file, or several if that is larger than an upload may be. Each file is whole JSON; rows are
    split."""
    whole = _to_json(kept)
    if len(whole) <= most:
        return [whole]
    head = {key: value for key, value in kept.items() if not isinstance(value, list)}
    parts: list[dict[str, Any]] = [dict(head)]
    size = len(_to_json(head))
    for table, rows in kept.items():
        for entry in cast("list[Any]", rows) if isinstance(rows, list) else ():
            length = len(_to_json(entry)) + len(table) + 8
            if size + length > most:
                parts.append(dict(head))
                size = len(_to_json(head))
            parts[-1].setdefault(table, []).append(entry)
            size += length
    return [_to_json(part) for part in parts]


def _to_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


@subcommand(PRIVACY_GROUP, "delete", "Erase your data (you confirm first)")
async def delete(context: InteractionContext) -> None:
    referee, user = context.referee, context.user
    lesson, bans = await referee.lessons.load(user), [ban.until for ban in await referee.privacy.bans(user)]
    ends = await referee.privacy.preview_erase(user)
    await context.answer.send(erase_question(ends, in_lesson=bool(lesson.bids), banned=max(bans, default=None)))


def erase_question(ends: Erasure, *, in_lesson: bool, banned: datetime | None = None) -> Message:
    """Return the question, which names all that would end."""
    live, rated = ends.given_up, ends.counted
    count = "none" if not rated else "all" if rated == live else "some"
    own = [
        say("ask-erase-practice", n=ends.practice) if ends.practice else "",
        say("ask-erase-daily", n=ends.daily) if ends.daily else "",
        say("ask-erase-lesson") if in_lesson else "",
    ]
    ending = [part for part in own if part]
    question = join_lines(
        say("ask-erase"),
        say("ask-erase-live", n=live, count=say(f"ask-erase-count-{count}", n=live, k=rated)) if live else "",
        say("ask-erase-own", list=join_words(ending)) if ending else "",
        say("ask-erase-withdrawn", n=ends.withdrawn) if ends.withdrawn else "",
        say("ask-erase-banned", t=format_time(banned)) if banned is not None else "",
    )
    yes, no = Button(say("erase"), server_ids.erase(yes=True), RED), Button(say("keep-it"), server_ids.erase(yes=False))
    return Message(question, (make_row(yes, no),))


@component(server_ids.ERASE, on=MessageKind.QUESTION)
async def answer_erase(context: InteractionContext) -> None:
    """Erase the data of the person who pressed, or change nothing."""
    if not server_ids.read_erase(context.id_parts):
        await context.answer.update(Message(say("nothing-changed")))
        return
    parted = await context.referee.privacy.erase(context.user)
    named = [f"#{id}" for id in parted.going[:MOST_NAMED]]
    if len(parted.going) > MOST_NAMED:
        named.append("…")
    going = say("delete-going", names=", ".join(named)) if named else ""
    await context.answer.update(Message(join_lines(say("delete-done"), going)))
    context.services.publisher.show_erased(parted)
