"""The home card and the guided first match."""
