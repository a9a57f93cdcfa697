"""The arena: balanced and paired tables, consistent results, faulty agents, resuming, intervals."""

from __future__ import annotations

import io
import json
import os
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from rich.console import Console

from agents import Agent, registry
from agents.arena import ArenaError, MatchResult, Tournament, play_match, play_tournament
from agents.arena import matches as matches_module
from agents.arena.play import play_games
from agents.arena.report import progress_bar, report
from agents.arena.schedule import agents_of, schedule, seatings, tables
from agents.arena.statistics import average, rate, share
from pr_env import Game, PuertoRico
from pr_env import replay as replays

GAME = PuertoRico(players=3)
SHORT = PuertoRico(players=3, max_rounds=3)


class First(Agent):
    """Always chooses the first legal action."""

    needs_observations: ClassVar[bool] = False

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        return np.asarray(masks.argmax(axis=1))


class Watching(Agent):
    """Records its calls, and overwrites the arrays it was given."""

    needs_games: ClassVar[bool] = True

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.asked: list[np.ndarray] = []

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        assert games is not None
        assert (SHORT.read_observation(observations)["self.to_move"] == 1).all()
        assert np.array_equal(games["legal"] != 0, masks)
        self.asked.append(games["player"].copy())
        chosen = masks.argmax(axis=1)
        masks[:] = True
        games["legal"] = 1
        return np.asarray(chosen)


# -- schedule ----------------------------------------------------------------------------------------------------------


def test_tables_of_the_modes() -> None:
    assert tables(["a", "b"], 3, "pairs") == [("a", "b", "b"), ("b", "a", "a")]
    assert tables(["a", "b", "c"], 2, "pairs") == [("a", "b"), ("a", "c"), ("b", "c")]
    assert tables(["a", "b", "c"], 4, "first") == [("a", "b", "b", "b"), ("a", "c", "c", "c")]
    assert tables(["a", "b", "c"], 3, "table") == [("a", "b", "c")]
    assert len(tables(["a", "b", "c", "d"], 3, "table")) == 4
    assert tables(["b", "a", "a"], 3, "table") == [("b", "a", "a")]
    assert tables(["b", "b", "b", "a"], 3, "table") == [("b", "b", "b"), ("b", "b", "a")]
    for mode in ("pairs", "first", "table"):
        assert tables(["a"], 4, mode) == [("a",) * 4]


