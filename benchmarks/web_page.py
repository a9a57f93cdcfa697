"""Response times of the page of `pr-env web` in a real browser: ``python -m benchmarks.web_page``.

Headless Chromium opens the start page, and plays a few dozen moves of each game against agents without search by
clicking on the board. The output has the first paint, as the browser reports it, and the time from a click until the
board after that move and the agents' replies is on the screen. Animations are switched off.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.web.browsing import ARGUMENTS, CHROMIUM, new_context, start
from tests.web.serving import running

GAMES = {"Puerto Rico": ["here", "builder", "shipper"], "Port Royal": ["here", "purser", "pirate"]}
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
# Click on the first item that can be chosen, and wait until the board of the next choice is painted
MOVE = """async () => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    const find = (selector) => document.querySelector(selector);
    const until = async (what) => { while (!what()) await painted(); };
    const moves = () => find(".scrub output").textContent;
    await until(() => find(".drawing.mine") || find(".result"));
    if (find(".result")) return null;
    const thing = find(".drawing.mine [data-action]:not(.button)") ?? find(".drawing.mine [data-action]");
    const before = moves();
    let start = performance.now();
    thing.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await until(() => moves() !== before || find(".choice button"));
    if (find(".choice button")) {
        start = performance.now();
        find(".choice button").click();
    }
    await until(() => moves() !== before && (find(".drawing.mine") || find(".result")));
    await painted();
    return performance.now() - start;
}"""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=40, help="moves of each game")
    options = parser.parse_args()
    if CHROMIUM is None:
        sys.exit("Chromium is not installed (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    table = Table("", "first paint", "median of moves", "90th percentile", "slowest", "moves")
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as (address, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for game, seats in GAMES.items():
            page = new_context(browser).new_page()
            page.goto(f"http://{address}/")
            page.wait_for_selector("button")
            paint = page.evaluate(PAINTED)
            start(page, game, seats, players=3)
            page.evaluate(MOVE)  # warm-up: compilation and other one-time work
            times = [taken for _ in range(options.moves) if (taken := page.evaluate(MOVE)) is not None]
            deciles = statistics.quantiles(times, n=10)
            figures = (paint, statistics.median(times), deciles[-1], max(times))
            table.add_row(game, *(f"{one:.0f} ms" for one in figures), str(len(times)))
        browser.close()
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
