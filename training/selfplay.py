"""Self-play PPO in one file, on plain PyTorch: all seats learn from every game, with hundreds of games in parallel.

Read from top to bottom it is the algorithm: settings, network, compiled loops, then `SelfPlay`, which collects a
rollout, learns from it, and saves and loads checkpoints. It trains on every game of `pr_env` in every configuration.

Differences from PPO for a single agent:

- One network plays all seats, and every observation is from the acting seat's point of view. In every position the
  network estimates the win probability of each seat: a softmax over the seats, the acting one first, where everybody
  plays against everybody; otherwise a sigmoid for each seat, or a single one if all seats win or lose together. So each
  seat has a stream of values through *all* positions of a game, including those where others act, and its final reward
  travels back along that stream to its own decisions: one trajectory for each seat, without gaps, never mixed with
  another seat's.
- In some games opponents play against one seat (or team) of the learner: earlier versions of it, sampled more often the
  better they do, and agents by name. Their decisions are not learned from. The network does not even evaluate the
  positions in which scripted agents act: a game advances until somebody else is to move. Pure self-play forgets how to
  beat old habits and ends up knowing only itself. In cooperative games opponents are partners; the default is none.
- The reward of a seat is its share of the win, mixed with a soft share: where everybody plays against everybody a
  softmax over the points, which tells a narrow defeat from a heavy one and keeps values between 0 and 1 with sum 1; in
  cooperative games the progress of the team, if the game defines it.
- An exponential moving average of the weights enters the pool and is saved as the agent: it plays better than the
  latest weights.
- The first rollouts are lessons: agents by name play all seats, and the network learns to imitate them and to predict
  the winner. Exploration then starts from sensible play instead of random play.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numba import prange
from torch import Tensor, nn
from torch.nn import functional

from agents import Agent, make_agent
from agents.neural import value_count, values_add_up
from agents.policies import play_on, strategies_of
from agents.weights import Weights, write_arrays
from pr_env.checks import listed
from pr_env.compiling import announce_compiling, compiled, kernel, parallel_kernel
from pr_env.game import Buffers, Game, IllegalActionError
from pr_env.playing import ASKED
from pr_env.randomness import next_state, random_below, random_bits
from pr_env.registry import DEFAULT
from pr_env.rules import is_over, truncated, write_final
from pr_env.rules import progress as way_so_far
from pr_env.rules import step as play
from pr_env.sampling import sample_actions, start_generators
from pr_env.threads import can_share, together
from training.bfloat16 import why_no_bfloat16
from training.checkpoint import adam_arrays, damage_named, read_checkpoint, restore_adam, rules_of, under
from training.evaluation import fair_share, opponents_of
from training.settings import USUAL, check_settings, game_of, usual_agents, variants_of

LEARNER = 0  # in the table of who plays which seat; 1, 2, ... are its opponents
NO_ACTION = -1  # in a game that has just started
_FORMAT = "pr_env self-play checkpoint 5"
_LESSONS = 2_000_000
_OPPONENT_GAMES, _POOL_GAMES = 0.9, 0.05
_SOFT_POINTS = 5.0


@dataclass(frozen=True)
class Settings:
    """All hyperparameters. Pairs (first, last) are linear schedules; the default USUAL depends on the game."""

    game: str = DEFAULT  # its name, or module:Class
    options: dict[str, Any] = field(default_factory=dict)  # of the game, such as {"players": 4}
    vary: dict[str, Any] = field(default_factory=dict)  # an option with values, such as {"chapter": [1, 2, 3, 4, 5]}:
    # one network learns all of them, each in the same number of games; evaluations play the game of ``options``
    seed: int = 0  # of weights, games and actions; with one thread the same seed gives the same agent
    threads: int = 1  # of PyTorch and of the games; more threads than free cores are slower
    device: str = "cpu"  # of PyTorch; the games always run on the CPU
    num_envs: int = 512  # games in parallel; one forward pass evaluates a decision in each of them
    num_steps: int = 64  # decisions per game in a rollout, not counting those of scripted opponents
    compact: bool = False  # store observations as counts of one byte (see pr_env.Batch): a quarter of the memory
    hidden_sizes: tuple[int, ...] = (512, 256)  # widths of the hidden layers
    bfloat16: bool = False  # compute hidden layers in bfloat16: several times as fast on processors that support it
    update_epochs: int = 4  # passes over each rollout
    minibatch_size: int = 1024  # decisions per gradient step
    learning_rate: tuple[float, float] = (4e-4, 2e-5)  # of Adam
    ent_coef: tuple[float, float] = (0.02, 0.003)  # weight of the entropy bonus
    clip_coef: float = 0.2  # PPO clips the probability ratio to 1 - clip_coef ... 1 + clip_coef
    vf_coef: float = 1.0  # weight of the value loss
    gae_lambda: float = 0.98  # of GAE, per decision of any seat (with three players 0.94 per own decision)
    max_grad_norm: float = 0.5  # gradients are clipped to this norm
    sure: float = 0.99  # actions with a higher probability have almost no gradient: most are dropped ...
    sure_kept: float = 0.15  # ... except for this share, for the values and against forgetting
    soft_share: tuple[float, float] = (
        0.4,
        0.1,
    )  # weight of the soft share in the reward, beside the share of the win
    soft_points: float = (
        USUAL  # a lead of this many points makes a soft share e times as large; default: the game's clear lead
    )
    ema_decay: float = 0.9993  # decay of the averaged weights, per gradient step
    opponent_games: float = USUAL  # share of games in which a named agent has all seats but the learner's: 0.9, in
    # cooperative games 0; 1: best response
    pool_games: float = USUAL  # the same for earlier versions: 0.05, in cooperative games 0. Else all seats learn
    pool_opponents: int = 1  # earlier versions that play at a time
    pool: int = 20  # earlier versions that are kept; the weakest is dropped
    snapshot_every: int = 12  # rollouts between two snapshots for the pool (and new draws of pool opponents)
    agents: tuple[str, ...] = USUAL  # named opponents and teachers; default: the scripted agents. Twice: twice as often
    lessons: int = USUAL  # decisions of these agents to imitate first: 2,000,000, or 0 without agents
    lesson_slips: float = 0.05  # share of random actions in lessons: they show how to recover from mistakes

    def __post_init__(self) -> None:
        """Fill in the defaults of the game and check all values."""
        self._fill_in()
        counts = (
            "threads",
            "num_envs",
            "num_steps",
            "update_epochs",
            "minibatch_size",
            "pool_opponents",
            "pool",
            "snapshot_every",
        )
        shares = ("gae_lambda", "sure", "sure_kept", "ema_decay", "opponent_games", "pool_games", "lesson_slips")
        check_settings(self, counts=counts, shares=shares)
        if len(variants_of(self)) > self.num_envs:
            raise ValueError(f"num_envs must be at least the number of values of vary, got {self.num_envs!r}")
        if not all(0 <= part <= 1 for part in self.soft_share):
            raise ValueError(f"soft_share must go from 0 to 1, got {self.soft_share!r}")
        for name in ("clip_coef", "max_grad_norm", "soft_points", "sure", "sure_kept"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be more than 0, got {getattr(self, name)!r}")
        if self.opponent_games + self.pool_games > 1:
            raise ValueError(
                "opponent_games and pool_games must add up to at most 1, "
                f"got {self.opponent_games!r} and {self.pool_games!r}"
            )
        if self.lessons < 0:
            raise ValueError(f"lessons must be at least 0, got {self.lessons!r}")
        if self.lessons and not self.agents:
            raise ValueError("lessons need agents to imitate; set lessons=0 to start from scratch")
        if self.bfloat16 and (reason := why_no_bfloat16(self.device)):
            raise ValueError(f"bfloat16 does not work on this machine: {reason}")

    def _fill_in(self) -> None:
        if USUAL not in (self.soft_points, self.opponent_games, self.pool_games, self.agents, self.lessons):
            return
        game = game_of(self)
        agents = usual_agents(game) if self.agents is USUAL else self.agents
        usual = {
            "soft_points": game.clear_lead or _SOFT_POINTS,
            "agents": agents,
            "opponent_games": _OPPONENT_GAMES if game.constant_sum else 0.0,
            "pool_games": _POOL_GAMES if game.constant_sum else 0.0,
            "lessons": _LESSONS if agents else 0,
        }
        for name, value in usual.items():
            if getattr(self, name) is USUAL:
                object.__setattr__(self, name, value)

    @property
    def best_response(self) -> bool:
        """Whether all games are against named agents, so that the learner approximates a best response to them."""
        return self.opponent_games == 1 and bool(self.agents)


class Network(nn.Module):
    """Maps observations to logits of the actions and logits of the wins, the acting seat first, then clockwise.

    Args:
        observation_size: Length of an observation.
        actions: Number of actions.
        values: Number of values, see `agents.neural.value_count`.
        hidden_sizes: Widths of the hidden layers.
        bfloat16: Whether to compute the hidden layers in bfloat16.
    """

    def __init__(
        self, observation_size: int, actions: int, values: int, hidden_sizes: Sequence[int], bfloat16: bool = False
    ) -> None:
        super().__init__()
        self._autocast = bfloat16  # a module has a method bfloat16
        widths = [observation_size, *hidden_sizes]
        self.hidden = nn.ModuleList(_layer(before, after, math.sqrt(2)) for before, after in pairwise(widths))
        self.policy = _layer(widths[-1], actions, 0.01)  # small: the first policy is nearly uniform
        self.value = _layer(widths[-1], values, 0.01)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the actions (before masking) and of the wins."""
        x = observations
        with torch.autocast(x.device.type, torch.bfloat16, enabled=self._autocast):
            for layer in self.hidden:
                x = functional.relu(layer(x))
        x = x.float()
        return self.policy(x), self.value(x)

    def arrays(self) -> Weights:
        """A copy of the weights as NumPy arrays."""
        return {name: value.detach().cpu().numpy().copy() for name, value in self.state_dict().items()}

    def load_arrays(self, arrays: Weights) -> None:
        """Load weights."""
        self.load_state_dict({name: torch.from_numpy(np.array(value, np.float32)) for name, value in arrays.items()})


