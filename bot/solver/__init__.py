"""Game theory and the house players' minds, pure: an observation in, a choice out."""
