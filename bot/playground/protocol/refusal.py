"""What Discord says when it says no: one exception, and the answers by name."""

from collections.abc import Iterable
from typing import Any

from bot.playground.protocol.wire import Json

Where = tuple[str | int, ...]
"""The way to a field inside a body: `("embeds", 0, "title")`."""


class Refusal(Exception):
    """An HTTP status with Discord's error code, message and, for bodies, the fields at fault."""

    retry_after: float | None = None
    """Set on a 429 that has a code of its own."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(f"{status} ({code}) {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def to_json(self) -> Json:
        body: Json = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        if self.retry_after is not None:
            body |= {"retry_after": self.retry_after, "global": False}
        return body


def unauthorized() -> Refusal:
    return Refusal(401, 0, "401: Unauthorized")


def unknown_route() -> Refusal:
    return Refusal(404, 0, "404: Not Found")


def unknown_channel() -> Refusal:
    return Refusal(404, 10003, "Unknown Channel")


def unknown_guild() -> Refusal:
    return Refusal(404, 10004, "Unknown Guild")


def unknown_member() -> Refusal:
    return Refusal(404, 10007, "Unknown Member")


def unknown_message() -> Refusal:
    return Refusal(404, 10008, "Unknown Message")


def unknown_role() -> Refusal:
    return Refusal(404, 10011, "Unknown Role")


def unknown_user() -> Refusal:
    return Refusal(404, 10013, "Unknown User")


def unknown_webhook() -> Refusal:
    return Refusal(404, 10015, "Unknown Webhook")


def unknown_interaction() -> Refusal:
    return Refusal(404, 10062, "Unknown interaction")


def unknown_command() -> Refusal:
    return Refusal(404, 10063, "Unknown application command")


def too_many_old_edits(wait: float) -> Refusal:
    """A 429, not a 400 (github.com/aikaterna/aikaterna-cogs/issues/302)."""
    no = Refusal(429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later")
    no.retry_after = wait
    return no


def too_many_commands(limit: int) -> Refusal:
    return Refusal(400, 30032, f"Maximum number of application commands reached ({limit}).")


def too_many_dms() -> Refusal:
    return Refusal(403, 40003, "You are opening direct messages too fast.")


def too_large() -> Refusal:
    return Refusal(413, 40005, "Request entity too large")


def already_acknowledged() -> Refusal:
    return Refusal(400, 40060, "Interaction has already been acknowledged.")


def too_many_followups() -> Refusal:
    return Refusal(400, 40094, "This interaction has reached the maximum number of follow up messages")


def missing_access() -> Refusal:
    return Refusal(403, 50001, "Missing Access")


def not_the_author() -> Refusal:
    return Refusal(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> Refusal:
    return Refusal(400, 50006, "Cannot send an empty message")


def dms_closed() -> Refusal:
    return Refusal(403, 50007, "Cannot send messages to this user")


def non_text_channel() -> Refusal:
    """Of a message into a forum or a category: `docs: topics/opcodes-and-status-codes`, 50008. A forum has threads only
    (`docs: topics/threads`, Forum and Media Channels)."""
    return Refusal(400, 50008, "Cannot send messages in a non-text channel")


def wrong_channel_type() -> Refusal:
    return Refusal(400, 50024, "Cannot execute action on this channel type")


def missing_permissions() -> Refusal:
    return Refusal(403, 50013, "Missing Permissions")


def token_expired() -> Refusal:
    return Refusal(401, 50027, "Invalid Webhook Token")


def thread_archived() -> Refusal:
    """Of a locked thread too (github.com/discord/discord-api-docs/issues/6884)."""
    return Refusal(400, 50083, "Thread is archived")


def unreadable_json() -> Refusal:
    return Refusal(400, 50109, "The request body contains invalid JSON.")


def no_mutual_guilds() -> Refusal:
    return Refusal(403, 50278, "Cannot send messages to this user due to having no mutual guilds")


def no_history() -> Refusal:
    return Refusal(400, 160002, "Cannot reply without permission to read message history")


def thread_exists() -> Refusal:
    return Refusal(400, 160004, "A thread has already been created for this message")


def invalid(where: Where, code: str, message: str) -> Refusal:
    """50035 for one field."""
    return invalid_form([(where, code, message)])


def invalid_form(faults: Iterable[tuple[Where, str, str]]) -> Refusal:
    """50035, with every fault at its place in the body."""
    tree: dict[str, Any] = {}
    for where, code, message in faults:
        node = tree
        for step in where:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})
    return Refusal(400, 50035, "Invalid Form Body", tree)
