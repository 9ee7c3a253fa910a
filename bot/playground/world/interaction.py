"""Interactions: made by a person, answered by an app, alive for as long as their token."""

import asyncio
import random
import secrets
import time

from bot.playground.protocol import refusal
from bot.playground.protocol.wire import Json
from bot.playground.world import event as ev
from bot.playground.world.model import App, Interaction, Kind, Message, State, User
from bot.playground.world.settings import Settings
from bot.playground.world.world import World

_MOST_KEPT = 100_000
"""Interactions kept by id; beyond that, the oldest are forgotten once their tokens are dead."""
SELDOM = 8
"""One token in ten is later than two fifths of the longest delay, half of them later than a 250th."""
MOST_FOLLOWUPS_OUTSIDE = 5
"""Followups where the app is not installed in the server (40094)."""


class Interactions:
    """Every interaction by id and by token; fails those that nobody acknowledges in time."""

    def __init__(self, world: World, settings: Settings) -> None:
        self._world = world
        self._settings = settings
        self.by_id: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}
        self._most = _MOST_KEPT

    # Long: one parameter for each field of the record.
    def open(
        self,
        app: App,
        kind: Kind,
        user: User,
        channel_id: int,
        guild_id: int | None,
        data: Json,
        owners: Json,
        *,
        source: Message | None = None,
        command: str | None = None,
        parent: Interaction | None = None,
        extra: Json | None = None,
    ) -> Interaction:
        """Make an interaction with the fields of its record, send it to the app, and start its three seconds."""
        made = Interaction(
            self._world.mint.new(),
            app,
            secrets.token_urlsafe(48),
            kind,
            user,
            channel_id,
            guild_id,
            data,
            owners,
            self._world.clock.time(),
            source=source,
            command=command,
            parent=parent,
            extra=extra or {},
        )
        if len(self.by_id) >= self._most:
            self._forget_dead()
        self.by_id[made.id] = made
        self._by_token[made.token] = made
        made.timer = asyncio.get_running_loop().call_later(self._settings.ack_seconds, self.fail, made)
        self._world.bus.publish(ev.InteractionMade(made))
        return made

    def get(self, interaction_id: int) -> Interaction | None:
        return self.by_id.get(interaction_id)

    def who(self, token: str) -> str | None:
        """The name of the app that a token belongs to, for the log of calls."""
        found = self._by_token.get(token)
        return found.app.name if found else None

    def for_callback(self, interaction_id: int, token: str) -> Interaction:
        """The interaction that a callback may answer now."""
        found = self.by_id.get(interaction_id)
        if found is None or not secrets.compare_digest(found.token, token):
            raise refusal.unknown_interaction()
        if found.state is State.ACKNOWLEDGED:
            raise refusal.already_acknowledged()
        late = self._world.clock.time() - found.created > self._settings.ack_seconds
        if found.state is State.FAILED or late:
            raise refusal.unknown_interaction()
        return found

    def for_webhook(self, app_id: int, token: str) -> Interaction:
        """The interaction whose token is a webhook now: acknowledged, and not fifteen minutes old."""
        found = self._by_token.get(token)
        if found is None or found.app.id != app_id or found.state is not State.ACKNOWLEDGED:
            raise refusal.unknown_webhook()
        if time.monotonic() < found.known_at:
            raise refusal.unknown_webhook()
        if self._world.clock.time() - found.created > self._settings.token_seconds:
            raise refusal.token_expired()
        return found

    def acknowledge(self, interaction: Interaction, answer: int) -> None:
        interaction.answer = answer
        self._settle(interaction, State.ACKNOWLEDGED)

    def delay_token(self, interaction: Interaction) -> None:
        """Make its token known after a random time: mostly at once, seldom as late as may be."""
        late = self._settings.token_delay * random.random() ** SELDOM
        interaction.known_at = time.monotonic() + late

    def close(self) -> None:
        """Stop every clock that still runs, and let nobody wait any longer."""
        for interaction in self.by_id.values():
            interaction.settled.set()
            interaction.followed.set()
            if interaction.timer is not None:
                interaction.timer.cancel()

    def _forget_dead(self) -> None:
        dead = self._world.clock.time() - self._settings.token_seconds
        for old in [one for one in self.by_id.values() if one.created < dead]:
            del self.by_id[old.id], self._by_token[old.token]
        self._most = max(_MOST_KEPT, 2 * len(self.by_id))

    def follow(self, interaction: Interaction) -> None:
        """The message of its first answer was brought up, or a further one came."""
        if not interaction.followed.is_set():
            interaction.followed.set()
            if interaction.heed is not None:
                interaction.heed()

    def fail(self, interaction: Interaction) -> None:
        """Nobody has answered, or with nothing that could be taken."""
        if interaction.state is State.WAITING:
            self._settle(interaction, State.FAILED)

    def _settle(self, interaction: Interaction, state: State) -> None:
        interaction.state = state
        if interaction.timer is not None:
            interaction.timer.cancel()
            interaction.timer = None
        interaction.settled.set()
        if interaction.heed is not None:
            interaction.heed()
        self._world.bus.publish(ev.InteractionChanged(interaction))
