"""What the tests of the page in a browser share: Chromium without a window, and what a person does with the page.

Chromium is taken from the system (Debian's package ``chromium``, or the program that the variable CHROMIUM names), and
driven by Playwright, of the extra ``browser``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.serving import Page as Bare

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
AT_ONCE = {"pace": 0, "movement": False, "theme": "auto", "values": False}  # settings that tests do not wait for
TURN = ".drawing.mine, .result"


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium; the test is skipped where there is none."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: the page is not tested in a browser (apt-get install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        pytest.skip("Playwright is not installed, so the page is not tested in a browser (pip install -e '.[browser]')")
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield program
        program.close()


@contextmanager
def uncompiled(folder: Path) -> Iterator[str]:
    """A server in a process of its own that compiles nothing: for games whose rules no other test compiles."""
    command = [sys.executable, "-m", "pr_env.cli", "web", "--port", "0", "--no-browser", "--folder", str(folder)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            match = re.search(r"http://(\S+?)/", process.stdout.readline())
            assert match, "the server does not start"
            yield match[1]
        finally:
            process.terminate()


@contextmanager
def watched_page(context: BrowserContext, address: str) -> Iterator[Page]:
    """A page whose scripts must not fail."""
    one, errors = context.new_page(), []
    one.on("pageerror", lambda error: errors.append(str(error)))
    one.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    one.goto(f"http://{address}/")
    yield one
    assert errors == []


def new_context(browser: Browser, width: int = 1400, height: int = 900, **settings: Any) -> BrowserContext:
    context = browser.new_context(viewport={"width": width, "height": height}, **settings)
    context.set_default_timeout(600_000)  # a busy machine
    told = "{" + ",".join(f'"{name}":{_json(value)}' for name, value in AT_ONCE.items()) + "}"
    context.add_init_script(f"localStorage.getItem('settings') ?? localStorage.setItem('settings', '{told}')")
    return context


def _json(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def start(
    page: Page,
    game: str,
    seats: list[str],
    players: int | None = None,
    options: Mapping[str, str | bool] | None = None,
    effort: str = "",
) -> None:
    """A new game by the form: who plays each seat, options of the rules by their labels, and how long searches take."""
    page.get_by_role("button", name=game, exact=True).click()
    if options:
        page.get_by_text("Rules and set-up").click()
    for label, value in (options or {}).items():
        if isinstance(value, bool):
            page.get_by_label(label, exact=True).set_checked(value)
        else:
            field = page.locator(f'label.option:has(> span:text-is("{label}"))').locator("select, input")
            if field.evaluate("field => field.localName") == "input":
                field.fill(value)
            else:
                field.select_option(value)
    if players is not None:
        page.get_by_role("radio", name=str(players), exact=True).check()
    page.wait_for_function("n => document.querySelectorAll('.seats li').length === n", arg=len(seats))
    for seat, name in enumerate(seats):
        page.get_by_label(f"Who plays seat {seat}", exact=True).select_option(
            name if name in ("here", "link") else f"agent {name}"
        )
        if effort and name == "mcts":
            page.get_by_label(f"Seat {seat}: search budget").select_option(label=effort)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".drawing svg")


def click_on_the_board(page: Page) -> None:
    """Choose the first thing of the board that can be clicked; of several answers the first."""
    things = page.locator(".drawing.mine [data-action]:not(.button)")
    thing = things.first if things.count() else page.locator(".drawing.mine [data-action]").first
    before = moves(page)
    thing.click(force=True)
    moved = "document.querySelector('.scrub output')?.textContent !== before"
    page.wait_for_function(f"before => {moved} || document.querySelector('.choice button')", arg=before)
    choice = page.locator(".choice button")
    if choice.count():
        choice.first.click()
    page.wait_for_function(f"before => {moved}", arg=before)
    page.wait_for_selector(TURN)


def moves(page: Page) -> str:
    return page.locator(".scrub output").text_content() or ""


# The same from inside the page, without a message to Playwright for every click: a whole game takes hundreds
CLICK_ON = """async () => {
    const until = async (what, tries = 60000) => {
        for (; tries > 0; tries--) {
            if (what()) return true;
            await new Promise((done) => setTimeout(done, 10));
        }
        return false;
    };
    const find = (selector) => document.querySelector(selector);
    const moves = () => find(".scrub output").textContent;
    for (let clicks = 0; clicks < 4000; clicks++) {
        if (!(await until(() => find(".drawing.mine") || find(".result")))) throw new Error("no turn comes");
        if (find(".result")) return true;
        const before = moves();
        const thing = find(".drawing.mine [data-action]:not(.button)") ?? find(".drawing.mine [data-action]");
        thing.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        // A board that is still scrolling into view closes its list of answers: then a person clicks once more
        await until(() => moves() !== before || find(".choice button"), 200);
        find(".choice button")?.click();
        await until(() => moves() !== before, 200);
    }
    return false;
}"""


def play(page: Page, clicks: int) -> bool:
    """Click so often, or until the game is over; whether it is."""
    for _ in range(clicks):
        page.wait_for_selector(TURN)
        if page.locator(".result").count():
            return True
        click_on_the_board(page)
    return page.locator(".result").count() > 0


def play_to_the_end(page: Page) -> bool:
    """A few clicks of the mouse, and the rest of the game by clicks from inside the page."""
    return play(page, clicks=4) or bool(page.evaluate(CLICK_ON))


def key_of(page: Page) -> tuple[str, str]:
    match = re.search(r"#/t/([0-9a-f]+)/([0-9a-f]+)", page.url)
    assert match
    return match[1], match[2]


def finish(page: Page, address: str, seed: int = 0) -> None:
    """Play on to the end without the browser, which only looks."""
    with Bare(address) as bare:
        bare.play(*key_of(page), which=seed)
    page.wait_for_selector(".result")
