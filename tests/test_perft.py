"""The perft corpus: how many histories a small deck has, and how they end (tests/perft/README.md)."""

import pytest

from tests import perft_corpus
from tests.perft_corpus import Entry

ENTRIES = list(perft_corpus.entries())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_perft_counts_equal_the_corpus(entry: Entry) -> None:
    got = perft_corpus.count(entry)
    assert {key: got[key] for key in entry.expected} == entry.expected


def test_corpus_covers_every_tie_rule_and_order() -> None:
    options = [entry.record["options"] for entry in ENTRIES if entry.record["game"] == "classic"]
    ties = {option.get("ties") for option in options}
    assert ties >= {"discard", "carry", "split", "unique-carry", "unique-discard"}
    assert {option.get("order") for option in options} >= {None, "ascending", "descending"}
    assert len({entry.id for entry in ENTRIES}) == len(ENTRIES)
