"""Checking a record with nothing but the record: the strict replay, both versions of the proof, what is found."""
