"""What was asked, made of discord.py's interaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import discord

from bot.discord_internals import HELD
from bot.interactions.answer import Answer
from bot.interactions.context import ComponentMessage, InteractionContext, InteractionToken, Origin
from bot.interactions.services import services_of
from bot.rest.member import read_user


def from_interaction(interaction: discord.Interaction[Any], private: bool = True) -> InteractionContext:
    """`private`: whether an answer that takes long is for this person only."""
    data: Any = interaction.data or {}
    sent_in = interaction.type is discord.InteractionType.modal_submit
    typing = interaction.type is discord.InteractionType.autocomplete
    message = interaction.message
    return InteractionContext(
        services=services_of(interaction),
        answer=Answer(interaction, private),
        author=read_user(interaction.user),
        origin=_read_origin(interaction),
        created_at=snowflake_time(interaction.id),
        token=InteractionToken(interaction.application_id, interaction.token),
        data=data,
        typed_options=vars(interaction.namespace) if typing else {},
        pressed_message=_read_pressed_message(message, interaction.extras.get(HELD, ()))
        if message is not None
        else None,
        values=tuple(data.get("values") or ()),
        fields=dict(_read_fields(data)) if sent_in else None,
    )


def _read_origin(interaction: discord.Interaction[Any]) -> Origin:
    channel = interaction.channel
    thread = isinstance(channel, discord.Thread)
    # The gateway lists no server that only somebody's own installation reaches; an unavailable one of ours it does.
    guild = interaction.guild_id or 0
    ours = bool(guild) and interaction.client.get_guild(guild) is not None
    return Origin(
        guild=guild if ours else 0,
        channel=interaction.channel_id or 0,
        is_outside=not ours and (bool(guild) or interaction.context.private_channel),
        is_thread=thread,
        is_closed=thread and (channel.archived or channel.locked),
        bot_permissions=interaction.app_permissions,
        can_manage=ours and _can_manage(interaction),
    )


def _can_manage(interaction: discord.Interaction[Any]) -> bool:
    """An administrator may do everything."""
    rights = interaction.permissions
    return bool(interaction.guild_id) and (rights.manage_guild or rights.administrator)


def _read_pressed_message(message: discord.Message, held: Sequence[Mapping[str, Any]]) -> ComponentMessage:
    return ComponentMessage(
        message.id,
        message.channel.id,
        message.flags.ephemeral,
        message.flags.components_v2,
        snowflake_time(message.id),
        lambda custom_id: custom_id in _list_raw_ids(held),
    )


def _list_raw_ids(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Every custom id in a pressed message, however deep it stands."""
    for one in components:
        if "custom_id" in one:
            yield one["custom_id"]
        yield from _list_raw_ids(one.get("components", ()))
        if "accessory" in one:
            yield from _list_raw_ids((one["accessory"],))


def list_custom_ids(components: Iterable[Any]) -> Iterator[str]:
    """Every custom id of a message, however deep it stands."""
    for one in components:
        if custom_id := getattr(one, "custom_id", None):
            yield custom_id
        yield from list_custom_ids(getattr(one, "children", ()))
        if accessory := getattr(one, "accessory", None):
            yield from list_custom_ids((accessory,))


def list_texts(components: Iterable[Any]) -> Iterator[str]:
    """Every text of a message of components."""
    for one in components:
        content = getattr(one, "content", None)
        if isinstance(content, str):
            yield content
        yield from list_texts(getattr(one, "children", ()))


def _read_fields(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What was typed into a form, by the fields' ids."""
    for one in data.get("components") or ():
        inside: list[Any] = [one.get("component") or {}, *(one.get("components") or ())]
        for typed in inside:
            if isinstance(typed.get("custom_id"), str) and isinstance(typed.get("value"), str):
                yield typed["custom_id"], typed["value"]


def snowflake_time(id: int) -> datetime:
    """When Discord made this id; the end of time for one that has no time in it."""
    try:
        return discord.utils.snowflake_time(id)
    except (ValueError, OverflowError, OSError):
        return datetime.max.replace(tzinfo=UTC)
