"""The daily deal: one try a day, the same cards for everybody of a server."""
