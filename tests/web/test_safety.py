"""A hostile page cannot affect other pages or the disk, and sees no more than its seat may see."""

from __future__ import annotations

import http.client
import json
import re
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from examples.in_order import InOrder
from pr_env import PuertoRico
from tests.web import fuzz
from tests.web.serving import Page, RefusedError, running
from web import views
from web.limits import Limits
from web.serving import checked_token
from web.table import PERSON, Access, NotAllowedError, Table

# -- access -----------------------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


def get(address: str, path: str, **headers: str) -> Answer:
    with closing(http.client.HTTPConnection(address, timeout=20)) as connection:
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        with connection.getresponse() as answer:
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, told, answer.read().decode())


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None, "https://127.0.0.1"])
def test_pages_of_others_cannot_connect(address: str, origin: str | None) -> None:
    with pytest.raises(InvalidStatus):
        Page(address, origin=origin)


def test_the_server_answers_to_its_own_name_only(address: str) -> None:
    assert get(address, "/").status == 200
    assert get(address, "/", Host="evil.example").status == 403
    assert get(address, "/", Host=address.replace("127.0.0.1", "localhost")).status == 200


def test_the_page_may_load_nothing_from_elsewhere(address: str) -> None:
    answer = get(address, "/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    for name in re.findall(r'(?:src|href)="(\./[^"]+)"', answer.text):
        assert get(address, name[1:]).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../app.py",
        "/assets/..%2f..%2fapp.py",
        "/assets/%2e%2e/%2e%2e/app.py",
        "/assets//etc/passwd",
        "/app.py",
        "/assets/",
    ],
)
def test_no_path_leads_to_other_files(address: str, path: str) -> None:
    assert get(address, path).status == 404


def test_elsewhere_than_on_this_machine_a_token_is_needed(folder: Path) -> None:
    assert checked_token("127.0.0.1", None) == ""
    assert len(checked_token("0.0.0.0", None)) > 20
    with pytest.raises(ValueError, match="token must be"):
        checked_token("0.0.0.0", "short")
    with running(folder, hosts=(), token="a-long-secret") as (address, _):
        assert get(address, "/").status == 403
        assert get(address, "/?token=a-wrong-secret").status == 403
        answer = get(address, "/?token=a-long-secret")
        assert answer.status == 200
        cookie = answer.headers["set-cookie"].partition(";")[0]
        assert get(address, "/", Cookie=cookie).status == 200
        with pytest.raises(InvalidStatus):
            Page(address)
        for page in (Page(address, query="?token=a-long-secret"), Page(address, Cookie=cookie)):
            with page:
                assert page.ask("hello")["version"]


# -- permissions ------------------------------------------------------------------------------------------------------


def test_a_table_opens_to_its_own_keys_only(address: str) -> None:
    with Page(address) as page, Page(address) as other:
        new = page.new("puerto_rico", "here random random", seed=1)
        with pytest.raises(RefusedError, match="link is invalid"):
            other.ask("join", table=new["table"], key="0" * 32)
        with pytest.raises(RefusedError, match="does not exist"):
            other.ask("join", table="0" * 16, key=new["key"])
        for do, fields in (("look", {"move": 0}), ("act", {"move": 0, "action": 0}), ("save", {})):
            with pytest.raises(RefusedError, match="join the game first"):
                other.ask(do, table=new["table"], **fields)
        other.ask("join", table=new["table"], key=new["watch"])
        with pytest.raises(RefusedError, match="turn"):
            other.ask("act", table=new["table"], move=0, action=0)
        for do in ("undo", "save", "curve"):
            with pytest.raises(RefusedError):
                other.ask(do, table=new["table"])
        with pytest.raises(RefusedError):
            other.ask("branch", table=new["table"], move=0, seats=[{"kind": "here"}] * 3)
        assert page.my_turn(new["table"], new["key"])["moves"] == 0


def hidden_game(chips: tuple[int, int, int] = (11, 22, 33)) -> tuple[Table, dict[int | None, Access]]:
    """Puerto Rico with hidden points in which all players have chips, and the keys of three persons."""
    accesses: dict[int | None, Access] = {seat: Access((seat,), owner=seat == 0) for seat in range(3)}
    accesses[None] = Access(())
    keys = {f"{place:032x}": access for place, access in enumerate(accesses.values())}
    game = PuertoRico(players=3, points="hidden")
    told = game.to_dict(game.from_dict({"boards": [{"chips": count} for count in chips], "round": 9})[0])
    return Table(game, (PERSON,) * 3, keys, None, told), accesses


def sent(table: Table, access: Access) -> str:
    """Everything that a page receives about a position and the following move."""
    log = [views.line(table, access, move, part) for move, part in table.told(access, 0)]
    return json.dumps([views.look(table, access, 0), log, views.state(table, access, False, None, "")])


def test_hidden_points_are_not_in_anything_that_another_seat_is_sent() -> None:
    (table, accesses), (other, _) = hidden_game((11, 22, 33)), hidden_game((11, 33, 22))
    other.id = table.id
    for one in (table, other):
        one.play(int(np.flatnonzero(one.records[0]["legal"][0])[0]))
    assert "11 victory point chips" in sent(table, accesses[0])
    assert "22 victory point chips" in sent(table, accesses[1])
    assert sent(table, accesses[1]) != sent(other, accesses[1])
    for viewer in (0, None):  # to them both games look the same
        assert sent(table, accesses[viewer]) == sent(other, accesses[viewer])


def test_what_is_hidden_is_told_after_the_game() -> None:
    table, accesses = hidden_game()
    table.finished = True
    board = str(table.game.render(table.moment(accesses[None], 0).record, "svg"))
    assert all(f"{chips} victory point chips" in board for chips in (11, 22, 33))


def test_with_hidden_points_even_who_plays_alone_cannot_save_branch_or_judge_for_others(page: Page) -> None:
    new = page.new("puerto_rico", "here random random", options={"points": "hidden"}, seed=1)
    state = page.play(new["table"], new["key"], moves=2)
    assert not state["mayAnalyse"]
    for do, fields in (
        ("save", {}),
        ("curve", {}),
        ("position", {"move": 0}),
        ("branch", {"move": 0, "seats": [{"kind": "here"}] * 3}),
    ):
        with pytest.raises(RefusedError, match="after the end"):
            page.ask(do, table=new["table"], **fields)
    movers = {page.ask("look", table=new["table"], move=move)["player"]: move for move in range(state["moves"])}
    for seat, move in movers.items():
        if seat != 0:
            with pytest.raises(RefusedError, match="reveal hidden information"):
                page.ask("values", table=new["table"], move=move)


def test_cards_in_the_hands_of_others_are_drawn_anew() -> None:
    game = InOrder(players=3)
    table = Table(game, (PERSON,) * 3, {"0" * 32: Access((1,))}, 5)
    real = table.records[0]["card"][0]
    seen = [table.moment(Access((1,)), 0).record["card"] for _ in range(3)]
    assert all(cards[1] == real[1] for cards in seen)
    assert not any(np.array_equal(cards, real) for cards in seen)


def test_players_who_sit_apart_get_hints_only_where_the_game_allows_it(address: str) -> None:
    for hints in (True, False):
        with Page(address) as one, Page(address) as other:
            new = one.new("puerto_rico", "here link random", seed=3, hints=hints)
            state = other.ask("join", table=new["table"], key=new["links"][0]["key"])
            mover, waiting = (one, other) if state["player"] == 0 else (other, one)
            with pytest.raises(RefusedError):
                waiting.ask("hint", table=new["table"], move=0, agent={"name": "builder"})
            if hints:
                assert mover.ask("hint", table=new["table"], move=0, agent={"name": "builder"})["actions"]
            else:
                with pytest.raises(RefusedError):
                    mover.ask("hint", table=new["table"], move=0, agent={"name": "builder"})


def test_a_table_refuses_by_itself_what_an_access_may_not() -> None:
    table, accesses = hidden_game()
    player = table.player
    with pytest.raises(NotAllowedError):
        table.act(accesses[(player + 1) % 3], 0, 0)
    with pytest.raises(NotAllowedError):
        table.undo(accesses[player])
    assert table.moves == 0


# -- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "agent",
    [
        {"name": "mcts", "playouts": 50_000},
        {"name": "mcts", "seconds": 100},
        {"name": "ppo:weights=/etc/passwd"},
        {"name": "mcts:threads=64"},
        {"name": "nobody"},
    ],
)
def test_no_agent_beyond_what_the_server_allows(page: Page, agent: dict[str, object]) -> None:
    with pytest.raises(RefusedError):
        page.ask("new", game="puerto_rico", seats=[{"kind": "agent", "agent": agent}] * 3)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("port_royal", {"data": "/etc"}),
        ("puerto_rico", {"players": 3.0}),
        ("puerto_rico", {"players": True}),
        ("puerto_rico", {"max_rounds": 10**9}),
        ("puerto_rico", {"nothing": 1}),
        ("os:system", {}),
        ("examples.nim:Nim", {}),
    ],
)
def test_no_game_beyond_the_registry_and_no_option_that_names_files(
    page: Page, game: str, options: dict[str, object]
) -> None:
    with pytest.raises(RefusedError):
        page.ask("new", game=game, seats=[{"kind": "here"}] * 3, options=options)


