"""Slash commands, menus and pickers as functions of what was asked."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from itertools import islice
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.errors import RefereeError
from bot.interactions import error_handler
from bot.interactions.context import InteractionContext, from_interaction, read_user
from bot.rest.members import DiscordUser
from bot.ui.custom_ids import shapes

Callback = Callable[..., Awaitable[None]]
Command = app_commands.Command[Any, ..., None]
CommandEntry = Command | app_commands.Group
Target = TypeVar("Target")
MenuEntry = Callable[[Callable[[InteractionContext, Target], Awaitable[None]]], app_commands.ContextMenu]
Rows = Iterable[tuple[str, str]]
"""name and value of each row of a picker"""
MAX_ROWS, MAX_ROW = 25, 100
"""rows of a picker, and characters of a row"""


def command_option(description: str, choices: Mapping[Any, str] | None = None, complete: Any = None) -> Any:
    """Declare an option that several commands have as a field of a dataclass. `choices` are values and their names."""
    return field(default=None, metadata={"description": description, "choices": choices, "complete": complete})


def command(name: str, description: str, /, **described: str) -> Callable[[Callback], Command]:
    """Make a command of the group `/gops` from a function that takes `context` and then the options.

    `described` are descriptions of options. A parameter with a dataclass of `command_option`s stands for all of these.
    """

    def register(work: Callback) -> Command:
        # discord.py reads the options off the signature, and what describes them off the function's attributes.
        signature = inspect.signature(work, eval_str=True)
        first, *own = signature.parameters.values()
        options, shared = list[inspect.Parameter](), dict[str, Any]()
        for parameter in own:
            declared = parameter.annotation
            if isinstance(declared, type) and is_dataclass(declared):
                shared[parameter.name] = declared
                options += inspect.signature(declared, eval_str=True).parameters.values()
            else:
                options.append(parameter)

        async def callback(interaction: discord.Interaction[Any], **values: Any) -> None:
            context = from_interaction(interaction)
            for parameter in made.parameters:
                names = {choice.value: choice.name for choice in parameter.choices}
                if (chosen := values.get(parameter.name)) in names:
                    context.choice_names[parameter.name] = names[chosen]
            for into, declared in shared.items():
                values[into] = declared(**{each.name: values.pop(each.name) for each in fields(declared)})
            await error_handler.run(context, lambda context: work(context, **values))

        asks = first.replace(name="interaction", annotation=discord.Interaction[Any])
        vars(callback).update(vars(work), __signature__=signature.replace(parameters=[asks, *options]))
        callback.__name__, callback.__qualname__ = work.__name__, work.__qualname__
        app_commands.describe(**described)(callback)
        for declared in shared.values():
            _describe_fields(callback, declared)
        made: Command = app_commands.Command(name=name, description=description, callback=callback)
        return made

    return register


def _describe_fields(callback: Callback, declared: Any) -> None:
    for each in fields(declared):
        app_commands.describe(**{each.name: each.metadata["description"]})(callback)
        if choices := each.metadata["choices"]:
            app_commands.choices(**{each.name: make_choices(choices)})(callback)
        if complete := each.metadata["complete"]:
            app_commands.autocomplete(**{each.name: complete})(callback)


def make_choices(names: Mapping[Any, str]) -> list[app_commands.Choice[Any]]:
    """Return the fixed choices of an option from values and their names."""
    return [app_commands.Choice(name=name, value=value) for value, name in names.items()]


def subcommand(
    group: app_commands.Group, name: str, description: str, /, **described: str
) -> Callable[[Callback], Callback]:
    """Add such a command to a group within `/gops`."""

    def register(work: Callback) -> Callback:
        group.add_command(command(name, description, **described)(work))
        return work

    return register


def user_menu(name: str) -> MenuEntry[DiscordUser]:
    """Make an entry in the menu of a person."""
    return _make_menu(name, discord.Member, lambda _, member: read_user(member))


def message_menu(name: str) -> MenuEntry[str]:
    """Make an entry in the menu of a message of the bot, for the match that it shows."""
    return _make_menu(name, discord.Message, read_match_code)


def _make_menu(name: str, kind: type, read: Callable[[InteractionContext, Any], Target]) -> MenuEntry[Target]:
    """Make an entry in the menu of users or messages; `read` gives the work what it needs of the chosen one."""

    def register(work: Callable[[InteractionContext, Target], Awaitable[None]]) -> app_commands.ContextMenu:
        async def callback(interaction: discord.Interaction[Any], chosen: Any) -> None:
            await error_handler.run(from_interaction(interaction), lambda context: work(context, read(context, chosen)))

        callback.__annotations__["chosen"] = kind  # discord.py reads the kind of menu off it
        return app_commands.ContextMenu(name=name, callback=callback)

    return register


def read_match_code(context: InteractionContext, message: discord.Message) -> str:
    """Return the match that a message shows: its buttons name it, or its text does."""
    if message.author.id != context.token.app:
        raise RefereeError("menu-not-mine")
    components = list(walk_components(message.components))
    written = [shapes.find_match(getattr(each, "custom_id", None) or "") for each in components]
    texts = [content for each in components if isinstance(content := getattr(each, "content", None), str)]
    found = [*filter(None, written), *shapes.CODE.findall("\n".join([message.content, *texts]))]
    if not found:
        raise RefereeError("menu-no-match")
    return found[0]


def walk_components(components: Iterable[Any]) -> Iterator[Any]:
    """Yield every component of a message, however deep it stands."""
    for each in components:
        yield each
        yield from walk_components(getattr(each, "children", ()))
        if accessory := getattr(each, "accessory", None):
            yield accessory


def autocomplete(
    work: Callable[[InteractionContext, str], Awaitable[Rows]],
) -> Callable[[discord.Interaction[Any], str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Make a picker from a function that returns the rows for a typed text. After an error the picker is empty."""

    async def complete(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        try:
            context = from_interaction(interaction)
            await context.locate()
            rows = await work(context, current)
            return [app_commands.Choice(name=name[:MAX_ROW], value=value) for name, value in islice(rows, MAX_ROWS)]
        except Exception:  # there is nobody whom a sentence would reach
            return []

    return complete


def filter_rows(rows: Rows, typed: str) -> Rows:
    """Return the rows whose names contain the typed text."""
    wanted = typed.strip().lstrip("#").lower()
    return [(name, value) for name, value in rows if wanted in name.lower()]


class UserTransformer(app_commands.Transformer):
    """An option that names a person."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.user

    async def transform(self, interaction: discord.Interaction[Any], value: Any, /) -> DiscordUser:
        return read_user(value)


UserOption = app_commands.Transform[DiscordUser, UserTransformer]