def _layer(before: int, after: int, gain: float) -> nn.Linear:
    layer = nn.Linear(before, after)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


# -- the compiled loops --------------------------------------------------------------------------------------------


@kernel
def choose_actions(
    scores: np.ndarray, masks: np.ndarray, generators: np.ndarray, actions: np.ndarray, log_chances: np.ndarray
) -> None:
    """Sample one legal action for each row from the masked softmax of the logits."""
    for i in range(scores.shape[0]):
        most = -np.inf
        for action in range(scores.shape[1]):
            if masks[i, action] and scores[i, action] > most:
                most = scores[i, action]
        total = 0.0
        for action in range(scores.shape[1]):
            if masks[i, action]:
                total += math.exp(scores[i, action] - most)
        generators[i] = next_state(generators[i])
        left = total * (random_bits(generators[i]) / 4294967296.0)
        chosen = -1
        for action in range(scores.shape[1]):
            if masks[i, action]:
                chosen = action
                left -= math.exp(scores[i, action] - most)
                if left < 0:
                    break
        actions[i] = chosen
        log_chances[i] = scores[i, chosen] - most - math.log(total)


@kernel
def seat_players(
    where: np.ndarray, chances: np.ndarray, sides: np.ndarray, generators: np.ndarray, seated: np.ndarray
) -> None:
    """Seat the players of new games: the learner everywhere, or on one side with an opponent on the others.

    Args:
        where: bool (games,): which games are new.
        chances: float64 (1 + opponents,): the probability of the learner alone, and of each opponent.
        sides: int64 (seats,): the side of each seat; the learner has all seats of its side.
        generators: uint64 (games,).
        seated: int8 (games, seats), written: LEARNER or the number of the opponent.
    """
    for i in range(where.shape[0]):
        if not where[i]:
            continue
        generators[i] = next_state(generators[i])
        left = random_bits(generators[i]) / 4294967296.0 - chances[0]
        other = LEARNER
        while left >= 0 and other + 1 < chances.shape[0]:
            other += 1
            left -= chances[other]
        generators[i] = next_state(generators[i])
        learner = random_below(generators[i], seated.shape[1])
        for seat in range(seated.shape[1]):
            seated[i, seat] = LEARNER if sides[seat] == sides[learner] else other


