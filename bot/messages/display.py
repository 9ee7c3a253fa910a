"""What this process knows of how a match or lobby is shown. None of it is needed after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.referee.model.model import Snowflake, StoredMatch, UserId
from bot.referee.model.surfaces import RevealNote, Surface, SurfaceKind
from bot.referee.repository.live import Live

TICK = 1.0
"""seconds in which ticks (somebody sealed) coalesce where they are counted; a free one is shown at once"""

STUCK, STUCK_PRESSED, STUCK_MOST = 60.0, 5.0, 3600.0
"""seconds until a board that may not be edited is tried again: at first, after a press, and at most. Each pause is
twice as long as the one before, for Discord bans a bot that makes too many tries. A match that is over ends with it"""

BEHIND, KEPT_WAITING = timedelta(seconds=10), timedelta(seconds=3)
"""A board this late is mentioned on consoles, and as the fault of Discord to who bids."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When a plan is made, and what there is room for then. Surfaces stand in it by the keys of their writers."""

    at: datetime
    """by the clock that the referee goes by, which tests move"""
    loop: float
    """by the clock of the loop, in seconds"""
    free: float = 1.0
    """the share of counted calls that could be made at once"""
    busy: AbstractSet[int] = frozenset()
    """surfaces that a press or a call is showing; the publisher is woken when that has ended"""
    stale: AbstractSet[int] = frozenset()
    """surfaces that must be shown once more, however new they are believed to be"""


@dataclass(frozen=True, slots=True)
class Offer:
    """A message that is kept true: it asks for a rematch, a draw, a yes or, in the channel, a bid."""

    match: str
    """which was played, or is"""
    surface: Surface
    """where it stands, which is stored nowhere"""
    prompt: int | None = None
    """at which a draw was offered, or a bid asked for"""
    asked: str = ""
    """what such an offer says"""
    users: frozenset[UserId] = frozenset()
    """whom it asks, where it is one mention in the channel"""
    is_reminder: bool = False
    """whether it asks for a bid: it is removed when nobody whom it asks has to bid any more"""
    is_question: bool = False
    """whether it asks privately about the match: it ends with the match"""
    is_own: bool = False
    """True if its player has nothing to answer: it says only what becomes of the draw."""


Face = tuple[object, ...]
"""what must be shown soon when it changes; two boards with the same face differ by seals alone"""


