"""The page in a real browser: Chromium without a window. Skipped where there is none (see browsing.py)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agents.arena import play_tournament
from pr_env import PuertoRico
from tests.web.browsing import (
    TURN,
    click_on_the_board,
    finish,
    key_of,
    moves,
    new_context,
    play,
    play_to_the_end,
    start,
    watched_page,
)
from tests.web.serving import running
from tests.web.test_compiling import Slow
from web import lobby
from web.serving import read_arenas

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    with watched_page(context, address) as one:
        yield one


# -- watching ---------------------------------------------------------------------------------------------------------


def test_a_tournament_is_browsed_down_to_a_game(browser: Browser, tmp_path: Path) -> None:
    out, replays = tmp_path / "results.json", tmp_path / "games.jsonl"
    play_tournament(PuertoRico(players=2), ["builder", "random"], games=4, out=out, replays=replays)
    with running(tmp_path / "games", arenas=read_arenas([out], [replays])) as (address, _):
        context = new_context(browser)
        page = context.new_page()
        page.goto(f"http://{address}/")
        page.get_by_role("link", name="Arena").click()
        page.wait_for_function(
            "() => document.querySelectorAll('main tbody tr').length === 6"
        )  # two agents, four games
        rows = page.locator("main tbody tr").all_inner_texts()
        assert [row.split()[0] for row in rows] == ["builder", "random", "1", "2", "3", "4"]
        assert all("%" in row for row in rows[:2])
        page.set_viewport_size({"width": 390, "height": 844})
        seen = page.locator(".results button").evaluate("one => one.getBoundingClientRect().right <= innerWidth")
        assert seen  # the games are reached without scrolling sideways
        page.set_viewport_size({"width": 1400, "height": 900})
        page.locator("main tbody tr button").last.click()
        page.wait_for_selector(".result")
        context.close()


# -- playing ----------------------------------------------------------------------------------------------------------


def test_a_game_alone_is_played_by_clicks_to_its_end(page: Page) -> None:
    options: dict[str, str | bool] = {"contract cards": True, "contracts": True, "mode": "cooperative"}
    start(page, "Port Royal", ["here"], players=1, options=options)
    assert play_to_the_end(page)
    assert page.locator(".result h2").text_content()


def test_a_game_against_an_agent_is_played_by_clicks_with_a_reload_in_the_middle(page: Page) -> None:
    start(page, "Puerto Rico", ["here", "builder"], players=2)
    assert not play(page, clicks=8)
    before = moves(page)
    page.reload()
    page.wait_for_selector(TURN)
    assert moves(page) == before
    assert not play(page, clicks=4)
    assert page.locator(".since li").count() or page.locator(".log li").count()


@pytest.mark.parametrize(("game", "agent"), [("Puerto Rico", "builder"), ("Port Royal", "crew")])
def test_a_competitive_game_is_played_by_clicks_to_its_end(page: Page, game: str, agent: str) -> None:
    start(page, game, ["here", agent], players=2)
    assert play_to_the_end(page)
    assert page.locator(".result li").count() == 2


def test_by_keyboard_alone_a_game_is_set_up_and_played(page: Page) -> None:
    page.get_by_role("button", name="Start").wait_for()
    page.wait_for_selector("button.main:not([disabled])")
    page.locator("button.main").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(TURN)
    for _ in range(5):
        before = moves(page)
        page.keyboard.press("1")
        page.wait_for_function("before => document.querySelector('.scrub output')?.textContent !== before", arg=before)
        page.wait_for_selector(TURN)
    element = page.locator(".drawing.mine [data-action]:not(.button)").first
    if element.count():  # elements of the board can have the focus, too
        element.focus()
        before = moves(page)
        page.keyboard.press("Enter")
        if page.locator(".choice").count():
            page.keyboard.press("Enter")
        page.wait_for_function("before => document.querySelector('.scrub output')?.textContent !== before", arg=before)
    page.wait_for_selector(TURN)
    before = moves(page)
    page.keyboard.press("u")
    page.wait_for_function("before => document.querySelector('.scrub output')?.textContent !== before", arg=before)


def test_two_browsers_play_one_game(browser: Browser, page: Page) -> None:
    start(page, "Port Royal", ["here", "link"], players=2)
    page.get_by_role("button", name="Links").click()
    page.wait_for_selector("dialog:modal")  # Escape closes it only then
    link = page.locator(".shared input").first.input_value()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    context = new_context(browser)
    other = context.new_page()
    other.goto(link)
    other.wait_for_selector(".drawing svg")
    for _ in range(12):
        page.wait_for_function("() => document.querySelector('.status')")
        mover = page if page.locator(".drawing.mine").count() else other
        mover.wait_for_selector(".drawing.mine")
        count = moves(mover)
        mover.locator(".answers button").first.click()
        for one in (page, other):
            one.wait_for_function("c => document.querySelector('.scrub output').textContent !== c", arg=count)
            one.wait_for_timeout(50)
    assert moves(page) == moves(other)
    assert page.get_by_role("button", name="Save", exact=True).is_disabled()
    context.close()


# -- looking back -----------------------------------------------------------------------------------------------------


def test_scrubbing_by_keys_slider_and_round(page: Page, address: str) -> None:
    start(page, "Puerto Rico", ["here", "builder", "shipper"])
    finish(page, address)
    last = int(moves(page).split("/")[1])
    page.wait_for_function("n => document.querySelectorAll('.log li').length === n", arg=last)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("t => document.querySelector('.scrub output').textContent === t", arg=f"{last - 1} / {last}")
    page.keyboard.press("Home")
    page.wait_for_function("t => document.querySelector('.scrub output').textContent === t", arg=f"0 / {last}")
    page.keyboard.press("PageDown")
    page.wait_for_function("t => !document.querySelector('.scrub output').textContent.startsWith('0 ')")
    assert page.locator(".drawing [data-action]").count()
    assert not page.locator(".drawing.mine").count()
    page.get_by_label("Move", exact=True).fill("7")
    page.wait_for_function("t => document.querySelector('.scrub output').textContent === t", arg=f"7 / {last}")
    page.keyboard.press("End")
    page.wait_for_selector(".result")
    page.get_by_role("button", name="Find turning points").click()
    page.get_by_role("button", name="Analyse the game").click()
    page.wait_for_selector(".curve polyline")
    assert page.locator(".curve polyline").count() == 3
    heights = page.locator(".curve text").evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert min(heights) >= 11  # large enough to read


def test_hints_show_shares_for_each_choice(page: Page) -> None:
    start(page, "Puerto Rico", ["here", "random", "random"])
    page.wait_for_selector(TURN)
    page.get_by_role("tab", name="Hints").click()
    page.get_by_role("button", name="Ask").click()
    page.wait_for_selector(".hints table")
    choices = page.locator(".answers li").count()
    assert page.locator(".hints tbody tr").count() == min(12, choices)
    assert page.locator(".answers .hinted").count() == choices
    page.get_by_label("Settings").click()
    page.get_by_label("Show each player's chances of winning").check()
    page.wait_for_selector(".bars .share:has-text('%')")


def test_branch_position_and_save(page: Page, tmp_path: Path) -> None:
    start(page, "Port Royal", ["here", "random", "random"])
    assert not play(page, clicks=3)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save", exact=True).click()
    file = tmp_path / "game.jsonl"
    saved.value.save_as(file)
    table = key_of(page)
    page.get_by_role("button", name="Edit position").click()
    page.wait_for_function("() => document.querySelector('dialog textarea').value.length > 10")
    page.locator("dialog textarea").fill('{"nonsense": 1}')
    page.locator("dialog").get_by_role("button", name="Start").click()
    page.wait_for_selector("dialog .problem")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Play from here").click()
    page.locator("dialog").get_by_role("button", name="Start").click()
    page.wait_for_function("old => !location.hash.includes(old)", arg=table[0])
    page.wait_for_selector(TURN)
    page.get_by_label("pr-env, home").click()
    page.get_by_label("Replay file").set_input_files(file)
    page.wait_for_selector(".drawing svg")
    assert int(moves(page).split("/")[1]) >= 3


def test_agents_are_watched(page: Page) -> None:
    start(page, "Port Royal", ["random", "random", "random"])
    page.get_by_label("Speed").select_option("0.1")
    page.wait_for_function("() => Number(document.querySelector('.scrub output').textContent.split('/')[1]) > 3")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play", exact=True).wait_for()


# -- how it looks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["Puerto Rico", "Port Royal"])
def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Browser, address: str, game: str, scheme: str) -> None:
    context = new_context(browser, 390, 844, has_touch=True, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"http://{address}/")
    start(page, game, ["here", "random", "random"])
    assert not play(page, clicks=2)
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 390
    for tab in ("Hints", "Analysis", "Log"):
        page.get_by_role("tab", name=tab).click()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    small = page.locator("button:visible").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().height < 24).length"
    )
    assert small == 0
    context.close()


@pytest.mark.parametrize("width", [390, 1400])
def test_the_settings_fit_their_menu(browser: Browser, address: str, width: int) -> None:
    context = new_context(browser, width)
    page = context.new_page()
    page.goto(f"http://{address}/")
    page.get_by_label("Settings").click()
    outside = page.locator(".menu").evaluate(
        "menu => { const outer = menu.getBoundingClientRect(); "
        "return [...menu.querySelectorAll('label, input, select')].map(one => "
        "one.getBoundingClientRect()).filter(one => one.right > outer.right || one.left < outer.left).length "
        "+ (outer.left < 0 || outer.right > innerWidth) }"
    )
    assert outside == 0
    context.close()


def test_every_element_of_the_board_that_can_be_chosen_has_a_text_and_the_focus(page: Page) -> None:
    start(page, "Puerto Rico", ["here", "random", "random"])
    page.wait_for_selector(TURN)
    elements = page.locator(".drawing.mine [data-action]")
    assert elements.count() > 5
    for place in range(elements.count()):
        element = elements.nth(place)
        assert element.get_attribute("aria-label")
        assert element.get_attribute("role") == "button"
        assert element.get_attribute("tabindex") == "0"


def test_movements_are_shown_unless_the_system_or_the_person_says_no(browser: Browser, address: str) -> None:
    for motion, shown in (("no-preference", True), ("reduce", False)):
        context = new_context(browser, reduced_motion=motion)
        context.add_init_script("localStorage.setItem('settings', '{\"pace\":0,\"movement\":true}')")
        page = context.new_page()
        page.goto(f"http://{address}/")
        start(page, "Puerto Rico", ["here", "here", "here"])
        page.wait_for_selector(TURN)
        page.evaluate(
            "() => { window.seen = 0; new MutationObserver(() => { window.seen += "
            "document.querySelectorAll('.changed').length }).observe(document.querySelector('.drawing'), "
            "{childList: true, subtree: true, attributes: true}) }"
        )
        for _ in range(3):
            click_on_the_board(page)
        assert (page.evaluate("() => window.seen") > 0) is shown
        context.close()


def test_a_lost_server_is_said_and_the_game_goes_on_when_it_is_back(browser: Browser, tmp_path: Path) -> None:
    context = new_context(browser)
    page = context.new_page()
    with running(tmp_path / "games") as (address, _):
        page.goto(f"http://{address}/")
        start(page, "Puerto Rico", ["here", "random", "random"])
        assert not play(page, clicks=2)
        before = moves(page)
    page.wait_for_selector(".lost")
    with running(tmp_path / "games", port=int(address.partition(":")[2])):
        page.wait_for_selector(".lost", state="detached")
        page.wait_for_selector(TURN)
        assert moves(page) == before
        assert not play(page, clicks=2)
        assert moves(page) != before
    context.close()


# -- agents that take long --------------------------------------------------------------------------------------------


def test_an_agent_that_thinks_is_stopped_by_an_undo(page: Page) -> None:
    start(page, "Puerto Rico", ["here", "mcts"], players=2, options={"seed": "1"}, effort="20 seconds")
    thinking = ".status:has-text('mcts'):has-text('is choosing')"
    page.wait_for_selector(".drawing.mine")
    while not page.locator(thinking).count():
        page.locator(".answers button:not([disabled])").first.click()
        page.wait_for_selector(f".drawing.mine, {thinking}")
    before = int(moves(page).split("/")[1])
    page.keyboard.press("u")
    page.wait_for_selector(".drawing.mine", timeout=15_000)  # not after 20 seconds
    assert int(moves(page).split("/")[1]) < before


def test_a_hint_shows_how_far_it_is_and_is_stopped(page: Page) -> None:
    start(page, "Puerto Rico", ["here", "random", "random"])
    page.wait_for_selector(TURN)
    page.get_by_role("tab", name="Hints").click()
    page.get_by_label("Adviser", exact=True).select_option("mcts")
    page.get_by_label("Adviser: search budget").select_option(label="20 seconds")
    page.get_by_role("button", name="Ask").click()
    page.wait_for_function("() => document.querySelector('.hints progress')?.value > 0")
    page.locator(".hints").get_by_role("button", name="Stop").click()
    page.wait_for_selector(".hints .progress", state="detached", timeout=15_000)
    assert page.locator(".hints table").count() == 0


def test_what_is_compiled_is_shown_and_can_be_stopped(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    page.wait_for_selector("button.main:not([disabled])")
    slow = Slow(lobby, "Table", monkeypatch)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("text=Compiling the rules of a test")
    assert "s of about 30 s" in page.locator(".progress").inner_text()
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".progress", state="detached")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".progress")
    slow.ready.set()
    page.wait_for_selector(".drawing svg")


# -- teams ------------------------------------------------------------------------------------------------------------


def test_a_team_has_one_chance_of_winning_and_an_analysis(page: Page, address: str) -> None:
    options: dict[str, str | bool] = {"contract cards": True, "contracts": True, "mode": "cooperative"}
    start(page, "Port Royal", ["here", "crew"], players=2, options=options)
    page.get_by_label("Settings").click()
    page.get_by_label("Show each player's chances of winning").check()
    page.keyboard.press("Escape")
    page.wait_for_selector(".bars .share:has-text('%')")
    assert page.locator(".bars .bar").count() == 1
    finish(page, address)
    page.get_by_role("button", name="Find turning points").click()
    page.get_by_label("Analyst", exact=True).select_option("crew")
    page.get_by_role("button", name="Analyse the game").click()
    page.wait_for_selector(".curve polyline")
    assert page.locator(".curve polyline").count() == 1
    page.get_by_role("button", name="Play from here").click()
    page.locator("dialog").get_by_label("Who plays seat 1").select_option("here")
    page.keyboard.press("Escape")


def test_a_position_is_edited_and_played(page: Page) -> None:
    start(page, "Puerto Rico", ["here", "random", "random"])
    page.wait_for_selector(TURN)
    before = key_of(page)[0]
    area = page.locator("dialog textarea")
    page.get_by_role("button", name="Edit position").click()
    page.wait_for_function("() => document.querySelector('dialog textarea').value.length > 10")
    position = json.loads(area.input_value())
    position["boards"][0]["doubloons"] = 9
    area.fill(json.dumps(position))
    page.locator("dialog").get_by_role("button", name="Start").click()
    page.wait_for_function("old => !location.hash.includes(old)", arg=before)
    page.wait_for_selector(".drawing.mine")
    page.get_by_role("button", name="Edit position").click()
    page.wait_for_function("() => document.querySelector('dialog textarea').value.length > 10")
    assert json.loads(area.input_value())["boards"][0]["doubloons"] == 9
    page.keyboard.press("Escape")
    save = page.get_by_role("button", name="Save", exact=True)
    assert save.is_disabled()
    assert "seed" in (save.get_attribute("title") or "")
    page.get_by_role("tab", name="Hints").click()
    page.get_by_role("button", name="Ask").click()
    page.wait_for_selector(".hints table")
