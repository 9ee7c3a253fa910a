"""Partitions: the shares into which matches and servers are divided among processes.

A server's matches, lobbies, settings and ratings are in the partition of its id. Match codes are drawn so that a code
is in the same partition as its server. The hash and the number of partitions never change: stored codes rely on both.
"""

from __future__ import annotations

from zlib import crc32

PARTITIONS = 64
"""Number of partitions."""


def partition_of(key: str | int) -> int:
    """Return the partition of a match code, or of the id of a server, a channel or a person."""
    return crc32(str(key).encode()) % PARTITIONS


def partition_of_owner(owner: str) -> int:
    """Return the partition of the owner of a deadline: a code, or a word and numbers such as `server 4711`."""
    words = owner.split()
    return partition_of(words[1] if len(words) > 1 else owner)