@pytest.mark.parametrize(
    ("names", "mode", "complaint"),
    [
        ([], "pairs", "at least one agent"),
        (["a", "b"], "table", "a table of 3 needs at least 3 agents, got 2"),
        (["a", "b", "a"], "pairs", "got more than once: a"),
        (["a", "b"], "chess", "mode must be one of pairs, first, table, got 'chess'"),
    ],
)
def test_tables_that_cannot_be(names: list[str], mode: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        tables(names, 3, mode)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("agents", [1, 2, 5])
def test_schedules_are_balanced_and_paired(players: int, agents: int) -> None:
    table = tuple("abcde"[min(seat, agents - 1)] for seat in range(players))
    seeds, seating = schedule(table, 50, seed=7)
    orders = len(seatings(table))
    assert 50 <= len(seeds) < 50 + orders
    for number, agent in enumerate(agents_of(table)):
        assert set((seating == number).sum(axis=1)) == {table.count(agent)}  # the same table every time
        assert len(set((seating == number).sum(axis=0))) == 1  # each seat equally often
    by_seed = {int(seed): sorted(map(tuple, seating[seeds == seed].tolist())) for seed in seeds}
    assert list(by_seed) == list(range(7, 7 + len(seeds) // orders))
    assert all(played == sorted(map(tuple, seatings(table).tolist())) for played in by_seed.values())


# -- results -----------------------------------------------------------------------------------------------------------


def test_results_add_up() -> None:
    result = play_match(GAME, ["random", First(GAME)], games=40, batch=17)
    assert len(result) == 42
    assert result.agents == ("random", "First")
    assert result.win_shares.sum() == pytest.approx(42)
    assert np.array_equal(result.ranks.min(axis=1), np.ones(42))
    rows = {row["agent"]: row for row in result.summary()}
    assert rows["random"]["win_share"] + 2 * rows["First"]["win_share"] == pytest.approx(1)
    assert rows["random"]["win_share_low"] < rows["random"]["win_share"] <= rows["random"]["win_share_high"]
    assert rows["First"]["points"] == pytest.approx(sum(rows["First"]["sources"].values()))
    totals = result.points.sum(axis=-1)
    assert all(totals[i, result.ranks[i] == 1].min() == totals[i].max() for i in range(42))
    assert sum(result.ends().values()) >= 1
    assert not result.faults


def test_the_same_seed_gives_the_same_games_and_another_seed_others() -> None:
    one, again, other = (
        play_match(GAME, ["random"], games=30, seed=seed, batch=30).to_dicts() for seed in (3, 3, 1000)
    )
    assert one == again
    assert [row["points"] for row in one] != [row["points"] for row in other]


def test_an_agent_is_asked_once_a_step_for_all_its_games_and_cannot_change_them() -> None:
    agent = Watching(SHORT)
    result = play_match(SHORT, [agent, First(SHORT)], games=9, keep_actions=True)
    assert not result.faults
    assert {0, 1, 2} == set(np.concatenate(agent.asked).tolist())
    assert max(len(players) for players in agent.asked) > 1
    plain = play_match(SHORT, [First(SHORT)], games=3, keep_actions=True)  # both always choose the first legal action
    assert result.actions is not None
    assert plain.actions is not None
    assert result.actions[::3] == plain.actions


def test_replays_give_the_results() -> None:
    result = play_match(GAME, ["random"], games=3, keep_actions=True)
    for i, replay in enumerate(result.replays()):
        played = replay.result()
        assert played is not None
        assert played["points"] == result.points[i].sum(axis=-1).tolist()
    with pytest.raises(ValueError, match="were not kept"):
        play_match(SHORT, ["random"], games=1).replays()


def test_json_round_trip() -> None:
    tournament = play_tournament(SHORT, ["random", First(SHORT)], games=6)
    again = Tournament.from_json(tournament.to_json())
    assert again.to_json() == tournament.to_json()
    assert np.array_equal(again.matches[1].points, tournament.matches[1].points)
    for text in ("nonsense", "[]", '{"configuration": {"pr_env": "arena", "format": 99}}'):
        with pytest.raises(ArenaError):
            Tournament.from_json(text)


def test_a_cut_game_goes_to_the_one_ahead() -> None:
    result = play_match(SHORT, ["random"], games=10)
    assert result.ends()["rounds"] == 1
    assert (result.lengths == 3).all()
    assert result.win_shares.sum() == pytest.approx(10)


def test_bad_arguments() -> None:
    for options, complaint in (
        ({"games": 0}, "games must be a whole number of at least 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"batch": 0}, "batch must be a whole number of at least 1"),
        ({"seconds": 0}, "seconds must be more than 0, got 0"),
    ):
        with pytest.raises(ValueError, match=complaint):
            play_match(SHORT, ["random"], **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        play_match(SHORT, ["nobody"])
    with pytest.raises(ValueError, match="a match of 3 players must have 1 to 3 agents, got 4"):
        play_match(SHORT, ["random"] * 4)
    with pytest.raises(ValueError, match="agent must be a name or an Agent, got 7"):
        play_match(SHORT, [7])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"First was made for PuertoRico\(.*, not for PuertoRico\("):
        play_match(SHORT, [First(GAME)])


# -- faulty agents -----------------------------------------------------------------------------------------------------


class Misbehaving(First):
    """Plays correctly until the second round; then, in games with even seeds, commits a fault."""

    needs_games: ClassVar[bool] = True

    def __init__(self, game: Game, how: str) -> None:
        super().__init__(game)
        self.how = how

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        assert games is not None
        bad = (games["round_number"] == 2) & (games["seed"] % 2 == 0)
        chosen = super().choose(observations, masks)
        if not bad.any():
            return chosen
        if self.how == "crash":
            raise RuntimeError("out of ideas")
        if self.how == "sleep":
            time.sleep(60)
        if self.how == "loop":
            while True:
                with suppress(Exception):
                    time.sleep(0.01)
        if self.how == "shape":
            return np.zeros((len(masks), 2), np.int64)
        if self.how == "fractions":
            return chosen + 0.5
        chosen[bad] = {"illegal": masks[bad].argmin(axis=1), "negative": -3, "too high": 10_000}[self.how]
        return chosen


@pytest.mark.parametrize(
    ("how", "kind", "message"),
    [
        ("crash", "crash", "RuntimeError: out of ideas"),
        ("shape", "crash", "not 1 whole numbers"),
        ("fractions", "crash", "chose float64"),
        ("illegal", "illegal", "in phase"),
        ("negative", "illegal", "action -3, which does not exist"),
        ("too high", "illegal", "action 10000, which does not exist"),
    ],
)
def test_who_fails_loses_that_game_and_the_rest_goes_on(how: str, kind: str, message: str) -> None:
    result = play_match(SHORT, [Misbehaving(SHORT, how), First(SHORT)], games=30)
    assert set(result.faults) == set(np.flatnonzero(result.seeds % 2 == 0))
    for i, fault in result.faults.items():
        assert fault.kind == kind
        assert message in fault.message
        assert result.seating[i, fault.seat] == 0
        assert result.ranks[i, fault.seat] == 3
        assert result.win_shares[i].tolist() == [0 if seat == fault.seat else 0.5 for seat in range(3)]
        assert result.lengths[i] == 2
    fair = play_match(SHORT, [First(SHORT)], games=10)
    odd = result.seeds % 2 == 1
    assert np.array_equal(result.points[odd], np.repeat(fair.points, 3, axis=0)[odd])  # unaffected by the others
    assert result.win_shares.sum() == pytest.approx(30)
    rows = {row["agent"]: row for row in result.summary()}
    assert (rows["Misbehaving"]["faults"], rows["First"]["faults"]) == (15, 0)
    assert rows["First"]["points"] == pytest.approx(result.points[odd].sum(axis=-1)[result.seating[odd] == 1].mean())


@pytest.mark.parametrize("how", ["sleep", "loop"])
def test_who_stalls_loses_the_games_of_the_batch_and_the_others_go_on(how: str) -> None:
    start = time.monotonic()
    result = play_match(SHORT, [Misbehaving(SHORT, how), First(SHORT)], games=12, batch=6, seconds=0.2)
    assert time.monotonic() - start < 30
    assert set(result.faults) == set(range(12))  # both batches have games with even seeds
    assert {fault.kind for fault in result.faults.values()} == {"stall"}
    assert any("within 0.2 s" in fault.message for fault in result.faults.values())
    assert result.wins_of("First").mean == 0.5


class SlowToStart(First):
    """Only the first instance is slow, like an agent that has to compile."""

    started: ClassVar[bool] = False

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        if not SlowToStart.started:
            time.sleep(1)
            SlowToStart.started = True
        return super().choose(observations, masks)


def test_compiling_is_not_stalling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.AGENTS, "slow", registry.Entry(__name__, "SlowToStart", "takes long to start"))
    monkeypatch.setattr(SlowToStart, "started", False)
    assert not play_match(SHORT, ["slow"], games=3, seconds=0.5).faults
    monkeypatch.setattr(SlowToStart, "started", False)
    assert play_match(SHORT, [SlowToStart(SHORT)], games=3, seconds=0.5).faults  # objects are not asked beforehand


def test_the_bar_fits_into_80_columns() -> None:
    terminal = Console(file=io.StringIO(), width=80, force_terminal=True)
    with progress_bar(terminal) as bar:
        bar.start(("program:command=python3 some/where/agent.py", "builder"), 3000)
        bar.step(1200, 123_456)
        bar._bar.refresh()
    assert "1200/3000" in terminal.file.getvalue()  # type: ignore[attr-defined] # it is a StringIO


def test_faults_are_reported_and_survive_json() -> None:
    tournament = play_tournament(SHORT, [First(SHORT), Misbehaving(SHORT, "crash")], games=6)
    told = "\n".join(part for part in report(Tournament.from_json(tournament.to_json())) if isinstance(part, str))
    assert "Misbehaving forfeited 6 games (the first: First + 2 x Misbehaving, the game of seed 0 in seat 2)" in told
    assert told.count("Misbehaving forfeited") == 1
    assert "crash: RuntimeError: out of ideas" in told


# -- resuming ----------------------------------------------------------------------------------------------------------

OPTIONS: dict[str, Any] = {"games": 12, "batch": 5, "seed": 4}
AGENTS: list[str | Agent] = ["random", "random:", First(SHORT)]  # two names for the same agent


class Interrupting:
    """Interrupts a tournament after some games."""

    def __init__(self, games: int) -> None:
        self.left = games

    def start(self, table: tuple[str, ...], games: int) -> None:
        pass

    def step(self, games: int, decisions: int) -> None:
        self.left -= games
        if self.left <= 0:
            raise KeyboardInterrupt


def test_resuming_gives_the_same_bytes_as_never_stopping(tmp_path: Path) -> None:
    whole, resumed = tmp_path / "whole.json", tmp_path / "resumed.json"
    play_tournament(SHORT, AGENTS, out=whole, replays=tmp_path / "whole.jsonl", **OPTIONS)
    interruptions = 0
    while not resumed.exists():
        try:
            # A little further each time; the first time no batch is finished.
            progress = Interrupting(3 + 20 * interruptions)
            play_tournament(
                SHORT, AGENTS, out=resumed, replays=tmp_path / "resumed.jsonl", progress=progress, **OPTIONS
            )
        except KeyboardInterrupt:
            interruptions += 1
            partial = tmp_path / "resumed.json.partial.jsonl"
            with partial.open("a") as file:
                file.write('{"table": 0, "ba')  # an incomplete line
    assert interruptions >= 3
    assert resumed.read_bytes() == whole.read_bytes()
    assert (tmp_path / "resumed.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "resumed.json",
        "resumed.jsonl",
        "whole.json",
        "whole.jsonl",
    ]
    assert len(replays.load(tmp_path / "whole.jsonl")) == 6 * 12


def test_several_processes_give_the_same_bytes(tmp_path: Path) -> None:
    names = ["random", "builder"]
    alone, shared = tmp_path / "alone.json", tmp_path / "shared.json"
    play_tournament(SHORT, names, out=alone, replays=tmp_path / "alone.jsonl", **OPTIONS)
    with pytest.raises(KeyboardInterrupt):  # after the first finished batch, whichever that is
        play_tournament(
            SHORT,
            names,
            out=shared,
            replays=tmp_path / "shared.jsonl",
            processes=2,
            progress=Interrupting(1),
            **OPTIONS,
        )
    assert len((tmp_path / "shared.json.partial.jsonl").read_text().splitlines()) == 2  # the configuration, and a batch
    environment = dict(os.environ)
    play_tournament(SHORT, names, out=shared, replays=tmp_path / "shared.jsonl", processes=2, **OPTIONS)
    assert shared.read_bytes() == alone.read_bytes()
    assert (tmp_path / "shared.jsonl").read_bytes() == (tmp_path / "alone.jsonl").read_bytes()
    assert dict(os.environ) == environment


def test_processes_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="processes must be a whole number of at least 1, got 0"):
        play_tournament(SHORT, ["random"], processes=0)
    with pytest.raises(ValueError, match="several processes need agents given by name"):
        play_tournament(SHORT, [First(SHORT)], processes=2)


def test_finished_games_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.json"
    with pytest.raises(KeyboardInterrupt):
        play_tournament(SHORT, ["random"], out=out, progress=Interrupting(8), **OPTIONS)
    played = []

    def counting(game: Any, agents: Any, seeds: np.ndarray, *rest: Any, **options: Any) -> Any:
        played.append(len(seeds))
        return play_games(game, agents, seeds, *rest, **options)

    monkeypatch.setattr(matches_module, "play_games", counting)
    play_tournament(SHORT, ["random"], out=out, **OPTIONS)
    assert played == [5, 2]
    again = play_tournament(SHORT, ["random"], out=out, **OPTIONS)  # reads the existing results
    assert played == [5, 2]
    assert len(again.matches[0]) == 12


@pytest.mark.parametrize("finished", [True, False])
def test_another_configuration_is_refused(tmp_path: Path, finished: bool) -> None:
    out = tmp_path / "out.json"
    if finished:
        play_tournament(SHORT, ["random"], out=out, **OPTIONS)
    else:
        with pytest.raises(KeyboardInterrupt):
            play_tournament(SHORT, ["random"], out=out, progress=Interrupting(3), **OPTIONS)
    with pytest.raises(ArenaError, match="belongs to a tournament with games 12, not 15"):
        play_tournament(SHORT, ["random"], out=out, **{**OPTIONS, "games": 15})
    with pytest.raises(ArenaError, match=r"with agents \['random'\], not"):
        play_tournament(SHORT, ["random", First(SHORT)], out=out, **OPTIONS)


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    out, partial = tmp_path / "out.json", tmp_path / "out.json.partial.jsonl"
    for content, complaint in (("hello\n", "line 1: is damaged"), ("{}\n", "line 1: is damaged"), ("[]\n", "line 1")):
        partial.write_text(content)
        with pytest.raises(ArenaError, match=complaint):
            play_tournament(SHORT, ["random"], out=out)
        assert partial.read_text() == content
    partial.unlink()
    out.write_text("hello")
    with pytest.raises(ArenaError, match="not results of the arena"):
        play_tournament(SHORT, ["random"], out=out)


def test_a_place_for_replays_that_cannot_be_is_found_before_playing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        play_tournament(SHORT, ["random"], replays=tmp_path / "nowhere" / "games.jsonl", progress=Interrupting(0))


def test_the_results_say_everything(tmp_path: Path) -> None:
    play_tournament(SHORT, ["random", First(SHORT)], out=tmp_path / "out.json", games=4)
    data = json.loads((tmp_path / "out.json").read_text())
    assert data["configuration"]["options"] == {"players": 3, "points": "public", "max_rounds": 3}
    assert {"pr_env", "python", "numpy", "numba"} == set(data["configuration"]["versions"])
    assert set(data["ratings"]) == {"random", "First"}
    games = data["matches"][0]["games"]
    assert Counter(game["seed"] for game in games) == {0: 3, 1: 3}
    assert sorted(games[0]["seating"]) == ["First", "First", "random"]
    assert games[0]["ending"] == ["rounds"]


# -- statistics --------------------------------------------------------------------------------------------------------


def test_intervals_of_shares_cover_as_often_as_they_say() -> None:
    chance = np.random.default_rng(1)
    for truth, games, together in ((0.33, 300, 1), (0.33, 300, 3), (0.05, 200, 1), (0.9, 150, 3)):
        covered = 0
        for _ in range(1000):
            seeds = np.repeat(np.arange(games // together), together)
            won = (chance.random(games // together) < truth).astype(float)[seeds]  # all games of a seed are equal
            estimate = share(won, seeds)
            covered += estimate.low <= truth <= estimate.high
        assert 0.92 <= covered / 1000 <= 0.985


def test_intervals_at_the_ends() -> None:
    seeds = np.arange(100)
    assert share(np.zeros(100), seeds) == pytest.approx((0, 0, 0.037), abs=0.001)
    assert share(np.ones(100), seeds) == pytest.approx((1, 0.963, 1), abs=0.001)
    assert share(np.array([1.0]), np.array([5])).low < 0.3
    for games in range(1, 200):
        assert share(np.zeros(games), np.arange(games)).low == 0
        assert share(np.ones(games), np.arange(games)).high == 1
    # ties: shares of a half vary less than wins, but the interval assumes at most 100 games
    assert share(np.full(100, 0.5), seeds) == pytest.approx((0.5, 0.404, 0.596), abs=0.001)


def test_intervals_of_means_cover_as_often_as_they_say() -> None:
    chance = np.random.default_rng(2)
    covered = 0
    seeds = np.repeat(np.arange(60), 2)
    for _ in range(1000):
        estimate = average(chance.normal(40, 9, 60)[seeds] + chance.normal(0, 3, 120), seeds)
        covered += estimate.low <= 40 <= estimate.high
    assert 0.92 <= covered / 1000 <= 0.975


def test_ratings_follow_strength() -> None:
    results = [(["a", "b", "b"], [1, 2, 3]), (["b", "a", "c"], [2, 1, 3])] * 40
    ratings = rate(results, ["a", "b", "c", "idle"])
    assert ratings["a"].mu > ratings["b"].mu > ratings["c"].mu
    assert ratings["a"].sigma < ratings["idle"].sigma
    assert ratings["idle"].mu == 25


def test_a_match_has_a_table_for_people() -> None:
    for result in (play_match(SHORT, ["random"], games=3), play_match(SHORT, ["random", First(SHORT)], games=3)):
        table = result.table()
        assert table.row_count == (3 if len(result.agents) == 1 else 2)
        assert [str(column.header) for column in table.columns][1:4] == ["wins", "rank", "points"]


def test_joined_results_keep_faults_at_their_games() -> None:
    one = play_match(SHORT, [Misbehaving(SHORT, "crash"), First(SHORT)], games=6)
    both = MatchResult.joined([one, one])
    assert set(both.faults) == set(one.faults) | {6 + i for i in one.faults}
