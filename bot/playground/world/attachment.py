"""Files: uploads of a body, the attachments that they become, and the components that show them."""

import mimetypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from bot.playground.protocol import refusal
from bot.playground.protocol.component import FILE, SELECTS, each, media
from bot.playground.protocol.wire import Json, as_id, as_object, objects
from bot.playground.rules.form import Form
from bot.playground.world.clock import Mint
from bot.playground.world.model import Attachment
from bot.playground.world.settings import Settings

_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Upload:
    """One `files[n]` of a multipart body."""

    number: int
    filename: str
    content: bytes


class Shelf:
    """Keeps every attachment's bytes, and gives them an address."""

    def __init__(self, mint: Mint, settings: Settings) -> None:
        self._mint = mint
        self._settings = settings
        self.base = ""
        self.files: dict[int, Attachment] = {}

    def keep(self, upload: Upload, channel_id: int, description: str | None, *, ephemeral: bool = False) -> Attachment:
        new_id = self._mint.new()
        guessed = mimetypes.guess_type(upload.filename)[0] or "application/octet-stream"
        prefix = "ephemeral-attachments" if ephemeral else "attachments"
        url = f"{self.base}/{prefix}/{channel_id}/{new_id}/{upload.filename}"
        width, height = _size(upload.content)
        kept = Attachment(new_id, upload.filename, upload.content, guessed, url, description, width, height, ephemeral)
        self.files[new_id] = kept
        return kept

    def gather(
        self,
        body: Json,
        uploads: Sequence[Upload],
        present: Sequence[Attachment],
        channel_id: int,
        *,
        ephemeral: bool = False,
    ) -> list[Attachment]:
        """The attachments a message has after this body.

        `attachments` lists the whole truth where it is given: those that stay by id, new ones by the number
        of their upload. Without it, everything stays and uploads are added.
        """
        if sum(len(one.content) for one in uploads) > self._settings.attachment_bytes:
            raise refusal.too_large()
        new = {one.number: one for one in uploads}
        if body.get("attachments") is None:
            return [
                *present,
                *(self.keep(one, channel_id, None, ephemeral=ephemeral) for one in uploads),
            ]
        old = {one.id: one for one in present}
        kept: list[Attachment] = []
        form = Form()
        for index, entry in enumerate(objects(body["attachments"])):
            named = as_id(entry.get("id"))
            description = form.text(entry, "description", ("attachments", index), 1024) or None
            if named in new:
                kept.append(self.keep(new[named], channel_id, description, ephemeral=ephemeral))
            elif named in old:
                kept.append(old[named])
            else:
                said = "Attachment data not found"
                form.fault(("attachments", index, "id"), "ATTACHMENT_NOT_FOUND", said)
        form.settle()
        return kept


def names(body: Json, uploads: Sequence[Upload], present: Sequence[Attachment]) -> list[str]:
    """The file names a body may point at, before anything is kept."""
    if body.get("attachments") is None:
        return [*(one.filename for one in present), *(one.filename for one in uploads)]
    known = {one.id: one.filename for one in present} | {one.number: one.filename for one in uploads}
    listed = (as_id(entry.get("id")) for entry in objects(body["attachments"]))
    return [known[one] for one in listed if one in known]


def _size(content: bytes) -> tuple[int | None, int | None]:
    """Width and height, of a PNG."""
    if not content.startswith(_PNG) or len(content) < 24:
        return None, None
    return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])


def settle_components(components: list[Json], files: Sequence[Attachment], new_id: Callable[[], int]) -> list[Json]:
    """A copy as Discord answers it: numbered, with defaults filled in and attachments found."""
    kept: list[Json] = _copied(components)
    everything = each(kept)
    taken = {one["id"] for one in everything if one.get("id")}
    number = 0
    for one in everything:
        if not one.get("id"):
            number += 1
            while number in taken:
                number += 1
            one["id"] = number
        for key in [key for key, value in one.items() if value is None]:
            del one[key]
        _fill(one)
        for medium in media(one):
            _resolve(medium, files, new_id)
        if one["type"] == FILE:
            found = _attachment(one["file"], files)
            one["name"] = found.filename if found else None
            one["size"] = len(found.content) if found else None
    return kept


def _copied(one: Any) -> Any:
    """JSON of its own, faster than `copy.deepcopy`, which has to reckon with everything else."""
    held = as_object(one)
    if held is not None:
        return {key: _copied(value) for key, value in held.items()}
    return [_copied(item) for item in cast("list[Any]", one)] if isinstance(one, list) else one


def _fill(one: Json) -> None:
    match one["type"]:
        case 2:
            one.setdefault("disabled", False)
            if one.get("emoji", {}).get("id") is not None:
                one["emoji"]["id"] = str(one["emoji"]["id"])
        case kind if kind in SELECTS:
            one.setdefault("min_values", 1)
            one.setdefault("max_values", 1)
            one.setdefault("disabled", False)
            for option in one.get("options", []):
                for key in [key for key, value in option.items() if value is None]:
                    del option[key]
        case 11:
            one.setdefault("description", None)
            one.setdefault("spoiler", False)
        case 12:
            for item in one["items"]:
                item.setdefault("description", None)
                item.setdefault("spoiler", False)
        case 13:
            one.setdefault("spoiler", False)
        case 14:
            one.setdefault("divider", True)
            one.setdefault("spacing", 1)
        case 17:
            one.setdefault("accent_color", None)
            one.setdefault("spoiler", False)
        case _:
            pass


def _attachment(medium: Json, files: Sequence[Attachment]) -> Attachment | None:
    found = medium.get("attachment_id")
    return next((file for file in files if str(file.id) == found), None)


def _resolve(medium: Json, files: Sequence[Attachment], new_id: Callable[[], int]) -> None:
    """Turn `attachment://name` into the address of that attachment; other addresses stay."""
    url = str(medium["url"])
    medium.clear()
    medium |= {"id": str(new_id()), "url": url, "proxy_url": url, "width": None, "height": None}
    medium["content_type"] = None
    for file in files:
        if url in (f"attachment://{file.filename}", file.url):
            medium |= {
                "url": file.url,
                "proxy_url": file.url,
                "content_type": file.content_type,
                "width": file.width,
                "height": file.height,
                "attachment_id": str(file.id),
            }
