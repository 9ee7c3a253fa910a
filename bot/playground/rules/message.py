"""Messages: what a body may ask for, given what the message already is."""

from collections.abc import Collection
from typing import Protocol

from bot.playground.protocol import refusal
from bot.playground.protocol.wire import Json, objects
from bot.playground.rules import component, embed
from bot.playground.rules.form import Form

MOST_CONTENT = 2000
MOST_FILES = 10


class Message(Protocol):
    """The fields of a message that an edit may leave as they are."""

    content: str
    embeds: list[Json]
    components: list[Json]

    @property
    def is_v2(self) -> bool: ...


def check_create(body: Json, *, v2: bool, files: Collection[str], emojis: Collection[int] = ()) -> None:
    """Refuse a new message that Discord would not post."""
    form = Form()
    content = form.text(body, "content", (), MOST_CONTENT)
    embeds = form.objects(body, "embeds", ())
    components = form.objects(body, "components", ())
    embed.check(form, embeds)
    component.check(form, components, v2=v2, files=files, emojis=emojis)
    nonce = body.get("nonce")
    if isinstance(nonce, str):
        form.length(("nonce",), len(nonce), 0, 25)
    form.length(("attachments",), len(files), 0, MOST_FILES)
    if v2:
        _check_no_legacy(form, content, embeds, polled=bool(body.get("poll")))
    form.settle()
    if not (content.strip() or embeds or components or files or body.get("sticker_ids") or body.get("poll")):
        raise refusal.empty_message()


def check_edit(message: Message, body: Json, *, v2: bool, files: Collection[str], emojis: Collection[int] = ()) -> None:
    """Refuse an edit: what is not named stays, and counts as if it had been."""
    form = Form()
    form.text(body, "content", (), MOST_CONTENT)
    content = str(body["content"] or "") if "content" in body else message.content
    form.objects(body, "embeds", ())
    embeds = objects(body["embeds"]) if "embeds" in body else message.embeds
    form.objects(body, "components", ())
    components = objects(body["components"]) if "components" in body else message.components
    embed.check(form, embeds)
    if "components" in body or v2 != message.is_v2:
        component.check(form, components, v2=v2, files=files, emojis=emojis)
    form.length(("attachments",), len(files), 0, MOST_FILES)
    if v2:
        _check_no_legacy(form, content, embeds, polled=False)
    form.settle()
    if not (content.strip() or embeds or components or files):
        raise refusal.empty_message()


def _check_no_legacy(form: Form, content: str, embeds: list[Json], *, polled: bool) -> None:
    code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
    for key, used in (("content", bool(content)), ("embeds", bool(embeds)), ("poll", polled)):
        if used:
            said = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            form.fault((key,), code, said)
