"""What a person cannot do, said in a sentence."""


class PlayError(Exception):
    """Refused before any bot hears of it: no such button, a disabled one, a wrong option."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
