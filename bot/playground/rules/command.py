"""Application commands: names, trees, and the limits of what an app may register."""

import re
from collections import Counter
from collections.abc import Sequence

from bot.playground.protocol import refusal
from bot.playground.protocol.refusal import Where
from bot.playground.protocol.wire import Json, items, objects
from bot.playground.rules.form import Form

NAME = re.compile(r"[-_'\w]{1,32}")
MOST = {1: 100, 2: 15, 3: 15}
"""How many commands of each type (slash, user, message) one scope holds."""
MOST_CHARACTERS = 8000
GROUPED = (1, 2)
STRING, INTEGER, NUMBER = 3, 4, 10
INSTALL_TYPES = (0, 1)
"""In a server, and by a person for themselves."""


def read_install_types(config: Json) -> set[int]:
    """How an application may be installed from now on: the keys of `integration_types_config`."""
    form, here = Form(), ("integration_types_config",)
    form.length(here, len(config), 1, len(INSTALL_TYPES))
    for key in config:
        if key not in map(str, INSTALL_TYPES):
            form.fault((*here, key), "BASE_TYPE_CHOICES", f"Value must be one of {INSTALL_TYPES}.")
    form.settle()
    return {int(key) for key in config}


def check_all(commands: Sequence[Json], supported: Sequence[int]) -> None:
    """A whole scope, as a bulk overwrite brings it. `supported` are the install types of the application."""
    counts = Counter(kind_of(command) for command in commands)
    for kind, most in MOST.items():
        if counts[kind] > most:
            raise refusal.too_many_commands(most)
    form = Form()
    seen: set[tuple[int, str]] = set()
    for index, command in enumerate(commands):
        _check(form, command, (index,))
        _check_install_types(form, command, supported, (index,))
        key = (kind_of(command), str(command.get("name")))
        if key in seen:
            said = "Application command names must be unique"
            form.fault((index,), "APPLICATION_COMMANDS_DUPLICATE_NAME", said)
        seen.add(key)
    form.settle()


def check_one(command: Json, others: Sequence[Json], supported: Sequence[int]) -> None:
    """One command beside those that its scope already holds."""
    kind = kind_of(command)
    if sum(kind_of(other) == kind for other in others) >= MOST.get(kind, 1):
        raise refusal.too_many_commands(MOST.get(kind, 1))
    form = Form()
    _check(form, command, ())
    _check_install_types(form, command, supported, ())
    form.settle()


def kind_of(command: Json) -> int:
    return int(command.get("type") or 1)


def _check(form: Form, command: Json, where: Where) -> None:
    if kind_of(command) == 1:
        _check_name(form, command, where)
        form.text(command, "description", where, 100, least=1, must=True)
        _check_options(form, command, where, depth=0)
        if _size(command) > MOST_CHARACTERS:
            said = f"Command exceeds maximum size ({MOST_CHARACTERS})"
            form.fault(where, "APPLICATION_COMMAND_TOO_LARGE", said)
        return
    name = form.text(command, "name", where, 32, least=1, must=True)
    if name != name.strip():
        form.fault((*where, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    if command.get("description"):
        said = "Context menu commands cannot have description"
        form.fault((*where, "description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", said)
    if command.get("options"):
        said = "Context menu commands cannot have options"
        form.fault((*where, "options"), "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS", said)


def _check_install_types(form: Form, command: Json, supported: Sequence[int], where: Where) -> None:
    """A command's types must be among those of its application (`docs: interactions/application-commands`,
    Installation Context: "as long as any included contexts are already supported on the application-level"). No source
    tells the answer: the documentation and the OpenAPI description have no code for it, and no report was found. So
    status and code are those of other wrong bodies, the fault's name is made up, and the bot looks at none of them."""
    listed = command.get("integration_types")
    if listed is None:
        return
    here = (*where, "integration_types")
    types = items(listed)
    form.length(here, len(types), 1, len(INSTALL_TYPES))
    for index, one in enumerate(types):
        if one not in supported:
            said = f"The application does not support the integration type {one}."
            form.fault((*here, index), "APPLICATION_COMMAND_INTEGRATION_TYPE_UNSUPPORTED", said)


def _check_name(form: Form, one: Json, where: Where) -> None:
    name = form.text(one, "name", where, 32, least=1, must=True)
    if name and (not NAME.fullmatch(name) or name != name.lower()):
        form.fault((*where, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _check_options(form: Form, one: Json, where: Where, depth: int) -> None:
    options = form.objects(one, "options", where)
    here = (*where, "options")
    form.length(here, len(options), 0, 25)
    for name, count in Counter(str(option.get("name")) for option in options).items():
        if count > 1:
            said = f'Option name "{name}" is used more than once'
            form.fault(here, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", said)
    grouped = [option.get("type") in GROUPED for option in options]
    if any(grouped) and not all(grouped):
        said = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        form.fault(here, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", said)
    optional_seen = False
    for index, option in enumerate(options):
        place = (*here, index)
        _check_name(form, option, place)
        form.text(option, "description", place, 100, least=1, must=True)
        if option.get("type") in GROUPED:
            if depth + (option["type"] == 1) > 2 or (option["type"] == 2 and depth > 0):
                said = "Sub-command groups cannot be nested this deep"
                form.fault((*place, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", said)
            inner = [one.get("type") for one in objects(option.get("options"))]
            if option["type"] == 1 and not set(inner).isdisjoint(GROUPED):
                said = "A sub-command cannot hold sub-commands"
                form.fault((*place, "options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", said)
            _check_options(form, option, place, depth + 1)
            continue
        if option.get("required"):
            if optional_seen:
                said = "Required options must be placed before non-required options"
                form.fault(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", said)
        else:
            optional_seen = True
        _check_value(form, option, place)


def _check_value(form: Form, option: Json, where: Where) -> None:
    choices = form.objects(option, "choices", where)
    form.length((*where, "choices"), len(choices), 0, 25)
    if choices and option.get("autocomplete"):
        said = "Choices and autocomplete cannot be used together"
        form.fault(where, "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", said)
    if (choices or option.get("autocomplete")) and option.get("type") not in (STRING, INTEGER, NUMBER):
        said = "Only string, integer and number options take choices"
        form.fault(where, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", said)
    for index, choice in enumerate(choices):
        here = (*where, "choices", index)
        form.text(choice, "name", here, 100, least=1, must=True)
        if option.get("type") == STRING:
            form.text(choice, "value", here, 100, least=1, must=True)
    for key in ("name", "value"):
        for text, count in Counter(str(choice.get(key)) for choice in choices).items():
            if count > 1:
                code = "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS"
                form.fault((*where, "choices"), code, f'Choice {key} "{text}" is used more than once')


def _size(one: Json) -> int:
    """Characters of names, descriptions and values, over the whole tree."""
    total = len(str(one.get("name", ""))) + len(str(one.get("description", "")))
    for choice in objects(one.get("choices")):
        total += len(str(choice.get("name", ""))) + len(str(choice.get("value", "")))
    return total + sum(_size(option) for option in objects(one.get("options")))
