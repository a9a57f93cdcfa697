"""PettingZoo: its own tests, rewards, illegal actions, copies."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

from pr_env import Batch, IllegalActionError, PositionError, PuertoRico, puerto_rico_v0
from pr_env.aec import GameAEC

pytestmark = pytest.mark.filterwarnings("ignore")  # PettingZoo's tests warn about dictionaries as observations


def play(env: Any, seed: int = 0, steps: int = 10_000) -> dict[str, float]:
    """Random legal play; returns the total reward of each agent, as reported by `last`."""
    chance = np.random.default_rng(seed)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter(steps):
        observation, reward, terminated, truncated, info = env.last()
        paid[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        assert np.array_equal(info["action_mask"], observation["action_mask"])
        env.step(chance.choice(np.flatnonzero(observation["action_mask"])))
    return paid


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("reward", ["win_share", "rank", "margin", "points"])
@pytest.mark.parametrize("points", ["public", "hidden"])
def test_pettingzoo_api(players: int, reward: str, points: Any) -> None:
    api_test(puerto_rico_v0.env(players=players, reward=reward, points=points), num_cycles=120)


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "buildings": "draft", "balanced": True, "points": "hidden"},
        {"players": 3, "buildings": "random"},
        {"players": 5, "double_cards": True},
        {"players": 6},
        {"players": 6, "six_players": "governor", "buildings": "draft"},
    ],
)
def test_pettingzoo_api_of_the_extended_game(options: dict[str, Any]) -> None:
    api_test(puerto_rico_v0.env(**options), num_cycles=120)
    seed_test(lambda: puerto_rico_v0.env(**options), num_cycles=60)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_pettingzoo_seed(players: int) -> None:
    seed_test(lambda: puerto_rico_v0.env(players=players), num_cycles=200)


def test_there_is_no_parallel_form() -> None:
    # PettingZoo's max_cycles_test is for modules with a parallel form and does not apply.
    assert puerto_rico_v0.env().metadata["is_parallelizable"] is False
    assert not hasattr(puerto_rico_v0, "parallel_env")


def test_pettingzoo_render() -> None:
    def make(render_mode: str | None = None) -> Any:
        return puerto_rico_v0.env(render_mode=render_mode)

    render_test(make, custom_tests={"svg": lambda svg: svg.startswith("<svg")})


def test_pettingzoo_performance(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    seconds = iter(range(0, 10_000, 2))
    monkeypatch.setattr(time, "time", lambda: float(next(seconds)))  # its five seconds pass in three calls
    performance_benchmark(puerto_rico_v0.env())
    assert "turns per second" in capsys.readouterr().out


def test_pettingzoo_registry() -> None:
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo has a registry since 1.27")
    env = pettingzoo.make("aec", "pr_env/puerto_rico-v0", players=4)
    env.reset(seed=1)
    assert env.num_agents == 4


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_agent_is_paid_its_share_at_its_last_step(players: int) -> None:
    env = puerto_rico_v0.raw_env(players=players)
    paid = play(env, seed=players)
    final = env._batch.final[0]
    assert list(paid.values()) == pytest.approx(final["win_share"][:players].tolist())
    assert env.agents == []


def test_points_add_up_to_the_final_score() -> None:
    env = puerto_rico_v0.raw_env(players=3, reward="points")
    paid = play(env, seed=4)
    assert list(paid.values()) == pytest.approx(env._batch.final["total"][0, :3].tolist())


def test_the_seed_is_the_seed_of_the_game() -> None:
    env = puerto_rico_v0.raw_env(players=4)
    env.reset(seed=77)
    assert env._batch.games.tobytes() == Batch(PuertoRico(players=4), 1, seed=77).games.tobytes()
    env.reset()
    first = env._batch.seed[0]
    env.reset(seed=77)
    env.reset()
    assert env._batch.seed[0] == first


def test_agents_who_are_not_to_move_see_the_table_from_their_seat_with_an_empty_mask() -> None:
    env = puerto_rico_v0.raw_env(players=3)
    env.reset(seed=5)
    chance = np.random.default_rng(0)
    for _ in range(60):
        views = [env.observe(agent) for agent in env.agents]
        acting = env.agents.index(env.agent_selection)
        for seat, view in enumerate(views):
            seen = env.game.read_observation(view["observation"])
            assert view["action_mask"].any() == (seat == acting)
            assert seen["self.to_move"] == (seat == acting)
            assert seen["self.doubloons"] == env._batch.games["doubloons"][0, seat]
        env.step(chance.choice(np.flatnonzero(views[acting]["action_mask"])))


def test_the_state_is_seat_by_seat_with_nothing_hidden() -> None:
    env = puerto_rico_v0.raw_env(players=3, points="hidden")
    env.reset(options={"position": {"boards": [{"chips": 4}, {"chips": 5}, {"chips": 6}], "governor": 1}})
    seen = env.game.read_observation(env.state())
    assert [int(seen[f"{seat}.chips"]) for seat in ("self", "left_1", "left_2")] == [4, 5, 6]
    own = env.game.read_observation(env.observe("player_1")["observation"])
    assert [int(own[f"{seat}.chips"]) for seat in ("self", "left_1", "left_2")] == [5, 0, 0]
    assert env.agent_selection == "player_1"
    assert env.state_space.contains(env.state())


# -- illegal actions ---------------------------------------------------------------------------------------------------

ILLEGAL = PuertoRico().action_number("build", "wharf")


@pytest.mark.parametrize("action", [ILLEGAL, 86, -1, 10**30, 1.5, "pass", None, True])
def test_illegal_actions_raise_and_change_nothing(action: Any) -> None:
    env = puerto_rico_v0.raw_env()
    env.reset(seed=0)
    before = env._batch.games.tobytes()
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert env._batch.games.tobytes() == before
    assert env.agent_selection == "player_0"


def test_an_illegal_action_ends_the_game_where_that_was_asked_for() -> None:
    env = puerto_rico_v0.raw_env(illegal_action="terminate")
    env.reset(seed=0)
    env.step(ILLEGAL)
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0, "player_2": 0.0}
    assert all(env.terminations.values())
    for _ in range(3):
        env.step(None)
    assert env.agents == []


def test_a_random_legal_action_takes_the_place_of_an_illegal_one() -> None:
    def trace(seed: int) -> bytes:
        env = puerto_rico_v0.raw_env(illegal_action="random_legal")
        env.reset(seed=seed)
        for _ in range(30):
            env.step(
                ILLEGAL
                if env.agent_selection == "player_0"
                else int(env.observe(env.agent_selection)["action_mask"].argmax())
            )
        return env._batch.games.tobytes()

    assert trace(1) == trace(1)


def test_a_position_that_is_over_is_refused() -> None:
    over = {"phase": "game_over", "ending": ["rounds"], "round": 100}
    with pytest.raises(PositionError, match="is over"):
        puerto_rico_v0.raw_env().reset(options={"position": over})


def test_order_of_calls() -> None:
    env = puerto_rico_v0.env()
    for name in ("agents", "agent_selection", "rewards", "infos"):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
    with pytest.raises(AttributeError, match="before reset"):
        env.step(0)
    play(env)
    with pytest.warns(UserWarning, match="after all agents have left"):
        env.step(0)


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="illegal_action must be one of raise, terminate, random_legal"):
        puerto_rico_v0.env(illegal_action="shout")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="render_mode must be one of human, ansi, rgb_array, svg, got 'hologram'"):
        puerto_rico_v0.env(render_mode="hologram")
    with pytest.raises(ValueError, match="players must be a whole number from 2 to 6, got 9"):
        puerto_rico_v0.env(players=9)


# -- copies ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("copier", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_play_on_alike_and_apart(copier: Any) -> None:
    env = puerto_rico_v0.env(players=3)
    env.reset(seed=3)
    chance = np.random.default_rng(0)
    for _ in range(50):
        env.step(chance.choice(np.flatnonzero(env.last()[0]["action_mask"])))
    twin = copier(env)
    inner: GameAEC = env.unwrapped
    before = inner._batch.games.tobytes()
    for _ in range(20):
        twin.step(int(twin.last()[0]["action_mask"].argmax()))
    assert inner._batch.games.tobytes() == before
    for _ in range(20):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert inner._batch.games.tobytes() == twin.unwrapped._batch.games.tobytes()


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "svg"])
def test_render_modes(mode: str) -> None:
    env = puerto_rico_v0.env(players=4, render_mode=mode)
    env.reset(seed=0)
    picture = env.render()
    if mode == "rgb_array":
        assert isinstance(picture, np.ndarray)
        assert picture.dtype == np.uint8
        assert picture.ndim == 3
    else:
        assert isinstance(picture, str)
        assert "indigo" in picture.lower()


def test_a_notebook_shows_the_board() -> None:
    env = puerto_rico_v0.raw_env()
    env.reset(seed=0)
    batch = Batch(PuertoRico(players=3), 2, seed=0)
    assert env._repr_svg_() == batch._repr_svg_()
    with pytest.raises(ValueError, match="mode must be one of ansi"):
        batch.render(0, "hologram")
