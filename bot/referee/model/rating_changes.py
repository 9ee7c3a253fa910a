"""The steps of a change that are about ratings and the seasons in which they are counted."""

from __future__ import annotations

from dataclasses import dataclass

from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Rating, RatingEntry
from bot.referee.model.seasons import FrozenTable, Season


@dataclass(frozen=True, slots=True)
class SaveRating:
    """A rating; `expect` is the number of matches played before, None to overwrite. `mu`: what it must have been, too:
    a pool that is worked out anew moves people who have played no more matches."""

    rating: Rating
    expect: int | None
    mu: float | None = None
    season: bool = False
    """whether it is one of the season that goes on"""


@dataclass(frozen=True, slots=True)
class DropRating:
    """Nothing is left of somebody's matches in a pool; expects so many before, and this."""

    guild: Snowflake
    pool: str
    user: UserId
    expect: int
    mu: float
    season: bool = False


@dataclass(frozen=True, slots=True)
class NewSeason:
    """A season begins; none goes on in this server."""

    season: Season


@dataclass(frozen=True, slots=True)
class SaveSeason:
    """It ends at another time, or has ended; expects that it goes on, at the version before."""

    season: Season
    expect: int


@dataclass(frozen=True, slots=True)
class SeasonMoves:
    """Its tables change with this; expects that it goes on."""

    guild: Snowflake
    number: int


@dataclass(frozen=True, slots=True)
class FreezeSeason:
    """Its tables, for good; the ratings that they were made of go."""

    guild: Snowflake
    number: int
    tables: tuple[FrozenTable, ...]


@dataclass(frozen=True, slots=True)
class MarkSeason:
    """A match that a frozen table counts was taken out of the ratings."""

    guild: Snowflake
    number: int
    pool: str


@dataclass(frozen=True, slots=True)
class AddRatingEntry:
    entry: RatingEntry
