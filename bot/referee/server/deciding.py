"""The settings of a server: each change is checked, expects the version before it, and goes into the audit log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from bot.engine.refusals import RuleError
from bot.engine.text.presets import find_offer
from bot.engine.text.wording import abbreviate_option, read_words
from bot.errors import RefereeError
from bot.referee.lobby.setups import Wish, make_setup, usual_seats
from bot.referee.model.changes import AddAudit, Conflict, NameMember, SaveGuild, Step
from bot.referee.model.daily_posts import schedule_post
from bot.referee.model.guild_settings import SETTINGS, GuildSettings
from bot.referee.model.model import Snowflake
from bot.referee.model.participant import Person
from bot.referee.model.people import Audit
from bot.referee.model.rating_changes import schedule_role_check
from bot.referee.repository.match_repository import TRIES, Commands, MatchRepository
from bot.referee.season.seasons import Seasons

LONGEST_RULES = 60
"""characters of the usual rules: they also have to fit the buttons of a set-up card"""


class Deciding(Commands):
    """What a server decides. Whether somebody may is for whoever calls to ask."""

    def __init__(self, repository: MatchRepository, seasons: Seasons) -> None:
        super().__init__(repository)
        self._seasons = seasons

    async def load_settings(self, guild: Snowflake) -> GuildSettings:
        """Return the settings of a server, or the defaults of an unknown one."""
        return await self._store.guild(guild)

    async def change(self, guild: Snowflake, by: Person, seen: int, **fields: Any) -> Sequence[Audit]:
        """Set these, as somebody who saw this version of the settings wants them; what came of it.

        What another moderator has changed since is not undone: that is refused, and says what it was.
        """
        store = self._store
        for _ in range(TRIES):
            known = await store.guild(guild)
            wanted = _fitting(replace(known, **fields), known)
            changed = _changed(known, wanted)
            if not changed:
                return ()
            _check(wanted, changed)
            moved = [what for what in await store.changed_since(guild, seen) if what in fields and what in changed]
            if moved and seen < known.version:
                raise RefereeError("settings-moved", what=moved[0])
            saved = replace(wanted, version=known.version + 1)
            now = self._clock.now()
            audits = tuple(
                Audit(guild, now, by.user, what, kept(getattr(known, what)), kept(getattr(saved, what)), saved.version)
                for what in changed
            )
            follows: tuple[Step, ...] = await self._seasons.change_kind(saved) if "seasons" in changed else ()
            if {"bands", "game", "seasons"} & set(changed):
                follows += schedule_role_check(known, now) or schedule_role_check(saved, now)
            if "daily" in changed:
                follows += schedule_post(saved, now)
            try:
                named = NameMember(guild, by.user, by.name)  # the audit log tells by whom it was
                steps = (SaveGuild(saved, known.version), *map(AddAudit, audits), named, *follows)
                await self._repository.write(steps)
            except Conflict:
                continue
            return audits
        raise RefereeError("busy")


def kept(value: Any) -> str:
    """A setting as the audit log holds it."""
    return json.dumps(value)


def usual_rules(game: str, words: str) -> str:
    """Rules of a game as they are typed, as short as they can be; refused where no match can be played by them."""
    try:
        found, _ = find_offer(game)
        declared = {option.key: option for option in found.options}
        chosen = read_words(found, words)
        short = ", ".join(abbreviate_option(declared[key], value) for key, value in chosen.items() if key in declared)
        settings = GuildSettings(0, game=game, options=short)
        make_setup(Wish(), usual_seats(Wish(), settings), settings)
    except RuleError as refusal:
        raise RefereeError(refusal.id, **refusal.data) from refusal
    if len(short) > LONGEST_RULES:
        raise RefereeError("rules-long")
    return short


def _fitting(wanted: GuildSettings, known: GuildSettings) -> GuildSettings:
    """With the usual rules of another game left out, where the new one has no such rules."""
    if wanted.game == known.game or not wanted.options or wanted.options != known.options:
        return wanted
    try:
        return replace(wanted, options=usual_rules(wanted.game, wanted.options))
    except RefereeError:
        return replace(wanted, options="")


def _changed(known: GuildSettings, wanted: GuildSettings) -> list[str]:
    before, after = asdict(known), asdict(wanted)
    return [what for what in before if before[what] != after[what]]


def _check(wanted: GuildSettings, changed: Sequence[str]) -> None:
    """Raise `RefereeError` for a value that a setting cannot have."""
    for what in changed:
        value = getattr(wanted, what)
        if what in ("game", "options"):
            usual_rules(wanted.game, wanted.options)
        elif (setting := SETTINGS.get(what)) is None or not setting.accepts(value):
            known = setting.range if setting is not None else "one of those offered"
            raise RefereeError("bad-value", option=what.replace("_", " "), range=known)
