"""Every sentence with a number reads right for 0, 1, 2 and 25: no "1 cards", no "2 card", no "2 cards is".

A gap that no list here knows fails, and so does a word after a number that the lexicon does not know: whoever adds a
sentence says what it counts.
"""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Iterator, Mapping

import pytest

from bot.commands.play_terminal import _REFUSED as TERMINAL  # pyright: ignore[reportPrivateUsage]
from bot.engine.counted import Counted, Sentence, forms
from bot.engine.options import CardList, Number
from bot.engine.refusals import SENTENCES as ENGINE
from bot.engine.series import Series
from bot.engine.text.presets import list_offers
from bot.engine.text.wording import describe_option, read_words
from bot.engine.variants import GAMES, find_game
from bot.ui.text.catalogue import OWN
from bot.ui.text.terms import series_words

_NUMBERS = """
    d drawn k lost most n next now of played r seat seats size total want won
"""
NUMBERS = frozenset(_NUMBERS.split())
"""gaps that hold a number"""

_TEXTS = """
    Round a after again all asked at b before better bid bids card cards chance change channel channels cost count
    deals digits code each fate first game given hand held high host how least left lengths levels line link list
    loser low m mentions mine mix name fine goal grade names nth opening option order ordinal other p
    permissions place points pool pot prize prizes q range rank rating ratings reason record ref result role roles round
    rule score scores seal season second series share shown span spread star story suit t tally terms text ties
    theirs tip title told totals up value values version waited was what where waiting who why winner worth x y year
    agreed last plan zone stake later above below
"""
TEXTS = frozenset(_TEXTS.split())
"""gaps that hold text which brings its own words: a card, a name, a score, a length of time; `m` is a match's code"""

WORDS_OF = {
    ("too-few-seats", "m"): "number",
    ("table", "seats"): "text",  # "2 to 8"
    ("review-round", "n"): "text",  # "3", "3 of deal 2"
    ("review-chart", "n"): "text",
    ("review-alt", "now"): "text",
    ("review-mark", "n"): "text",
    ("review-luck", "n"): "text",
    ("review-luck-win", "n"): "text",
    ("review-worst", "n"): "text",
    ("sheet-line", "n"): "text",  # "4a"
    ("sheet-line-none", "n"): "text",
    ("seals-where-deal", "r"): "text",
}
"""what one sentence means by a gap, where that is not what most mean by it"""

PLURALS = {
    "bid": "bids", "board": "boards", "card": "cards", "challenge": "challenges", "day": "days",
    "deal": "deals", "entry": "entries", "hand": "hands", "line": "lines",
    "match": "matches", "other": "others", "hint": "hints", "mistake": "mistakes", "blunder": "blunders",
    "place": "places", "player": "players", "point": "points", "prize": "prizes", "round": "rounds", "seat": "seats",
    "second": "seconds", "invitation": "invitations", "time": "times", "trick": "tricks",
}  # fmt: skip
VERBS = {
    "is": "are", "has": "have", "bids": "bid", "makes": "make", "lies": "lie", "goes": "go", "takes": "take",
    "picks": "pick", "joins": "join", "stays": "stay", "was": "were",
}  # fmt: skip
DESCRIBING = frozenset({"daily", "house", "live", "open", "practice", "rated", "more", "running", "still"})
"""words that may stand between a number and what it counts"""

_UNCOUNTED = "does drawn good has holds in is lost must of on picks played ran was won"
UNCOUNTED = frozenset(_UNCOUNTED.split())
"""what may follow a number that counts nothing: "round 3 was revealed", "2 of 5", "31 played" """


def every_sentence() -> Iterator[tuple[str, Sentence]]:
    yield from OWN.items()
    yield from ((f"engine {id}", sentence) for id, sentence in ENGINE.items())
    yield from ((f"terminal {id}", sentence) for id, sentence in TERMINAL.items())
    for game in GAMES:
        for option in game.options:
            if isinstance(option, Number):
                yield f"words of {game.key} {option.key}", option.words
        for note in game.notes:
            if note.value is None and note.option != "prizes":  # a list of cards
                yield f"note of {game.key} {note.option}", note.text


SENTENCES = dict(every_sentence())


def gaps(sentence: Sentence) -> list[str]:
    found = [name for text in forms(sentence) for _, name, _, _ in string.Formatter().parse(text) if name]
    return list(dict.fromkeys([*found, *([sentence.by] if isinstance(sentence, Counted) else [])]))


def is_number(id: str, gap: str) -> bool:
    kind = WORDS_OF.get((id, gap))
    return kind == "number" if kind else gap in NUMBERS


def faults(text: str) -> list[str]:
    """Where a sentence with its numbers filled in (each marked as «3») does not read right."""
    found: list[str] = []
    for number in re.finditer(r"«(\d+)»", text):
        one = int(number[1]) == 1
        after = text[number.end() :]
        words = re.match(r"((?: [a-z]+)*)", after)
        following = words[1].split() if words else []
        place = next((i for i, word in enumerate(following) if word not in DESCRIBING), None)
        if place is None:
            continue  # a full stop, another gap, the end
        word = following[place]
        if (word in PLURALS and not one) or (word in PLURALS.values() and one):
            found.append(f"{number[1]} {word}")
        elif word not in PLURALS and word not in PLURALS.values() and word not in UNCOUNTED:
            found.append(f"what is {word!r} after {number[1]}?")
        counts = word in PLURALS or word in PLURALS.values()
        verb = following[place + 1] if counts and place + 1 < len(following) else ""
        if verb in (VERBS.values() if one else VERBS):
            found.append(f"{number[1]} {word} {verb}")
    return found


