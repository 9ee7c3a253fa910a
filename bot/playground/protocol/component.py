"""Components: their kinds, a walk through their tree, and the shape in which Discord keeps them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from bot.playground.protocol.wire import Json, as_object, items, objects
from bot.playground.world.model import Attachment

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = 9, 10, 11, 12, 13, 14
CONTAINER, LABEL, FILE_UPLOAD = 17, 18, 19
RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 21, 22, 23

SELECTS = frozenset({STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT})
INTERACTIVE = SELECTS | {BUTTON}
IN_MESSAGE_V2 = frozenset({ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER})
IN_CONTAINER = IN_MESSAGE_V2 - {CONTAINER}

BESIDE = ("accessory", "component")
"""under which keys a component has one other"""
HOLDING = frozenset({"components", *BESIDE})
"""under which keys a component has others"""

Place = tuple[str | int, ...]


def children(component: Json) -> Iterator[tuple[Place, Json]]:
    """What stands directly inside a component, with the way there."""
    for index, child in enumerate(items(component.get("components"))):
        if (inner := as_object(child)) is not None:
            yield ("components", index), inner
    for key in BESIDE:
        if (inner := as_object(component.get(key))) is not None:
            yield (key,), inner


def walk(components: Iterable[Json], where: Place = ()) -> Iterator[tuple[Place, Json]]:
    """Every component of a tree, outer ones first, with the way there."""
    for index, component in enumerate(components):
        yield from _walk_one(component, (*where, index))


def _walk_one(component: Json, where: Place) -> Iterator[tuple[Place, Json]]:
    yield where, component
    if not HOLDING.isdisjoint(component):  # most are keys, and hold nothing
        for step, child in children(component):
            yield from _walk_one(child, (*where, *step))


def each(components: Iterable[Json]) -> list[Json]:
    """Every component of a tree, outer ones first: what most ask for, at a quarter of the price of `walk`."""
    found: list[Json] = []
    for component in components:
        found.append(component)
        if not HOLDING.isdisjoint(component):  # most are keys, and hold nothing
            found += each(objects(component.get("components")))
            found += each([inner for key in BESIDE if (inner := as_object(component.get(key))) is not None])
    return found


def texts(components: Sequence[Json]) -> list[str]:
    """The contents of every text display, in reading order."""
    return [str(one.get("content", "")) for one in each(components) if one.get("type") == TEXT]


def find(components: Sequence[Json], custom_id: str) -> Json | None:
    """The button or select with this custom id."""
    return next((one for one in each(components) if one.get("custom_id") == custom_id), None)


def media(component: Json) -> Iterator[Json]:
    """The media objects (`{"url": …}`) of one component, without its children's."""
    match component.get("type"):
        case 11:
            yield component["media"]
        case 12:
            for item in component["items"]:
                yield item["media"]
        case 13:
            yield component["file"]
        case _:
            return


def settle(components: list[Json], files: Sequence[Attachment], new_id: Callable[[], int]) -> list[Json]:
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
    return [_copied(each) for each in cast("list[Any]", one)] if isinstance(one, list) else one


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
    return next((each for each in files if str(each.id) == found), None)


def _resolve(medium: Json, files: Sequence[Attachment], new_id: Callable[[], int]) -> None:
    """Turn `attachment://name` into the address of that attachment; other addresses stay."""
    url = str(medium["url"])
    medium.clear()
    medium |= {"id": str(new_id()), "url": url, "proxy_url": url, "width": None, "height": None}
    medium["content_type"] = None
    for each in files:
        if url in (f"attachment://{each.filename}", each.url):
            medium |= {
                "url": each.url,
                "proxy_url": each.url,
                "content_type": each.content_type,
                "width": each.width,
                "height": each.height,
                "attachment_id": str(each.id),
            }
