"""Every interface in every configuration, with the checkers of PettingZoo, Gymnasium and Stable-Baselines3.

``NUMBA_DISABLE_JIT=1 python -m tests.port_royal.checkers competitive`` (or ``cooperative``): compiling all
configurations would take half an hour.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import gymnasium.utils.env_checker
import numpy as np
from pettingzoo.test import api_test, seed_test

from pr_env import Batch, port_royal_v0
from pr_env.port_royal import PortRoyal
from pr_env.replay import Recorder, Replay
from pr_env.vector import GameVectorEnv
from tests.port_royal.configurations import CONFIGURATIONS

ID = "pr_env/PortRoyal-v0"


def seats_of(game: PortRoyal) -> tuple[Any, ...]:
    """The possible sets of learners."""
    return ("rotate",) if game.constant_sum else ("rotate", "team")


def check(options: dict[str, Any]) -> Iterator[str]:
    """Run all checkers on a configuration; yields the names of passed checks."""
    game = PortRoyal(**options)
    rewards = game.reward_schemes if options["players"] == 2 else game.reward_schemes[:1]
    for reward in rewards:
        api_test(port_royal_v0.env(**options, reward=reward), num_cycles=5)
    yield f"api_test {', '.join(rewards)}"
    seed_test(lambda: port_royal_v0.env(**options), num_cycles=5)
    yield "seed_test"
    for seat in seats_of(game):
        single = gymnasium.make(ID, **options, seat=seat).unwrapped
        gymnasium.utils.env_checker.check_env(single, skip_render_check=True)
        yield f"check_env {seat}"
        _check_with_sb3(options, seat)
        yield f"sb3 {seat}"
        _play_vector(options, seat)
        yield f"make_vec {seat}"
    _copy(game)
    yield "copies"
    _record(game)
    yield "replay"


def _copy(game: PortRoyal) -> None:
    """Cloned, saved, restored and described games continue in the same way."""
    batch = Batch(game, 2, seed=4, threads=1)
    for _ in range(8):
        batch.step(batch.sample_actions())
    restored = Batch(game, 2, seed=9, threads=1)
    restored.restore(batch.save())
    described = Batch.from_dicts(game, [batch.to_dict(0), batch.to_dict(1)], threads=1)
    for copy in (batch.clone(), restored, described):
        assert copy.games.tobytes() == batch.games.tobytes()
    actions = batch.sample_actions()
    for copy in (batch, restored):
        copy.step(actions)
    assert restored.games.tobytes() == batch.games.tobytes()


def _record(game: PortRoyal) -> None:
    """A replay is written, read and described."""
    batch, recorder = Batch(game, 1, seed=6, autoreset=False, threads=1), Recorder(game, 6)
    for _ in range(12):
        action = batch.sample_actions()
        recorder.add(action[0])
        batch.step(action)
    replay = Replay.from_json(recorder.replay().to_json())
    assert replay == recorder.replay()
    assert replay.batch_at(12).games.tobytes() == batch.games.tobytes()
    assert len(replay.log()) > 12


def _check_with_sb3(options: dict[str, Any], seat: Any) -> None:
    """The single environment, and a VecEnv."""
    from stable_baselines3.common.env_checker import check_env

    from pr_env.sb3 import GameVecEnv

    check_env(gymnasium.make(ID, **options, seat=seat).unwrapped)
    many = GameVecEnv(PortRoyal(**options), 2, seat=seat)
    many.reset()
    for _ in range(5):
        observations, rewards, dones, infos = many.step(many.action_masks().argmax(axis=1))
        assert many.observation_space.contains(np.asarray(observations)[0])
        assert rewards.shape == dones.shape == (2,)
        assert len(infos) == 2


def _play_vector(options: dict[str, Any], seat: Any) -> None:
    many: Any = gymnasium.make_vec(ID, num_envs=2, **options, seat=seat)
    assert isinstance(many, GameVectorEnv)
    observations, infos = many.reset(seed=1)
    for _ in range(5):
        actions = infos["action_mask"].argmax(axis=1)
        observations, rewards, *_, infos = many.step(actions)
        assert many.observation_space.contains(observations)
        assert np.isfinite(rewards).all()


def main() -> None:
    """Check the configurations of a mode, and report."""
    warnings.simplefilter("ignore")  # the checkers warn about dictionaries as observations
    mode = sys.argv[1]
    chosen = [options for options in CONFIGURATIONS if options.get("mode", "competitive") == mode]
    for options in chosen:
        print(f"{options}: {'; '.join(check(options))}", flush=True)
    print(f"{len(chosen)} configurations: all checks passed")


if __name__ == "__main__":
    main()
