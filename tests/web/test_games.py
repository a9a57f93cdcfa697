"""Games played over a connection, as a page does."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from agents.arena.tournament import play_tournament
from pr_env import PortRoyal, PuertoRico, registry
from pr_env.replay import Replay
from tests.web.serving import Page, RefusedError, running
from web import views
from web.players import Mind
from web.table import PERSON, Access, Table

KINDS = [
    ("puerto_rico", "here builder builder", {}),
    ("puerto_rico", "random here", {"players": 2, "balanced": True}),
    ("port_royal", "here random random", {}),
    ("port_royal", "here", {"players": 1, "add": ["contract_cards", "contracts"], "mode": "cooperative"}),
    ("port_royal", "here random", {"players": 2, "add": ["contract_cards", "contracts"], "mode": "cooperative"}),
]


@pytest.mark.parametrize(("game", "seats", "options"), KINDS)
def test_a_whole_game_of_each_kind_is_played_saved_and_opened(
    page: Page, game: str, seats: str, options: dict[str, object]
) -> None:
    new = page.new(game, seats, options=options, seed=3)
    over = page.play(new["table"], new["key"])
    assert over["over"]
    assert not over["myTurn"]
    line = page.ask("save", table=new["table"])["line"]
    replay = Replay.from_json(line)
    assert len(replay.actions) == over["moves"]
    assert replay.result() is not None
    opened = page.ask("open", text=line)
    state = page.ask("join", table=opened["table"], key=opened["key"])
    assert (state["moves"], state["finished"]) == (over["moves"], True)
    with pytest.raises(RefusedError, match="view-only"):
        page.ask("act", table=opened["table"], move=state["moves"], action=0)


def test_every_game_of_the_registry_is_offered_with_its_options_and_agents(page: Page) -> None:
    hello = page.ask("hello")
    assert [game["name"] for game in hello["games"]] == list(registry.game_names())
    for game in (one for one in hello["games"] if one["name"] in registry.GAMES):  # other tests register games, too
        names = [option["name"] for option in game["options"]]
        assert "players" in names
        assert not set(names) & set(registry.find_game(game["name"]).local_options)
        assert {"random", "mcts", "ppo"} <= {agent["name"] for agent in game["agents"]}


def test_which_agents_play_a_configuration_is_said_with_reasons(page: Page) -> None:
    base = page.ask("agents", game="puerto_rico")
    assert base["counts"] == [2, 3, 4, 5, 6]
    assert "ppo" not in base["missing"]
    draft = page.ask("agents", game="puerto_rico", options={"buildings": "draft"})
    assert "no weights" in draft["missing"]["ppo"]
    assert page.ask("agents", game="puerto_rico", options={"players": 9})["problem"]


def test_the_board_carries_what_can_be_clicked_and_the_answers_in_words(page: Page) -> None:
    new = page.new("puerto_rico", "here builder builder", seed=1)
    look = page.ask("look", table=new["table"], move=0)
    assert look["mine"]
    for answer in look["legal"]:
        assert f'data-action="{answer["number"]}"' in look["svg"] or str(answer["number"]) in look["svg"]
        assert answer["sentence"]


def test_the_log_tells_everything_since_a_move(page: Page) -> None:
    new = page.new("port_royal", "here random random", seed=5)
    state = page.play(new["table"], new["key"], moves=3)
    log = page.ask("log", table=new["table"], start=0)
    assert [line["move"] for line in log] == list(range(1, state["moves"] + 1))
    assert page.ask("log", table=new["table"], start=2) == log[2:]
    assert all(line["who"] and line["words"] for line in log)


def test_pictures_and_words_are_made_while_a_move_is_made() -> None:
    access = Access((0,), owner=True)
    table = Table(PortRoyal(players=2), (PERSON, "random"), {"0" * 32: access}, 1)
    table.act(access, 0, int(np.flatnonzero(table.records[0]["legal"][0])[0]))
    moving, made = threading.Event(), threading.Event()

    def move() -> None:  # a batch is for one thread at a time
        with table._batch._in_use:
            moving.set()
            made.wait(60)

    thread = threading.Thread(target=move)
    thread.start()
    moving.wait()
    try:
        assert views.look(table, access, 1)["svg"]
        assert table.told(access, 0)
        assert views.state(table, access, False, None, "")["moves"] == 1
    finally:
        made.set()
        thread.join()


def test_an_agent_that_fails_is_told_and_asked_again_when_somebody_comes(
    page: Page, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = Mind.choose
    monkeypatch.setattr(Mind, "choose", lambda *_: 10**6)  # no legal action
    new = page.new("puerto_rico", "random here random", seed=1)
    assert "random cannot move" in page.wait_for(thinking=False)["problem"]
    monkeypatch.setattr(Mind, "choose", choose)
    with Page(address) as again:
        state = again.my_turn(new["table"], new["key"])
        assert state["myTurn"]
        assert state["problem"] == ""


def test_messages_about_a_table_that_was_just_joined_are_in_order(page: Page) -> None:
    new = page.new("puerto_rico", "here random random", seed=1)
    for _ in range(20):
        page.post("leave", table=new["table"])
        page.post("join", table=new["table"], key=new["key"])
        assert page.ask("look", table=new["table"], move=0)["svg"]


def test_undo_takes_back_the_own_move_and_what_followed(page: Page) -> None:
    new = page.new("puerto_rico", "here random random", seed=2)
    before = page.play(new["table"], new["key"], moves=1)
    board = page.ask("look", table=new["table"], move=before["moves"])["svg"]
    page.play(new["table"], new["key"], moves=1)
    state = page.ask("undo", table=new["table"])
    assert (state["moves"], state["myTurn"], state["undone"]) == (before["moves"], True, 1)
    assert page.ask("look", table=new["table"], move=state["moves"])["svg"] == board
    page.ask("undo", table=new["table"])
    with pytest.raises(RefusedError, match="no move to undo"):
        page.ask("undo", table=new["table"])


def test_a_move_that_comes_too_late_or_is_illegal_changes_nothing(page: Page) -> None:
    new = page.new("puerto_rico", "here random random", seed=2)
    legal = {answer["number"] for answer in page.ask("look", table=new["table"], move=0)["legal"]}
    illegal = next(number for number in range(100) if number not in legal)
    for move, action in ((0, illegal), (0, 1_000_000), (1, min(legal))):
        with pytest.raises(RefusedError):
            page.ask("act", table=new["table"], move=move, action=action)
    assert page.my_turn(new["table"], new["key"])["moves"] == 0


def test_a_game_survives_a_new_page_and_a_new_server(folder: Path) -> None:
    with running(folder) as (address, _):
        with Page(address) as page:
            new = page.new("puerto_rico", "here builder link", seed=4)
            moves = page.my_turn(new["table"], new["key"])["moves"]
            action = page.ask("look", table=new["table"], move=moves)["legal"][0]["number"]
            page.ask("act", table=new["table"], move=moves, action=action)
        with Page(address) as again:
            state = again.ask("join", table=new["table"], key=new["key"])
            assert state["moves"] > moves
    with running(folder) as (address, _), Page(address) as page:
        later = page.ask("join", table=new["table"], key=new["key"])
        assert [seat["mine"] for seat in later["seats"]] == [True, False, False]
        assert later["moves"] >= state["moves"]
        guest = page.ask("join", table=new["table"], key=new["links"][0]["key"])
        assert [seat["mine"] for seat in guest["seats"]] == [False, False, True]


def test_two_pages_play_one_game(address: str) -> None:
    with Page(address) as one, Page(address) as other:
        new = one.new("port_royal", "here link", options={"players": 2}, seed=6)
        link = new["links"][0]["key"]
        keys = {0: (one, new["key"]), 1: (other, link)}
        other.ask("join", table=new["table"], key=link)
        for _ in range(30):
            state = one.ask("join", table=new["table"], key=new["key"])
            if state["over"]:
                break
            page, key = keys[state["player"]]
            wrong = keys[1 - state["player"]][0]
            with pytest.raises(RefusedError, match="turn"):
                wrong.ask("act", table=new["table"], move=state["moves"], action=0)
            assert page.my_turn(new["table"], key)["myTurn"]
            legal = page.ask("look", table=new["table"], move=state["moves"])["legal"]
            page.ask("act", table=new["table"], move=state["moves"], action=legal[0]["number"])
            assert wrong.wait_for(moves=state["moves"] + 1)
        for secret in ("save", "undo", "curve"):
            with pytest.raises(RefusedError):
                one.ask(secret, table=new["table"])


def test_agents_are_watched_at_a_pace_and_paused(page: Page) -> None:
    new = page.new("puerto_rico", "builder builder random", seed=8)
    assert new["state"]["moves"] == 0
    page.ask("pace", table=new["table"], seconds=0)
    over = page.wait_for(over=True)
    assert over["moves"] > 50
    other = page.new("puerto_rico", "random random random", seed=9)
    page.ask("pace", table=other["table"], seconds=0.2)
    page.wait_for(id=other["table"], moves=1)
    paused = page.ask("pace", table=other["table"], seconds=None)
    assert paused["pace"] is None
    assert page.ask("join", table=other["table"], key=other["key"])["moves"] <= paused["moves"] + 1


def test_a_branch_goes_on_from_any_move_and_leaves_the_game_alone(page: Page) -> None:
    new = page.new("puerto_rico", "here random random", seed=2)
    state = page.play(new["table"], new["key"], moves=4)
    keys = page.ask("branch", table=new["table"], move=2, seats=[{"kind": "here"}] * 3)
    branch = page.ask("join", table=keys["table"], key=keys["key"])
    assert (branch["moves"], branch["myTurn"]) == (2, True)
    looks = [page.ask("look", table=table, move=2)["svg"] for table in (new["table"], keys["table"])]
    assert looks[0] == looks[1]
    assert page.ask("join", table=new["table"], key=new["key"])["moves"] == state["moves"]


@pytest.mark.parametrize("game", ["puerto_rico", "port_royal"])
def test_a_position_is_told_changed_and_played(page: Page, game: str) -> None:
    new = page.new(game, "here random random", seed=2)
    state = page.play(new["table"], new["key"], moves=3)
    position = page.ask("position", table=new["table"], move=state["moves"])["position"]
    again = page.new(game, "here random random", position=position)
    board = page.ask("look", table=new["table"], move=state["moves"])["svg"]
    assert page.ask("look", table=again["table"], move=0)["svg"] == board
    assert page.play(again["table"], again["key"], moves=2)["moves"] > 0
    with pytest.raises(RefusedError):
        page.new(game, "here random random", position={**position, "player": 7})
    with pytest.raises(RefusedError):
        page.new(game, "here random random", position={"nonsense": 1})


def test_a_tournament_is_browsed_and_its_games_are_opened(page: Page, tmp_path: Path) -> None:
    out, replays = tmp_path / "results.json", tmp_path / "games.jsonl"
    play_tournament(PuertoRico(players=2), ["builder", "random"], games=4, out=out, replays=replays)
    arena = page.ask("open arena", results=out.read_text(), replays=replays.read_text())
    (match,) = arena["matches"]
    assert match["games"] == 4
    for row in match["rows"]:
        assert 0 <= row["low"] <= row["win"] <= row["high"] <= 1
    games = page.ask("arena games", arena=arena["number"], match=0)
    assert len(games) == 4
    keys = page.ask("arena game", arena=arena["number"], match=0, game=3)
    state = page.ask("join", table=keys["table"], key=keys["key"])
    assert state["over"]
    assert [seat["who"] for seat in state["seats"]] == games[3]["seats"]
    for bad in ({"match": 1, "game": 0}, {"match": 0, "game": 4}):
        with pytest.raises(RefusedError):
            page.ask("arena game", arena=arena["number"], **bad)
    with pytest.raises(RefusedError):
        page.ask("open arena", results='{"configuration": {}}')


def test_values_are_the_networks_in_the_order_of_the_seats(page: Page) -> None:
    new = page.new("puerto_rico", "here random random", seed=2)
    for move in range(page.play(new["table"], new["key"], moves=2)["moves"]):
        told = page.ask("values", table=new["table"], move=move)
        assert told["by"] == "ppo"
        assert sum(told["values"]) == pytest.approx(1, abs=1e-3)


def test_hints_of_networks_searches_and_scripted_agents(page: Page) -> None:
    new = page.new("port_royal", "here random random", seed=2)
    state = page.my_turn(new["table"], new["key"])
    legal = {answer["number"] for answer in page.ask("look", table=new["table"], move=state["moves"])["legal"]}
    for agent in ({"name": "ppo"}, {"name": "mcts", "playouts": 200}, {"name": "crew"}):
        hint = page.ask("hint", table=new["table"], move=state["moves"], agent=agent)
        assert {action["number"] for action in hint["actions"]} == legal
        assert sum(action["share"] for action in hint["actions"]) == pytest.approx(1, abs=1e-3)
        assert len(hint["values"]) == 3


def test_a_long_search_reports_its_progress_and_can_be_stopped(page: Page) -> None:
    new = page.new("puerto_rico", "here random random", seed=2)
    hint = page.post("hint", table=new["table"], move=0, agent={"name": "mcts", "seconds": 20})
    while not page.progress:
        message = page.receive()
        if "progress" in message:
            page.progress.append(message["progress"])
    assert 0 < page.progress[0] < 0.9
    page.ask("stop", what=hint)
    with pytest.raises(RefusedError, match="stopped"):
        page.answer_to(hint)


def test_the_curve_ends_with_the_result_and_says_where_the_game_turned(page: Page) -> None:
    game = PortRoyal(players=3)
    new = page.new("port_royal", "random random random", seed=4)
    page.ask("pace", table=new["table"], seconds=0)
    over = page.wait_for(over=True)
    curve = page.ask("curve", table=new["table"], agent={"name": "crew"})
    assert len(curve["values"]) == over["moves"] + 1
    assert len(curve["best"]) == over["moves"]
    replay = Replay.from_json(page.ask("save", table=new["table"])["line"])
    finals = np.zeros(1, game.final)
    game.score(np.array(replay.batch_at(over["moves"]).games), finals)
    assert curve["values"][-1] == pytest.approx(finals["win_share"][0, :3].tolist())
    for turn in curve["turns"]:
        change = np.array(curve["values"][turn["move"] + 1]) - np.array(curve["values"][turn["move"]])
        assert np.allclose(change, turn["change"], atol=2e-4)
        assert turn["better"]
