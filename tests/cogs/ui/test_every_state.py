"""Every game is played at random to its end; every surface of every state is drawn for every viewer and checked."""

import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.engine.cards import Card
from bot.engine.choices import Bid, Kind, Pick, Prompt
from bot.engine.match import Match
from bot.engine.record.record import choice_data
from bot.engine.rules import Rules
from bot.engine.state import Deal
from bot.referee.model.model import DrawOffer
from bot.referee.model.views import MatchView
from bot.ui.custom_ids.match_ids import make_mask
from bot.ui.custom_ids.shapes import MAX_LENGTH
from bot.ui.message import Button, Menu, Message
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.screens.keys import make_keys
from bot.ui.screens.pings import render_first_dm, render_nudge, render_result_note, render_warning
from bot.ui.story.lines import make_faces
from cogs.match.boards import cards_card, more
from cogs.match.matches import games_list
from cogs.records.sheets import sheet
from tests.cogs.ui.reading import read, stray_markup, without_suits
from tests.cogs.ui.views import Played, begin
from tests.engine.matches import advance

CASES = {
    "classic": ("classic", 2, {}, None),
    "classic-carry": ("classic", 2, {"ties": "carry"}, {"mode": "best-of", "games": 3}),
    "classic-split": ("classic", 3, {"ties": "split"}, {"mode": "deals", "deals": 2}),
    "classic-unique": ("classic", 4, {}, None),
    "classic-eight": ("classic", 8, {"cards": 25, "bid_cards": 3, "remainder": "short-last"}, None),
    "blind-carry": ("classic", 2, {"blind": True, "ties": "carry"}, None),
    "win-only": ("classic", 3, {"info": "win-only"}, {"mode": "best-of", "games": 3}),
    "win-only-two": ("classic", 2, {"info": "win-only", "ties": "carry"}, None),
    "draft": ("classic", 3, {"open": "draft", "ties": "unique-carry"}, None),
    "draft-discard": ("classic", 8, {"open": "draft", "ties": "unique-discard"}, None),
    "row": ("classic", 4, {"open": "row", "row_size": 5}, None),
    "row-discard": ("classic", 2, {"open": "row", "ties": "unique-discard"}, None),
    "known-order": ("classic", 2, {"order": "random-public", "aim": "least"}, None),
    "clinch": ("classic", 2, {"clinch": True, "cards": 15}, None),
    "parlett": ("parlett", 3, {}, None),
    "throps": ("throps", 3, {}, None),
    "vultures": ("vultures", 5, {}, None),
    "vultures-two": ("vultures", 2, {}, None),
    "pico": ("pico", 2, {}, None),
    "psych": ("psych", 2, {}, None),
    "sops": ("sops", 2, {}, None),
    "sops-split": ("sops", 2, {"ties": "split"}, None),
    "bid": ("bid", 2, {}, None),
    "welsh": ("welsh", 4, {"tricks": 30}, None),
    "welsh-attrition": ("welsh", 4, {"attrition": True}, None),
}


def deal_of(match: Match, chance: random.Random) -> Deal:
    rules: Rules = match.rules
    previous = match.previous_deal()
    redealt = rules.redeal(previous) if previous is not None else None
    if redealt is not None:
        return redealt
    pack = list(rules.pack())
    chance.shuffle(pack)
    return rules.deal(tuple(pack))


def anything(prompt: Prompt, chance: random.Random) -> Bid | Pick:
    if prompt.kind is Kind.PICK:
        return Pick(chance.choice(prompt.options))
    return Bid(tuple(sorted(chance.sample(prompt.options, prompt.size), key=prompt.options.index)))


def check(message: Message, where: str) -> None:
    """What holds for every message that is ever shown."""
    text = read(message)
    assert message.is_sendable, f"{where}: {message.components} components, {message.characters} characters\n{text}"
    assert not re.search(r"\{|\}|None|\(\)|  $", re.sub(r"\{[^{}]*\}$", "", text, flags=re.MULTILINE)), text
    assert "()" not in text, text
    assert stray_markup("\n".join(message.texts)) == []
    if message.is_v2:
        assert len(re.findall(r"^### ", text, flags=re.MULTILINE)) == 1, text
        assert len(re.findall(r"^## ", text, flags=re.MULTILINE)) <= 1, text
    used = [item.id for item in message.pressables if item.id]
    assert len(set(used)) == len(used), used
    for item in message.pressables:
        assert len(item.id) <= MAX_LENGTH, item
        if isinstance(item, Button):
            assert 0 < len(item.label) <= 34, item
            assert re.search(r"\w", item.label), f"a bare symbol: {item}"
        else:
            assert isinstance(item, Menu)
            assert all(len(option.label) <= 100 and len(option.description) <= 100 for option in item.options), item


