"""The referee, whole: commands in, results out. It never talks to Discord."""

from bot.referee.people import People


class Referee(People):
    """Matches, lobbies, ratings and people over one store."""
