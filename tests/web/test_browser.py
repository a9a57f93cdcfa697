"""The page in a real browser: headless Chromium. Skipped if it is not installed.

Uses the Chromium of the system (Debian's package ``chromium``, or the program given by the variable CHROMIUM), driven
by Playwright from the extra ``browser``.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from agents.arena import play_tournament
from pr_env import PuertoRico
from tests.web.serving import Page as Bare
from tests.web.serving import running
from web.serving import read_arenas

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AT_ONCE = {"pace": 0, "movement": False, "theme": "auto", "values": False}  # settings without delays
TURN = ".drawing.mine, .result"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed, so the page is not tested in a browser (apt-get install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        pytest.skip("Playwright is not installed, so the page is not tested in a browser (pip install -e '.[browser]')")
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield program
        program.close()


@pytest.fixture
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    with_context = new_context(browser)
    yield with_context
    with_context.close()


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    """A page whose scripts must not fail."""
    one, errors = context.new_page(), []
    one.on("pageerror", lambda error: errors.append(str(error)))
    one.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    one.goto(f"http://{address}/")
    yield one
    assert errors == []


def new_context(browser: Browser, width: int = 1400, height: int = 900, **settings: Any) -> BrowserContext:
    context = browser.new_context(viewport={"width": width, "height": height}, **settings)
    context.set_default_timeout(60_000)  # a busy machine
    told = "{" + ",".join(f'"{name}":{_json(value)}' for name, value in AT_ONCE.items()) + "}"
    context.add_init_script(f"localStorage.getItem('settings') ?? localStorage.setItem('settings', '{told}')")
    return context


def _json(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def start(page: Page, game: str, seats: list[str], players: int | None = None, **boxes: bool) -> None:
    """Start a new game with the form."""
    page.get_by_role("button", name=game, exact=True).click()
    if players is not None:
        page.get_by_role("radio", name=str(players), exact=True).check()
    page.wait_for_function("n => document.querySelectorAll('.seats li').length === n", arg=len(seats))
    for seat, name in enumerate(seats):
        page.get_by_label(f"Who plays seat {seat}", exact=True).select_option(
            name if name in ("here", "link") else f"agent {name}"
        )
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".drawing svg")


def click_on_the_board(page: Page) -> None:
    """Click the first clickable item of the board, and the first of several actions."""
    things = page.locator(".drawing.mine [data-action]:not(.button)")
    thing = things.first if things.count() else page.locator(".drawing.mine [data-action]").first
    before = moves(page)
    thing.click(force=True)
    choice = page.locator(".choice button")
    if choice.count():
        choice.first.click()
    page.wait_for_function("before => document.querySelector('.scrub output')?.textContent !== before", arg=before)
    page.wait_for_selector(TURN)


def moves(page: Page) -> str:
    return page.locator(".scrub output").text_content() or ""


# The same from inside the page, since a whole game takes hundreds of clicks, each a message to Playwright
CLICK_ON = """async () => {
    const until = async (what) => {
        for (let tries = 0; tries < 6000; tries++) {
            if (what()) return;
            await new Promise((done) => setTimeout(done, 10));
        }
        throw new Error("nothing happens: " + what);
    };
    const find = (selector) => document.querySelector(selector);
    const moves = () => find(".scrub output").textContent;
    for (let clicks = 0; clicks < 2000; clicks++) {
        await until(() => find(".drawing.mine") || find(".result"));
        if (find(".result")) return true;
        const before = moves();
        const thing = find(".drawing.mine [data-action]:not(.button)") ?? find(".drawing.mine [data-action]");
        thing.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        await until(() => moves() !== before || find(".choice button"));
        find(".choice button")?.click();
        await until(() => moves() !== before);
    }
    return false;
}"""


def play(page: Page, clicks: int) -> bool:
    """Click this often, or until the game is over; returns whether it is."""
    for _ in range(clicks):
        page.wait_for_selector(TURN)
        if page.locator(".result").count():
            return True
        click_on_the_board(page)
    return page.locator(".result").count() > 0


def play_to_the_end(page: Page) -> bool:
    """Play with a few mouse clicks, and the rest of the game by clicks from inside the page."""
    return play(page, clicks=4) or bool(page.evaluate(CLICK_ON))


def key_of(page: Page) -> tuple[str, str]:
    match = re.search(r"#/t/([0-9a-f]+)/([0-9a-f]+)", page.url)
    assert match
    return match[1], match[2]


def finish(page: Page, address: str, seed: int = 0) -> None:
    """Play to the end without the browser, which only watches."""
    with Bare(address) as bare:
        bare.play(*key_of(page), which=seed)
    page.wait_for_selector(".result")


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
        page.locator("main tbody tr button").last.click()
        page.wait_for_selector(".result")
        context.close()


# -- playing ----------------------------------------------------------------------------------------------------------


def test_a_game_alone_is_played_by_clicks_to_its_end(page: Page) -> None:
    page.get_by_role("button", name="Port Royal", exact=True).click()
    page.get_by_text("Rules and set-up").click()
    for box in ("contract cards", "contracts"):
        page.get_by_label(box, exact=True).check()
    page.get_by_label("mode").select_option("cooperative")
    start(page, "Port Royal", ["here"], players=1)
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


def test_a_lost_server_is_said_and_found_again(browser: Browser, tmp_path: Path) -> None:
    context = new_context(browser)
    page = context.new_page()
    with running(tmp_path / "games") as (address, _):
        page.goto(f"http://{address}/")
        start(page, "Puerto Rico", ["here", "random", "random"])
        page.wait_for_selector(TURN)
    page.wait_for_selector(".lost")
    context.close()
