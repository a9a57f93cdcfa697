"""Whole games by clicks in a real browser: every number of players and every kind that the page offers.

The server compiles nothing here: compiling the rules of all these games takes longer than playing them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.browsing import moves, new_context, play_to_the_end, start, uncompiled, watched_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ADVENTURE: dict[str, str | bool] = {"deck": "adventure"}
TEAM: dict[str, str | bool] = {**ADVENTURE, "mode": "cooperative"}
GAMES: dict[str, tuple[str, list[str], dict[str, str | bool]]] = {
    "six players": ("Puerto Rico", ["random"] * 5 + ["here"], {}),
    "draft of buildings": ("Puerto Rico", ["here", "builder"], {"buildings": "draft"}),
    "five players": (
        "Port Royal",
        ["here", "purser", "pirate", "patron", "crew"],
        {"contract cards": True, "contracts": True},
    ),
    "adventure, alone": ("Port Royal", ["here"], TEAM),
    "adventure, against crew": ("Port Royal", ["here", "crew"], ADVENTURE),
    "adventure, team of three at one page": ("Port Royal", ["here"] * 3, {**TEAM, "chapter": "2"}),
    "adventure, draft of characters": (
        "Port Royal",
        ["here", "crew", "random", "here"],
        {**ADVENTURE, "character choice": "draft"},
    ),
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with uncompiled(tmp_path_factory.mktemp("games")) as where:
        yield where


@pytest.mark.parametrize("kind", GAMES)
def test_a_whole_game_is_played_by_clicks(browser: Browser, address: str, kind: str) -> None:
    game, seats, options = GAMES[kind]
    context = new_context(browser)
    with watched_page(context, address) as page:
        start(page, game, seats, len(seats), options)
        assert play_to_the_end(page)
        assert page.locator(".result h2").text_content()
        count = int(moves(page).split("/")[1])
        page.reload()
        page.wait_for_selector(".result")
        assert int(moves(page).split("/")[1]) == count > 20
        if "mode" not in options:
            assert page.locator(".result li").count() == len(seats)
    context.close()