@kernel
def seat_teachers(where: np.ndarray, teachers: int, generators: np.ndarray, seated: np.ndarray) -> None:
    """Seat one of the first ``teachers`` opponents, at random, in each seat of new games."""
    for i in range(where.shape[0]):
        if where[i]:
            for seat in range(seated.shape[1]):
                generators[i] = next_state(generators[i])
                seated[i, seat] = 1 + random_below(generators[i], teachers)


@compiled
def _play_on_in_all(
    games: np.ndarray,
    tables: np.ndarray,
    actions: np.ndarray,
    seated: np.ndarray,
    strategies: np.ndarray,
    passed: np.ndarray,
    ended: np.ndarray,
    cut: np.ndarray,
    finals: np.ndarray,
    ways: np.ndarray,
) -> None:
    policies = np.empty(seated.shape[1], np.int64)
    no_chance = np.zeros(1, np.uint64)  # strategies draw no random numbers
    for i in range(games.shape[0]):
        game = games[i]
        passed[i] = 0
        if actions[i] != NO_ACTION:
            play(game, tables[0], actions[i])
            passed[i] += 1
        for seat in range(policies.shape[0]):
            policies[seat] = strategies[seated[i, seat]]
        passed[i] += play_on(game, tables[0], policies, no_chance)
        ended[i] = is_over(game)
        if ended[i]:
            cut[i] = truncated(game)
            write_final(game, tables[0], finals[i])
            for seat in range(ways.shape[1]):
                ways[i, seat] = way_so_far(game, tables[0], seat)


@kernel
def play_on_in_games(
    games: np.ndarray,
    tables: np.ndarray,
    actions: np.ndarray,
    seated: np.ndarray,
    strategies: np.ndarray,
    passed: np.ndarray,
    ended: np.ndarray,
    cut: np.ndarray,
    finals: np.ndarray,
    ways: np.ndarray,
) -> None:
    """Play an action in each game, then those of scripted opponents, until somebody else is to move or it is over.

    Args:
        games: Records (games,).
        tables: Their tables.
        actions: int64 (games,): NO_ACTION where only opponents act.
        seated: int8 (games, seats).
        strategies: int64 (1 + opponents,): the scripted strategy of each player, or ASKED.
        passed: int64 (games,), written: the number of decisions played.
        ended: bool (games,), written: whether the game is over.
        cut: bool (games,), written where it is over: whether it was truncated.
        finals: Records (games,), written where it is over.
        ways: float32 (games, seats), written where it is over: the progress of each seat towards a win.
    """
    _play_on_in_all(games, tables, actions, seated, strategies, passed, ended, cut, finals, ways)


