"""Finished matches: rankings, profiles, histories, replays, sheets and proofs."""
