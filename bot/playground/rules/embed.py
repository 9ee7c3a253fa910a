"""Embeds: their lengths, and the 6000 characters that all of them share."""

from bot.playground.protocol.wire import Json, as_object
from bot.playground.rules.form import Form

TOTAL = 6000


def check(form: Form, embeds: list[Json]) -> None:
    total = 0
    if len(embeds) > 10:
        form.fault(("embeds",), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    for index, embed in enumerate(embeds):
        where = ("embeds", index)
        total += len(form.text(embed, "title", where, 256))
        total += len(form.text(embed, "description", where, 4096))
        footer = as_object(embed.get("footer")) or {}
        total += len(form.text(footer, "text", (*where, "footer"), 2048))
        author = as_object(embed.get("author")) or {}
        total += len(form.text(author, "name", (*where, "author"), 256))
        fields = form.objects(embed, "fields", where)
        if len(fields) > 25:
            form.fault((*where, "fields"), "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
        for number, field in enumerate(fields):
            here = (*where, "fields", number)
            total += len(form.text(field, "name", here, 256, least=1, must=True))
            total += len(form.text(field, "value", here, 1024, least=1, must=True))
    if total > TOTAL:
        said = f"Embed size exceeds maximum size of {TOTAL}"
        form.fault(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", said)
