"""What the colour at the edge of a board or console means; words say each of them too."""

from __future__ import annotations

BIDS_OPEN = 0x5865F2
"""*Waiting for ..., bids close ...*"""
TIE = 0xF0B232
"""*... ties ...*, *Bid again*, *with a pot of ...*"""
MATCH_POINT = 0xEB459E
"""*Match point for ...*"""
OVER = 0x23A55A
"""a result that counts"""
LOST = 0xED4245
"""a match that its reader lost"""
