"""A learner that decides for a team, and what environments report in cooperative and solo games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from pr_env import Buffers, Game
from pr_env.aec import GameAEC
from pr_env.seats import SeatBatch, result_of
from pr_env.single import GameEnv
from pr_env.vector import GameVectorEnv
from tests.toys import InOrder, Nim, SevenDice


@dataclass(frozen=True)
class PairsOfNim(Nim):  # type: ignore[misc] # the class comes from an example
    """Four players, two against two; whoever takes the last counter wins for their pair."""

    @property
    def teams(self) -> tuple[int, ...]:
        return (0, 1, 0, 1)


def last_legal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))


def play(env: GameEnv, seed: int) -> tuple[float, list[int], dict[str, Any]]:
    """Random play: the rewards, the seats that decided, and the last info."""
    chance = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    paid, seats, done = 0.0, [], False
    while not done:
        seats.append(info["seat"])
        _, reward, terminated, truncated, info = env.step(chance.choice(np.flatnonzero(info["action_mask"])))
        paid, done = paid + reward, terminated or truncated
    return paid, seats, info


def test_one_controller_decides_for_every_seat_of_a_cooperative_game() -> None:
    game = InOrder(players=3)
    env = GameEnv(game, seat="team")
    chance = np.random.default_rng(0)
    seats, view = set(), Buffers.allocate(game, 1)
    for seed in range(5):
        seen, info = env.reset(seed=seed)
        while True:
            assert info["seat"] == env._seats.batch.player[0]
            seats.add(info["seat"])
            env._seats.batch.look(view, viewer=info["seat"])
            assert np.array_equal(seen, view.observation[0])  # the observation of the seat to move, without other hands
            seen, reward, terminated, _, info = env.step(chance.choice(np.flatnonzero(info["action_mask"])))
            if terminated:
                break
        assert reward == float(info["won"])
    assert seats == {0, 1, 2}


def test_the_team_is_paid_what_each_of_its_seats_is_paid_on_average() -> None:
    game = InOrder(players=2)
    for seed in range(5):
        paid, _, info = play(GameEnv(game, seat="team", reward="points"), seed)
        assert paid == pytest.approx(np.mean(info["points"]))


def test_two_teams_take_turns_and_opponents_play_the_other_one() -> None:
    game = PairsOfNim(players=4)
    env = GameEnv(game, seat="team", opponents=[last_legal, "random"])
    for seed in range(6):
        _, seats, info = play(env, seed)
        assert set(seats) <= ({0, 2} if seed % 2 == 0 else {1, 3})
        assert "won" not in info  # another team can win
    first = [env.reset()[1]["seat"] % 2 for _ in range(4)]
    assert first in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_partners_and_opponents_are_counted_without_the_seats_of_the_team() -> None:
    asked: list[set[int]] = [set(), set()]

    class Watcher:
        needs_games = True

        def __init__(self, number: int) -> None:
            self.number = number

        def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
            assert games is not None
            asked[self.number] |= set(games["player"].tolist())
            return last_legal(observations, masks)

    seats = SeatBatch(PairsOfNim(players=4), 8, 0, seat="team", opponents=[Watcher(0), Watcher(1)])
    for _ in range(20):
        seats.step(last_legal(seats.observation, seats.mask))
    assert asked == [{1, 2}, {3, 0}]  # the next one clockwise from the first seat of team 0, or of team 1


def test_a_vector_of_teams_plays_as_single_games_do() -> None:
    game = InOrder(players=3)
    many = GameVectorEnv(game, 4, seat="team")
    _, infos = many.reset(seed=3)
    singles = [GameEnv(game, seat="team") for _ in range(4)]
    single_infos = [env.reset(seed=3 + place)[1] for place, env in enumerate(singles)]
    running = np.ones(4, bool)
    while running.any():
        actions = infos["action_mask"].argmax(axis=1)
        for place in np.flatnonzero(running):
            assert np.array_equal(infos["action_mask"][place], single_infos[place]["action_mask"])
            assert infos["seat"][place] == single_infos[place]["seat"]
        _, rewards, terminated, truncated, infos = many.step(actions)
        for place in np.flatnonzero(running):
            _, reward, *ended, single_infos[place] = singles[place].step(actions[place])
            assert (rewards[place], terminated[place], truncated[place]) == (reward, *ended)
            if terminated[place]:
                final = {name: infos["final_info"][name][place] for name in ("win_share", "won", "seat")}
                assert final == {name: single_infos[place][name] for name in final}
        running &= ~(terminated | truncated)


def test_alone_the_whole_game_is_yours_with_every_way_to_say_so() -> None:
    traces = []
    for seat in (0, "rotate", "team"):
        paid, seats, info = play(GameEnv(SevenDice(), seat=seat), 4)
        traces.append((paid, seats, info["won"], info["title"], info["points"]))
    assert traces[0] == traces[1] == traces[2]
    assert set(traces[0][1]) == {0}


@pytest.mark.parametrize("game", [InOrder(players=2), SevenDice()], ids=str)
def test_every_agent_of_a_pettingzoo_game_is_told_the_result(game: Game) -> None:
    env = GameAEC(game)
    env.reset(seed=1)
    while not env.terminations[env.agent_selection]:
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    final = env._batch.final[0]
    for seat, agent in enumerate(env.possible_agents):
        told = {name: value for name, value in env.infos[agent].items() if name != "action_mask"}
        assert told == result_of(game, final, seat)
        assert ("title" in told) == bool(game.titles)


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        (Nim(players=3), {"seat": "team"}, "seat='team' is for games with teams; in this game of nim everybody plays"),
        (SevenDice(), {"seat": "squad"}, "seat must be 'rotate', 'team' or a number from 0 to"),
        (
            InOrder(players=3),
            {"seat": "team", "opponents": ["random"]},
            "3 players whose learner has a team need 0",
        ),
        (PairsOfNim(players=4), {"seat": "team", "opponents": ["random"]}, "need 2 opponents, got 1"),
    ],
)
def test_bad_arguments(game: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GameEnv(game, **options)
