"""`replay.html`: one offline page that steps through a match, for every game, with text that no name can break."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from bot.engine.cards import face
from bot.engine.match import Match
from bot.engine.record.transcript import Teller
from bot.engine.variants import GAMES
from bot.referee.repository.live import Live
from bot.referee.repository.replay_tape import Tape
from bot.referee.repository.view_builder import match_view, review_moves
from bot.solver.coach.advice import JudgedRound, Review
from cogs.records.replay_page import load_template, render_page
from tests.page.offline import opened_offline
from tests.page.test_accessibility import CONTRAST, NAMELESS
from tests.proof.author import Author
from tests.referee.test_record_import import brought

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAMES = ("Ana", "Ben", "Cem", "Dee", "Eli", "Fay", "Gus", "Hal")
EVERY = [(game.key, seats) for game in GAMES for seats in sorted({*game.seats, sum(game.seats) // 2})]
LARGEST = 200_000
"""bytes that the page of any match stays below"""


def match_of(game: str, seats: int, names: tuple[str, ...] = NAMES, **wish: Any) -> Live:
    """Return a finished match with these names."""
    record = Author(game, wish.pop("options", {}), seats, **wish).play().written()
    for player, name in zip(record["players"], names, strict=False):
        player["name"] = name
    return brought(record)


def written(live: Live, review: Review | None = None) -> bytes:
    return render_page(Tape(live), match_view(live, None), review)


async def save(tmp_path: Path, page: bytes) -> Path:
    file = tmp_path / "replay.html"
    await asyncio.to_thread(file.write_bytes, page)
    return file


async def started(page: Page) -> None:
    await expect(page).to_have_title(re.compile("^#MP2K"))


def stories(match: Match) -> list[str]:
    """Return the words of each round, as the exported text has them."""
    teller = Teller(match.rules, NAMES)
    return [teller.story(played.events) for deal in match.deals for played in deal.rounds]


@pytest.mark.parametrize(("game", "seats"), EVERY)
async def test_every_round_of_every_game_is_shown(game: str, seats: int, tmp_path: Path, browser: Browser) -> None:
    """Each round is told as in the exported text, and nothing is wider than a telephone."""
    live = match_of(game, seats)
    async with opened_offline(browser, await save(tmp_path, written(live))) as page:
        await page.set_viewport_size({"width": 400, "height": 860})
        await started(page)
        count = int((await page.locator("#count").inner_text()).split("/")[1])
        told: list[str] = []
        for _ in range(count - 1):
            await page.keyboard.press("ArrowRight")
            told.append(await page.get_by_role("status").inner_text())
        await expect(page.locator("#count")).to_have_text(f"{count} / {count}")
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert await page.evaluate(NAMELESS) == []
        assert await page.locator(".seat").count() == seats
    wanted = stories(live.match)
    assert len(wanted) == len([line for line in told if re.match(r"(Deal \d+ · )?(Round|Trick) \d+", line)])
    missing = [story for story in wanted if not any(story in line for line in told)]
    assert missing == []


async def test_person_steps_by_keys_buttons_the_slider_and_the_list(tmp_path: Path, browser: Browser) -> None:
    live = match_of("parlett", 3)
    async with opened_offline(browser, await save(tmp_path, written(live))) as page:
        await started(page)
        place = page.locator("#place")
        await expect(place).to_have_text("Deal 1 · the cards are dealt")
        await page.keyboard.press("ArrowRight")
        await expect(place).to_have_text("Deal 1 · Round 1 of 13")
        await page.get_by_role("button", name="Next ▶").click()
        await expect(place).to_have_text("Deal 1 · Round 2 of 13")
        await page.get_by_role("button", name="◀ Back").click()
        await page.keyboard.press("ArrowLeft")
        await page.keyboard.press("ArrowLeft")  # there is nothing before the first step
        await expect(place).to_have_text("Deal 1 · the cards are dealt")
        await expect(page.get_by_role("button", name="◀ Back")).to_have_attribute("aria-disabled", "true")
        await page.get_by_label("Deal", exact=True).select_option("Deal 2")
        await expect(place).to_have_text("Deal 2 · the cards are dealt")
        await page.get_by_role("list").get_by_role("button", name=re.compile("^4 ")).click()
        await expect(place).to_have_text("Deal 2 · Round 4 of 13")
        await page.get_by_role("slider", name="Step").focus()
        await page.keyboard.press("ArrowRight")
        await expect(place).to_have_text("Deal 2 · Round 5 of 13")
        await page.get_by_role("button", name="Last step").click()
        await expect(page.get_by_role("status")).to_contain_text("wins (3 players, 3 deals, points added up).")
        await page.keyboard.press("Home")
        await expect(place).to_have_text("Deal 1 · the cards are dealt")


async def test_round_shows_prize_bids_winner_scores_hands_and_what_comes(tmp_path: Path, browser: Browser) -> None:
    live = match_of("classic", 2, options={"cards": 4})
    state = live.match.deals[0]
    first = state.rounds[0]
    [winner] = first.winners
    async with opened_offline(browser, await save(tmp_path, written(live))) as page:
        await started(page)
        assert await page.get_by_role("img", name="No bid yet").count() == 2
        await page.keyboard.press("ArrowRight")
        seat = page.locator(".seat").nth(winner)
        ranks = {1: "Ace"}
        prize, bid = int(first.prizes[0]), first.bids[winner]
        assert bid is not None
        held = int(bid.cards[0])
        await expect(page.locator("#prize")).to_contain_text(f"{NAMES[winner]} takes it")
        await expect(
            page.locator("#prize").get_by_role("img", name=f"{ranks.get(prize, prize)} of diamonds", exact=True)
        ).to_be_visible()
        suit = ("spades", "hearts")[winner]
        await expect(seat.get_by_role("img", name=f"{ranks.get(held, held)} of {suit}", exact=True)).to_be_visible()
        await expect(seat.locator(".score")).to_have_text(re.compile(rf"^{prize}\s*\+{prize}$"))
        rest = [card for card in (1, 2, 3, 4) if card != held]
        named = ", ".join(f"{ranks.get(card, card)} of {suit}" for card in rest)
        await expect(seat.get_by_role("img", name=named, exact=True)).to_be_visible()
        coming = sorted({1, 2, 3, 4} - {prize, int(state.rounds[1].prizes[0])})
        named = ", ".join(f"{ranks.get(card, card)} of diamonds" for card in coming)
        await expect(page.locator("#coming").get_by_role("img", name=named, exact=True)).to_be_visible()


async def test_prize_that_a_seat_picks_from_a_row_is_named(tmp_path: Path, browser: Browser) -> None:
    live = match_of("classic", 3, options={"open": "row"})
    at, played = next((at, one) for at, one in enumerate(live.match.deals[0].rounds, 1) if one.picks)
    [(seat, card)] = played.picks
    wanted = face(card)
    async with opened_offline(browser, await save(tmp_path, written(live))) as page:
        await started(page)
        for _ in range(at):
            await page.keyboard.press("ArrowRight")
        await expect(page.locator("#prize .verdict")).to_have_text(f"{NAMES[seat]} picks {wanted}")
        assert await page.locator("#prize .cards .card").count() == 3
        row = page.locator("#rounds [aria-current]")
        await expect(row.locator(".chip")).to_have_text([wanted])


async def test_review_is_shown_beside_its_round_only_if_one_was_made(tmp_path: Path, browser: Browser) -> None:
    live = match_of("classic", 2, options={"cards": 4})
    move, later = review_moves(live)[:2]
    judged = JudgedRound(
        deal=0,
        round=move.round,
        lead=0.0,
        value=0.0,
        after=1.0,
        bids=move.bids,
        mixes=(((4, 0.75), (2, 0.25)), ((3, 1.0),)),
        costs=(0.0, 1.5),
        exact=True,
        chances=(0.5, 0.62),
        own_chances=((0.5, 0.5), (0.5, 0.38)),
    )
    unlucky = replace(judged, round=later.round, bids=later.bids, own_chances=((0.5, 0.5), (0.5, 0.5)))
    async with opened_offline(browser, await save(tmp_path, written(live, Review((judged, unlucky))))) as page:
        await started(page)
        review = page.get_by_role("region", name="Good bids and mistakes")
        await expect(review).to_have_count(0)
        await page.keyboard.press("ArrowRight")
        await expect(review).to_contain_text("Ana: 50% → 62%")
        await expect(review).to_contain_text(": good")
        await expect(review).to_contain_text("blunder, it gives away 12% win chance")
        await expect(review.get_by_label("4 of spades, share of the best plan")).to_have_attribute("value", "0.75")
        await page.keyboard.press("ArrowRight")
        await expect(review).to_contain_text(": good, but unlucky")
        await page.keyboard.press("ArrowRight")
        await expect(review).to_have_count(0)


HOSTILE = ("</script><script>window.bad=1</script>", "<img src=x onerror=window.bad=1>", "a\u202eb **c** `d`")


async def test_names_are_text_and_the_policy_allows_no_other_script(tmp_path: Path, browser: Browser) -> None:
    page_file = await save(tmp_path, written(match_of("throps", 3, HOSTILE)))
    async with opened_offline(browser, page_file) as page:
        await started(page)
        await expect(page.locator(".seat h3").first).to_contain_text("</script><script>win")
        await expect(page.locator(".seat h3").nth(1)).to_contain_text("<img src=x onerror=window.bad=1>")
        await expect(page.locator(".seat h3").nth(2)).to_contain_text("ab **c** `d`")
        assert await page.evaluate("window.bad") is None
        assert await page.evaluate("document.scripts.length") == 2
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', load_template())
    assert policy is not None
    assert "unsafe" not in policy[1]
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")


async def test_page_refuses_markup_scripts_and_addresses(tmp_path: Path, browser: Browser) -> None:
    """The policy of the file itself holds, also where a mistake in the script would let something in."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto((await save(tmp_path, written(match_of("pico", 2)))).as_uri())
    await started(page)
    tried = await page.evaluate(
        """async () => {
          const refused = [];
          try { document.body.innerHTML = "<b>x</b>"; } catch { refused.push("markup"); }
          const script = document.createElement("script");
          try { script.textContent = "window.bad = 1"; document.body.append(script); } catch { refused.push("script"); }
          await fetch("https://example.org/").catch(() => refused.push("address"));
          return [refused, window.bad ?? null];
        }"""
    )
    assert tried == [["markup", "script", "address"], None]
    await context.close()


