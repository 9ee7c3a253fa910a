"""From what the referee tells to what is shown: the right drawing with this surface's circumstances."""

from __future__ import annotations

from bot.referee.look import lobby_view
from bot.referee.model import Answer, Lobby, LobbyState, Player, Surface, SurfaceKind
from bot.referee.views import MatchView
from cogs.ui import board, challenge, console
from cogs.ui.message import Message


def link_to(guild: int, channel: int, message: int | None = None) -> str:
    """Where a channel or message is, to be clicked."""
    place = f"https://discord.com/channels/{guild or '@me'}/{channel}"
    return f"{place}/{message}" if message else place


def lobby_message(lobby: Lobby, why: str = "") -> Message:
    declined = any(one.answer is Answer.DECLINED for one in lobby.people)
    can_start = declined and lobby.state is LobbyState.OPEN and len(lobby.accepted) > 1
    return challenge.lobby(lobby_view(lobby, can_start), why)


def board_message(view: MatchView, style: str = "symbols") -> Message:
    return board.board(view, style=style)


def moved_message(view: MatchView, channel: int, message: int) -> Message:
    return board.moved(view.id, link_to(view.guild, channel, message))


def console_message(
    view: MatchView,
    surface: Surface,
    player: Player,
    board_at: Surface | None = None,
    banner: str = "",
    mask: int = 0,
) -> Message:
    """The console of the view's seat, for the place where it is shown."""
    ephemeral = surface.kind is SurfaceKind.CONSOLE_EPHEMERAL
    link = "" if ephemeral or board_at is None else link_to(view.guild, board_at.channel, board_at.message)
    return console.console(
        view,
        style="symbols" if player.cards == "faces" else player.cards,
        two_step=player.two_step,
        mask=mask,
        banner=banner,
        ephemeral=ephemeral,
        link=link,
    )


# placeholders until the drawings arrive
def _soon(*_: object, **__: object) -> Message:
    return Message(content="soon")


cards_message = sheet_message = rules_message = games_message = leaderboard_message = profile_message = _soon
notify_message = setup_message = _soon


class pings:
    console = nudge = warning = result = draw_offer = staticmethod(lambda *a, **k: Message(content="Your bid is open."))
    bid_here = warning_here = staticmethod(lambda *a, **k: Message(content="Bid here."))
