"""Components: their kinds, and a walk through their tree."""

from collections.abc import Iterable, Iterator, Sequence

from bot.playground.protocol.wire import Json, as_object, items, objects

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
