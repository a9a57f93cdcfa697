"""Example: RLlib's PPO on pr_env's batch, in one file. Every seat of every game learns; one network plays them all.

For users of RLlib; the strong and fast learner is ``selfplay.py``. This adds to RLlib's PPO:

- `MaskedModule`, a network that only chooses legal actions.
- `BatchRunner`, which plays all games at once: one forward pass for a decision in each game. The rewards of a seat up
  to its next decision belong to its last one, so each seat of a game is a separate episode.
- `weights_of`, which turns the network into an agent of this package.

RLlib needs an older Gymnasium than the rest, so it has its own environment (``make test-rllib``).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core import COMPONENT_RL_MODULE, DEFAULT_AGENT_ID, DEFAULT_MODULE_ID
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env import INPUT_ENV_SPACES
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer
from ray.rllib.utils import metrics as names
from ray.rllib.utils.checkpoints import Checkpointable
from torch import Tensor, nn

from agents.cluster import connected
from agents.neural import save_agent
from agents.weights import Weights
from pr_env import Batch, __version__
from pr_env.game import Game
from pr_env.registry import DEFAULT, find_game

OBSERVATION, MASK = "observation", "action_mask"  # as in PettingZoo's environments
_ILLEGAL = -1e9  # a score that a softmax turns into 0


@dataclass(frozen=True)
class Settings:
    """The hyperparameters."""

    game: str = DEFAULT  # a name, or module:Class
    options: dict[str, Any] = field(default_factory=dict)  # of the game, for example {"players": 4}
    seed: int = 0  # of weights, games and actions
    runners: int = 0  # processes that play; 0 for this one
    num_envs: int = 256  # games in parallel in each of them
    num_steps: int = 64  # decisions per game in a rollout
    hidden_sizes: tuple[int, ...] = (256, 256)  # widths of the hidden layers
    update_epochs: int = 2  # passes over each rollout
    minibatch_size: int = 2048  # decisions per gradient step
    learning_rate: float = 4e-4  # of Adam
    ent_coef: float = 0.01  # weight of the entropy bonus
    gae_lambda: float = 0.95  # of GAE, per own decision
    reward: str = "win_share"  # one of the game's reward schemes


def game_of(settings: Settings) -> Game:
    """The game that settings name, with their options."""
    return find_game(settings.game)(**settings.options)


# -- the network -------------------------------------------------------------------------------------------------------


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """Policy and value with shared hidden layers; illegal actions get a very low score."""

    def setup(self) -> None:
        """Build the layers."""
        widths = [*self.observation_space[OBSERVATION].shape, *self.model_config["hidden_sizes"]]
        hidden = [nn.Linear(before, after) for before, after in pairwise(widths)]
        self.hidden = nn.ModuleList(hidden)
        self.policy = nn.Linear(widths[-1], int(self.action_space.n))
        self.value = nn.Linear(widths[-1], 1)
        for layer in hidden:
            nn.init.orthogonal_(layer.weight, 2**0.5)
            nn.init.zeros_(layer.bias)
        for head in (self.policy, self.value):
            nn.init.orthogonal_(head.weight, 0.01)  # small: the first policy is nearly uniform
            nn.init.zeros_(head.bias)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        x = self._features(batch)
        legal = batch[Columns.OBS][MASK].bool()
        return {Columns.ACTION_DIST_INPUTS: self.policy(x).masked_fill(~legal, _ILLEGAL), Columns.EMBEDDINGS: x}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """The expected reward of the seat to move."""
        found: Tensor = self.value(self._features(batch) if embeddings is None else embeddings)
        return found.squeeze(-1)

    def _features(self, batch: dict[str, Any]) -> Tensor:
        x: Tensor = batch[Columns.OBS][OBSERVATION]
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return x


def weights_of(module: MaskedModule) -> Weights:
    """The policy as arrays for `agents.neural`. It has no values per seat, so a search cannot use it."""
    state = {name: value.detach().cpu().numpy().copy() for name, value in module.state_dict().items()}
    return {name: value for name, value in state.items() if not name.startswith("value.")}


# -- the games ---------------------------------------------------------------------------------------------------------


class Trajectory:
    """The decisions of one seat in one game, starting with the last one of the previous sample.

    The reward of a decision is known when the seat is to move again, or the game is over: until then there is one
    reward fewer than decisions.
    """

    def __init__(self) -> None:
        self.observations: list[np.ndarray] = []
        self.masks: list[np.ndarray] = []
        self.actions: list[int] = []
        self.scores: list[np.ndarray] = []
        self.log_chances: list[float] = []
        self.rewards: list[float] = []

    def add(
        self, observation: np.ndarray, mask: np.ndarray, action: int, scores: np.ndarray, log_chance: float
    ) -> None:
        """Add a decision of the seat."""
        self.observations.append(observation)
        self.masks.append(mask)
        self.actions.append(action)
        self.scores.append(scores)
        self.log_chances.append(log_chance)

    def rest(self) -> Trajectory:
        """The last decision, whose reward is still unknown: the start of the next sample."""
        rest = Trajectory()
        rest.add(self.observations[-1], self.masks[-1], self.actions[-1], self.scores[-1], self.log_chances[-1])
        return rest

    def episode(self, over: bool) -> SingleAgentEpisode:
        """All decisions with known rewards, in RLlib's format: with one observation more than actions.

        If the game is over, the additional observation is a copy of the last one, as a placeholder. The episode has no
        ``agent_id``, since RLlib would treat it as part of a multi-agent episode.
        """
        count = len(self.rewards)
        last = slice(-1, None) if over else slice(0, 0)
        observation = {
            OBSERVATION: np.stack(self.observations + self.observations[last]),
            MASK: np.stack(self.masks + self.masks[last]),
        }
        extra = {
            Columns.ACTION_DIST_INPUTS: np.stack(self.scores[:count]),
            Columns.ACTION_LOGP: np.array(self.log_chances[:count], np.float32),
        }
        return SingleAgentEpisode(
            observations=InfiniteLookbackBuffer(observation),
            infos=InfiniteLookbackBuffer([{} for _ in range(count + 1)]),
            actions=InfiniteLookbackBuffer(np.array(self.actions[:count], np.int64)),
            rewards=InfiniteLookbackBuffer(np.array(self.rewards, np.float32)),
            extra_model_outputs={name: InfiniteLookbackBuffer(values) for name, values in extra.items()},
            terminated=over,
            t_started=0,
            len_lookback_buffer=0,
        )


class BatchRunner(EnvRunner, Checkpointable):
    """Plays `num_envs_per_env_runner` games in parallel; ``env_config`` has the game, its options and the reward."""

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        torch.set_num_threads(1)
        given = self.config.env_config
        game = find_game(given["game"])(**given["options"])
        seed = (self._seed or 0) + 2**32 * (self.worker_index or 0)
        self.batch = Batch(game, self.config.num_envs_per_env_runner, seed, reward=given["reward"], threads=1)
        self._chance = torch.Generator().manual_seed(seed)
        self.module = self.config.get_rl_module_spec(spaces=self.get_spaces(), inference_only=True).build()
        self._trajectories = [[Trajectory() for _ in range(game.players)] for _ in range(len(self.batch))]
        self._earned = np.zeros((len(self.batch), game.players), np.float32)  # since the seat's last decision
        self._weights_seq_no = 0

    def sample(self, **kwargs: Any) -> list[SingleAgentEpisode]:
        """Play until the number of decisions that the configuration requests from this runner is complete.

        With fewer, RLlib would silently take a second sample.
        """
        wanted = self.config.get_rollout_fragment_length(self.worker_index or 0) * len(self.batch)
        episodes: list[SingleAgentEpisode] = []
        complete = sum(len(one.rewards) for seats in self._trajectories for one in seats)
        ended = 0
        while complete < wanted:
            complete += self._decide()
            for game in np.flatnonzero(self.batch.terminated | self.batch.truncated):
                ended += 1
                complete += self._end(int(game), episodes)
        for seats in self._trajectories:
            for seat, one in enumerate(seats):
                if one.rewards:
                    episodes.append(one.episode(over=False))
                    seats[seat] = one.rest()
        self._count(sum(len(episode) for episode in episodes), ended)
        return episodes

    def _decide(self) -> int:
        """Make one decision in every game. Returns the number of completed decisions."""
        batch, complete = self.batch, 0
        observations, masks, players = batch.observation.copy(), batch.mask.copy(), batch.player.copy()
        actions, scores, log_chances = self._choose(observations, masks)
        for game, seat in enumerate(players.tolist()):
            one = self._trajectories[game][seat]
            if one.actions:
                one.rewards.append(float(self._earned[game, seat]))
                complete += 1
            one.add(observations[game], masks[game], int(actions[game]), scores[game], float(log_chances[game]))
        self._earned[np.arange(len(batch)), players] = 0
        batch.step(actions)
        self._earned += batch.reward
        return complete

    def _end(self, game: int, episodes: list[SingleAgentEpisode]) -> int:
        """Complete the last decisions of all seats in a finished game. Truncated games count too; their reward is 0."""
        complete = 0
        for seat, one in enumerate(self._trajectories[game]):
            if one.actions:
                one.rewards.append(float(self._earned[game, seat]))
                complete += 1
                episodes.append(one.episode(over=True))
            self._trajectories[game][seat] = Trajectory()
        self._earned[game] = 0
        return complete

    @torch.inference_mode()
    def _choose(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sample one action for each game; also returns the masked scores and the log probabilities of the actions."""
        obs = {OBSERVATION: torch.from_numpy(observations), MASK: torch.from_numpy(masks)}
        scores = self.module.forward_exploration({Columns.OBS: obs})[Columns.ACTION_DIST_INPUTS]
        chances = scores.log_softmax(1)
        actions = torch.multinomial(chances.exp(), 1, generator=self._chance)
        return actions[:, 0].numpy(), scores.numpy(), chances.gather(1, actions)[:, 0].numpy()

    # -- methods required by RLlib -------------------------------------------------------------------------------------

    def _count(self, decisions: int, games: int) -> None:
        self.num_env_steps_sampled_lifetime += decisions
        log = self.metrics.log_value
        log(names.NUM_ENV_STEPS_SAMPLED, decisions, reduce="sum")
        log((names.NUM_AGENT_STEPS_SAMPLED, DEFAULT_AGENT_ID), decisions, reduce="sum")
        log((names.NUM_MODULE_STEPS_SAMPLED, DEFAULT_MODULE_ID), decisions, reduce="sum")
        log(names.NUM_EPISODES, games, reduce="sum")
        log(names.NUM_ENV_STEPS_SAMPLED_LIFETIME, decisions, reduce="lifetime_sum", with_throughput=True)

    def get_metrics(self) -> Any:
        """The metrics since the last call."""
        return self.metrics.reduce()

    def get_spaces(self) -> dict[str, tuple[gymnasium.Space, gymnasium.Space]]:
        """The spaces of the configuration."""
        spaces = self.config.observation_space, self.config.action_space
        return {INPUT_ENV_SPACES: spaces, DEFAULT_MODULE_ID: spaces}

    def assert_healthy(self) -> None:
        """Always healthy after construction."""

    def get_state(self, components: Any = None, *, not_components: Any = None, **kwargs: Any) -> dict[str, Any]:
        """The weights; games are not saved."""
        return {COMPONENT_RL_MODULE: self.module.get_state(), names.WEIGHTS_SEQ_NO: self._weights_seq_no}

    def set_state(self, state: dict[str, Any]) -> None:
        """Load newer weights."""
        import ray

        number = state.get(names.WEIGHTS_SEQ_NO, 0)
        if COMPONENT_RL_MODULE in state and (number == 0 or number > self._weights_seq_no):
            found = state[COMPONENT_RL_MODULE]
            found = ray.get(found) if isinstance(found, ray.ObjectRef) else found
            self.module.set_state(found.get(DEFAULT_MODULE_ID, found))
            self._weights_seq_no = number

    def get_ctor_args_and_kwargs(self) -> tuple[tuple[()], dict[str, Any]]:
        """The arguments of the constructor."""
        return (), {"config": self.config}

    def get_checkpointable_components(self) -> list[tuple[str, Any]]:
        """The network."""
        return [(COMPONENT_RL_MODULE, self.module)]


