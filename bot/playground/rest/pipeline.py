"""What happens to every call: fault, token, limit, body, description, handler; and the answer is booked."""

import json
import logging
import time
from collections.abc import Awaitable
from inspect import isawaitable
from typing import Any
from urllib.parse import unquote

from aiohttp import BodyPartReader, web

from bot.playground.faults.call import Fault, Faults, Kind, When
from bot.playground.gateway.by_http import ByHttp
from bot.playground.gateway.starts import Starts
from bot.playground.protocol import refusal
from bot.playground.protocol.refusal import Refusal
from bot.playground.protocol.schema import Schema
from bot.playground.protocol.wire import Json, as_id
from bot.playground.rest.call import PREFIX, Call, Endpoint, Reply
from bot.playground.rest.ledger import Entry, Ledger
from bot.playground.rest.limit import FREE, Limits, Verdict, ban, refuse, rounded_up
from bot.playground.world.attachment import Upload
from bot.playground.world.core import Core
from bot.playground.world.model import App, Interaction

log = logging.getLogger(__name__)

Answer = tuple[int, Any, Verdict]

RESPONSE = "RESPONSE"
"""in the book of calls: no call, but the response to a request of ours"""

SECOND = 1.0
"""in the header of a 429 with a code of its own, whose body tells another number"""

UNANSWERED = 0
"""in the book of calls: the status of a call that got no answer"""

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"

FILES = web.RequestKey("gops-files", int)
"""under which a request keeps how many bytes of files came with it"""


class Pipeline:
    def __init__(self, core: Core, schema: Schema | None, *, check_answers: bool = False) -> None:
        self.core = core
        self.schema = schema
        self.check_answers = check_answers
        self.limits = Limits()
        self.faults = Faults()
        self.ledger = Ledger(core.settings.log_calls)
        self.gateway = ""
        self.by_http = ByHttp(core, self.answered)
        self.starts = Starts(core)
        self.answer_faults: list[str] = []
        """What the description had against the stand-in's own answers."""

    async def handle(self, endpoint: Endpoint, request: web.Request) -> web.StreamResponse:
        """Serve one call from the first byte to the last; it is booked however it ends."""
        started = time.perf_counter()
        self.ledger.begin(endpoint.method, endpoint.template)
        answer: Answer | None = None
        try:
            answer = await self._with_faults(endpoint, request)
            if answer is not None and answer[2].scope != "ban":
                self.limits.note_answer(answer[0], answer[2].scope)
        except ConnectionResetError:
            # The bot died while it was asking, or gave up: nobody is left to answer.
            return web.Response(status=500)
        finally:
            self._book(endpoint, request, answer[0] if answer else UNANSWERED, started)
        if answer is None:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        return _respond(*answer)

    async def _with_faults(self, endpoint: Endpoint, request: web.Request) -> Answer | None:
        """None where the connection is to break instead."""
        path = request.rel_url.path.removeprefix(PREFIX)
        if banned := self.limits.banned_for():
            return 429, {"message": "You are being blocked from accessing our API", "code": 0}, ban(banned)
        files = request.content_type.startswith("multipart/")
        fault = self.faults.take(endpoint.method, endpoint.template, path, files=files)
        if fault is not None and fault.kind is Kind.SLOW:
            if fault.when is When.BEFORE:
                await self.faults.slow(fault.seconds)
            answer = await self._serve(endpoint, request)
            if fault.when is When.AFTER:
                await self.faults.slow(fault.seconds)
            return answer
        if fault is None or fault.when is When.AFTER:
            answer = await self._serve(endpoint, request)
            if fault is None:
                return answer
        return None if fault.kind is Kind.RESET else _answer_of(fault)

    async def _serve(self, endpoint: Endpoint, request: web.Request) -> Answer:
        verdict = FREE
        try:
            bot = self._authenticate(endpoint, request)
            verdict = self._limit(endpoint, request, bot)
            if verdict.retry_after is not None:
                return 429, limited(verdict), verdict
            body, uploads = await _read(request)
            request[FILES] = sum(len(one.content) for one in uploads)
            if self.schema is not None and endpoint.method != "GET":
                self.schema.check_request(endpoint.method, endpoint.template, body)
            reason = unquote(request.headers.get("X-Audit-Log-Reason", ""))
            given = (self.core, request.match_info, request.query, self.gateway, bot, body, uploads)
            reply = self._run(endpoint, Call(*given, reason, self.by_http, self.starts))
            status, answer = await reply if isawaitable(reply) else reply
        except Limited as hit:
            verdict = refuse(hit.wait, "shared")
            return 429, limited(verdict), verdict
        except Refusal as no:
            status, answer = no.status, no.to_json()
            if no.retry_after is not None:
                verdict = refuse(SECOND, "user")
        if self.check_answers and self.schema is not None:
            faults = self.schema.answer_faults(endpoint.method, endpoint.template, status, answer)
            self.answer_faults += [f"{endpoint.method} {endpoint.template} {one}" for one in faults]
        return status, answer, verdict

    async def answered(self, made: Interaction, body: Json) -> None:
        """The first answer came back with an interaction that was sent by HTTP; it may be what a callback may be. Of
        faults the bot hears nothing: it has answered."""
        status = 200
        self.ledger.begin(RESPONSE, CALLBACK)
        try:
            fault = self.faults.take(RESPONSE, CALLBACK, CALLBACK)
            if fault is not None and fault.when is When.BEFORE:
                if fault.kind is not Kind.SLOW:
                    raise refusal.unknown_interaction()
                await self.faults.slow(fault.seconds)
            self.core.interactions.for_callback(made.id, made.token)
            if self.schema is not None:
                self.schema.check_request("POST", CALLBACK, body)
            self.core.callbacks.respond(made, body, [])
            self.core.interactions.delay_token(made)
        except refusal.Refusal as no:
            status = no.status
            raise
        finally:
            path = CALLBACK.replace("{interaction_id}", str(made.id)).replace("/{interaction_token}", "")
            self.ledger.record(
                Entry(
                    self.core.clock.now(),
                    RESPONSE,
                    CALLBACK,
                    path,
                    status,
                    made.app.name,
                    counted=False,
                    milliseconds=0,
                )
            )

    def _run(self, endpoint: Endpoint, call: Call) -> Reply | Awaitable[Reply]:
        if endpoint.bucket == "webhook" and endpoint.method == "POST":
            interaction = self.core.interactions.for_webhook(call.id("webhook_id"), call.params["webhook_token"])
            wait = self.limits.take_followup(interaction.channel_id)
            if wait is not None:
                raise Limited(wait)
        return endpoint.handler(call)

    def _authenticate(self, endpoint: Endpoint, request: web.Request) -> App | None:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        bot = self.core.world.tokens.get(token) if kind == "Bot" else None
        if bot is None and not endpoint.is_free:
            raise refusal.unauthorized()
        return bot

    def _limit(self, endpoint: Endpoint, request: web.Request, bot: App | None) -> Verdict:
        if not self.limits.enabled:
            return FREE
        major = "/".join(request.match_info[one] for one in endpoint.major)
        counted = None if endpoint.is_free or bot is None else bot.id
        return self.limits.take(endpoint.bucket, f"{endpoint.method} {endpoint.template}", major, counted)

    def _book(self, endpoint: Endpoint, request: web.Request, status: int, started: float) -> None:
        who = None
        if endpoint.is_free:
            token = request.match_info.get("webhook_token") or request.match_info.get("interaction_token", "")
            who = self.core.interactions.who(token)
        elif bot := self.core.world.tokens.get(request.headers.get("Authorization", "")[4:]):
            who = bot.name
        self.ledger.record(
            Entry(
                self.core.clock.now(),
                endpoint.method,
                endpoint.template,
                request.rel_url.path,
                status,
                who,
                not endpoint.is_free,
                (time.perf_counter() - started) * 1000,
                request.content_length or 0,
                request.get(FILES, 0),
            )
        )