async def test_page_stays_small_for_the_longest_match() -> None:
    live = match_of("classic", 8, series={"mode": "deals", "deals": 25})
    assert len(live.match.deals) == 25
    assert len(await asyncio.to_thread(written, live)) < LARGEST


async def test_text_is_readable_in_light_and_dark(tmp_path: Path, browser: Browser) -> None:
    """Every text has a contrast of at least 4.5 to 1 with what lies behind it."""
    async with opened_offline(browser, await save(tmp_path, written(match_of("classic", 5)))) as page:
        await started(page)
        await page.keyboard.press("ArrowRight")
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            pairs = await page.evaluate(PAIRS)
            assert len(pairs) > 8
            weak = [pair for pair in pairs if await page.evaluate(CONTRAST, pair) < 4.5]
            assert weak == [], scheme


PAIRS = """
() => {
  const color = (name, parent) => {
    const node = parent.appendChild(document.createElement("i"));
    node.style.color = `var(${name})`;
    const found = getComputedStyle(node).color;
    node.remove();
    return found;
  };
  const pairs = [["--text", "--ground"], ["--dim", "--ground"]];
  for (const text of ["--text", "--dim", "--accent", "--good", "--bad"]) pairs.push([text, "--panel"]);
  const found = pairs.map((pair) => pair.map((one) => color(one, document.body)));
  const felt = document.querySelector(".felt"), brightest = color("--felt", felt);
  for (const one of felt.querySelectorAll(".dim, .label, .verdict, .gain, h2, h3")) {
    found.push([getComputedStyle(one).color, brightest]);
  }
  const next = getComputedStyle(document.getElementById("next"));
  found.push([next.color, next.backgroundColor]);
  return [...new Map(found.map((pair) => [pair.join(), pair])).values()];
}
"""
