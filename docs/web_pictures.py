"""Take the pictures of docs/web.md: ``make web-pictures`` (needs Chromium and the extra ``browser``)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.web.browsing import ARGUMENTS, CHROMIUM, finish, moves, play, start
from tests.web.serving import running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).parent
SETTINGS = 'localStorage.setItem(\'settings\', \'{"pace":0,"movement":false,"theme":"auto","values":true}\')'
JUDGED = ".bars .share:has-text('%')"
SEED = "7"
CHOICES = 4  # at least, in the picture of hints


def new_page(browser: Browser, address: str, width: int, height: int, scheme: str = "light") -> Page:
    """A page of a size at the start page."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    context.set_default_timeout(120_000)
    context.add_init_script(SETTINGS)
    page = context.new_page()
    page.goto(f"http://{address}/")
    return page


def main() -> None:
    """Play three games a little, and take a picture of each."""
    if CHROMIUM is None:
        sys.exit("there is no Chromium here (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as (address, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)

        page = new_page(browser, address, 1400, 900)
        start(page, "Puerto Rico", ["here", "builder", "shipper"], options={"seed": SEED})
        play(page, clicks=6)
        while page.locator(".answers li").count() < CHOICES:
            play(page, clicks=1)
        page.get_by_role("tab", name="Hints").click()
        page.get_by_role("button", name="Ask").click()
        page.wait_for_selector(".hints table")
        page.wait_for_selector(JUDGED)
        _take(page, "web.png")

        ended = new_page(browser, address, 460, 1100)
        start(ended, "Puerto Rico", ["here", "builder", "shipper"], options={"seed": SEED})
        finish(ended, address)
        ended.get_by_role("button", name="Find turning points").click()
        ended.get_by_role("button", name="Analyse the game").click()
        ended.wait_for_selector(".turns li")
        ended.locator(".tabs").screenshot(path=FOLDER / "web_curve.png")

        phone = new_page(browser, address, 390, 844, "dark")
        start(phone, "Port Royal", ["here", "crew", "purser"], options={"seed": SEED})
        play(phone, clicks=4)
        phone.wait_for_selector(JUDGED)
        phone.evaluate("() => document.querySelector('.board-scroll').scrollTo(0, 0)")  # the mouse has moved it
        _take(phone, "web_phone.png")
        browser.close()


def _take(page: Page, name: str) -> None:
    page.evaluate("() => document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)
    page.screenshot(path=FOLDER / name)
    print(f"wrote docs/{name} at move {moves(page)}")


if __name__ == "__main__":
    main()
