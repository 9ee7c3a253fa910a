"""The ids of rules and reviews."""

from __future__ import annotations

from bot.ui.custom_ids.shapes import KEY, MATCH, NUMBER, IdKind, Parts

RULES = IdKind("ru", rf"{KEY}(?:\.[a-z_]+=[a-z0-9_+-]+)*:(?:practise|tips|about|words|card|all)")
TOPIC = IdKind("se", f"(?:game|rule)(?::{NUMBER})?")
HINT = IdKind("hi", f"{MATCH}:{NUMBER}:(?:hint|past)")
PUZZLE = IdKind("pz", f"{NUMBER}:(?:next|{NUMBER})")
REVIEW = IdKind("rv", f"{MATCH}:{NUMBER}:(?:back|next|dearest|mix|all)")


def rules(topic: str, what: str) -> str:
    """practise, tips, about, words, card, all."""
    return RULES.write(topic, what)


def read_rules(parts: Parts) -> tuple[str, str]:
    topic, what = parts
    return topic, what


def topic(what: str, number: int = 0) -> str:
    """A menu of games or rules; the number tells two of the same kind apart. What was chosen comes with the press."""
    return TOPIC.write(what, *([number] if number else []))


def hint(match: str, prompt: int, what: str) -> str:
    """hint: of the bid that is open; past: of the last one that was revealed."""
    return HINT.write(match, prompt, what)


def read_hint(parts: Parts) -> tuple[str, int, str]:
    match, prompt, what = parts
    return match, int(prompt), what


def puzzle(number: int, card: int | None = None) -> str:
    """A bid for this puzzle; without one, the next puzzle after it."""
    return PUZZLE.write(number, "next" if card is None else card)


def read_puzzle(parts: Parts) -> tuple[int, int | None]:
    number, card = parts
    return int(number), None if card == "next" else int(card)


def review(match: str, page: int, what: str) -> str:
    """back, next, dearest, mix, all."""
    return REVIEW.write(match, page, what)


def read_review(parts: Parts) -> tuple[str, int, str]:
    match, page, what = parts
    return match, int(page), what
