"""Ratings: the effect of a result, and recomputing a pool."""