@parallel_kernel
def play_on_in_games_together(
    threads: int,
    games: np.ndarray,
    tables: np.ndarray,
    actions: np.ndarray,
    seated: np.ndarray,
    strategies: np.ndarray,
    passed: np.ndarray,
    ended: np.ndarray,
    cut: np.ndarray,
    finals: np.ndarray,
    ways: np.ndarray,
) -> None:
    """The same; each thread plays its part of the games."""
    count = games.shape[0]
    for part in prange(threads):
        here = slice(count * part // threads, count * (part + 1) // threads)
        _play_on_in_all(
            games[here],
            tables,
            actions[here],
            seated[here],
            strategies,
            passed[here],
            ended[here],
            cut[here],
            finals[here],
            ways[here],
        )


@kernel
def who_acts(
    players: np.ndarray, seated: np.ndarray, strength: np.ndarray, actors: np.ndarray, handicaps: np.ndarray
) -> None:
    """Write who is to move in each game, and the handicap of each seat that follows from who plays it."""
    seats = seated.shape[1]
    for i in range(players.shape[0]):
        actors[i] = seated[i, players[i]]
        for distance in range(seats):
            handicaps[i, distance] = strength[seated[i, (players[i] + distance) % seats]]


@kernel
def pay(
    finals: np.ndarray,
    ended: np.ndarray,
    cut: np.ndarray,
    ways: np.ndarray,
    soft_share: float,
    soft_points: float,
    rewards: np.ndarray,
) -> None:
    """Write each seat's reward at the end of a game: its share of the win mixed with its soft share; 0 if truncated.

    The soft share is a softmax over the points; with ``soft_points`` 0 it is the progress of the seat (``ways``).
    """
    for i in range(ended.shape[0]):
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0
        if not ended[i] or cut[i]:
            continue
        most, total = finals[i].total.max(), 0.0
        if soft_points > 0:
            for seat in range(rewards.shape[1]):
                total += math.exp((finals[i].total[seat] - most) / soft_points)
        for seat in range(rewards.shape[1]):
            soft = ways[i, seat]
            if soft_points > 0:
                soft = math.exp((finals[i].total[seat] - most) / soft_points) / total
            rewards[i, seat] = (1 - soft_share) * finals[i].win_share[seat] + soft_share * soft


@kernel
def estimate_advantages(
    players: np.ndarray,
    values: np.ndarray,
    rewards: np.ndarray,
    ended: np.ndarray,
    passed: np.ndarray,
    gae_lambda: float,
    advantages: np.ndarray,
    targets: np.ndarray,
) -> None:
    """GAE along each seat's stream of values through all positions of each game that the network evaluated.

    Args:
        players: int8 (steps + 1, games): the acting seat.
        values: float32 (steps + 1, games, seats): expected rewards, clockwise from the acting seat.
        rewards: float32 (steps, games, seats): the reward of each seat after the decision, from seat 0.
        ended: bool (steps, games): whether the decision, or those of scripted opponents after it, ended the game.
        passed: int64 (steps, games): the number of decisions, including those.
        gae_lambda: Lambda, per decision.
        advantages: float32 (steps, games), written: of the action, for the acting seat.
        targets: float32 (steps, games, seats), written: the targets of the values.
    """
    steps, games, seats = rewards.shape
    for game in range(games):
        for seat in range(seats):
            advantage = 0.0
            for step in range(steps - 1, -1, -1):
                here = (seat - players[step, game]) % seats
                error = rewards[step, game, seat] - values[step, game, here]
                if ended[step, game]:
                    advantage = error
                else:
                    after = (seat - players[step + 1, game]) % seats
                    advantage = error + values[step + 1, game, after] + gae_lambda ** passed[step, game] * advantage
                targets[step, game, here] = values[step, game, here] + advantage
                if here == 0:
                    advantages[step, game] = advantage


# -- the learner -----------------------------------------------------------------------------------------------------


@dataclass
class Rollout:
    """What `SelfPlay.collect` writes and `SelfPlay.learn` reads; shapes are (steps, games, ...) unless noted."""

    observations: np.ndarray  # float32 (..., size), or uint8 if compact
    masks: np.ndarray  # bool (..., actions)
    actions: np.ndarray  # int64
    log_chances: np.ndarray  # float32: log probabilities of the actions when they were chosen
    actors: np.ndarray  # int8 (steps + 1, games): LEARNER or an opponent
    handicaps: np.ndarray  # float32 (steps + 1, games, seats)
    rewards: np.ndarray  # float32 (..., seats)
    ended: np.ndarray  # bool
    passed: np.ndarray  # int64: decisions until the next step, including those of scripted opponents
    players: np.ndarray  # int8 (steps + 1, games)
    values: np.ndarray  # float32 (steps + 1, games, seats)

    @classmethod
    def allocate(cls, game: Game, steps: int, games: int, compact: bool = False) -> Rollout:
        """Allocate the arrays once; every rollout reuses them."""
        return cls(
            observations=np.zeros((steps, games, game.observation_size), game.observation_dtype(compact)),
            masks=np.zeros((steps, games, len(game.actions)), np.bool_),
            actions=np.zeros((steps, games), np.int64),
            log_chances=np.zeros((steps, games), np.float32),
            actors=np.zeros((steps + 1, games), np.int8),
            handicaps=np.zeros((steps + 1, games, game.players), np.float32),
            rewards=np.zeros((steps, games, game.players), np.float32),
            ended=np.zeros((steps, games), np.bool_),
            passed=np.zeros((steps, games), np.int64),
            players=np.zeros((steps + 1, games), np.int8),
            values=np.zeros((steps + 1, games, game.players), np.float32),
        )


class SelfPlay:
    """The learner: call `iterate` repeatedly.

    Attributes:
        settings: The hyperparameters.
        network: The network that learns.
        games: Records of the current games.
        average: The same network with averaged weights, which is saved as the agent.
        rollouts: Number of rollouts learned from.
        decisions: Number of decisions learned from.
    """

    name: ClassVar[str] = "self-play PPO (training/selfplay.py)"
    settings_class: ClassVar[type[Settings]] = Settings

    def __init__(self, settings: Settings, start: Weights | None = None) -> None:
        """Start a new training run.

        Args:
            settings: The hyperparameters.
            start: Initial weights; random by default.
        """
        self.settings = settings
        self.game = game = game_of(settings)
        self._add_up = values_add_up(game)
        self._tells_progress = "progress" in game.reward_schemes
        self._sides = np.array(game.teams if game.constant_sum else range(game.players))
        self._even = fair_share(game) or 0.5  # assumed win rate against an opponent not met yet
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        self.network = self._new_network()
        if start is not None:
            self.network.load_arrays(start)
        self.optimizer = torch.optim.Adam(self.network.parameters(), settings.learning_rate[0], eps=1e-5, fused=True)
        self.average = self._new_network()
        self.average.load_state_dict(self.network.state_dict())
        self.rollouts = self.decisions = 0
        self.pool: list[Weights] = []
        self.pool_shares: list[float] = []  # the learner's win rate against each
        self.agent_shares = [self._even] * len(settings.agents)
        self.chosen: list[int] = []  # indices in the pool of the opponents that play now

        numbers = np.arange(settings.num_envs, dtype=np.uint64)
        self._generators = np.zeros(settings.num_envs, np.uint64)
        start_generators(numbers + np.uint64(settings.seed + 2**32), self._generators)
        self.games = np.zeros(settings.num_envs, game.record)
        self.games["seed"] = numbers + np.uint64(settings.seed)
        self._finals = np.zeros(settings.num_envs, game.final)
        self._cut = np.zeros(settings.num_envs, np.bool_)
        self._ways = np.zeros((settings.num_envs, game.players), np.float32)
        self._scales = self._on_device(game.scales.astype(np.float32))
        self._view = Buffers.allocate(game, settings.num_envs, compact=settings.compact)
        self._seated = np.zeros((settings.num_envs, game.players), np.int8)
        self._rollout = Rollout.allocate(game, settings.num_steps, settings.num_envs, settings.compact)
        variants = variants_of(settings)
        bounds = [settings.num_envs * place // len(variants) for place in range(len(variants) + 1)]
        self._parts = [(slice(*ends), variant) for ends, variant in zip(pairwise(bounds), variants, strict=True)]
        self._choose_pool_opponents()
        self.begin_all()

    @property
    def evaluation_opponents(self) -> tuple[str, ...]:
        """Opponents in evaluations, by name: those of a best response, or all agents of the game."""
        return tuple(dict.fromkeys(self.settings.agents)) if self.settings.best_response else opponents_of(self.game)

    @property
    def in_lessons(self) -> bool:
        """Whether the next rollout is a lesson: played by the agents that the network imitates first."""
        return self.decisions < self.settings.lessons

    def iterate(self, progress: float) -> dict[str, float]:
        """Collect one rollout and learn from it.

        Args:
            progress: From 0 at the start of the training run to 1 at its end; the position in all schedules.

        Returns:
            Metrics for the log.
        """
        lesson = self.in_lessons
        figures = self.play_and_learn(progress)
        self.finish_rollout(lesson)
        return figures

    def play_and_learn(self, progress: float) -> dict[str, float]:
        """The expensive part of `iterate`; on a cluster every worker does this with its own games."""
        started = time.perf_counter()
        lesson = self.in_lessons
        figures = self.collect(progress)
        collected = time.perf_counter()
        figures |= self.learn(progress, lesson)
        figures["collect_seconds"] = collected - started
        figures["learn_seconds"] = time.perf_counter() - collected
        return figures

    def finish_rollout(self, lesson: bool) -> None:
        """Count the rollout, start self-play after the last lesson, and add snapshots to the pool.

        Args:
            lesson: Whether the rollout was a lesson.
        """
        self.rollouts += 1
        if lesson and not self.in_lessons:  # the average lags behind
            self.average.load_state_dict(self.network.state_dict())
            self.begin_all()
        if not lesson and self.settings.pool_games and self.rollouts % self.settings.snapshot_every == 0:
            self.admit(self.weights())

    # -- playing -----------------------------------------------------------------------------------------------------

    @torch.inference_mode()
    def collect(self, progress: float) -> dict[str, float]:
        """Play ``num_steps`` decisions in every game, and those of scripted opponents in between."""
        settings, rollout, view = self.settings, self._rollout, self._view
        self._load_opponents()
        soft_share = _between(settings.soft_share, progress) if self._add_up or self._tells_progress else 0.0
        soft_points = settings.soft_points if self._add_up else 0.0
        strength = self._strengths()
        slips = np.random.default_rng((settings.seed, self.rollouts))
        finals, own = [], []
        played = self._let_opponents_begin(np.arange(settings.num_envs))
        for step in range(settings.num_steps):
            observations, masks = rollout.observations[step], rollout.masks[step]
            self._look(step, strength)
            observations[:], masks[:] = view.observation, view.mask
            scores = self._evaluate(step, observations)
            actions, ended = rollout.actions[step], rollout.ended[step]
            by_agents = self._let_opponents_act(rollout.actors[step], observations, masks, scores)
            choose_actions(scores, masks, self._generators, actions, rollout.log_chances[step])
            for rows, chosen in by_agents:
                actions[rows] = chosen
            moves = self._slip(actions, masks, slips) if self.in_lessons else actions
            self._play_on(moves, rollout.passed[step], ended)
            pay(self._finals, ended, self._cut, self._ways, soft_share, soft_points, rollout.rewards[step])
            if ended.any():
                finals.append(self._finals[ended])
                own.append((self._seated[ended] == LEARNER) | self.in_lessons)
                self._note_results(ended)
                self._begin(ended)
                played += self._let_opponents_begin(np.flatnonzero(ended))
        self._look(settings.num_steps, strength)
        self._evaluate(settings.num_steps, view.observation)
        return {"played": played + int(rollout.passed.sum()), **_describe(self.game, finals, own)}

    def _look(self, step: int, strength: np.ndarray) -> None:
        """Observe all games, and record who is to move and against whom."""
        view, rollout = self._view, self._rollout
        for rows, game in self._parts:
            game._look(self.games[rows], _rows_of(view, rows))
        rollout.players[step] = view.player
        who_acts(view.player, self._seated, strength, rollout.actors[step], rollout.handicaps[step])

    def _evaluate(self, step: int, observations: np.ndarray) -> np.ndarray:
        """Evaluate the network: returns the logits of the actions and records the values of the seats."""
        scores, values = self.network(self._scaled(self._on_device(observations)))
        if self._add_up:
            shares = (values + self._on_device(self._rollout.handicaps[step])).softmax(1)
        else:
            shares = values.sigmoid()
        self._rollout.values[step] = shares.cpu().numpy()  # a single value is broadcast to all seats
        return np.asarray(scores.cpu().numpy())

    def _play_on(self, actions: np.ndarray, passed: np.ndarray, ended: np.ndarray) -> None:
        """Play an action in every game, then those of scripted opponents."""
        rules = self.game.rules
        with announce_compiling("the training loop", play_on_in_games, play_on_in_games_together, rules=rules):
            for rows, game in self._parts:
                arguments = (
                    self.games[rows],
                    game.tables,
                    actions[rows],
                    self._seated[rows],
                    self._strategies,
                    passed[rows],
                    ended[rows],
                    self._cut[rows],
                    self._finals[rows],
                    self._ways[rows],
                )
                if self.settings.threads > 1 and can_share():
                    with together():
                        play_on_in_games_together.of(rules)(self.settings.threads, *arguments)
                else:
                    play_on_in_games.of(rules)(*arguments)

    def _by_part(self, rows: np.ndarray) -> Iterator[tuple[np.ndarray, Game]]:
        """Some rows of the games, in ascending order, with the game that each of them is."""
        for part, game in self._parts:
            here = rows[(rows >= part.start) & (rows < part.stop)]
            if len(here):
                yield here, game

    def begin_all(self) -> None:
        """Start all games again, with the current players."""
        self._begin(np.ones(self.settings.num_envs, np.bool_))

    def _begin(self, where: np.ndarray) -> None:
        """Start new games and draw their players."""
        for rows, game in self._by_part(np.flatnonzero(where)):
            games, seeds = self.games[rows], np.zeros(len(rows), np.uint64)
            start_generators(games["seed"], seeds)  # each seed is derived from the previous game's
            game._reset(games, seeds)
            self.games[rows] = games
        self._seat(where)

    def _let_opponents_begin(self, rows: np.ndarray) -> int:
        """Let scripted opponents play in some games until somebody else is to move; returns the number of decisions.

        A game that ends before anybody else was to move starts again.
        """
        return sum(self._let_them_begin(game, here) for here, game in list(self._by_part(rows)))

    def _let_them_begin(self, game: Game, rows: np.ndarray) -> int:
        """The same in games of one kind."""
        decisions = 0
        while len(rows):
            games, nothing = self.games[rows], np.full(len(rows), NO_ACTION)
            passed, ended = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.bool_)
            play_on_in_games.of(game.rules)(
                games,
                game.tables,
                nothing,
                self._seated[rows],
                self._strategies,
                passed,
                ended,
                np.zeros(len(rows), np.bool_),
                np.zeros(len(rows), game.final),
                np.zeros((len(rows), game.players), np.float32),
            )
            self.games[rows] = games
            decisions += int(passed.sum())
            rows = rows[ended]
            if len(rows):
                self._begin(np.isin(np.arange(self.settings.num_envs), rows))
        return decisions

    def _let_opponents_act(
        self, actors: np.ndarray, observations: np.ndarray, masks: np.ndarray, scores: np.ndarray
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Replace the learner's logits where pool opponents act; for named agents return (rows, actions) instead."""
        by_agents = []
        for number, opponent in enumerate(self._opponents, start=1):
            rows = np.flatnonzero(actors == number)
            if not len(rows):
                continue
            if isinstance(opponent, Network):
                scores[rows] = opponent(self._scaled(self._on_device(observations[rows])))[0].cpu().numpy()
            else:
                for here, game in self._by_part(rows):
                    agent = opponent[game]
                    games = self.games[here] if agent.needs_games else None
                    chosen = agent.choose(self._usual(observations[here]), masks[here], games)
                    if not masks[here, chosen].all():
                        name = self.settings.agents[number - 1]
                        raise IllegalActionError(f"{name} chose an action that is not legal")
                    by_agents.append((here, chosen))
        return by_agents

    def _slip(self, actions: np.ndarray, masks: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """The actions of a lesson as they are played: some are random, to show how to recover from mistakes."""
        by_chance = np.zeros_like(actions)
        sample_actions(masks, self._generators, by_chance)
        return np.where(random.random(len(actions)) < self.settings.lesson_slips, by_chance, actions)

    def _seat(self, where: np.ndarray) -> None:
        """Draw the players of new games: opponents play more often, the more games they win."""
        if self.in_lessons:
            seat_teachers(where, len(self.settings.agents), self._generators, self._seated)
            return
        alone = self.game.players == 1
        agents = _deal(0 if alone else self.settings.opponent_games, self.agent_shares)
        pool = _deal(0 if alone else self.settings.pool_games, self._shares_against_chosen())
        itself = 1 - agents.sum() - pool.sum()
        chances = np.concatenate([[itself], agents, pool])
        seat_players(where, chances, self._sides, self._generators, self._seated)

    def _note_results(self, ended: np.ndarray) -> None:
        """Update the win rate against each opponent, a moving average over about a hundred games."""
        for game in np.flatnonzero(ended):
            opponent = self._seated[game].max()
            if opponent == LEARNER or self._seated[game].min() != LEARNER:  # nobody else plays, or a lesson
                continue
            won = float(self._finals["win_share"][game, int(np.argmin(self._seated[game]))])
            if opponent <= len(self.agent_shares):
                shares, place = self.agent_shares, opponent - 1
            else:
                shares, place = self.pool_shares, self.chosen[opponent - 1 - len(self.agent_shares)]
            shares[place] += 0.01 * (won - shares[place])

    def _shares_against_chosen(self) -> list[float]:
        return [self.pool_shares[place] for place in self.chosen]

    def _strengths(self) -> np.ndarray:
        """The handicap of each player: added to the value logit of its seat, so that values fit games against it.

        With k opponents of logit -x and a learner of logit 0, the learner's share is 1 / (1 + k exp(-x)). Where values
        do not add up to 1 there are no handicaps.
        """
        shares = [self._even, *self.agent_shares, *self._shares_against_chosen()]
        if not self._add_up:
            return np.zeros(len(shares), np.float32)
        share = np.clip(np.array(shares), 0.02, 0.98)
        strength: np.ndarray = np.log((1 - share) / share / (self.game.players - 1))
        return strength.astype(np.float32)

    # -- learning ----------------------------------------------------------------------------------------------------

    def learn(self, progress: float, lesson: bool) -> dict[str, float]:
        """PPO on the learner's own decisions of the rollout; in a lesson, imitation of all decisions."""
        settings, rollout = self.settings, self._rollout
        advantages = np.zeros(rollout.log_chances.shape, np.float32)
        targets = np.zeros(rollout.rewards.shape, np.float32)
        estimate_advantages(
            rollout.players,
            rollout.values,
            rollout.rewards,
            rollout.ended,
            rollout.passed,
            settings.gae_lambda,
            advantages,
            targets,
        )
        rows = np.flatnonzero((rollout.actors[:-1].ravel() == LEARNER) | lesson)
        instructive, weights = (rows, np.ones(advantages.shape, np.float32)) if lesson else self._instructive(rows)
        self.decisions += len(rows)
        if not len(instructive):  # in a short rollout all decisions may be the opponents'
            return {"learned": len(rows)}
        own = advantages.ravel()[rows]
        advantages = (advantages - own.mean()) / (own.std() + 1e-8)
        observations, masks, actions, log_chances, handicaps, advantage, weight, target = (
            self._on_device(array.reshape(-1, *array.shape[2:]))
            for array in (
                rollout.observations,
                rollout.masks,
                rollout.actions,
                rollout.log_chances,
                rollout.handicaps,
                advantages,
                weights,
                targets.clip(0, 1),
            )
        )
        entropy_weight = _between(settings.ent_coef, progress)
        for group in self.optimizer.param_groups:
            group["lr"] = _between(settings.learning_rate, progress)
        sums = np.zeros(4)
        updates = 0
        for epoch in range(1 if lesson else settings.update_epochs):
            order = np.random.default_rng((settings.seed, self.rollouts, epoch)).permutation(instructive)
            for part in np.array_split(order, max(1, round(len(order) / settings.minibatch_size))):
                index = self._on_device(part)
                scores, values = self.network(self._scaled(observations[index]))
                log_policy = functional.log_softmax(scores.masked_fill(~masks[index], -1e9), dim=1)
                log_chance = log_policy.gather(1, actions[index].unsqueeze(1)).squeeze(1)
                ratio_log = log_chance - log_chances[index]
                ratio = ratio_log.exp()
                gain = advantage[index]
                clipped = ratio.clamp(1 - settings.clip_coef, 1 + settings.clip_coef)
                improvement = log_chance if lesson else torch.minimum(ratio * gain, clipped * gain)
                policy_loss = -(weight[index] * improvement).mean()
                likely = log_policy.clamp(min=-40)  # exp(-1e9) of illegal actions would take a tenth of the time
                entropy = -(likely.exp() * likely).sum(1).mean()
                value_loss = self._value_loss(values, handicaps[index], target[index])
                loss = policy_loss + settings.vf_coef * value_loss - (0 if lesson else entropy_weight) * entropy
                self.optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(self.network.parameters(), settings.max_grad_norm)
                self.optimizer.step()
                self._update_average()
                updates += 1
                with torch.inference_mode():
                    moved = ((ratio - 1).abs() > settings.clip_coef).float().mean()
                    change = (ratio - 1 - ratio_log).mean()
                    sums += [float(x) for x in (policy_loss, value_loss, moved, change)]
        figures = dict(zip(("policy_loss", "value_loss", "clipped", "kl"), (sums / updates).tolist(), strict=True))
        if lesson:  # the actions were not the network's
            del figures["clipped"], figures["kl"]
        figures["entropy"] = -float(rollout.log_chances.ravel()[rows].mean())  # of the policy that acted
        error = (targets[..., 0] - rollout.values[:-1, :, 0]).ravel()[rows]
        figures["explained"] = float(1 - error.var() / (targets[..., 0].ravel()[rows].var() + 1e-8))
        figures["learned"] = len(rows)
        figures["instructive"] = len(instructive) / len(rows)
        return figures

    def _value_loss(self, values: Tensor, handicaps: Tensor, targets: Tensor) -> Tensor:
        """Cross-entropy: of the softmax over the seats where values add up to 1, otherwise of each sigmoid."""
        if self._add_up:
            return -(targets * functional.log_softmax(values + handicaps, dim=1)).sum(1).mean()
        own = targets[:, : values.shape[1]]  # seats that win together have the same value
        return functional.binary_cross_entropy_with_logits(values, own, reduction="none").sum(1).mean()

    def _instructive(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Drop most of the nearly deterministic decisions.

        Returns:
            The rows that remain, and float32 (steps, games): the weight of each in the policy gradient. A kept decision
            also stands for those dropped: where an action is nearly certain, its many small gradients must balance the
            few large ones of the rare alternatives.
        """
        sure = self._rollout.log_chances > math.log(self.settings.sure)
        random = np.random.default_rng((self.settings.seed, self.rollouts, 1_000))
        kept = ~sure.ravel()[rows] | (random.random(len(rows)) < self.settings.sure_kept)
        return rows[kept], np.where(sure, 1 / self.settings.sure_kept, 1).astype(np.float32)

    @torch.no_grad()
    def _update_average(self) -> None:
        part = 1 - self.settings.ema_decay
        torch._foreach_lerp_(list(self.average.parameters()), list(self.network.parameters()), part)

    # -- the pool ----------------------------------------------------------------------------------------------------

    def admit(self, weights: Weights) -> None:
        """Add weights to the pool and draw its opponents again; a full pool drops those that the learner beats most."""
        while len(self.pool) >= self.settings.pool:
            weakest = int(np.argmax(self.pool_shares))
            del self.pool[weakest], self.pool_shares[weakest]
        self.pool.append(weights)
        self.pool_shares.append(self._even)
        self._choose_pool_opponents()

    def _choose_pool_opponents(self) -> None:
        """Draw the earlier versions that play next, more likely the more games they win.

        In games already started they replace the previous ones.
        """
        chance = 1 - np.array(self.pool_shares)
        count = min(self.settings.pool_opponents, len(self.pool))
        random = np.random.default_rng((self.settings.seed, self.rollouts))
        self.chosen = (
            random.choice(len(self.pool), count, replace=False, p=chance / chance.sum()).tolist() if count else []
        )

    def _load_opponents(self) -> None:
        """Make named agents again for each rollout, so that checkpoints need not store their state."""
        names, strategies = self.settings.agents, strategies_of(self.game)
        seed = self.settings.seed + self.rollouts
        agents = [{game: make_agent(name, game, seed=seed) for _, game in self._parts} for name in names]
        self._opponents: list[Network | dict[Game, Agent]] = [*agents]
        self._strategies = np.full(1 + len(agents) + len(self.chosen), ASKED)
        if not self.in_lessons:  # in lessons every decision is learned from
            for number, name in enumerate(names, start=1):
                if name in strategies:
                    self._strategies[number] = strategies.index(name)
        for place in self.chosen:
            network = self._new_network()
            network.load_arrays(self.pool[place])
            self._opponents.append(network)

    def _new_network(self) -> Network:
        game = self.game
        settings = self.settings
        sizes = game.observation_size, len(game.actions), value_count(game), settings.hidden_sizes
        return Network(*sizes, settings.bfloat16).to(settings.device)

    def _on_device(self, array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).to(self.settings.device)

    def _scaled(self, observations: Tensor) -> Tensor:
        """The network's input; scales compact observations."""
        return observations.float() * self._scales if observations.dtype == torch.uint8 else observations

    def _usual(self, observations: np.ndarray) -> np.ndarray:
        """The same for agents."""
        return self.game.expand(observations) if observations.dtype == np.uint8 else observations

    def weights(self) -> Weights:
        """The weights of the agent: the averaged ones."""
        return self.average.arrays()

    # -- checkpoints -------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write a checkpoint from which `load` resumes exactly."""
        arrays = self.learned()
        for place, member in enumerate(self.pool):
            arrays |= {f"pool/{place}/{name}": value for name, value in member.items()}
        arrays["generators"] = self._generators
        arrays["seated"] = self._seated
        arrays["games"] = self.games.view(np.uint8)
        write_arrays(path, arrays, self._about())

    def _about(self) -> dict[str, Any]:
        """The metadata of a checkpoint."""
        return {
            "format": _FORMAT,
            **rules_of(self.game),
            "settings": asdict(self.settings),
            **self.standing(),
        }

    def learned(self) -> Weights:
        """What learning changes: the weights, their average, and Adam's state."""
        arrays = {f"network/{name}": value for name, value in self.network.arrays().items()}
        arrays |= {f"average/{name}": value for name, value in self.average.arrays().items()}
        return arrays | adam_arrays(self.network, self.optimizer)

    def put_learned(self, arrays: Weights) -> None:
        """Restore what `learned` returned."""
        self.network.load_arrays(under("network/", arrays))
        self.average.load_arrays(under("average/", arrays))
        restore_adam(self.network, self.optimizer, arrays)

    def standing(self) -> dict[str, Any]:
        """Counters and the state of the pool; JSON-safe."""
        return {
            "rollouts": self.rollouts,
            "decisions": self.decisions,
            "pool_shares": self.pool_shares,
            "agent_shares": self.agent_shares,
            "chosen": self.chosen,
        }

    def put_standing(self, standing: dict[str, Any], pool: list[Weights]) -> None:
        """Restore what `standing` returned, with its pool. Current games continue."""
        self.rollouts, self.decisions = int(standing["rollouts"]), int(standing["decisions"])
        self.pool, self.chosen = pool, list(standing["chosen"])
        self.pool_shares, self.agent_shares = list(standing["pool_shares"]), list(standing["agent_shares"])

    @classmethod
    def load(cls, path: Path, **changes: Any) -> Self:
        """Resume from a checkpoint. Settings may change, except those that determine the shapes of its arrays.

        Raises:
            CheckpointError: If the file is damaged or not such a checkpoint, or the changes do not fit it.
        """
        arrays, about, settings = read_checkpoint(path, _FORMAT, cls.settings_class, changes)
        learner = cls(settings)
        with damage_named(path):
            before = about["settings"]
            learner._restore(arrays, about, same_agents=settings.agents == tuple(before["agents"]))
            lessons_began_or_ended = learner.in_lessons != (learner.decisions < before["lessons"])
            others = settings.agents != tuple(before["agents"]) or settings.pool_opponents != before["pool_opponents"]
            varies = settings.vary != before.get("vary", {})
            for rows, game in learner._parts:
                if not varies and (problems := game.problems(learner.games[rows])):
                    raise ValueError(listed(problems))
        for rows, game in learner._parts:
            if not varies:
                game.refresh(learner.games[rows])
        if others or lessons_began_or_ended or varies:  # the players of current games may not exist any more
            learner._choose_pool_opponents()
            learner.begin_all()
        return learner

    def _restore(self, arrays: Weights, about: dict[str, Any], same_agents: bool) -> None:
        """Restore what `save` wrote."""
        self.put_learned(arrays)
        agent_shares = about["agent_shares"] if same_agents else self.agent_shares
        pool = [under(f"pool/{place}/", arrays) for place in range(len(about["pool_shares"]))]
        self.put_standing(about | {"agent_shares": agent_shares}, pool)
        self._generators[:] = arrays["generators"]
        self._seated[:] = arrays["seated"]
        opponents = len(about["agent_shares"]) + len(self.chosen)
        if not all(LEARNER <= seat <= opponents for seat in np.unique(self._seated)):
            raise ValueError("its games have unknown players")
        if not all(0 <= place < len(self.pool) for place in self.chosen):
            raise ValueError("it names opponents that are not in its pool")
        if same_agents and len(self.agent_shares) != len(self.settings.agents):
            raise ValueError("its opponents are not those of its settings")
        self.games[:] = arrays["games"].view(self.game.record)


def _rows_of(view: Buffers, rows: slice) -> Buffers:
    """Some rows of buffers, not copied."""
    return Buffers(**{part.name: getattr(view, part.name)[rows] for part in fields(view)})


def _between(ends: tuple[float, float], progress: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * progress


def _deal(part: float, shares: Sequence[float]) -> np.ndarray:
    """The share of games of each opponent, larger the more the learner loses against it."""
    losses = 1 - np.array(shares)
    return np.asarray(part * losses / losses.sum())


def _describe(game: Game, finals: list[np.ndarray], own: list[np.ndarray]) -> dict[str, float]:
    """Metrics of the games that ended; wins and points are those of the learner's seats, in lessons of all seats."""
    if not finals:
        return {"ended": 0}
    final, learners = np.concatenate(finals), np.concatenate(own)
    by_source = final["points"][:, : game.players][learners].mean(axis=0)
    return {
        "ended": len(final),
        "won": float(final["win_share"][:, : game.players][learners].mean()),
        "points": float(by_source.sum()),
        "best_points": float(final["total"][:, : game.players].max(axis=1).mean()),
        f"length/{game.length_unit}": float(final[game.length_unit].mean()),
        **{f"points/{source}": float(value) for source, value in zip(game.point_sources, by_source, strict=False)},
    }
