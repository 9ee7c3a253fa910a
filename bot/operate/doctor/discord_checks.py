"""Checks at Discord: token, application, permissions in servers, commands, emojis, clock and endpoint."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp

from bot.errors import DatabaseError
from bot.operate.doctor.report import Diagnosis, DiscordRefusal, DoctorContext, trouble, unknown, warning, well
from bot.pictures.faces import find_face, list_faces
from bot.referee.model.changes import StoreBusy, StoreReadOnly

PORTAL = "https://discord.com/developers/applications"
UNAUTHORIZED = 401

PRIVILEGED = {
    "Presence": 1 << 12 | 1 << 13,
    "Server Members": 1 << 14 | 1 << 15,
    "Message Content": 1 << 18 | 1 << 19,
}
"""flags of privileged intents of an application; the bot needs none of them"""

ADMINISTRATOR = 1 << 3
NEEDED = {
    "View Channels": 1 << 10,
    "Send Messages": 1 << 11,
    "Attach Files": 1 << 15,
    "Read Message History": 1 << 16,
    "Send Messages in Threads": 1 << 38,
}
"""permissions that the invitation asks for"""

OFFERED = {
    "integration_types": "to other installations than this bot offers it (integration types)",
    "contexts": "in other places than this bot offers it (contexts)",
}
"""fields of a command that say where it is offered, and what is said of a difference"""

FEW_SESSIONS = 50
MOST_NAMED = 10
PAGE = 200
OFF, FAR = 5.0, 60.0
"""difference of the clocks, in seconds, for a warning and for trouble; later, interactions correct the clock"""


async def token(context: DoctorContext) -> list[Diagnosis]:
    try:
        me = await context.ask("/users/@me", time.time)
    except DiscordRefusal as refused:
        if refused.status == UNAUTHORIZED:
            return [trouble("Discord refuses the token", f"copy a new one from {PORTAL} (Bot) into DISCORD_TOKEN")]
        return [trouble(str(refused), "check DISCORD_TOKEN, DISCORD_API_URL and the network")]
    return [well(f"it is the token of {me['username']} ({me['id']})")]


async def intents(context: DoctorContext) -> list[Diagnosis]:
    flags = int((await context.ask("/applications/@me", time.time)).get("flags") or 0)
    given = [name for name, bits in PRIVILEGED.items() if flags & bits]
    if given:
        return [
            warning(
                f"privileged intents are on, but the bot never uses them: {', '.join(given)}",
                f"switch them off at {PORTAL} (Bot): nobody can steal what the bot cannot read",
            )
        ]
    return [well("no privileged intent is on, and the bot needs none")]


async def installs(context: DoctorContext) -> list[Diagnosis]:
    """Check that servers can add the bot, and people can install it for themselves."""
    config = await _read_installs(context)
    if not config:
        return [
            warning("it is not set yet how the bot can be installed", "start the bot, or run gops sync: both allow it")
        ]
    if "0" not in config:
        return [trouble("the bot cannot be added to servers", f"switch on Guild Install at {PORTAL} (Installation)")]
    if "1" not in config:
        return [
            warning(
                "people cannot install the bot for themselves, to play in group chats and other servers",
                f"switch on User Install at {PORTAL} (Installation), then start the bot or run gops sync",
            )
        ]
    return [well("servers and people can install it")]


async def _read_installs(context: DoctorContext) -> dict[str, Any]:
    return (await context.ask("/applications/@me", time.time)).get("integration_types_config") or {}


async def permissions(context: DoctorContext) -> list[Diagnosis]:
    """Check the permissions by roles in each server. Overwrites of channels are not checked."""
    lacking: dict[str, list[str]] = {}
    mighty: list[str] = []
    count, after = 0, 0
    while True:
        page: list[dict[str, Any]] = await context.ask(f"/users/@me/guilds?limit={PAGE}&after={after}", time.time)
        for guild in page:
            held = int(guild["permissions"])
            missing = [name for name, bit in NEEDED.items() if not held & bit]
            if held & ADMINISTRATOR and not guild.get("owner"):
                mighty.append(f"{guild['name']} ({guild['id']})")
            elif missing:
                lacking[f"{guild['name']} ({guild['id']})"] = missing
        count += len(page)
        if len(page) < PAGE:
            break
        after = int(page[-1]["id"])
    found = [
        trouble(
            f"{server}: the bot lacks {', '.join(missing)}", "ask who manages that server to allow it to the bot's role"
        )
        for server, missing in list(lacking.items())[:MOST_NAMED]
    ]
    if len(lacking) > MOST_NAMED:
        found.append(trouble(f"and {len(lacking) - MOST_NAMED} more servers", "look at these first"))
    if mighty:
        said = f"the bot is an administrator of {_list_some(mighty)}"
        found.append(warning(said, "give its role what docs/operating.md lists instead"))
    return found or [well(f"the bot has its permissions in each of its servers: {count}")]


def _list_some(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more servers" if more > 0 else "")


async def commands(context: DoctorContext) -> list[Diagnosis]:
    """Compare the commands at Discord with those of this bot."""
    from bot.interactions.command_sync import commands_hash
    from bot.operate.doctor.local_checks import read_note
    from bot.referee.repository.surfaces import COMMAND_HASH

    ours = await context.commands("1" in await _read_installs(context))
    application = (await context.ask("/applications/@me", time.time))["id"]
    theirs: list[dict[str, Any]] = await context.ask(f"/applications/{application}/commands", time.time)
    lacks = sorted({str(one["name"]) for one in ours} - {str(one["name"]) for one in theirs})
    if lacks:
        return [trouble(f"Discord does not know {', '.join(lacks)}", "run `gops sync`, or start the bot")]
    if elsewhere := _list_elsewhere(ours, theirs):
        return elsewhere
    key = f"{COMMAND_HASH} {application}"
    told = await read_note(context, key)
    if told is None:
        return [warning("the bot has not registered its commands yet", "start the bot: it registers them by itself")]
    if told != commands_hash(ours):
        return [
            warning(
                "Discord has the commands of an older version", "start the bot: it registers the new ones by itself"
            )
        ]
    return [well("Discord has the commands of this version")]


def _list_elsewhere(ours: Sequence[dict[str, Any]], theirs: Sequence[dict[str, Any]]) -> list[Diagnosis]:
    """Name commands with other install types or contexts at Discord than here."""
    there = {(one["type"], one["name"]): one for one in theirs}
    found: list[Diagnosis] = []
    for one in ours:
        known = there.get((one.get("type", 1), one["name"]), {})
        for field, said in OFFERED.items():
            if set(known.get(field) or ()) != set(one.get(field) or ()):
                found.append(trouble(f"{one['name']} is offered {said}", "run `gops sync`"))
    return found


async def sessions(context: DoctorContext) -> list[Diagnosis]:
    """Check how often the bot may still connect, and say how many shards Discord recommends."""
    told = await context.ask("/gateway/bot", time.time)
    shards, limit = int(told["shards"]), told["session_start_limit"]
    left, total = int(limit["remaining"]), int(limit["total"])
    said = f"{left} of {total} session starts are left; Discord recommends {shards} shard{'s' if shards > 1 else ''}"
    if left > FEW_SESSIONS:
        return [well(said)]
    hours = math.ceil(int(limit["reset_after"]) / 3_600_000)
    do = f"find out why the bot connects so often; Discord gives new session starts within {hours} h"
    return [warning(said, do) if left else trouble(said, do)]


async def faces(context: DoctorContext) -> list[Diagnosis]:
    """Check that all card faces are uploaded as emojis of the application."""
    if not context.settings.faces:
        return [well("switched off (GOPS_FACES): cards are text")]
    application = (await context.ask("/applications/@me", time.time))["id"]
    there: dict[str, Any] = await context.ask(f"/applications/{application}/emojis", time.time)
    uploaded = {find_face(one["name"]) for one in there["items"]}
    wanted = list_faces()
    missing = sum(face not in uploaded for face in wanted)
    if missing:
        said = f"{missing} of {len(wanted)} card faces are not uploaded yet: until then, cards may be text"
        return [warning(said, "run `gops sync`, or start the bot: it uploads them in some minutes")]
    return [well(f"all {len(wanted)} card faces are there")]


async def clock(context: DoctorContext) -> list[Diagnosis]:
    """Compare the clock with the `Date` header of Discord, which has whole seconds."""
    await context.ask("/users/@me", time.time)
    told, here = context.dates[-1]
    try:
        off = here - (parsedate_to_datetime(told).timestamp() + 0.5)
    except (TypeError, ValueError):
        return [unknown("Discord's answer has no time")]
    if abs(off) <= OFF:
        return [well("the clock is right")]
    side = "ahead of" if off > 0 else "behind"
    said = f"this machine's clock is {abs(off):.0f} s {side} Discord's"
    do = "set it from the network (timedatectl set-ntp true)"
    return [trouble(said, do) if abs(off) > FAR else warning(said, do)]


REST = aiohttp.ClientTimeout(total=10)
UNSIGNED = b'{"id":"1","type":1}'
UNSIGNED_IS = 401


async def endpoint(context: DoctorContext) -> list[Diagnosis]:
    return [*await _interactions(context), *await _processes(context)]


async def _processes(context: DoctorContext) -> list[Diagnosis]:
    """Warn if no process runs on a PostgreSQL database."""
    if not context.settings.server:
        return []
    from data.postgres.inspection import is_in_use

    try:
        if not await is_in_use(context.settings.server):
            return [warning("no process of the bot runs now", "start one with gops run")]
    except (DatabaseError, StoreBusy, StoreReadOnly) as error:
        return [unknown(str(error))]
    return []


async def _interactions(context: DoctorContext) -> list[Diagnosis]:
    there = (await context.ask("/applications/@me", time.time)).get("interactions_endpoint_url") or ""
    settings = context.settings
    if not there and settings.listen is None:
        return [well("by the gateway")]
    if settings.listen is None:
        said = f"Discord sends interactions to {there}, but this bot does not listen there: commands and buttons fail"
        return [trouble(said, "set GOPS_LISTEN, or start the bot that set this address: it removes it")]
    if settings.endpoint and settings.endpoint != there:
        said = f"Discord sends interactions to {there or 'the gateway'}, and not to GOPS_ENDPOINT"
        return [trouble(said, "start the bot, and read what it logs about GOPS_ENDPOINT")]
    if not there:
        return [warning("Discord sends interactions to the gateway, because it has no address", "set GOPS_ENDPOINT")]
    return [await _probe(there)]


async def _probe(address: str) -> Diagnosis:
    """Send an unsigned request: the bot itself has to refuse it."""
    status = await _post_unsigned(address)
    if isinstance(status, str):
        return trouble(
            f"{address} cannot be reached from here ({status})", "check the way to it (proxy, DNS, firewall)"
        )
    if status != UNSIGNED_IS:
        said = f"{address} answers {status} to an unsigned request; the bot would answer 401"
        return trouble(said, "check that it leads to GOPS_LISTEN and that the bot runs")
    return well(f"by HTTP at {address}, which refuses unsigned requests")


async def _post_unsigned(address: str) -> int | str:
    """Return the status of the answer to an unsigned request, or the name of the error."""
    try:
        async with aiohttp.ClientSession(timeout=REST) as session, session.post(address, data=UNSIGNED) as answer:
            return answer.status
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        return type(error).__name__
