"""Why a match ended, for endings that the record calls stopped, agreed or timed out."""

BROKEN_SEAL = "seal"
"""The stored choice does not match its seal."""

STOPPED, DECIDED = "moderator", "decided"
"""A moderator stopped the match, or decided its winner."""

REPLACED = "newer"
"""A practice match ended because its player began another, and has the maximum."""

IDLE = "idle"
"""A match without a clock was abandoned because it was idle for a long time."""

ERASED = "erased"
"""A practice match ended because its player's data was erased."""
