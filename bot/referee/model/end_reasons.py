"""Why a match ended, where its record says no more than that it was stopped, agreed or timed out."""

BROKEN_SEAL = "seal"
"""why a match ended: what is stored of a sealed bid is not what was sealed"""

STOPPED, DECIDED = "moderator", "decided"
"""why a match ended: a moderator stopped it, or said how it ends"""

REPLACED = "newer"
"""why a practice match ended: its player began another, and has the most that one person may have"""

IDLE = "idle"
"""why a match was abandoned: no clock rules it, and nobody has touched it for a long time"""

ERASED = "erased"
"""why a practice match ended: its player had their data erased"""
