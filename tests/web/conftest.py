from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.browsing import chromium, new_context
from tests.web.serving import Page, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("games")) as (where, _):
        yield where


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    with Page(address) as one:
        yield one


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as program:
        yield program


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    one = new_context(browser)
    yield one
    one.close()
