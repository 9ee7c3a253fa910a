"""Who and what there is: people, apps, servers, channels; and who may see what."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

from bot.playground.protocol import refusal
from bot.playground.world import event as ev
from bot.playground.world import permission
from bot.playground.world.clock import Clock, Mint, fixed
from bot.playground.world.model import App, Channel, ChannelType, Guild, Member, Overwrite, Role, User


class World:
    """Every record by id. Changing it through these methods tells the listeners."""

    def __init__(self, clock: Clock, mint: Mint, bus: ev.Bus) -> None:
        self.clock = clock
        self.mint = mint
        self.bus = bus
        self.steady = False
        """Whether people, servers and channels have the same ids in every run, by their names."""
        self.home = ""
        """The command that a window with nothing in it begins with; empty for none."""
        self.users: dict[int, User] = {}
        self.apps: dict[int, App] = {}
        self.tokens: dict[str, App] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self._dms: dict[tuple[int, ...], int] = {}
        self._groups: list[int] = []

    # -- people and apps

    def add_user(self, name: str, display: str | None = None, *, is_bot: bool = False) -> User:
        user = User(self.mint.new() if is_bot else self._id("user", name), name, display, is_bot=is_bot)
        self.users[user.id] = user
        return user

    def add_app(self, name: str, token: str, *, privileged: int = 0) -> App:
        owner = self.add_user(f"{name} team".lower(), f"{name} team")
        user = self.add_user(name, is_bot=True)
        app = App(user.id, name, token, user, owner.id, privileged)
        self.apps[app.id] = app
        self.tokens[token] = app
        return app

    def revoke_tokens(self, app: App) -> None:
        """No token of this app is good any more."""
        self.tokens = {token: one for token, one in self.tokens.items() if one is not app}

    def user(self, user_id: int) -> User:
        if found := self.users.get(user_id):
            return found
        raise refusal.unknown_user()

    # -- servers

    def add_guild(self, name: str, owner: User) -> Guild:
        guild = Guild(self._id("guild", name), name, owner.id)
        guild.roles[guild.id] = Role(guild.id, "@everyone", permission.EVERYONE)
        self.guilds[guild.id] = guild
        self.add_member(guild, owner)
        return guild

    def guild(self, guild_id: int) -> Guild:
        if found := self.guilds.get(guild_id):
            return found
        raise refusal.unknown_guild()

    def delete_guild(self, guild: Guild) -> None:
        for app in [app for app in self.apps.values() if app.id in guild.members]:
            self.bus.publish(ev.GuildLeft(guild, app))
        self.bus.publish(ev.GuildDeleted(guild))
        for channel_id in [*guild.threads, *guild.channels]:
            self.channels.pop(channel_id, None)
        del self.guilds[guild.id]

    def invite(self, guild: Guild, app: App, permissions: int = permission.EVERYONE) -> Member:
        """Add an app to a server, with a role of its own as Discord makes it."""
        if present := guild.members.get(app.id):
            return present
        role = self.add_role(guild, app.name, permissions, managed=True)
        member = Member(app.id, self.clock.now(), roles=[role.id])
        guild.members[app.id] = member
        self.bus.publish(ev.GuildJoined(guild, app))
        self.bus.publish(ev.MemberJoined(guild, member))
        return member

    def add_role(self, guild: Guild, name: str, permissions: int = 0, *, managed: bool = False) -> Role:
        """A new one comes below all others, right above @everyone."""
        for other in guild.roles.values():
            other.position += other.id != guild.id
        role = Role(self.mint.new(), name, permissions, 1, managed=managed)
        guild.roles[role.id] = role
        self.bus.publish(ev.GuildUpdated(guild))
        return role

    def delete_role(self, guild: Guild, role: Role) -> None:
        del guild.roles[role.id]
        for member in guild.members.values():
            member.roles = [one for one in member.roles if one != role.id]
        self.bus.publish(ev.RoleDeleted(guild, role.id))

    def add_member(self, guild: Guild, user: User, nick: str | None = None) -> Member:
        if present := guild.members.get(user.id):
            return present
        member = Member(user.id, self.clock.now(), nick)
        guild.members[user.id] = member
        self.bus.publish(ev.MemberJoined(guild, member))
        return member

    def remove_member(self, guild: Guild, user_id: int) -> None:
        member = guild.members.pop(user_id, None)
        if member is None:
            raise refusal.unknown_member()
        if app := self.apps.get(user_id):
            self.bus.publish(ev.GuildLeft(guild, app))
        self.bus.publish(ev.MemberLeft(guild, member))

    def member(self, guild: Guild, user_id: int) -> Member:
        if found := guild.members.get(user_id):
            return found
        raise refusal.unknown_member()

    # -- channels

    def add_channel(
        self, guild: Guild, name: str, type_: ChannelType = ChannelType.TEXT, category: int | None = None
    ) -> Channel:
        channel = Channel(self._id("channel", guild.id, name), type_, guild.id, name, position=len(guild.channels))
        channel.parent_id = category
        self.channels[channel.id] = channel
        guild.channels.append(channel.id)
        self.bus.publish(ev.ChannelCreated(channel))
        return channel

    def add_thread(
        self,
        parent: Channel,
        name: str,
        owner_id: int,
        *,
        private: bool = False,
        thread_id: int | None = None,
    ) -> Channel:
        """A thread below a channel, or a post of a forum; one that grows from a message has that message's id."""
        public = ChannelType.PUBLIC_THREAD
        if parent.type is ChannelType.ANNOUNCEMENT:
            public = ChannelType.ANNOUNCEMENT_THREAD
        type_ = ChannelType.PRIVATE_THREAD if private else public
        channel = Channel(thread_id or self.mint.new(), type_, parent.guild_id, name, parent_id=parent.id)
        channel.owner_id = owner_id
        channel.thread_members[owner_id] = self.clock.now()
        self.channels[channel.id] = channel
        if parent.guild_id is not None:
            self.guild(parent.guild_id).threads.append(channel.id)
        self.bus.publish(ev.ChannelCreated(channel))
        return channel

    def channel(self, channel_id: int) -> Channel:
        if found := self.channels.get(channel_id):
            return found
        raise refusal.unknown_channel()

    def delete_channel(self, channel: Channel) -> None:
        """Remove a channel, with its threads."""
        guild = self.guild_of(channel)
        if guild is not None:
            for thread in [self.channels[one] for one in guild.threads]:
                if thread.parent_id == channel.id:
                    self.delete_channel(thread)
            (guild.threads if channel.is_thread else guild.channels).remove(channel.id)
        self.bus.publish(ev.ChannelDeleted(channel))
        del self.channels[channel.id]

    def set_overwrite(self, channel: Channel, overwrite: Overwrite) -> None:
        with self.changing_access(self.guild_of(channel)):
            channel.overwrites[overwrite.id] = overwrite
            self.bus.publish(ev.ChannelUpdated(channel))

    def open_dm(self, one: int, other: int) -> Channel:
        """The DM between two users: the same one for ever."""
        key = tuple(sorted((one, other)))
        if key not in self._dms:
            channel = Channel(self.mint.new(), ChannelType.DM, recipients=key)
            self.channels[channel.id] = channel
            self._dms[key] = channel.id
            self.bus.publish(ev.ChannelCreated(channel))
        return self.channels[self._dms[key]]

    def add_group(self, name: str, people: Sequence[User]) -> Channel:
        """A group chat: people alone, the first of them owns it."""
        recipients = tuple(one.id for one in people)
        channel = Channel(self._id("group", name), ChannelType.GROUP_DM, name=name, recipients=recipients)
        channel.owner_id = recipients[0]
        self.channels[channel.id] = channel
        self._groups.append(channel.id)
        self.bus.publish(ev.ChannelCreated(channel))
        return channel

    def dms_of(self, user_id: int) -> Iterator[Channel]:
        """And their groups."""
        for channel_id in self._groups:
            if user_id in self.channels[channel_id].recipients:
                yield self.channels[channel_id]
        for key, channel_id in self._dms.items():
            if user_id in key:
                yield self.channels[channel_id]

    def _id(self, *parts: object) -> int:
        steady = fixed(*parts)
        taken = steady in self.users or steady in self.guilds or steady in self.channels
        return steady if self.steady and not taken else self.mint.new()

    # -- who may what

    def guild_of(self, channel: Channel) -> Guild | None:
        return None if channel.guild_id is None else self.guilds.get(channel.guild_id)

    def permissions(self, user_id: int, channel: Channel) -> int:
        """What this user may do in this channel; nothing, for whoever is not there at all."""
        if channel.is_dm:
            return permission.IN_DM if user_id in channel.recipients else 0
        guild = self.guild_of(channel)
        member = guild.members.get(user_id) if guild else None
        if guild is None or member is None:
            return 0
        parent = self.channels[channel.parent_id] if channel.is_thread and channel.parent_id else channel
        allowed = permission.in_channel(guild, member, parent)
        hidden = channel.type is ChannelType.PRIVATE_THREAD and user_id not in channel.thread_members
        return 0 if hidden and not allowed & permission.BITS["MANAGE_THREADS"] else allowed

    def is_locked_to(self, user_id: int, channel: Channel) -> bool:
        """Whether a locked thread refuses what this user writes or edits there, open as it may be: it takes Manage
        Threads (github.com/discord/discord-api-docs/pull/5919, github.com/discordjs/discord.js/pull/9216)."""
        return channel.locked and not self.permissions(user_id, channel) & permission.BITS["MANAGE_THREADS"]

    def sees(self, user_id: int, channel: Channel) -> bool:
        """A category is seen by everybody who sees something in it."""
        if channel.type is ChannelType.CATEGORY:
            children = [one for one in self.channels.values() if one.parent_id == channel.id]
            if any(self.sees(user_id, one) for one in children):
                return True
        return bool(self.permissions(user_id, channel) & permission.BITS["VIEW_CHANNEL"])

    @contextmanager
    def changing_access(self, guild: Guild | None) -> Generator[None]:
        """Tell the apps of a server which channels they may view after this, and could not before."""
        apps = [one for one in self.apps.values() if guild is not None and one.id in guild.members]
        before = {one.id: self._viewed(one.id, guild) for one in apps}
        yield
        for app in apps:
            gained = self._viewed(app.id, guild) - before[app.id]
            if guild is not None and gained:
                self.bus.publish(ev.AccessGained(guild, app, gained))

    def _viewed(self, user_id: int, guild: Guild | None) -> frozenset[int]:
        channels = guild.channels if guild is not None else ()
        return frozenset(one for one in channels if self.sees(user_id, self.channels[one]))

    def dm_refusal(self, app: App, user: User) -> refusal.Refusal | None:
        """Why the app may not write to this person now, if it may not."""
        shared = [one for one in self.guilds.values() if app.id in one.members and user.id in one.members]
        if not shared and user.id not in app.installs:
            return refusal.no_mutual_guilds()
        open_somewhere = any(guild.dms_allowed and guild.members[user.id].dms_open for guild in shared)
        if user.is_bot or not user.dms_open or not (open_somewhere or user.id in app.installs):
            return refusal.dms_closed()
        return None
