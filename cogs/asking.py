"""The common options of a challenge: their choices, autocomplete, and what was asked for."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.engine.match import new_match
from bot.engine.presets import PRESETS, Preset, find_offer, offers
from bot.engine.refusals import Refusal
from bot.engine.variants.classic import TIES
from bot.errors import Refused
from bot.referee.setups import Wish
from cogs.ui.offers import CLOCKS, SERIES

TIE_CHOICES = [app_commands.Choice(name=title, value=key) for key, title in TIES.items()]
CLOCK_CHOICES = [app_commands.Choice(name=words, value=seconds) for seconds, words in CLOCKS.items()]
SERIES_CHOICES = [app_commands.Choice(name=words, value=key) for key, (words, _) in SERIES.items()]

DESCRIPTIONS = {
    "game": "Which game; type to search",
    "cards": "How many cards each hand has",
    "ties": "What happens to a prize when the highest bids are equal",
    "clock": "Time for each bid",
    "series": "One deal or several",
    "rated": "Count it for the leaderboard",
    "options": "More rules: blind, order, two cards, open prizes, win-only; type to search",
}


def wish_of(
    game: str | None,
    cards: int | None,
    ties: str | None,
    clock: int | None,
    series: str | None,
    rated: bool | None,
    options: str | None,
) -> Wish:
    """What was typed, understood."""
    return Wish(
        game=find_game(game) if game else None,
        cards=cards,
        ties=ties,
        clock=clock,
        series=SERIES[series][1].data() if series is not None and series in SERIES else None,
        rated=rated,
        options=read_words(game, options) if options else {},
    )


def find_game(typed: str) -> str:
    """The key of a game or preset, by key or by name."""
    wanted = typed.strip().lower()
    for offer in offers():
        if wanted in (offer.key, offer.name.lower(), row_of(offer).lower()):
            return offer.key
    try:
        find_offer(wanted)
    except Refusal as refusal:
        raise Refused(refusal.id, **refusal.data) from refusal
    return wanted


def row_of(offer: Preset) -> str:
    """One line of the game picker."""
    game, _ = find_offer(offer.key)
    seats = f"{offer.seats}" if offer.seats else game.seat_range
    return f"{offer.name} · {seats} seats · {offer.title}"[:100]


async def complete_game(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    """Games and presets that fit what is typed. Autocomplete never fails."""
    wanted = current.lower()
    fitting = [offer for offer in offers() if wanted in row_of(offer).lower() or wanted in offer.key]
    return [app_commands.Choice(name=row_of(offer), value=offer.key) for offer in fitting[:25]]


# --- more rules, in words ---------------------------------------------------------------------------------


def rule_words(game: str) -> dict[str, Preset]:
    """The options of a game that have a name of their own."""
    return {preset.key: preset for preset in PRESETS if preset.game == game and preset.options and not preset.seats}


def read_words(game: str | None, typed: str) -> dict[str, Any]:
    """Words such as "blind, two-cards" as options."""
    found, _ = find_offer(find_game(game)) if game else find_offer("classic")
    words = rule_words(found.key)
    options: dict[str, Any] = {}
    for word in typed.split(","):
        key = word.strip().lower()
        if not key:
            continue
        preset = words.get(key) or next((one for one in words.values() if one.name.lower() == key), None)
        if preset is None:
            listed = ", ".join(words) or "none"
            raise Refused("unknown-option", game=found.name, x=word.strip()[:40], list=listed)
        options |= preset.options
    return options


async def complete_options(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    """One more rule that may join those typed already; only combinations that are allowed."""
    try:
        named = getattr(interaction.namespace, "game", None) or "classic"
        game, offer = find_offer(find_game(named))
        done, _, last = current.rpartition(",")
        chosen = {**offer.options, **(read_words(game.key, done) if done else {})}
        lines: list[str] = []
        for preset in rule_words(game.key).values():
            if last.strip().lower() not in f"{preset.key} {preset.name}".lower():
                continue
            try:
                new_match(game, game.seats[0], {**chosen, **preset.options}, None)
            except Refusal:
                continue
            lines.append(f"{done}, {preset.name.lower()}" if done else preset.name.lower())
        return [app_commands.Choice(name=line[:100], value=line[:100]) for line in lines[:25]]
    except Exception:  # trouble in a picker is an empty picker (ui.md 5)
        return []


def find_offer_game(typed: str) -> str:
    """The key of the game behind a name."""
    game, _ = find_offer(find_game(typed))
    return game.key
