"""The arena with solo, cooperative and team games; positions; hooks."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import agents.arena
from agents.agent import Agent
from agents.arena import (
    ArenaError,
    Hook,
    MatchResult,
    Playing,
    Tournament,
    load_positions,
    play_match,
    play_tournament,
)
from agents.arena.play import Played
from agents.arena.report import report
from agents.arena.schedule import Mode, places_of, schedule, tables
from agents.arena.statistics import means_of, paired_difference
from pr_env import Batch, Game
from pr_env.game import NO_TITLE, PositionError
from pr_env.testing import check_game
from tests.agents.toys import (
    GAMES,
    Crashing,
    InOrder,
    Leaving,
    LowFirst,
    Nim,
    Room,
    SevenDice,
    TeamNim,
)

ALONE, TOGETHER, TEAMS = SevenDice(), InOrder(players=3), TeamNim()


def printed(tournament: Tournament) -> str:
    console = Console(width=160, file=StringIO(), record=True)
    for part in report(tournament):
        console.print(part)
    return console.export_text()


def test_the_game_of_two_teams_keeps_the_promises_of_a_game() -> None:
    check_game(TEAMS, games=20)


# -- seating -----------------------------------------------------------------------------------------------------------


def test_places_are_seats_or_teams() -> None:
    assert places_of(Nim(players=4)) == (0, 1, 2, 3)
    assert places_of(TOGETHER) == (0, 1, 2)
    assert places_of(ALONE) == (0,)
    assert places_of(TEAMS) == (0, 1, 0, 1)


def test_tables_of_one_team() -> None:
    def made(names: str, places: int, mode: Mode) -> list[str]:
        return ["".join(table) for table in tables(list(names), places, mode, one_team=True)]

    assert made("ab", 3, "pairs") == ["aaa", "abb", "baa", "bbb"]
    assert made("abc", 2, "pairs") == ["aa", "ab", "ac", "bb", "bc", "cc"]
    assert made("abc", 3, "first") == ["aaa", "abb", "acc"]
    assert made("abc", 3, "table") == ["abc"]
    assert made("a", 3, "pairs") == ["aaa"]
    for mode in ("pairs", "first", "table"):
        assert made("ab", 1, mode) == ["a", "b"]
    with pytest.raises(ValueError, match="got more than once: a; in mode 'pairs' agents play with copies anyway"):
        made("aba", 2, "pairs")
    with pytest.raises(ValueError, match=r"got more than once: a$"):
        made("aba", 1, "pairs")


def test_an_agent_plays_all_seats_of_a_team() -> None:
    seeds, seating = schedule(("a", "b"), 5, 0, places_of(TEAMS))
    assert seeds.tolist() == [0, 0, 1, 1, 2, 2]
    assert seating[:2].tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]


# -- one seat ----------------------------------------------------------------------------------------------------------


def test_agents_play_alone_with_the_same_seeds() -> None:
    tournament = play_tournament(ALONE, [Room(ALONE), "random"], games=200)
    assert [match.agents for match in tournament.matches] == [("Room",), ("random",)]
    assert [match.seeds.tolist() for match in tournament.matches] == [list(range(200))] * 2
    room, chance = tournament.matches
    assert np.array_equal(room.win_shares[:, 0], (room.points[:, 0, 0] >= 15) & (room.points[:, 0, 0] <= 17))
    assert room.wins_of("Room") == room.team_wins()
    assert room.mean_length() == 7
    assert tournament.ratings == {}
    best, other = tournament.comparisons
    assert (best.match, other.match) == (0, 1)
    assert best.wins_behind.mean == 0
    assert other.wins_behind.mean == pytest.approx(room.win_shares.mean() - chance.win_shares.mean())
    assert 0 < other.wins_behind.low < other.wins_behind.mean < other.wins_behind.high
    assert other.points_behind is not None
    assert other.points_behind.mean == pytest.approx(float((room.points - chance.points).mean()))
    assert "rank" not in room.summary()[0]
    text = printed(tournament)
    assert "Games won and points, the best first" in text
    assert "200 games of 7.0 rolls; ended by dice 100%" in text
    assert "Ratings" not in text
    assert "rank" not in text
    assert "against" not in text


def test_the_share_of_each_title_is_told() -> None:
    tournament = play_tournament(ALONE, [Room(ALONE), "random"], games=100)
    room, chance = tournament.matches
    pips = room.points[:, 0, 0]
    expected = {title: float((pips == 15 + place).mean()) for place, title in enumerate(ALONE.titles)}
    assert room.title_shares() == expected
    assert min(expected.values()) > 0
    data = json.loads(tournament.to_json())
    assert data["matches"][0]["titles"] == expected
    wanted = {True: [*ALONE.titles], False: [None]}
    for row, points in zip(data["matches"][0]["games"], pips.tolist(), strict=True):
        assert row["title"] in wanted[15 <= points <= 17]
    assert Tournament.from_json(tournament.to_json(), ALONE).matches[0].title_shares() == expected
    for text in (printed(tournament), printed(play_tournament(ALONE, [Room(ALONE), "random", "mcts"], games=100))):
        assert "master of the dice" in text
        assert f"{expected['master_of_the_dice']:.1%}" in text
        assert f"{chance.title_shares()['lucky_hand']:.1%}" in text


def test_games_that_compete_have_no_titles() -> None:
    result = play_match(TEAMS, ["random"], games=4)
    assert result.titles is None
    assert result.title_shares() == {}
    assert "title" not in result.to_dicts()[0]


def test_who_fails_alone_has_lost() -> None:
    result = play_match(ALONE, [Crashing(ALONE)], games=10)
    assert result.titles is not None
    assert (result.titles[::2] == NO_TITLE).all()
    assert sorted(result.faults) == [0, 2, 4, 6, 8]
    assert (result.win_shares[::2] == 0).all()
    assert result.summary()[0]["faults"] == 5
    tournament = play_tournament(ALONE, ["random", Crashing(ALONE)], games=1)  # none of its games is completed
    assert tournament.comparisons[-1].points_behind is None
    message = "Crashing forfeited a game (Crashing, the game of seed 0 in seat 1): crash: RuntimeError: out of ideas"
    assert message in printed(tournament)
    assert Tournament.from_json(tournament.to_json(), ALONE).to_json() == tournament.to_json()


# -- one team ----------------------------------------------------------------------------------------------------------


def test_partners_win_together() -> None:
    tournament = play_tournament(TOGETHER, [LowFirst(TOGETHER), "random"], games=90)
    assert [match.agents for match in tournament.matches] == [
        ("LowFirst",),
        ("LowFirst", "random"),
        ("random", "LowFirst"),
        ("random",),
    ]
    for match in tournament.matches:
        assert (match.win_shares == match.win_shares[:, :1]).all()
        assert set(match.win_shares.ravel()) <= {0, 1}
        won = match.endings == 1 << TOGETHER.end_reasons.index("all_played")
        assert np.array_equal(match.win_shares[:, 0], won)
        for agent in match.agents:
            assert match.wins_of(agent).mean == pytest.approx(won.mean())
    ours, theirs = tournament.matches[0].team_wins().mean, tournament.matches[-1].team_wins().mean
    assert ours > theirs
    assert tournament.comparisons[0].match == 0
    assert tournament.ratings == {}
    text = printed(tournament)
    assert "Games won by one agent (row) with 2 of the other (column)" in text
    assert "3 x LowFirst" in text
    assert "LowFirst + 2 x random" in text
    assert "all played" in text


def test_a_mixed_team_and_a_single_one() -> None:
    mixed = play_tournament(TOGETHER, ["random", "random:", LowFirst(TOGETHER)], mode="table", games=6)
    assert [len(match) for match in mixed.matches] == [6]
    assert "random + random: + LowFirst" in printed(mixed)
    assert play_match(TOGETHER, ["random"], games=4).table().row_count == 1


def test_who_fails_loses_the_game_for_all_partners() -> None:
    result = play_match(TOGETHER, [Crashing(TOGETHER), LowFirst(TOGETHER)], games=12)
    assert set(result.faults) <= set(np.flatnonzero(result.seeds % 2 == 0))
    assert result.faults
    assert (result.win_shares[list(result.faults)] == 0).all()


# -- teams -------------------------------------------------------------------------------------------------------------


def test_teams_win_together_and_their_ranks_follow_their_wins() -> None:
    tournament = play_tournament(TEAMS, ["random", Leaving(TEAMS)], games=60)
    (match,) = tournament.matches
    assert match.agents == ("random", "Leaving")
    assert (match.win_shares[:, 0] == match.win_shares[:, 2]).all()
    assert (match.win_shares[:, 0] + match.win_shares[:, 1] == 1).all()
    assert (match.ranks == 1).all()  # the ranks of the game are meaningless
    assert np.array_equal(match.team_ranks, np.where(match.win_shares[:, :2] == 1, 1, 2))
    assert match.wins_of("random").mean + match.wins_of("Leaving").mean == pytest.approx(1)
    assert match.wins_of("Leaving").mean > 0.8
    assert tournament.ratings["Leaving"].mu > tournament.ratings["random"].mu
    text = printed(tournament)
    assert "2 x random + 2 x Leaving" in text
    assert "of one team" in text
    with pytest.raises(ValueError, match="a match of 2 teams must have 1 to 2 agents, got 3"):
        play_match(TEAMS, ["random"] * 3)


def test_the_team_of_who_fails_loses() -> None:
    result = play_match(TEAMS, [Crashing(TEAMS), Leaving(TEAMS)], games=12)
    assert set(result.faults) == set(np.flatnonzero(result.seeds % 2 == 0))
    for i in result.faults:
        guilty = result.seating[i] == 0
        assert result.win_shares[i].tolist() == np.where(guilty, 0, 1).tolist()
        assert result.ranks[i].tolist() == np.where(guilty, 3, 1).tolist()


# -- results of all kinds of games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_results_are_written_read_and_gone_on_with(game: Game, tmp_path: Path) -> None:
    out, names = tmp_path / "out.json", ["random", "random:"]
    replays = tmp_path / "games.jsonl"
    first = play_tournament(game, names, games=6, batch=4, out=out, replays=replays)
    again = play_tournament(game, names, games=6, batch=4, out=out, replays=replays)
    assert again.to_json() == first.to_json() == Tournament.from_json(out.read_text(), game).to_json()
    data = json.loads(out.read_text())
    assert data["configuration"]["game"] == game.name
    assert data["configuration"]["options"] == game.options()
    row = data["matches"][0]["games"][0]
    assert {"seed", "seating", "win_shares", "points", game.length_unit} <= set(row)
    for match in first.matches:
        for i, replay in enumerate(match.replays() if match.actions else []):
            played = replay.result()
            assert played is not None
            assert played["points"] == match.points[i].sum(axis=-1).tolist()
    with pytest.raises(ArenaError, match="belongs to a tournament with seed 0, not 1"):
        play_tournament(game, names, games=6, batch=4, out=out, replays=replays, seed=1)
    with pytest.raises(ArenaError, match=r"these are results of .*, not of Nim\(players=2\)"):
        Tournament.from_json(out.read_text(), Nim())


def test_old_results_are_refused_with_a_sentence(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    play_tournament(ALONE, ["random"], games=2, out=out)
    data = json.loads(out.read_text())
    data["configuration"]["format"] = 1
    out.write_text(json.dumps(data))
    with pytest.raises(ArenaError, match="has results of format 1, this version writes 2: run the tournament again"):
        play_tournament(ALONE, ["random"], games=2, out=out)
    with pytest.raises(ArenaError, match="the results have the format 1, not 2"):
        Tournament.from_json(out.read_text(), ALONE)
    for text in ("[]", '{"configuration": 3}', "nonsense"):
        out.write_text(text)
        with pytest.raises(ArenaError, match=r"out\.json.*(not results of the arena|not a results file)"):
            play_tournament(ALONE, ["random"], games=2, out=out)


def test_thirds_are_whole() -> None:
    finals = np.zeros(1, Nim(players=3).final)
    finals["win_share"][0, :3] = 1 / 3
    played = Played(finals, {}, None, np.zeros(1, Nim.record))
    result = MatchResult.of(Nim(players=3), ["a"], np.zeros((1, 3), np.int64), played)
    assert result.win_shares[0].tolist() == [1 / 3] * 3


# -- positions ---------------------------------------------------------------------------------------------------------


def heaps(game: Game, *sizes: int) -> list[dict[str, Any]]:
    batch = Batch(game, 1)
    return [{**batch.to_dict(0), "heap": size, "player": 1, "turns": 3} for size in sizes]


def test_every_seating_plays_every_position() -> None:
    game = Nim(players=2)
    result = play_match(game, [Leaving(game), "random"], positions=heaps(game, 5, 6, 8), keep_actions=True)
    assert result.positions is not None
    assert result.positions.tolist() == [0, 0, 1, 1, 2, 2]
    assert result.seating.tolist() == [[0, 1], [1, 0]] * 3
    assert result.starts is result.positions
    to_move = result.seating[:, 1] == 0  # with five or six counters the player to move wins with correct play
    assert (result.win_shares[to_move, 1][:2] == 1).all()
    assert result.actions is not None
    assert result.actions[1][0] == 0
    assert [row["position"] for row in result.to_dicts()] == [0, 0, 1, 1, 2, 2]
    with pytest.raises(ValueError, match="games that start from positions have no replays"):
        result.replays()


def test_a_tournament_from_positions_goes_on_with_the_same_ones_only(tmp_path: Path) -> None:
    game = Nim(players=3)
    out = tmp_path / "out.json"
    options: dict[str, Any] = {"out": out, "batch": 2}
    first = play_tournament(game, ["random", "random:"], positions=heaps(game, 5, 9), **options)
    assert [len(match) for match in first.matches] == [6, 6]
    again = play_tournament(game, ["random", "random:"], positions=heaps(game, 5, 9), **options)
    assert again.to_json() == first.to_json()
    assert again.matches[0].positions is not None
    with pytest.raises(ArenaError, match="belongs to a tournament with positions"):
        play_tournament(game, ["random", "random:"], positions=heaps(game, 5, 8), **options)
    with pytest.raises(ArenaError, match="belongs to a tournament with games None, not 600"):
        play_tournament(game, ["random", "random:"], **options)


def test_positions_that_cannot_be() -> None:
    game = Nim(players=2)
    for positions, complaint in (
        (heaps(game, 5, 99), r"positions\[1\]: a heap has 0 to 25 counters"),
        (heaps(game, 0), r"positions\[0\]: the game is already over"),
        ([], "positions must be at least one description, got none"),
        ([7], r"positions\[0\]: a position must be a JSON object .a dictionary., got int"),
    ):
        with pytest.raises(PositionError, match=complaint):
            play_match(game, ["random"], positions=positions)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="games and positions cannot be combined"):
        play_match(game, ["random"], positions=heaps(game, 5), games=3)
    with pytest.raises(ValueError, match="have no replays"):
        play_tournament(game, ["random"], positions=heaps(game, 5), replays="nowhere.jsonl")


def test_files_of_positions_say_which_line_is_wrong(tmp_path: Path) -> None:
    game, file = Nim(players=2), tmp_path / "positions.jsonl"
    good = heaps(game, 5, 6)
    file.write_text("\n\n".join(map(json.dumps, good)) + "\n")
    assert load_positions(file, game) == good
    for line, complaint in (
        ("hello", "is not JSON"),
        ("[" * 5000, "is not JSON"),
        ("3", "a position must be a JSON object .a dictionary., got int"),
        ('{"cards": 3}', "fields of a position must be among .*, got 'cards'"),
        ('{"heap": 26}', "a heap has 0 to 25 counters"),
        ('{"heap": 0}', "the game is already over"),
    ):
        file.write_text(json.dumps(good[0]) + "\n\n" + line)
        with pytest.raises(PositionError, match=rf"positions\.jsonl, line 3: {complaint}"):
            load_positions(file, game)
    file.write_text("\n")
    with pytest.raises(PositionError, match=r"positions\.jsonl has no positions"):
        load_positions(file, game)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PositionError, match="it is not text"):
        load_positions(file, game)


# -- hooks -------------------------------------------------------------------------------------------------------------


class Counting(Hook):
    """Follows the games, and checks that no call is missing."""

    def __init__(self) -> None:
        self.begun = self.ended = self.faults = 0
        self.actions: Counter[int] = Counter()
        self.wins: defaultdict[str, float] = defaultdict(float)
        self.open: set[int] = set()

    def before_game(self, playing: Playing, index: np.ndarray) -> None:
        assert not self.open
        self.open = set(index.tolist())
        self.begun += len(index)

    def step(self, playing: Playing, index: np.ndarray, actions: np.ndarray) -> None:
        assert set(index.tolist()) <= self.open
        assert playing.batch.mask[index, actions].all()
        self.actions.update(actions.tolist())

    def after_game(self, playing: Playing, index: np.ndarray, finals: np.ndarray) -> None:
        assert set(index.tolist()) <= self.open
        self.open -= set(index.tolist())
        self.ended += len(index)
        self.faults += sum(i in playing.faults for i in index.tolist())
        for i, final in zip(index.tolist(), finals, strict=True):
            for seat, number in enumerate(playing.seating[i].tolist()):
                self.wins[playing.agents[number]] += float(final["win_share"][seat])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_hooks_see_every_game_and_every_decision(game: Game) -> None:
    hook, idle = Counting(), Hook()
    names: list[str | Agent] = [Crashing(game), "random"] if game.players > 1 else [Crashing(game)]
    result = play_match(game, names, games=12, batch=5, keep_actions=True, hooks=[hook, idle])
    assert not hook.open
    assert hook.begun == hook.ended == len(result)
    assert hook.faults == len(result.faults) > 0
    assert result.actions is not None
    assert hook.actions == Counter(action for actions in result.actions for action in actions)
    for number, name in enumerate(result.agents):
        assert hook.wins[name] == pytest.approx(result.win_shares[result.seating == number].sum())
    plain = play_match(game, names, games=12, batch=5)
    assert np.array_equal(plain.points, result.points)


def test_hooks_of_a_tournament() -> None:
    hook = Counting()
    tournament = play_tournament(TOGETHER, ["random", "random:"], games=6, hooks=[hook])
    assert hook.ended == sum(len(match) for match in tournament.matches)
    with pytest.raises(ValueError, match="several processes and hooks cannot be combined"):
        play_tournament(TOGETHER, ["random"], processes=2, hooks=[hook])


# -- statistics --------------------------------------------------------------------------------------------------------


def test_intervals_of_paired_differences_cover_as_often_as_they_say() -> None:
    chance = np.random.default_rng(3)
    for one, other, pairs in ((0.8, 0.6, 100), (0.95, 0.9, 60), (0.5, 0.5, 20)):
        covered = 0
        for _ in range(1000):
            luck = chance.random(pairs)
            other_luck = np.where(chance.random(pairs) < 0.5, luck, chance.random(pairs))  # half from the seed
            estimate = paired_difference((luck < one).astype(float), (other_luck < other).astype(float))
            assert estimate.low <= estimate.mean <= estimate.high
            covered += estimate.low <= one - other <= estimate.high
        assert covered / 1000 >= 0.93
    same = paired_difference(np.ones(10), np.ones(10))
    assert same.mean == 0
    assert same.low < -0.1 < 0.1 < same.high


def test_means_of_starts() -> None:
    assert means_of(np.array([1.0, 0.0, 1.0]), np.array([5, 5, 7])) == {5: 0.5, 7: 1.0}


def test_the_arena_names_no_game() -> None:
    folder = Path(agents.arena.__file__).parent
    assert not [file.name for file in folder.glob("*.py") if re.search("puerto|royal", file.read_text(), re.IGNORECASE)]
