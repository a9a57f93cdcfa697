"""Gymnasium: environments for one learner, single and vectorised."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from agents import agent_names
from pr_env import Batch, Game, IllegalActionError, PositionError, PuertoRico, opponents
from pr_env.seats import SeatBatch
from pr_env.single import GameEnv
from pr_env.vector import GameVectorEnv

ID = "pr_env/PuertoRico-v0"


def masked_random(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """A policy as it is passed for opponents: always the last legal action."""
    return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))


def episode(env: Any, seed: int | None = None) -> tuple[float, int, dict[str, Any]]:
    chance = np.random.default_rng(0)
    _, info = env.reset(seed=seed)
    total, steps, done = 0.0, 0, False
    while not done:
        _, reward, terminated, truncated, info = env.step(chance.choice(np.flatnonzero(info["action_mask"])))
        total, steps, done = total + reward, steps + 1, terminated or truncated
    return total, steps, info


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gymnasium_checker(players: int) -> None:
    check_env(gymnasium.make(ID, players=players).unwrapped, skip_render_check=True)


def test_the_id_works_with_and_without_the_module() -> None:
    assert isinstance(gymnasium.make(f"pr_env:{ID}", players=4).unwrapped, GameEnv)
    assert isinstance(gymnasium.make_vec(ID, num_envs=3, players=2), GameVectorEnv)


def test_a_game_from_start_to_end() -> None:
    env = gymnasium.make(ID, players=3)
    total, steps, info = episode(env, seed=1)
    assert total == pytest.approx(info["win_share"])
    assert len(info["points"]) == 3
    assert steps > 50
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(0)


def test_the_learner_is_always_the_one_to_move() -> None:
    env = GameEnv(PuertoRico(players=4), seat=2)
    _, info = env.reset(seed=3)
    chance = np.random.default_rng(0)
    for _ in range(80):
        assert info["seat"] == 2
        assert env._seats.batch.player[0] == 2
        assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
        observation, *_, info = env.step(chance.choice(np.flatnonzero(info["action_mask"])))
        assert env.game.read_observation(observation)["self.to_move"] == 1


def test_seats_rotate_from_reset_to_reset_and_with_the_seed() -> None:
    env = GameEnv(PuertoRico(players=3))
    assert [env.reset()[1]["seat"] for _ in range(4)] == [0, 1, 2, 0]
    assert [env.reset(seed=seed)[1]["seat"] for seed in (7, 8, 9)] == [1, 2, 0]


def test_opponents_by_policy_see_their_own_seat() -> None:
    game = PuertoRico(players=3)
    seen = []

    def watching(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        views = game.read_observation(observations)
        seen.append(bool((views["self.to_move"] == 1).all()))
        return masked_random(observations, masks)

    episode(GameEnv(game, seat=0, opponents=[watching, "random"]), seed=2)
    assert seen
    assert all(seen)


def test_a_batch_of_seats_plays_as_single_games_do() -> None:
    game = PuertoRico(players=3)
    many = SeatBatch(game, 5, seed=[4, 4, 4, 4, 4], seat=1, opponents=masked_random, reward="points")
    one = SeatBatch(game, 1, seed=4, seat=1, opponents=masked_random, reward="points")
    for _ in range(200):
        action = masked_random(one.observation, one.mask)
        many.step(np.repeat(action, 5))
        one.step(action)
        assert np.array_equal(many.observation, np.repeat(one.observation, 5, axis=0))
        assert np.array_equal(many.reward, np.repeat(one.reward, 5))
        assert np.array_equal(many.terminated, np.repeat(one.terminated, 5))


@pytest.mark.parametrize("opponents", ["random", masked_random])
def test_returns_of_the_learner_are_the_final_points(opponents: Any) -> None:
    seats = SeatBatch(PuertoRico(players=3), 40, opponents=opponents, reward="points")
    total = np.zeros(40)
    checked = 0
    chance = np.random.default_rng(1)
    for _ in range(400):
        played = seats.seats.copy()
        seats.step([chance.choice(np.flatnonzero(mask)) for mask in seats.mask])
        total += seats.reward
        for i in np.flatnonzero(seats.terminated):
            # Rewards from moves of others before the learner's first decision do not belong to the learner.
            assert total[i] == pytest.approx(seats.final["total"][i, played[i]], abs=1e-3)
            total[i] = 0
            checked += 1
    assert checked > 20


def test_win_shares_of_random_play_are_fair() -> None:
    seats = SeatBatch(PuertoRico(players=3), 256)
    chance = np.random.default_rng(2)
    paid = games = 0.0
    for _ in range(300):
        seats.step([chance.choice(np.flatnonzero(mask)) for mask in seats.mask])
        paid += seats.reward.sum()
        games += seats.terminated.sum()
    assert paid / games == pytest.approx(1 / 3, abs=0.06)


def test_vector_environment_restarts_in_the_same_step() -> None:
    env: Any = gymnasium.make_vec(ID, num_envs=30, players=2)
    if hasattr(gymnasium.vector, "AutoresetMode"):
        assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
        assert env.autoreset_mode == gymnasium.vector.AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=1)
    assert observations.shape == (30, env.single_observation_space.shape[0])
    chance = np.random.default_rng(3)
    ended = 0
    for _ in range(300):
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        observations, _, terminated, truncated, infos = env.step(actions)
        assert env.observation_space.contains(observations)
        for i in np.flatnonzero(terminated | truncated):
            ended += 1
            assert infos["_final_obs"][i]
            last = env.unwrapped.game.read_observation(infos["final_obs"][i])
            seat = infos["final_info"]["seat"][i]
            assert last["self.points"] == infos["final_info"]["points"][i][seat]
            assert env.unwrapped.game.read_observation(observations[i])["round"] == 1
    assert ended > 20


def test_vector_seeds_are_those_of_the_batch() -> None:
    env: Any = gymnasium.make_vec(ID, num_envs=4, players=3, seat=0)
    observations, _ = env.reset(seed=[9, 9, 3, 4])
    assert np.array_equal(observations[0], Batch(PuertoRico(players=3), 1, seed=9).observation[0])
    assert np.array_equal(observations[0], observations[1])
    first, _ = env.reset(seed=5)
    again, _ = env.reset(seed=5)
    assert np.array_equal(first, again)


def test_start_from_a_described_position() -> None:
    position = {"phase": "captain", "boards": [{"goods": {"corn": 4}}, {}, {}]}
    env: Any = gymnasium.make(ID, players=3, seat=0, reward="points")
    env.reset(seed=0, options={"position": position})
    _, reward, *_ = env.step(env.unwrapped.game.action_number("load", "corn", 0))
    assert reward >= 5


def test_a_position_that_ends_before_the_learner_decides_is_refused() -> None:
    roles = {"settler": {"taken_by": 0}, "mayor": {"taken_by": 1}}
    env: Any = gymnasium.make(ID, players=3, seat=0)
    with pytest.raises(PositionError, match="over before the learner decides"):
        env.reset(seed=1, options={"position": {"round": 100, "roles": roles}})


def test_the_same_seed_is_the_same_seat_and_game_single_and_vectorised() -> None:
    single: Any = gymnasium.make(ID, players=3)
    many: Any = gymnasium.make_vec(ID, num_envs=4, players=3)
    observations, infos = many.reset(seed=7)
    for i in range(4):
        observation, info = single.reset(seed=7 + i)
        assert info["seat"] == infos["seat"][i]
        assert np.array_equal(observation, observations[i])


# -- the mask in the observation ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_gymnasium_checker_with_the_mask_in_the_observation(players: int) -> None:
    check_env(gymnasium.make(ID, players=players, mask_in_observation=True).unwrapped, skip_render_check=True)


def test_the_mask_in_the_observation_is_the_mask() -> None:
    plain: Any = gymnasium.make(ID, players=2, seat=0)
    both: Any = gymnasium.make(ID, players=2, seat=0, mask_in_observation=True)
    chance = np.random.default_rng(0)
    vector, info = plain.reset(seed=4)
    observation, _ = both.reset(seed=4)
    done = False
    while not done:
        assert np.array_equal(observation["observation"], vector)
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        assert both.observation_space.contains(observation)
        action = chance.choice(np.flatnonzero(info["action_mask"]))
        vector, _, done, _, info = plain.step(action)
        observation, *_ = both.step(action)
    assert np.array_equal(observation["observation"], vector)
    assert observation["action_mask"].all()  # a masked softmax of it is not NaN


def test_the_mask_in_the_observation_of_many_games() -> None:
    plain: Any = gymnasium.make_vec(ID, num_envs=8, players=2)
    both: Any = gymnasium.make_vec(ID, num_envs=8, players=2, mask_in_observation=True)
    vectors, infos = plain.reset(seed=4)
    observations, _ = both.reset(seed=4)
    ended = 0
    while not ended:
        assert np.array_equal(observations["observation"], vectors)
        assert np.array_equal(observations["action_mask"], infos["action_mask"])
        assert both.observation_space.contains(observations)
        actions = np.array([np.flatnonzero(mask)[-1] for mask in infos["action_mask"]])
        vectors, _, terminated, _, infos = plain.step(actions)
        observations, _, _, _, others = both.step(actions)
        ended = terminated.sum()
    for place in np.flatnonzero(terminated):
        last = others["final_obs"][place]
        assert both.single_observation_space.contains(last)
        assert np.array_equal(last["observation"], infos["final_obs"][place])
        assert last["action_mask"].all()


# -- opponents by name ------------------------------------------------------------------------------------------------


class Watcher:
    """An opponent with a method choose, like an agent; it records who was asked."""

    needs_games = True

    def __init__(self) -> None:
        self.asked: list[np.ndarray] = []

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        assert games is not None
        assert len(games) == len(masks) == len(observations)
        assert np.array_equal(games["legal"] != 0, masks)
        self.asked.append(games["player"])
        return masked_random(observations, masks)


def test_an_agent_as_opponent_is_given_the_games_and_asked_once_for_all_its_seats() -> None:
    watcher = Watcher()
    seats = SeatBatch(PuertoRico(players=4), 30, seat=1, opponents=[watcher, "random", watcher])
    for _ in range(20):
        seats.step(masked_random(seats.observation, seats.mask))
    asked = [set(players.tolist()) for players in watcher.asked]
    assert set().union(*asked) == {2, 0}  # the next one and the one before the learner
    assert {2, 0} in asked


def test_opponents_by_name_come_from_the_packages_that_offer_them(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Package:
        def __init__(self, name: str, known: str) -> None:
            self.name, self.known, self.value = name, known, f"{name}:make"

        def load(self) -> Any:
            return self.make

        def make(self, name: str, *, game: Game, seed: int) -> Watcher:
            if name != self.known:
                raise ValueError(f"I know {self.known}")
            assert game.players == 3
            made.append((self.name, name))
            return Watcher()

    monkeypatch.setattr(opponents, "entry_points", lambda group: [Package("one", "fox"), Package("two", "hen")])
    for env in (
        gymnasium.make(ID, players=3, opponents="hen").unwrapped,
        gymnasium.make_vec(ID, num_envs=2, players=3, opponents=["hen", masked_random]),
        gymnasium.make_vec(ID, num_envs=2, players=3, opponents=["random", "fox"]),
    ):
        env.reset(seed=1)
    assert made == [("two", "hen"), ("two", "hen"), ("one", "fox")]
    with pytest.raises(ValueError, match="no opponent 'cow': one: I know fox; two: I know hen"):
        GameEnv(PuertoRico(), opponents="cow")
    monkeypatch.setattr(opponents, "entry_points", lambda group: [])
    with pytest.raises(ValueError, match="no opponent 'cow': no package that offers players is installed"):
        GameEnv(PuertoRico(), opponents="cow")


@pytest.mark.parametrize("name", agent_names("puerto_rico"))
def test_every_agent_can_be_an_opponent(name: str) -> None:
    name += ":command=sh examples/bots/first_legal.sh" if name == "program" else ""
    env = GameEnv(PuertoRico(players=3), seat=2, opponents=["random", name])
    _, info = env.reset(seed=1)
    env.step(np.flatnonzero(info["action_mask"])[0])


def test_the_package_itself_imports_no_agents() -> None:
    code = "import sys, pr_env.sb3, pr_env.cli; sys.exit('agents' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# -- illegal actions and bad arguments ---------------------------------------------------------------------------------

ILLEGAL = PuertoRico().action_number("build", "wharf")


def test_illegal_actions() -> None:
    replaced = GameEnv(PuertoRico(players=3), seat=0)
    replaced.reset(seed=1)
    replaced.step(ILLEGAL)  # type: ignore[arg-type]
    ended = GameEnv(PuertoRico(players=3), seat=0, illegal_action="terminate")
    ended.reset(seed=1)
    _, reward, terminated, _, info = ended.step(ILLEGAL)  # type: ignore[arg-type]
    assert (reward, terminated, len(info["points"])) == (-1.0, True, 3)
    raising = GameEnv(PuertoRico(players=3), seat=0, illegal_action="raise")
    raising.reset(seed=1)
    with pytest.raises(IllegalActionError, match="build wharf is not legal"):
        raising.step(ILLEGAL)  # type: ignore[arg-type]


def test_an_illegal_action_that_raises_changes_nothing() -> None:
    seats = SeatBatch(PuertoRico(players=3), 40, seat=0, reward="points")
    while not seats.terminated.any():
        seats.step(seats.batch.sample_actions())
    before = seats.reward.copy(), seats.terminated.copy(), seats.final.copy(), seats.batch.games.copy()
    assert before[0].any()
    actions = seats.mask.argmax(axis=1)
    actions[-1] = ILLEGAL
    with pytest.raises(IllegalActionError):
        seats.step(actions)
    after = seats.reward, seats.terminated, seats.final, seats.batch.games
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 3}, "seat must be 'rotate', 'team' or a number from 0 to 2, got 3"),
        ({"seat": "best"}, "from 0 to 2, got 'best'"),
        (
            {"seat": "team"},
            "seat='team' is for games with teams; in this game of puerto_rico everybody plays for themselves",
        ),
        ({"seat": 1.0}, "from 0 to 2, got 1.0"),
        (
            {"opponents": "clever"},
            "no opponent 'clever': agents: there is no agent 'clever' for puerto_rico; available: random",
        ),
        ({"opponents": 7}, "opponent must be a name, a function of observations and masks, or an agent, got 7"),
        ({"opponents": np.uint64(7)}, "opponent must be a name, a function of observations and masks, or an agent"),
        ({"opponents": np.True_}, "opponent must be a name, a function of observations and masks, or an agent"),
        ({"opponents": ["random"]}, "3 players need 2 opponents, got 1"),
        ({"illegal_action": "shout"}, "illegal_action must be one of"),
        ({"render_mode": "hologram"}, "render_mode must be one of human, ansi"),
        ({"reward": "fame"}, "reward must be one of"),
    ],
)
def test_bad_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GameEnv(PuertoRico(players=3), **options)
