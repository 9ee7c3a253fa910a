"""What a worker does with what comes by HTTP: presses on consoles that the store knows it answers itself. Everything
else is passed on to the keeper that leads, signed as it came, and its answer is handed back."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from aiohttp import ClientConnectorError, ClientError, ClientSession, ClientTimeout, web

from bot.referee.ports.changes import StoreBusy, StoreReadOnly
from bot.referee.ports.model import Surface, UserId
from cogs.match import ids
from cogs.ui.ids import match_named, read
from cogs.ui.words.sentences import say
from cogs.wire.inline import PASSED_ON

log = logging.getLogger(__name__)

PRESS, TYPING = 3, 4
"""kinds of interactions: a button or menu; a command that is being typed"""

REPLY, OFFER = 4, 8
EPHEMERAL = 1 << 6

NOT_THERE = 500
"""from here on whoever answered is no keeper that could: it has only begun, or is something before one that is gone"""

PATIENCE = ClientTimeout(total=2.6, connect=1.0)
"""seconds; after 3 Discord takes no answer any more"""

SIGNED = ("X-Signature-Timestamp", "X-Signature-Ed25519")

OWN = (ids.CARD, ids.PICK, ids.SEAL, ids.TOGGLE, ids.CLEAR, ids.OPEN_CONSOLE)
"""presses on consoles: what `cogs.match.bids` deals with"""

_OWN = {kind.verb: re.compile(kind.shape) for kind in OWN}

Look = Callable[[str, UserId], Awaitable[Sequence[Surface]]]
"""the surfaces of a match, as the store has them now; what is remembered of it, and of who pressed, is the newest from
here on"""


class Passing:
    """One for a worker."""

    def __init__(
        self,
        session: ClientSession,
        look: Look,
        who_leads: Callable[[], Awaitable[str]],
    ) -> None:
        """`who_leads`: where the keeper is that does; empty where nobody knows."""
        self._session = session
        self._look = look
        self._who_leads = who_leads
        self._keeper = ""
        """where it was the last time"""

    async def takes(self, payload: Mapping[str, Any]) -> bool:
        """Whether this is answered here: a press on a console that the store knows, of which what is remembered here
        is the newest from now on."""
        try:
            match, user, message = _pressed(payload)
        except (KeyError, TypeError, ValueError):
            return False
        if not match:
            return False
        try:
            found = await self._look(match, user)
        except (StoreBusy, StoreReadOnly):
            return False
        return any(one.message == message and one.user == user for one in found)

    async def pass_on(self, request: web.Request, body: bytes, payload: Mapping[str, Any]) -> web.Response:
        """The keeper's answer; a sentence where nobody leads, or nobody answers."""
        headers = {name: request.headers.get(name, "") for name in SIGNED}
        headers |= {"Content-Type": "application/json", PASSED_ON: "1"}
        answer = None
        try:
            answer = await self._told(body, headers)
        except ClientConnectorError:  # it was told nothing, and another one may lead by now
            self._keeper, before = "", self._keeper
            try:
                if await self._knows() and self._keeper != before:
                    answer = await self._told(body, headers)
            except (ClientError, OSError, TimeoutError) as error:
                log.info("the keeper that leads cannot be reached: %s", type(error).__name__)
        except (ClientError, OSError, TimeoutError) as error:
            self._keeper = ""
            log.info("the keeper that leads does not answer: %s", type(error).__name__)
        return answer if answer is not None else web.json_response(_away(payload))

    async def _told(self, body: bytes, headers: Mapping[str, str]) -> web.Response | None:
        if not await self._knows():
            return None
        async with self._session.post(self._keeper, data=body, headers=headers, timeout=PATIENCE) as answer:
            told = await answer.read()
            if answer.status >= NOT_THERE:
                return None
            return web.Response(status=answer.status, body=told, content_type=answer.content_type if told else None)

    async def _knows(self) -> bool:
        """Whether it is known where the keeper is that leads."""
        if not self._keeper:
            try:
                self._keeper = await self._who_leads()
            except (StoreBusy, StoreReadOnly):
                return False
        return bool(self._keeper)

    def forget(self) -> None:
        """Another one may lead by now."""
        self._keeper = ""


def _pressed(payload: Mapping[str, Any]) -> tuple[str, int, int]:
    """The match of a press on a console, who pressed and which message; no match where it is something else."""
    if payload["type"] != PRESS:
        return "", 0, 0
    custom_id = payload["data"]["custom_id"]
    verb, rest = read(custom_id) or ("", "")
    shape = _OWN.get(verb)
    if shape is None or shape.fullmatch(rest) is None:
        return "", 0, 0
    who = payload.get("user") or payload["member"]["user"]
    return match_named(custom_id), int(who["id"]), int(payload["message"]["id"])


def _away(payload: Mapping[str, Any]) -> dict[str, Any]:
    """What somebody reads who asked while nobody leads; whoever is typing is offered nothing."""
    if payload.get("type") == TYPING:
        return {"type": OFFER, "data": {"choices": []}}
    said: dict[str, Any] = {"content": say("keeper-away"), "flags": EPHEMERAL, "allowed_mentions": {"parse": []}}
    return {"type": REPLY, "data": said}
