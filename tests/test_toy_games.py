"""Games unrelated to Puerto Rico in every interface: the examples of the documentation."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

from agents.guided_mcts import GuidedMctsAgent
from agents.mcts import MctsAgent
from pr_env import Batch, Buffers, Game, IllegalActionError, PositionError, replay
from pr_env.aec import GameAEC
from pr_env.moment import Moment
from pr_env.replay import Recorder, Replay
from pr_env.rules import final_record
from pr_env.single import GameEnv
from pr_env.testing import BrokenPromiseError, check_game
from pr_env.vector import GameVectorEnv
from tests.toys import TOYS, InOrder, Nim, SevenDice

KEEP, THROW_AWAY = 0, 1
PLAY, WAIT = 0, 1


@pytest.fixture(params=TOYS, ids=str)
def game(request: pytest.FixtureRequest) -> Game:
    found: Game = request.param
    return found


def test_every_promise_is_kept(game: Game) -> None:
    assert len(check_game(game)) > 8


# -- the rules of each ---------------------------------------------------------------------------------------------


def heap_of(game: Any, counters: int) -> Batch:
    return Batch.from_dicts(game, [{"heap": counters}], autoreset=False)


def test_nim_who_takes_the_last_counter_wins() -> None:
    batch = heap_of(Nim(players=3), 5)
    batch.step([2])
    assert batch.player[0] == 1
    assert not batch.terminated[0]
    batch.step([1])
    assert batch.terminated[0]
    assert batch.reward[0].tolist() == [0, 1, 0]
    assert batch.final["rank"][0, :3].tolist() == [2, 1, 2]


def test_nim_a_last_counter_is_taken_without_a_question() -> None:
    batch = heap_of(Nim(), 2)
    batch.step([0])
    assert batch.terminated[0]
    assert batch.reward[0].tolist() == [0, 1]


def test_nim_nobody_takes_more_than_there_is() -> None:
    batch = heap_of(Nim(), 2)
    with pytest.raises(IllegalActionError, match="2 take 3 is not legal; legal: 0 take 1, 1 take 2"):
        batch.step([2])
    assert batch.to_dict(0)["heap"] == 2


@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        ({"heap": 26}, "0 to 25"),
        ({"heap": -1}, "0 to 25"),
        ({"heap": 2.0}, "heap must be a whole number"),
        ({"heap": 2**70}, "heap must be a whole number"),
        ({"stones": 3}, "got 'stones'"),
        ({"heap": 3, "player": 2}, "seats are 0 to 1"),
        (3, "must be a dictionary"),
    ],
)
def test_a_position_that_cannot_be_is_refused(position: Any, complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint):
        Nim().from_dict(position)


def test_seven_dice_are_won_or_lost_alone() -> None:
    won = Batch.from_dicts(SevenDice(), [{"pips": 12, "die": 4, "dice": 6}], autoreset=False)
    lost = won.clone()
    won.step([KEEP])
    lost.step([THROW_AWAY])
    assert won.reward.tolist() == [[1]]
    assert lost.reward.tolist() == [[0]]
    assert won.terminated[0]
    assert lost.terminated[0]


@pytest.mark.parametrize(
    ("pips", "title", "sentence"),
    [
        (15, "lucky_hand", "Won with 15 points, lucky hand (dice)"),
        (17, "master_of_the_dice", "Won with 17 points, master of the dice (dice)"),
        (14, None, "Lost with 14 points (dice)"),
    ],
)
def test_seven_dice_award_a_title(pips: int, title: str | None, sentence: str) -> None:
    game = SevenDice()
    moment = Moment(game, game.from_dict({"pips": pips, "die": 0, "dice": 7})[0])
    assert moment.title == title
    assert game.words.result(moment) == sentence


def test_games_without_titles_have_none() -> None:
    assert Moment(Nim(), heap_of(Nim(), 5).games[0]).title is None


def test_a_replay_says_the_title() -> None:
    game = SevenDice()
    results = [Replay(game, seed, (KEEP,) * 4 + (THROW_AWAY,) * 3).result() for seed in range(60)]
    assert {result and result["title"] for result in results} == {None, *game.titles}


@dataclass(frozen=True)
class SameTitles(SevenDice):  # type: ignore[misc]
    titles = ("lucky_hand", "lucky_hand", "steady_hand")


@dataclass(frozen=True)
class FewTitles(SevenDice):  # type: ignore[misc]
    titles = ("lucky_hand", "steady_hand")


@dataclass(frozen=True)
class TitlesNowhere(SevenDice):  # type: ignore[misc]
    final = final_record(1, 1, "rolls")


@dataclass(frozen=True)
class LongTitles(SevenDice):  # type: ignore[misc]
    final = final_record(1, 1, "rolls", more=[("title", np.int64)])


@dataclass(frozen=True)
class TitlesForRivals(Nim):  # type: ignore[misc]
    titles = ("taker",)


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (SameTitles(), "titles must differ"),
        (FewTitles(), r"a title must be -1 or an index in titles, from 0 to 1, got \[2\]"),
        (TitlesNowhere(), "a game with titles needs the field 'title'"),
        (LongTitles(), "field 'title' must be int8, got int64"),
        (TitlesForRivals(), "titles are for cooperative and solo games"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_titles_that_are_not_as_promised(broken: Game, complaint: str) -> None:
    with pytest.raises(BrokenPromiseError, match=complaint):
        check_game(broken)


def test_in_order_all_lose_together() -> None:
    described = {"card": [7, 12, 9, 0], "waits": 5, "highest": 3}
    batch = Batch.from_dicts(InOrder(players=3), [described], autoreset=False)
    win = batch.clone()
    batch.step([WAIT])
    batch.step([PLAY])
    assert batch.reward.tolist() == [[0, 0, 0]]
    assert batch.terminated[0]
    for action in (PLAY, WAIT, PLAY, PLAY):
        win.step([action])
    assert win.reward.tolist() == [[1, 1, 1]]


# -- every interface -------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Observation")  # PettingZoo expects images or known data types
def test_pettingzoo(game: Game) -> None:
    api_test(GameAEC(game), num_cycles=50)


def test_a_refused_reset_in_the_middle_of_a_game_changes_nothing(game: Game) -> None:
    env = GameAEC(game)
    env.reset(seed=3)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    before = env._batch.save(), env.agent_selection, copy.deepcopy(env._generator.bit_generator.state)
    for seed, options in ((4, {"position": {"nonsense": 1}}), (-1, None), ("x", None)):
        with pytest.raises(Exception, match=r"nonsense|negative|seed|whole|Seed"):
            env.reset(seed=seed, options=options)  # type: ignore[arg-type]
        assert (env._batch.save(), env.agent_selection, env._generator.bit_generator.state) == before
    env.step(int(env.last()[0]["action_mask"].argmax()))


def test_gymnasium_one_seat(game: Game) -> None:
    env = GameEnv(game)
    returns = []
    for seed in range(40):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, reward, terminated, truncated, info = env.step(np.int64(info["action_mask"].argmax()))
            over = terminated or truncated
        returns.append(reward)
        assert info["win_share"] == reward
    assert set(returns) <= {0.0, 1.0}


def test_gymnasium_many_games(game: Game) -> None:
    envs = GameVectorEnv(game, 256)
    observations, infos = envs.reset(seed=0)
    assert observations.shape == (256, game.observation_size)
    ended = 0
    view = Buffers.allocate(game, 256)
    for _ in range(40):
        observations, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))
        ended += terminated.sum()
        assert np.isfinite(rewards).all()
        assert not truncated.any()
        batch = envs._seats.batch
        batch.look(view)
        assert np.array_equal(observations, view.observation)
        assert infos["action_mask"].any(axis=1).all()
    assert ended > 256


def test_one_seat_against_a_player_that_knows_the_trick() -> None:
    def leave_a_multiple_of_four(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        heap = np.rint(observations[:, 0] * 25).astype(int)
        return np.where(heap % 4 == 0, 0, heap % 4 - 1)

    env = GameEnv(Nim(), seat=1, opponents=leave_a_multiple_of_four)
    for seed in range(20):
        _, info = env.reset(seed=seed, options={"position": {"heap": 21}})
        terminated, reward = False, 0.0
        while not terminated:
            _, reward, terminated, _, info = env.step(np.int64(info["action_mask"].argmax()))
        assert reward == 0


def test_a_position_that_is_over_before_the_learner_decides_is_refused_and_changes_nothing() -> None:
    def take_all(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))

    envs = GameVectorEnv(Nim(), 3, seat=1, opponents=take_all)
    _, infos = envs.reset(seed=1)
    envs.step(infos["action_mask"].argmax(axis=1))
    seats = envs._seats
    before = [array.tobytes() for array in seats._arrays()], envs.np_random.bit_generator.state
    for seed in (7, None):
        with pytest.raises(PositionError, match="over before the learner decides"):
            envs.reset(seed=seed, options={"position": {"heap": 3}})
        assert ([array.tobytes() for array in seats._arrays()], envs.np_random.bit_generator.state) == before


def test_games_that_are_over_before_the_learner_decides_are_left_out() -> None:
    envs = GameVectorEnv(InOrder(players=4), 200, seat=3)
    _, infos = envs.reset(seed=0)
    for _ in range(30):
        assert not envs._seats.batch.is_over().any()
        assert (envs._seats.batch.player == 3).all()
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))


def test_stable_baselines3(game: Game) -> None:
    sb3 = pytest.importorskip("pr_env.sb3")
    env = sb3.GameVecEnv(game, 16)
    observations = env.reset()
    assert observations.shape == (16, game.observation_size)
    ended = 0
    for _ in range(40):
        _, _, dones, infos = env.step(env.action_masks().argmax(axis=1))
        ended += dones.sum()
        assert all("terminal_observation" in infos[i] for i in np.flatnonzero(dones))
    assert ended > 0


def test_replays_are_written_read_and_told(game: Game, tmp_path: Path) -> None:
    batch = Batch(game, 1, seed=9, autoreset=False)
    recorder = Recorder(game, 9)
    while not batch.is_over()[0]:
        action = int(batch.sample_actions()[0])
        recorder.add(action)
        batch.step([action])
    played = recorder.replay()
    replay.save(tmp_path / "games.jsonl", [played])
    assert replay.load(tmp_path / "games.jsonl") == [played]
    assert len(played.moves()) == len(played.actions)
    assert any("over" in line for line in played.log())


# -- searches ----------------------------------------------------------------------------------------------------------


class Indifferent:
    """A uniform evaluator."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.ones(masks.shape), np.full((len(masks), self.game.players), 1 / self.game.players)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_answers_with_legal_actions(game: Game, threads: int) -> None:
    batch = Batch(game, 6, seed=2, threads=1)
    for agent in (
        MctsAgent(game, playouts=40, threads=threads),
        GuidedMctsAgent(game, Indifferent(game), playouts=40),
    ):
        thought = agent.think(batch.games)
        assert np.isfinite(thought.values).all()
        assert (thought.values >= 0).all()
        assert (thought.values <= 1).all()
        actions = agent.choose(batch.observation, batch.mask, batch.games)
        assert batch.mask[np.arange(6), actions].all()