def surfaces(played: Played, chance: random.Random) -> None:
    match = played.match
    prompts = match.prompts()
    chosen = {prompt.seat: anything(prompt, chance) for prompt in prompts}
    sealed = {seat: choice_data(choice) for seat, choice in chosen.items() if chance.random() < 0.4}
    misses = {seat: chance.randint(0, 2) for seat in range(match.rules.seats)}
    draw = DrawOffer(0, frozenset({0})) if chance.random() < 0.3 else None
    state = {"sealed": sealed, "misses": misses, "draw": draw}
    cards = chance.choice(("symbols", "letters", "faces", "safe"))

    def told(draw: Callable[[MatchView], Message], view: MatchView, where: str) -> None:
        """As this person likes cards; pictures say nothing that words do not, but for suits of cards in a hand."""
        message = draw(replace(view, cards=cards))
        check(message if message.is_sendable else message.without_emojis(), where)
        if cards in ("faces", "safe"):
            assert without_suits(message.without_emojis()) == without_suits(draw(replace(view, cards="symbols")))

    public = played.view(None, **state)
    told(lambda view: render_board(replace(view, reviewable=True)), public, "board")
    told(cards_card, public, "cards")
    check(more(public, moderator=True), "more")
    told(lambda view: sheet(view, form="s"), public, "sheet s")
    told(lambda view: sheet(view, form="g"), public, "sheet g")
    told(lambda view: sheet(view, page=0, deal=1), public, "first sheet")
    for seat in range(match.rules.seats):
        view = played.view(seat, **state)
        told(lambda view: render_console(view, ephemeral=True, link="https://x", behind=True), view, "console")
        told(lambda view: render_console(view, banner="Something.", practice=True), view, "practice")
        told(cards_card, view, "cards")
        check(games_list([view], view.opened), "games")
        if view.over:
            check(render_result_note(view, "https://x"), "note")
        else:
            for ping in (render_first_dm, render_nudge):
                check(ping(replace(view, cards=cards), "https://x"), "ping")
            check(render_warning(view, "https://x"), "warning")
        keys = make_keys(view, make_faces(view), two_step=True)
        mask = make_mask(_some(keys.live, keys.size, chance), keys.cards)
        told(lambda view, mask=mask: render_console(view, two_step=True, mask=mask), view, "two-step console")


def _some(live: tuple[Card, ...], size: int, chance: random.Random) -> tuple[Card, ...]:
    return tuple(chance.sample(live, min(len(live), chance.randint(0, size)))) if live else ()


@pytest.mark.usefixtures("pictures")
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_every_state_can_be_shown(case: str, seed: int) -> None:
    game, seats, options, series = CASES[case]
    chance = random.Random(f"{case} {seed}")
    played = begin(game, seats, options, series)
    steps = 0
    while not played.match.over and steps < 400:
        match = played.match
        if match.needs_deal:
            played = replace(played, match=advance(match.begin(deal_of(match, chance))[0]))
            continue
        if steps < 4 or chance.random() < 0.2:
            surfaces(played, chance)
        choices = {prompt.seat: anything(prompt, chance) for prompt in match.prompts()}
        forced = frozenset(seat for seat in choices if chance.random() < 0.1)
        read = {seat: match.rules.physical(match.state, seat, c) for seat, c in choices.items()}  # pyright: ignore
        if seats > 2 and steps == 5 and seed == 1:
            played = played.leave(seats - 1)
            read.pop(seats - 1, None)
            match = played.match
        played = replace(played, match=advance(match.resolve(read, forced - match.left_seats)[0]))
        steps += 1
    if played.match.over:
        surfaces(played, chance)
