"""`say` finds a sentence by its id and fills it in; nothing outside the catalogue is ever shown."""

from bot.ui.text.catalogue import SENTENCES


def say(id: str, **data: object) -> str:
    """The sentence of this id. An unknown id or a missing part is a mistake of ours, and raises `KeyError`."""
    if "game" in data:
        data.setdefault("Game", data["game"])
    return SENTENCES[id].format(**data)


def has_sentence(id: str) -> bool:
    return id in SENTENCES