def test_a_search_finds_the_trick_of_nim() -> None:
    for heap in (9, 10, 11):
        game = Nim()
        games = game.from_dict({"heap": heap})
        for agent in (MctsAgent(game, playouts=2000), GuidedMctsAgent(game, Indifferent(game), playouts=2000)):
            assert agent.think(games).best()[0] == heap % 4 - 1


def play_alone(game: Game, agent: Any, games: int) -> float:
    """The win rate if one agent plays all seats."""
    batch = Batch(game, games, seed=100, autoreset=False, threads=1)
    while not batch.is_over().all():
        batch.step(agent.choose(batch.observation, batch.mask, batch.games))
    return float(batch.score()["win_share"][:, 0].mean())


@pytest.mark.parametrize("game", [SevenDice(), InOrder(players=2)], ids=str)
def test_a_search_wins_alone_and_together_more_often_than_chance(game: Game) -> None:
    from agents import RandomAgent

    by_chance = play_alone(game, RandomAgent(game), 200)
    assert play_alone(game, MctsAgent(game, playouts=200), 60) > by_chance + 0.15
    assert play_alone(game, GuidedMctsAgent(game, Indifferent(game), playouts=400), 60) > by_chance


def test_a_search_does_not_see_what_its_player_cannot_know() -> None:
    game = InOrder(players=3)
    described = [{"card": [8, *others, 0], "waits": 6, "highest": 2} for others in ([3, 20], [9, 10], [19, 4])]
    games = np.concatenate([game.from_dict(position) for position in described])
    thought = MctsAgent(game, playouts=200).think(games)
    assert (thought.visits == thought.visits[0]).all()
    assert (thought.values == thought.values[0]).all()


def test_an_agent_refuses_games_of_another_configuration() -> None:
    games = np.array(Batch(Nim(players=3), 2).games)
    with pytest.raises(ValueError, match="another configuration"):
        MctsAgent(Nim(), playouts=10).think(games)
    with pytest.raises(ValueError, match="records of"):
        MctsAgent(SevenDice(), playouts=10).think(games)