@dataclass(slots=True, eq=False)
class Display:
    """How one match or lobby is shown. Times are those of the loop, unless they are dates."""

    id: str

    # --- who is at work ---
    task: asyncio.Task[None] | None = None
    """plans what has to be shown"""
    is_woken: bool = False
    timer: asyncio.TimerHandle | None = None
    """when the next plan is made"""
    presses: int = 0
    """how many presses that show something of this are being answered"""

    # --- the board ---
    edited: float = 0.0
    ticks_at: float = 0.0
    """when a tick is shown; 0 while none waits"""
    into_thread: bool = False
    """whether the board is to stand in a thread of the message that it is now; a crash leaves it where it is"""
    stuck_for: float = 0.0
    """seconds from its last edit to the next, because edits are forbidden; 0 while they are not"""
    late: datetime | None = None
    """since when it should look otherwise, which consoles mention"""

    # --- people ---
    version: int = 0
    """the newest that was noticed"""
    prompt: int = -1
    """the prompt of that version"""
    deadline: datetime | None = None
    """the deadline, or one that differs by so little that this is no news"""
    faces: dict[UserId, tuple[Face, int]] = field(default_factory=dict[UserId, tuple[Face, int]])
    """what the board (0) and each person's console have to show, and the version since when"""
    seen: dict[UserId, datetime] = field(default_factory=dict[UserId, datetime])
    """when each person looked at it last"""
    drafts: dict[Snowflake, tuple[int, int]] = field(default_factory=dict[Snowflake, tuple[int, int]], repr=False)
    """by message of a console, the prompt and the mask of the cards that are chosen there"""
    revealed: int = 0
    """the number of the reveal that nobody has to hear of any more"""
    reveal_notes: Mapping[int, RevealNote] | None = None
    """by seat, what was told of the newest reveal; None before it is loaded"""
    offers: dict[Snowflake, Offer] = field(default_factory=dict[Snowflake, Offer])
    """by message, those that may still be answered: draws and bids, or where this is the lobby of a rematch"""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known that another one would not find out."""
        return not (self.presses or self.offers or self.faces or self.seen or self.drafts)

    # --- what is told by what was there the last time ---

    def notice(self, live: Live, surfaces: Sequence[Surface], now: Moment) -> None:
        """Since when each console has had news, whether the board has some, or no more than a tick."""
        stored = live.stored
        if is_news(self.deadline, stored):
            self.deadline = stored.deadline
        face = face_of(live, self.deadline)
        for one in surfaces:
            if stored.version != self.version or one.user not in self.faces:
                seat, known = stored.seat_of(one.user), self.faces.get(one.user)
                own = (*face, next((seal.digest for seal in stored.sealed if seal.seat == seat), b""))
                if known is None or known[0] != own:
                    self.faces[one.user] = own, stored.version if known is not None else since(live, seat)
            if one.kind is SurfaceKind.BOARD:
                behind, is_new = one.is_behind(stored.version), not self.shows_face(one)
                self.ticks_at = (self.ticks_at or now.loop + TICK) if behind and not is_new else 0.0
                self.late = (self.late or now.at) if behind and is_new else None
        self.version, self.prompt = stored.version, stored.prompt

    def shows_face(self, surface: Surface) -> bool:
        """Whether nothing that must be shown soon has changed since the version that this board or console shows."""
        known = self.faces.get(surface.user)
        return known is not None and surface.shown >= known[1]

    # --- presses ---

    def only_sealed(self, live: Live) -> bool:
        """Whether presses are under way, and did no more than seal since the last plan."""
        return bool(self.presses) and live.stored.live and live.stored.prompt == self.prompt

    # --- consoles ---

    def record_draft(self, message: Snowflake, prompt: int, mask: int) -> None:
        """This console shows these cards as chosen."""
        self.drafts.pop(message, None)
        if mask:
            self.drafts[message] = prompt, mask

    def find_draft(self, message: Snowflake, prompt: int) -> int:
        """Return the mask of the cards that this console shows as chosen; 0 if none is known for this prompt."""
        chosen_at, mask = self.drafts.get(message, (prompt, 0))
        return mask if chosen_at == prompt else 0

    # --- the board ---

    def record_press(self) -> None:
        """A callback is showing the board."""
        self.edited = asyncio.get_running_loop().time()

    def record_shown(self) -> None:
        """The board is known to show the newest state."""
        self.stuck_for, self.late = 0.0, None

    def record_forbidden(self) -> None:
        """An edit of the board was forbidden."""
        self.stuck_for = min(max(STUCK, 2 * self.stuck_for), STUCK_MOST)

    def look(self) -> None:
        """A player looks at it: a board that is stuck is tried soon."""
        self.stuck_for = min(self.stuck_for, STUCK_PRESSED)

    def is_behind(self, now: datetime, least: timedelta = BEHIND) -> bool:
        """Whether the board has been out of date for so long."""
        return self.late is not None and now - self.late >= least

    # --- planning ---

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Displays(dict[str, Display]):
    """All that are there, by match or lobby: made when something is to be shown, dropped when that is done."""

    def __missing__(self, id: str) -> Display:
        display = self[id] = Display(id)
        return display


def is_news(shown: datetime | None, stored: StoredMatch) -> bool:
    """Whether a deadline that is shown is not the present one, nor too early by a little only."""
    if shown is None or stored.deadline is None:
        return shown != stored.deadline
    return not timedelta() <= stored.deadline - shown < stored.setup.tolerance


def face_of(live: Live, deadline: datetime | None) -> Face:
    """What of a board must be shown soon when it changes. A name changes when its player's data is erased."""
    stored, words = live.stored, {leave.seat: leave.kind.word for leave in live.match.left}
    left = tuple([words.get(seat, "") for seat in range(len(stored.seats))])
    names, halted = tuple([seat.name for seat in stored.seats]), stored.paused if stored.live else None
    return stored.prompt, not stored.live, stored.draw, left, deadline, halted, names


def since(live: Live, seat: int | None) -> int:
    """For a match not seen before: where nothing but seals can have happened lately, what they came after."""
    stored = live.stored
    if not stored.live or stored.draw is not None or stored.left or stored.paused:
        return stored.version
    if any(one.seat == seat for one in stored.sealed):
        return stored.version
    return stored.version - len(stored.sealed)
