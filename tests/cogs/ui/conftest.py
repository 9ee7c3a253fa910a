"""What tests of screens share."""

from collections.abc import Iterator

import pytest

from bot.pictures.faces import list_faces, name_emoji
from bot.ui.text.style import use_pictures


@pytest.fixture
def pictures() -> Iterator[dict[str, str]]:
    """Every face is there, as Discord writes emojis; the ids are as long as they get."""
    faces = {name: f"<:{name_emoji(name)}:{9 * 10**18 + number}>" for number, name in enumerate(list_faces())}
    use_pictures(faces)
    yield faces
    use_pictures({})
