"""Components of a message, legacy rows and Components V2: what may stand where, and how much of it."""

from collections.abc import Collection

from bot.playground.protocol import component as kinds
from bot.playground.protocol.refusal import Where
from bot.playground.protocol.wire import Json, as_id, as_object, objects
from bot.playground.rules.form import Form

MOST_COMPONENTS = 40
MOST_TEXT = 4000
MOST_ROWS = 5

VALUE_KINDS = {
    kinds.USER_SELECT: ("user",),
    kinds.ROLE_SELECT: ("role",),
    kinds.MENTIONABLE_SELECT: ("user", "role"),
    kinds.CHANNEL_SELECT: ("channel",),
}
"""what a select of people, roles or channels may show as chosen"""


def check(
    form: Form, components: list[Json], *, v2: bool, files: Collection[str] = (), emojis: Collection[int] = ()
) -> None:
    """Note what is wrong with a message's components; `files` are the names that `attachment://` may use, `emojis`
    the custom ones that this author may."""
    if v2:
        _check_v2(form, components, files)
    else:
        _check_legacy(form, components)
    _check_unique(form, components)
    _check_emojis(form, components, emojis)


def _check_legacy(form: Form, components: list[Json]) -> None:
    if len(components) > MOST_ROWS:
        form.fault(("components",), "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {MOST_ROWS} in length.")
    for index, component in enumerate(components):
        where = ("components", index)
        if component.get("type") != kinds.ROW:
            _wrong_type(form, where, (kinds.ROW,))
        else:
            _check_row(form, component, where)


def _check_v2(form: Form, components: list[Json], files: Collection[str]) -> None:
    if not components:
        form.fault(("components",), "BASE_TYPE_REQUIRED", "This field is required")
    if len(kinds.each(components)) > MOST_COMPONENTS:
        said = f"The total number of components exceeds {MOST_COMPONENTS}"
        form.fault(("components",), "BASE_TYPE_MAX_LENGTH", said)
    if sum(map(len, kinds.texts(components))) > MOST_TEXT:
        said = f"The total text of all components exceeds {MOST_TEXT} characters"
        form.fault(("components",), "COMPONENT_TOTAL_DISPLAYABLE_TEXT_SIZE_EXCEEDED", said)
    for index, component in enumerate(components):
        _check_v2_one(form, component, ("components", index), kinds.IN_MESSAGE_V2, files)


def _check_v2_one(form: Form, one: Json, where: Where, allowed: Collection[int], files: Collection[str]) -> None:
    kind = one.get("type")
    if kind not in allowed:
        _wrong_type(form, where, allowed)
        return
    match kind:
        case kinds.ROW:
            _check_row(form, one, where)
        case kinds.TEXT:
            form.text(one, "content", where, MOST_TEXT, least=1, must=True)
        case kinds.SECTION:
            _check_section(form, one, where, files)
        case kinds.GALLERY:
            items = form.objects(one, "items", where)
            form.length((*where, "items"), len(items), 1, 10)
            for index, item in enumerate(items):
                _check_media(form, item, "media", (*where, "items", index), files)
        case kinds.FILE:
            _check_media(form, one, "file", where, files, attached_only=True)
        case kinds.SEPARATOR:
            if one.get("spacing") is not None:
                form.number((*where, "spacing"), one["spacing"], 1, 2)
        case kinds.CONTAINER:
            inner = form.objects(one, "components", where)
            form.length((*where, "components"), len(inner), 1, MOST_COMPONENTS)
            for index, child in enumerate(inner):
                _check_v2_one(form, child, (*where, "components", index), kinds.IN_CONTAINER, files)
        case _:
            pass


def _check_section(form: Form, one: Json, where: Where, files: Collection[str]) -> None:
    inner = form.objects(one, "components", where)
    form.length((*where, "components"), len(inner), 1, 3)
    for index, child in enumerate(inner):
        _check_v2_one(form, child, (*where, "components", index), (kinds.TEXT,), files)
    here = (*where, "accessory")
    accessory = as_object(one.get("accessory"))
    if accessory is None:
        form.required(here)
    elif accessory.get("type") == kinds.BUTTON:
        _check_button(form, accessory, here)
    elif accessory.get("type") == kinds.THUMBNAIL:
        _check_media(form, accessory, "media", here, files)
    else:
        _wrong_type(form, here, (kinds.BUTTON, kinds.THUMBNAIL))


