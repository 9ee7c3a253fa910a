"""Sentences of the catalogue by id. Every text that players read comes from it."""

from bot.ui.text.catalogue import SENTENCES


def say(id: str, **data: object) -> str:
    """Return the sentence of this id with its data. An unknown id or missing data raises `KeyError`: it is a bug."""
    return SENTENCES[id].format_map(data)


def has_sentence(id: str) -> bool:
    return id in SENTENCES


def capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def uncapitalize(text: str) -> str:
    """Return a sentence as a part of another one. A name in front keeps its capital because it is isolated."""
    return text[:1].lower() + text[1:]
