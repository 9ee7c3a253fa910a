"""How a game explains itself: its rules in plain words, and what each option changes in them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.counted import Sentence


@dataclass(frozen=True, slots=True)
class Guide:
    """The rules in plain words, in the five parts that the help shows."""

    line: str
    round: str
    ties: str
    winning: str
    example: str

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        return (
            ("In one line", self.line),
            ("A round", self.round),
            ("Ties", self.ties),
            ("Winning", self.winning),
            ("An example", self.example),
        )


@dataclass(frozen=True, slots=True)
class Note:
    """What an option changes, in plain words, and in which part of the rules that stands."""

    option: str
    value: object
    """the value that it is about; None is any that is not as usual, which `{n}` in the text stands for"""
    part: str
    """round, ties or winning"""
    text: Sentence
    instead: bool = False
    """whether the part then says this and nothing else"""
    swaps: tuple[tuple[str, Sentence], ...] = ()
    """words of the whole text that read otherwise then, and how, so that nothing contradicts the note"""
    where: tuple[str, tuple[object, ...]] | None = None
    """another option and its values with which alone this is true"""
