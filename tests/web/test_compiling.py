"""What a page asks for before it is compiled: another process compiles it, the page is told, and nobody else waits."""

from __future__ import annotations

import asyncio
import importlib
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import event

from examples.in_order import InOrder
from pr_env.compiling import Kernel, NotCompiledError, cache_folder, kernel, stored_only
from tests.web.serving import Page, RefusedError, running
from web import lobby, store
from web.compilers import Compilers
from web.limits import Limits
from web.players import Mind
from web.table import PERSON, Access, Table
from web.thinking import Thinkers
from web.work import Compiling, StoppedError, Work

COMPILES = pytest.mark.skipif(
    numba.config.DISABLE_JIT or cache_folder() is None, reason="nothing is compiled, or nothing can be stored"
)
# A kernel that nobody has compiled before: its fingerprint contains a number of this test alone
KERNEL = """
from pr_env.compiling import kernel

@kernel
def add(x: int) -> int:
    return x + {number}
"""


@pytest.fixture
def new_kernel(tmp_path: Path) -> Iterator[tuple[Kernel[..., int], int]]:
    number, name = secrets.randbelow(10**9), f"kernel_of_{secrets.token_hex(4)}"
    (tmp_path / f"{name}.py").write_text(KERNEL.format(number=number))
    sys.path.insert(0, str(tmp_path))
    yield importlib.import_module(name).add, number
    sys.path.remove(str(tmp_path))


class Listener(event.Listener):  # type: ignore[misc]
    """Counts what this process compiles."""

    count = 0

    def on_start(self, _: event.Event) -> None:
        self.count += 1

    def on_end(self, _: event.Event) -> None:
        """Counted already."""


def with_thinkers(what: Callable[[Thinkers], Any]) -> Any:
    async def run() -> Any:
        thinkers = Thinkers(Limits())
        try:
            return await what(thinkers)
        finally:
            thinkers.close()

    return asyncio.run(run())


@COMPILES
def test_another_process_compiles_what_is_missing_and_nobody_else_waits(
    new_kernel: tuple[Kernel[..., int], int],
) -> None:
    add, number = new_kernel
    told: list[Compiling | None] = []

    async def ask(thinkers: Thinkers) -> tuple[int, bool]:
        asked = asyncio.create_task(thinkers.quickly(lambda: add(5), Work(compiling=told.append)))
        while not told:
            await asyncio.sleep(0.01)
        for _ in range(10):  # more than there are threads
            await thinkers.quickly(lambda: None)
        return await asked, bool(told[0])

    compiled = Listener()
    with event.install_listener("numba:compile", compiled):
        assert with_thinkers(ask) == (5 + number, True)
    assert compiled.count == 0
    assert told[0] is not None
    assert told[0].about > 0
    assert told[-1] is None


@COMPILES
def test_waiting_for_a_compilation_can_be_stopped(
    new_kernel: tuple[Kernel[..., int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    add, _ = new_kernel
    go_on = threading.Event()
    monkeypatch.setattr(Compilers, "_compile", lambda self, request: go_on.wait(60))

    async def ask(thinkers: Thinkers) -> None:
        work = Work(compiling=lambda now: work.stop())
        try:
            await thinkers.quickly(lambda: add(5), work)
        finally:
            go_on.set()

    with pytest.raises(StoppedError):
        with_thinkers(ask)


@COMPILES
def test_where_another_process_cannot_compile_it_is_compiled_here(
    new_kernel: tuple[Kernel[..., int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    add, number = new_kernel
    monkeypatch.setattr(Compilers, "_compile", lambda self, request: False)
    assert with_thinkers(lambda thinkers: thinkers.think(lambda: add(1))) == 1 + number


@COMPILES
def test_a_thread_that_only_loads_says_what_is_missing(new_kernel: tuple[Kernel[..., int], int]) -> None:
    add, number = new_kernel
    with stored_only(), pytest.raises(NotCompiledError, match="add is not compiled") as missing:
        add(1)
    assert missing.value.request.game == ""
    assert add(1) == 1 + number  # outside the block it is compiled as usual
    with stored_only():
        assert add(2) == 2 + number


def test_a_table_loads_all_that_its_pictures_need(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    monkeypatch.setattr(InOrder, "_resample", lambda self, *_: drawn.append(1))
    Table(InOrder(players=2), (PERSON,) * 2, {"0" * 32: Access((0,))}, 5)
    assert drawn


# -- pages ------------------------------------------------------------------------------------------------------------


@kernel
def of_this_test(x: int) -> int:
    """What is missing."""
    return x


class Slow:
    """Something that has to be compiled before it works, until somebody says that it is."""

    def __init__(self, place: object, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.what = getattr(place, name)
        monkeypatch.setattr(place, name, lambda *given, **named: self(*given, **named))
        self.ready = threading.Event()
        self.asked = threading.Event()
        monkeypatch.setattr(Compilers, "_compile", lambda compilers, request: self.ready.wait(60))

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if self.ready.is_set():
            return self.what(*arguments, **named)
        self.asked.set()
        error = NotCompiledError(of_this_test, None, ())
        error.say("the rules of a test", 30)
        raise error


def compiling_of(page: Page, number: int) -> dict[str, Any]:
    """What a page is told of what is being compiled for its question."""
    while True:
        message = page.receive()
        if message.get("re") == number and message.get("compiling"):
            return dict(message["compiling"])


def test_who_starts_a_game_is_told_and_other_games_go_on(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Page(address) as page, Page(address) as other:
        game = other.new("puerto_rico", "here random random", seed=1)
        slow = Slow(lobby, "Table", monkeypatch)
        asked = [page.post("new", game="port_royal", seats=[{"kind": "here"}] * 3) for _ in range(4)]
        told = compiling_of(page, asked[0])
        assert told["what"] == "the rules of a test"
        assert told["about"] == 30
        begun = time.monotonic()
        assert other.play(game["table"], game["key"], moves=5)["moves"] > 4
        assert time.monotonic() - begun < 30
        page.ask("stop", what=asked[3])
        with pytest.raises(RefusedError, match="stopped"):
            page.answer_to(asked[3])
        slow.ready.set()
        assert page.answer_to(asked[0])["table"]


def test_an_agent_that_is_being_compiled_is_told_to_all_at_the_table(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(Mind, "choose", monkeypatch)
    with Page(address) as page:
        new = page.new("puerto_rico", "random here random", seed=1)
        while not (state := page.wait_for(id=new["table"]))["compiling"]:
            continue
        assert state["compiling"]["what"] == "the rules of a test"
        assert state["thinking"]
        slow.ready.set()
        state = page.my_turn(new["table"], new["key"])
        assert state["myTurn"]
        assert state["compiling"] is None


def test_a_saved_game_is_compiled_before_it_is_joined(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(folder) as (address, _), Page(address) as page:
        new = page.new("puerto_rico", "here random random", seed=1)
    slow = Slow(store, "Table", monkeypatch)
    with running(folder) as (address, _), Page(address) as page:
        asked = page.post("join", table=new["table"], key=new["key"])
        compiling_of(page, asked)
        slow.ready.set()
        assert page.answer_to(asked)["id"] == new["table"]