def test_a_message_that_is_too_long_ends_the_connection_and_no_other(address: str) -> None:
    with Page(address) as page, Page(address) as other:
        page.send('{"do":"open","id":1,"text":"' + "x" * 1_200_000 + '"}')
        with pytest.raises(ConnectionClosed):
            page.receive()
        assert other.ask("hello")["games"]


def test_games_and_connections_are_bounded(folder: Path) -> None:
    limits = Limits(connections=2, tables=3, files=4)
    with running(folder, limits=limits) as (address, _):
        with Page(address) as page, Page(address) as second:
            first = [page.new("puerto_rico", "here random random", seed=seed) for seed in range(3)]
            with pytest.raises(RefusedError, match="cannot hold more games"):
                page.new("puerto_rico", "here random random")
            assert page.ask("join", table=first[0]["table"], key=first[0]["key"])
            with pytest.raises((InvalidStatus, ConnectionClosed)), Page(address) as third:
                third.ask("hello")
            assert second.ask("hello")
        with Page(address) as page:  # the old ones have no viewers now, so they make room
            for seed in range(3):
                page.new("puerto_rico", "here random random", seed=seed)
        assert len(list(folder.glob("*.json"))) <= limits.files


def test_one_page_cannot_ask_more_than_a_few_long_questions_at_once(page: Page) -> None:
    new = page.new("puerto_rico", "here random random", seed=1)
    asked = [page.post("hint", table=new["table"], move=0, agent={"name": "mcts", "seconds": 15}) for _ in range(12)]
    refused = 0
    while refused < 4:
        message = page.receive()
        refused += "computations" in message.get("error", "")
    for number in asked:
        page.post("stop", what=number)


def test_files_of_other_things_are_refused_as_replays(page: Page) -> None:
    for text in ("", "{}", "[" * 50_000, '{"pr_env": "replay"}', "\x00"):
        with pytest.raises(RefusedError):
            page.ask("open", text=text)


def test_damaged_files_of_games_are_no_games(folder: Path) -> None:
    with running(folder) as (address, _), Page(address) as page:
        new = page.new("puerto_rico", "here random random", seed=1)
    path = folder / f"{new['table']}.json"
    data = json.loads(path.read_text())
    for damage in ({"actions": [10**9]}, {"layout": 99}, {"game": "os:system"}, {"seats": 3}, {"keys": {"x": 1}}):
        path.write_text(json.dumps({**data, **damage}))
        with (
            running(folder) as (address, _),
            Page(address) as page,
            pytest.raises(RefusedError, match="does not exist"),
        ):
            page.ask("join", table=new["table"], key=new["key"])


def test_malformed_messages_change_nothing(folder: Path) -> None:
    report = fuzz.fuzz(folder, messages=2000, seed=1)
    assert report.sent == 2000
    assert report.refused > 1000