class Limited(Exception):
    """A limit that is known only once the call has been read."""

    def __init__(self, wait: float) -> None:
        super().__init__(f"limited for {wait:.3f} s")
        self.wait = wait


def limited(verdict: Verdict) -> Json:
    return {
        "message": "You are being rate limited.",
        "retry_after": rounded_up(verdict.retry_after or 0.0),
        "global": verdict.scope == "global",
        "code": 0,
    }


def _answer_of(fault: Fault) -> Answer:
    if fault.kind is Kind.LIMIT:
        verdict = refuse(fault.seconds, fault.scope)
        return 429, limited(verdict), verdict
    return fault.status, {"message": fault.message, "code": fault.code}, FREE


async def _read(request: web.Request) -> tuple[Any, list[Upload]]:
    """The JSON of a body, and its files if it has several parts."""
    if not request.body_exists:
        return None, []
    if not request.content_type.startswith("multipart/"):
        raw = await request.read()
        return (_parse(raw) if raw else None), []
    body: Any = None
    uploads: list[Upload] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        name, content = part.name or "", bytes(await part.read())
        if name == "payload_json":
            body = _parse(content)
        elif name.startswith("files["):
            number = name.removeprefix("files[").removesuffix("]")
            filename = part.filename or f"file-{number}"
            place = as_id(number)
            uploads.append(Upload(len(uploads) if place is None else place, filename, content))
    return body, uploads


def _parse(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise refusal.unreadable_json() from None


def _respond(status: int, body: Any, verdict: Verdict) -> web.Response:
    if body is None:
        return web.Response(status=status, headers=verdict.headers)
    # The content type has to be just this: with a charset, discord.py takes the body for text.
    raw = json.dumps(body, separators=(",", ":")).encode()
    return web.Response(body=raw, status=status, headers=verdict.headers, content_type="application/json")
