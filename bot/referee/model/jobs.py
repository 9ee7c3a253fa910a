"""Jobs: work on the rows of a partition that only its owner does, whichever process or command asks for it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.referee.model.partitions import partition_of


@dataclass(frozen=True, slots=True)
class Job:
    """It stays in the store until it is done. To do it twice changes nothing more."""

    partition: int
    work: str
    """A word and what it is about, such as `pause 10`."""
    asked: int = 1
    """How often it was asked for."""


@dataclass(frozen=True, slots=True)
class AskJob:
    """Ask the owner of a partition for a job."""

    job: Job


@dataclass(frozen=True, slots=True)
class EndJob:
    """A job is done. It stays if it was asked for again since it was read."""

    job: Job


def job_about(key: str | int, work: str) -> Job:
    """Return the job in the partition of a match, lobby, server or person."""
    return Job(partition_of(key), work)