def _check_media(
    form: Form, one: Json, key: str, where: Where, files: Collection[str], *, attached_only: bool = False
) -> None:
    form.text(one, "description", where, 1024)
    here = (*where, key)
    medium = as_object(one.get(key))
    if medium is None:
        form.required(here)
        return
    url = form.text(medium, "url", here, 2048, least=1, must=True)
    if url.startswith("attachment://"):
        if url.removeprefix("attachment://") not in files:
            said = "The referenced attachment was not found"
            form.fault((*here, "url"), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", said)
    elif attached_only and "/attachments/" not in url:
        said = "A file component may only reference an attachment"
        form.fault((*here, "url"), "UNFURLED_MEDIA_ITEM_ATTACHMENT_REFERENCE_REQUIRED", said)
    elif not url.startswith(("http://", "https://")):
        said = 'Scheme must be one of ("http", "https", "attachment").'
        form.fault((*here, "url"), "URL_TYPE_INVALID_SCHEME", said)


def _check_row(form: Form, row: Json, where: Where) -> None:
    inner = form.objects(row, "components", where)
    form.length((*where, "components"), len(inner), 1, 5)
    selects = [one for one in inner if one.get("type") in kinds.SELECTS]
    if selects and len(inner) > 1:
        said = "A row holds up to five buttons or exactly one select menu"
        form.fault((*where, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", said)
    for index, one in enumerate(inner):
        here = (*where, "components", index)
        if one.get("type") == kinds.BUTTON:
            _check_button(form, one, here)
        elif one.get("type") in kinds.SELECTS:
            check_select(form, one, here)
        else:
            _wrong_type(form, here, kinds.INTERACTIVE)


def _check_button(form: Form, button: Json, where: Where) -> None:
    style = button.get("style")
    form.text(button, "label", where, 80)
    if not button.get("label") and not button.get("emoji") and style != 6:
        form.fault(where, "BUTTON_COMPONENT_INVALID_LABEL_EMOJI", "A button must have a label or an emoji")
    if style in (1, 2, 3, 4):
        form.text(button, "custom_id", where, 100, least=1, must=True)
        if button.get("url") is not None:
            said = "A custom id and url cannot both be specified"
            form.fault(where, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", said)
    elif style == 5:
        url = form.text(button, "url", where, 512, least=1, must=True)
        if url and not url.startswith(("http://", "https://", "discord://")):
            said = 'Scheme must be one of ("http", "https", "discord").'
            form.fault((*where, "url"), "URL_TYPE_INVALID_SCHEME", said)
        if button.get("custom_id") is not None:
            said = "A custom id and url cannot both be specified"
            form.fault(where, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", said)
    elif style != 6:
        said = "Value must be one of {1, 2, 3, 4, 5, 6}."
        form.fault((*where, "style"), "BASE_TYPE_CHOICES", said)


def check_select(form: Form, select: Json, where: Where) -> None:
    """One select menu, in a row or under a modal's label."""
    form.text(select, "custom_id", where, 100, least=1, must=True)
    form.text(select, "placeholder", where, 150)
    least = 1 if select.get("min_values") is None else select["min_values"]
    most = 1 if select.get("max_values") is None else select["max_values"]
    form.number((*where, "min_values"), least, 0, 25)
    form.number((*where, "max_values"), most, 1, 25)
    if isinstance(least, int) and isinstance(most, int) and least > most:
        said = "min_values cannot be greater than max_values"
        form.fault((*where, "min_values"), "SELECT_COMPONENT_MIN_GREATER_THAN_MAX", said)
    if select.get("type") != kinds.STRING_SELECT:
        _check_default_values(form, select, least, most, (*where, "default_values"))
        return
    options = form.objects(select, "options", where)
    fewest = most if isinstance(most, int) and 1 <= most <= 25 else 1
    form.length((*where, "options"), len(options), fewest, 25)
    seen: set[str] = set()
    for index, option in enumerate(options):
        here = (*where, "options", index)
        form.text(option, "label", here, 100, least=1, must=True)
        form.text(option, "description", here, 100)
        value = form.text(option, "value", here, 100, least=1, must=True)
        if value in seen:
            said = "The specified option value is already used"
            form.fault((*here, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", said)
        seen.add(value)


def _check_default_values(form: Form, select: Json, least: object, most: object, where: Where) -> None:
    """Who or what a select of people, roles or channels shows as chosen: none, or as many as may be chosen."""
    chosen = form.objects(select, "default_values", where[:-1])
    if chosen and isinstance(least, int) and isinstance(most, int):
        form.length(where, len(chosen), least, most)
    allowed = VALUE_KINDS[select["type"]]
    for index, one in enumerate(chosen):
        if one.get("type") not in allowed:
            form.fault((*where, index, "type"), "BASE_TYPE_CHOICES", f"Value must be one of {{{', '.join(allowed)}}}.")
        if as_id(one.get("id")) is None:
            form.fault((*where, index, "id"), "NUMBER_TYPE_COERCE", f'Value "{one.get("id")}" is not snowflake.')


def _check_unique(form: Form, components: list[Json]) -> None:
    everything = kinds.each(components)
    given = [value for key in ("custom_id", "id") for one in everything if (value := one.get(key))]
    if len(set(map(str, given))) == len(given):
        return  # as nearly always: where they stand needs no telling
    seen: dict[str, set[object]] = {"custom_id": set(), "id": set()}
    for where, one in kinds.walk(components, ("components",)):
        for key, values in seen.items():
            value = one.get(key)
            if not value:
                continue
            if value in values:
                said = "Component custom id cannot be duplicated"
                form.fault((*where, key), f"COMPONENT_{key.upper()}_DUPLICATED", said)
            values.add(value)


def _check_emojis(form: Form, components: list[Json], known: Collection[int]) -> None:
    if not any("emoji" in one or "options" in one for one in kinds.each(components)):
        return
    for where, one in kinds.walk(components, ("components",)):
        for here, holder in ((where, one), *_options(where, one)):
            emoji = as_object(holder.get("emoji"))
            if emoji is not None and emoji.get("id") is not None and as_id(emoji["id"]) not in known:
                form.fault((*here, "emoji", "id"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")


def _options(where: Where, select: Json) -> list[tuple[Where, Json]]:
    return [((*where, "options", index), option) for index, option in enumerate(objects(select.get("options")))]


def _wrong_type(form: Form, where: Where, allowed: Collection[int]) -> None:
    listed = ", ".join(map(str, sorted(allowed)))
    said = f'Value of field "type" must be one of ({listed},).'
    form.fault((*where, "type"), "UNION_TYPE_CHOICES", said)