def readings(id: str, sentence: Sentence, numbers: tuple[int, ...]) -> Iterator[str]:
    """The sentence with every number in each of its gaps, also where one of its forms writes it out."""
    counted = [gap for gap in gaps(sentence) if is_number(id, gap)]
    texts = {gap: "Xyz" for gap in gaps(sentence) if gap not in counted}
    for values in itertools.product(numbers, repeat=len(counted)):
        given: dict[str, object] = {**texts, **{gap: Marked(value) for gap, value in zip(counted, values, strict=True)}}
        written = sentence.format(**given)
        one = isinstance(sentence, Counted) and given[sentence.by] == 1
        yield re.sub(r"(?<![«\w/])1(?![»\w/])", "«1»", written) if one else written


class Marked(int):
    """A number that is seen in a text."""

    def __format__(self, spec: str) -> str:
        return f"«{int(self)}»"


def test_every_gap_is_known() -> None:
    found = [(id, gap) for id, sentence in SENTENCES.items() for gap in gaps(sentence)]
    assert [pair for pair in found if pair[1] not in NUMBERS | TEXTS and pair not in WORDS_OF] == []


def test_numbers_read_right() -> None:
    texts = [(id, text) for id, one in SENTENCES.items() for text in readings(id, one, (0, 1, 2, 25))]
    assert [(id, text, told) for id, text in texts if (told := faults(text)) and not impossible(id, text)] == []


NEVER: Mapping[str, tuple[str, ...]] = {
    # every game has two seats at least
    "engine hands-count": ("«1» seats",),
    # a pot of 1 is added to a prize of 1 at least
    "puzzle-prize-pot": ("= «1» points",),
}
"""what cannot be, with the reason"""


def impossible(id: str, text: str) -> bool:
    return any(part in text for part in NEVER.get(id, ()))


def test_wrong_numbers_are_found() -> None:
    assert faults("«1» prizes left") == ["1 prizes"]
    assert faults("«25» live match") == ["25 match"]
    assert faults("«1» card make a bid") == ["1 card make"]
    assert faults("«2» cards lies in the row") == ["2 cards lies"]
    assert faults("«2» foos") == ["what is 'foos' after 2?"]
    assert faults("«0» cards") == faults("«1» card") == faults("round «1» of «3»") == []
    bad = {text for text in readings("x", "{n} prizes on view", (0, 1, 2, 25)) if faults(text)}
    assert bad == {"«1» prizes on view"}
    assert [faults(text) for text in readings("x", Counted("1 cards", "{n} card"), (1, 2))] == [["1 cards"], ["2 card"]]


def test_the_lists_hold_nothing_else() -> None:
    """A word that no sentence needs would let the next one pass unread."""
    assert set(_NUMBERS.split() + _TEXTS.split()) == {gap for sentence in SENTENCES.values() for gap in gaps(sentence)}
    assert not NUMBERS & TEXTS
    assert {id for id, _ in WORDS_OF} | NEVER.keys() <= SENTENCES.keys()
    read = " ".join(text for id, one in SENTENCES.items() for text in readings(id, one, (0, 1, 2)))
    between = f"(?: (?:{'|'.join(DESCRIBING)}))*"
    assert [word for word in UNCOUNTED if not re.search(rf"«\d+»{between} {word}\b", read)] == []


def test_every_one_and_many_differ() -> None:
    """A pair that says the same twice is no pair; and for one, a sentence needs no gap of that number."""
    for id, sentence in SENTENCES.items():
        if isinstance(sentence, Counted):
            assert sentence.one != sentence.many, id
            assert f"{{{sentence.by}}}" not in sentence.one, id


@pytest.mark.parametrize("number", [1, 2, 25])
def test_series_read_right(number: int) -> None:
    for mode in ("best-of", "deals", "target", "first-to"):
        for text in (str(Series(mode, number)), series_words(Series(mode, number), find_game("classic").rules(2))):
            assert faults(re.sub(r"\b(\d+)\b", r"«\1»", text)) == [], text


def test_options_in_words_can_be_typed_again_for_every_number() -> None:
    for game in GAMES:
        for option in game.options:
            if isinstance(option, Number):
                for value in range(option.low, option.high + 1):
                    assert read_words(game, describe_option(option, value))[option.key] == value


def test_games_are_told_in_whole_words() -> None:
    """No text of a game has a number and a noun that do not agree, or a gap that was never filled in."""
    nouns = "|".join([*PLURALS, *PLURALS.values()])
    texts = [offer.title for offer in list_offers()]
    for game in GAMES:
        texts += [
            *game.tips,
            *(tip.text for tip in game.more_tips),
            *(text for _, text in game.guide.parts),
            game.title,
        ]
        texts += [option.title for option in game.options if not isinstance(option, CardList)]
    assert len(texts) > 80
    for text in texts:
        assert not re.search(r"[{}]", text), text
        for number in re.finditer(rf"(?<![\w–-])(\d+) ({nouns})\b", text):
            assert faults(f"«{number[1]}» {number[2]}") == [], text
