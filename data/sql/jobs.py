"""Jobs that wait for the owners of their partitions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from bot.referee.model.jobs import AskJob, EndJob, Job
from data.sql.codec import Columns
from data.sql.deadlines import OWN
from data.sql.statement import Read, Statement, all_rows, marks

JOB = Columns(Job)

ASK = f"{JOB.insert('jobs')} ON CONFLICT (partition, work) DO UPDATE SET asked = jobs.asked + 1"


def jobs(process: int) -> Read[Sequence[Job]]:
    """Read the jobs of the partitions of a process."""
    return all_rows(f"SELECT {JOB} FROM jobs WHERE partition IN {OWN} ORDER BY partition, work", (process,), JOB.read)


def waiting_in(work: str, partitions: Collection[int]) -> Read[Sequence[int]]:
    """Read those of these partitions in which a job waits."""
    return all_rows(
        f"SELECT partition FROM jobs WHERE partition IN ({marks(len(partitions))}) AND work = ? ORDER BY partition",
        (*partitions, work),
        int,
    )


def ask_job(step: AskJob) -> Iterator[Statement]:
    yield Statement(ASK, JOB.write(step.job))


def end_job(step: EndJob) -> Iterator[Statement]:
    yield Statement("DELETE FROM jobs WHERE partition = ? AND work = ? AND asked = ?", JOB.write(step.job))
