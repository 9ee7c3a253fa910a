"""What may be turned. The defaults are Discord's, where Discord tells or has been measured."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Window:
    """So many in so many seconds."""

    count: int
    seconds: float


@dataclass(slots=True)
class Settings:
    ack_seconds: float = 3.0
    """How long an interaction waits for its callback."""
    token_seconds: float = 900.0
    """How long an interaction's token lives."""
    token_delay: float = 0.0
    """Seconds after an answer in the HTTP response by which its token is known at the latest: before, it is answered
    with 10015. About 10 were seen (github.com/discord/discord-api-docs/issues/7220); mostly it is known at once."""
    nonce_seconds: float = 300.0
    """How long an enforced nonce is remembered."""
    attachment_bytes: int = 10 * 1024 * 1024
    aged_edits: Window | None = field(default_factory=lambda: Window(3, 6.0))
    """Edits of messages older than an hour, by channel (30046). Discord tells no number; others measured this."""
    old_edits: Window | None = None
    """A fault: the same for one message, whatever its channel does, as if there were no more edits for good."""
    dm_opens: Window | None = field(default_factory=lambda: Window(100, 600.0))
    """New DM channels of one bot (40003). Another guess."""
    heartbeat_seconds: float = 41.25
    resume_seconds: float = 180.0
    """How long a session may be away before it cannot be resumed. Discord tells no number."""
    session_events: int = 10_000
    """Events that a gateway session keeps for a RESUME."""
    shards: int = 1
    """Shards that `/gateway/bot` recommends."""
    least_shards: int = 1
    """A session of fewer shards is closed with 4011, as Discord does from 2,500 servers a shard."""
    session_starts: int = 1000
    """Sessions that a bot may begin in a day; with one more its token is reset."""
    max_concurrency: int = 1
    """Shards that may IDENTIFY at once: one of each remainder of their number."""
    identify_seconds: float = 5.0
    """Seconds between two such sessions; an earlier IDENTIFY is an invalid session (op 9)."""
    gateway_sends: Window | None = field(default_factory=lambda: Window(120, 60.0))
    """Frames a bot may send (close 4008)."""
    log_calls: int = 100_000
    """Calls kept in the log; the counts go on."""