# -- training ----------------------------------------------------------------------------------------------------------


def config_of(settings: Settings) -> PPOConfig:
    """RLlib's configuration. It has no environment, because RLlib's check would play illegal actions."""
    game = game_of(settings)
    actions = len(game.actions)
    observation_space = gymnasium.spaces.Dict(
        {
            OBSERVATION: gymnasium.spaces.Box(-np.inf, np.inf, (game.observation_size,), np.float32),
            MASK: gymnasium.spaces.MultiBinary(actions),
        }
    )
    return (
        PPOConfig()
        .environment(
            observation_space=observation_space,
            action_space=gymnasium.spaces.Discrete(actions),
            env_config={"game": settings.game, "options": settings.options, "reward": settings.reward},
        )
        .env_runners(
            env_runner_cls=BatchRunner,
            num_env_runners=settings.runners,
            num_envs_per_env_runner=settings.num_envs,
            rollout_fragment_length=settings.num_steps,
        )
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=MaskedModule, model_config={"hidden_sizes": list(settings.hidden_sizes)}
            )
        )
        .training(
            train_batch_size_per_learner=settings.num_steps * settings.num_envs * max(1, settings.runners),
            minibatch_size=settings.minibatch_size,
            num_epochs=settings.update_epochs,
            lr=settings.learning_rate,
            gamma=1.0,  # no discount: a win at the end counts in full for the first decision
            lambda_=settings.gae_lambda,
            entropy_coeff=settings.ent_coef,
            clip_param=0.2,
            use_kl_loss=False,
            vf_loss_coeff=0.5,
            grad_clip=0.5,
            grad_clip_by="global_norm",
        )
        .debugging(seed=settings.seed)
    )


