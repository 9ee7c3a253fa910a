"""Checking a record with nothing but the record: strict replay, proof, and findings."""
