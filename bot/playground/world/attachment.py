"""Files: uploads of a body, and the attachments that they become."""

import mimetypes
from collections.abc import Sequence
from dataclasses import dataclass

from bot.playground.protocol import refusal
from bot.playground.protocol.wire import Json, as_id, objects
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