def save(algorithm: PPO, settings: Settings, decisions: int, path: Path) -> None:
    """Write the current agent, for ``make_agent("ppo:weights=...", game)``."""
    card = {
        "algorithm": "RLlib's PPO (training/rllib_ppo.py)",
        "settings": asdict(settings),
        "decisions": decisions,
        "pr_env": __version__,
    }
    save_agent(path, weights_of(algorithm.get_module()), game_of(settings), card)


def train(settings: Settings, decisions: int, out: Path) -> float:
    """Train for a number of decisions, and write the agent. Returns the decisions per second."""
    algorithm = config_of(settings).build_algo()
    try:
        started, done = time.perf_counter(), 0
        while done < decisions:
            result = algorithm.train()
            done = int(result[names.NUM_ENV_STEPS_SAMPLED_LIFETIME])
            learner = result[names.LEARNER_RESULTS][DEFAULT_MODULE_ID]
            rate = done / (time.perf_counter() - started)
            print(f"{done:,} decisions, {rate:,.0f} per second, entropy {learner['entropy']:.2f}", flush=True)
        save(algorithm, settings, done, out)
    finally:
        algorithm.stop()
    return rate


def main(arguments: Sequence[str] | None = None) -> None:
    """``python -m training.rllib_ppo --decisions 1000000 --out agent.npz``."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default=DEFAULT, help="a name, or module:Class")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--runners", type=int, default=0, help="processes that play; 0 for this one")
    parser.add_argument("--ray", default="local", help="address of a cluster: HOST:PORT, auto, or local (a new one)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("agent.npz"))
    given = parser.parse_args(arguments)
    settings = Settings(given.game, {"players": given.players}, given.seed, given.runners)
    with connected(given.ray):  # otherwise Ray would look for an earlier cluster
        train(settings, given.decisions, given.out)
    print(f"{given.out} has the agent: pr-env arena ppo:weights={given.out} random --players {given.players}")


if __name__ == "__main__":
    main()
