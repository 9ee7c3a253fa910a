"""The referee: commands in, results out. It never talks to Discord."""

from __future__ import annotations

from bot.referee.archive.archive import Archive
from bot.referee.house import seats as house
from bot.referee.house.daily import Daily
from bot.referee.house.hints import Hints
from bot.referee.house.lesson import Lessons
from bot.referee.house.practice import Practice
from bot.referee.house.puzzles import Puzzles
from bot.referee.lobby.challenges import Challenges
from bot.referee.lobby.house_seats import HouseSeats
from bot.referee.lobby.lobbies import Lobbies
from bot.referee.lobby.searches import Searches
from bot.referee.lobby.tables import Tables
from bot.referee.match.match_ratings import Finishing
from bot.referee.match.matches import Matches
from bot.referee.match.pauses import Pausing, resume_after_leave
from bot.referee.match.reminders import Reminding
from bot.referee.model import Clock, Entropy
from bot.referee.people.people import People
from bot.referee.people.privacy import Privacy, erase_at_end
from bot.referee.repository.finder import Finder
from bot.referee.repository.live import Live, Played
from bot.referee.repository.match_repository import MatchRepository
from bot.referee.repository.surfaces import Surfaces
from bot.referee.repository.view_service import Views
from bot.referee.season.seasons import Seasons
from bot.referee.server.deciding import Deciding
from bot.referee.server.moderation import Moderating
from bot.referee.server.rating_rebuild import Rebuilding
from bot.referee.server.removal import Leaving
from bot.referee.server.roles import Roles
from data.store import Store


class Referee:
    """The commands by subject, over one `MatchRepository`; its most used methods are attributes here, too."""

    def __init__(self, store: Store, clock: Clock, entropy: Entropy) -> None:
        self.seasons = Seasons(store, clock)
        finishing = Finishing(store, self.seasons)

        async def follow(before: Live, played: Played) -> Played:
            """Add house seals, ratings of a finished match, and pending erasures to a change."""
            if before.stored.has_house:
                played = house.seal_bids(played, clock.now())
            if played.live.stored.paused is not None:
                played = await resume_after_leave(store, before, played, clock.now())
            if before.stored.live and not played.live.stored.live:
                played = await finishing.add_ratings(played)
                played = await erase_at_end(self.views, played)
            return played

        repository = self.repository = MatchRepository(store, clock, entropy, follow)
        self.views = Views(repository)
        self.finder = Finder(repository)
        self.archive = Archive(repository, self.finder, self.views)
        self.matches = Matches(repository, self.views, house.choose_bid)
        lobbies = self.lobbies = Lobbies(repository, house.seal_bids)
        self.challenges = Challenges(repository, lobbies)
        self.tables = Tables(repository, lobbies)
        self.house_seats = HouseSeats(repository, lobbies, self.tables)
        self.searches = Searches(repository, lobbies, self.challenges)
        self.privacy = Privacy(repository, self.views, self.archive, self.matches, self.challenges, self.tables)
        self.practice = Practice(repository, self.matches)
        self.daily = Daily(repository, self.practice)
        self.lessons = Lessons(repository)
        self.hints = Hints(repository, self.views)
        self.people = People(repository)
        self.pausing = Pausing(repository)
        self.reminding = Reminding(repository, self.views)
        self.puzzles = Puzzles(repository)
        self.deciding = Deciding(repository, self.seasons)
        self.moderating = Moderating(repository, self.views)
        self.rebuilding = Rebuilding(repository)
        self.roles = Roles(repository)
        self.leaving = Leaving(repository, self.matches, self.roles)
        self.surfaces = Surfaces(store)

        self.store, self.clock = repository.store, repository.clock
        self.listeners, self.clock_listeners = repository.listeners, repository.clock_listeners
        self.live, self.find_cached, self.reload = repository.live, repository.find_cached, repository.reload
        self.clear_cache, self.release, self.write = repository.clear_cache, repository.release, repository.write
        self.refresh, self.press_turn, self.arrival = repository.refresh, repository.press_turn, repository.arrival
