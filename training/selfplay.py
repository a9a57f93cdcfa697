"""Self-play PPO in one file: every seat learns from every game, hundreds of games at once, on plain PyTorch.

Read from top to bottom it is the algorithm: settings, network, the compiled loops, then `SelfPlay`, which collects a
rollout, learns from it, and writes and reads checkpoints. It trains any game of `pr_env`, in any configuration.

What differs from PPO for one player:

- One network plays all seats; an observation is always seen from the acting seat. For every position the network says
  how likely each seat wins: a softmax over the seats, oneself first, where everybody plays against everybody; else a
  chance for each seat, and one chance for all if all win or lose together. So each seat has a stream of values through
  *all* positions of a game, its own and the others', and its final reward travels back along that stream to its own
  decisions: a trajectory for each seat, without gaps and without mixing.
- In some games rivals play against one seat (or team) of the learner: earlier versions of it, chosen more often the
  better they do against it, and agents by name. Their decisions are not learned from; those of scripted agents are not
  even looked at: a game goes on by itself until somebody else is to move. Pure self-play forgets what beats old habits
  and ends up knowing itself only. In games that are won together rivals are partners; usually there are none.
- A seat is paid its share of the win mixed with a soft share: where everybody plays against everybody a softmax over
  the points, which tells a narrow defeat from a heavy one and keeps values between 0 and 1 with sum 1; in games won
  together how far the team came, where the game can say so.
- An average of the weights over the last updates is what enters the pool and what is handed out: it plays better than
  the last weights.
- The first rollouts are lessons: agents by name play all seats, and the network learns to play as they do and to say
  who wins. Sensible play is a better place to explore from than chance.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
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
from training.settings import USUAL, check_settings, game_of, usual_agents

LEARNER = 0  # in the table of who plays which seat; 1, 2, ... are the rivals
NO_ACTION = -1  # in a game that has just begun
_FORMAT = "pr_env self-play checkpoint 4"
_LESSONS = 2_000_000
_RIVAL_GAMES, _POOL_GAMES = 0.75, 0.1
_SOFT_POINTS = 5.0


@dataclass(frozen=True)
class Settings:
    """All hyperparameters. Pairs (first, last) change linearly over the training; USUAL depends on the game."""

    game: str = DEFAULT  # a name, or module:Class
    options: dict[str, Any] = field(default_factory=dict)  # of the game, for example {"players": 4}
    seed: int = 0  # of weights, games and choices: with one thread the same seed gives the same agent
    threads: int = 1  # for PyTorch and for the games; more than the machine has free cores makes it slower
    device: str = "cpu"  # where PyTorch computes; the games are always on the processor
    num_envs: int = 512  # games side by side; each decision of all of them is one pass through the network
    num_steps: int = 128  # decisions in each game between two rounds of learning, those of scripted rivals not counted
    hidden_sizes: tuple[int, ...] = (256, 256)  # widths of the hidden layers
    bfloat16: bool = False  # 16 bits for the hidden layers: several times as fast on processors that have it
    update_epochs: int = 2  # times that each decision is learned from
    minibatch_size: int = 1024  # decisions in one update
    learning_rate: tuple[float, float] = (4e-4, 2e-5)  # of Adam
    ent_coef: tuple[float, float] = (0.02, 0.003)  # weight of the bonus for undecided policies: keeps exploring
    clip_coef: float = 0.2  # how far an update may move the probability of an action, as a ratio
    vf_coef: float = 1.0  # weight of the error of the predicted shares
    gae_lambda: float = 0.98  # of GAE, per decision of the game (three players: 0.94 per own decision)
    max_grad_norm: float = 0.5  # longer gradients are cut to this length
    sure: float = 0.99  # decisions that were more certain than this have next to no gradient: most are left out ...
    sure_kept: float = 0.15  # ... but for this part of them, for the values and against forgetting
    soft_share: tuple[float, float] = (0.4, 0.1)  # weight of the soft share beside the share of the win
    soft_points: float = (
        USUAL  # a lead of so many points makes the soft share e times the other's: the game's clear lead
    )
    ema_decay: float = 0.998  # of the averaged weights, what remains at each update
    rival_games: float = USUAL  # part of the games in which an agent by name plays the others' seats: 0.75, or 0 where
    # all win together; 1: best response
    pool_games: float = USUAL  # the same for earlier versions: 0.1, or 0 where all win together. Else all seats learn
    rivals: int = 1  # earlier versions that play at a time
    pool: int = 20  # earlier versions that are kept; the weakest goes
    snapshot_every: int = 12  # rollouts between two entries of the pool (and new choices of the rivals)
    agents: tuple[str, ...] = USUAL  # rivals and teachers by name: scripted ones. One named twice plays twice as often
    lessons: int = USUAL  # decisions of those agents to learn from at first: 2,000,000, or 0 without agents
    lesson_slips: float = 0.05  # part of the actions in lessons that chance plays: shows what to do after a mistake

    def __post_init__(self) -> None:
        """Fill in what is usual for the game, and refuse what cannot work."""
        self._fill_in()
        counts = (
            "threads",
            "num_envs",
            "num_steps",
            "update_epochs",
            "minibatch_size",
            "rivals",
            "pool",
            "snapshot_every",
        )
        shares = ("gae_lambda", "sure", "sure_kept", "ema_decay", "rival_games", "pool_games", "lesson_slips")
        check_settings(self, counts=counts, shares=shares)
        if not all(0 <= part <= 1 for part in self.soft_share):
            raise ValueError(f"soft_share must go from 0 to 1, got {self.soft_share!r}")
        for name in ("clip_coef", "max_grad_norm", "soft_points", "sure", "sure_kept"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be more than 0, got {getattr(self, name)!r}")
        if self.rival_games + self.pool_games > 1:
            raise ValueError(
                "rival_games and pool_games must be together at most 1, "
                f"got {self.rival_games!r} and {self.pool_games!r}"
            )
        if self.lessons < 0:
            raise ValueError(f"lessons must be at least 0, got {self.lessons!r}")
        if self.lessons and not self.agents:
            raise ValueError("lessons need agents that give them; lessons=0 starts from nothing")
        if self.bfloat16 and (reason := why_no_bfloat16(self.device)):
            raise ValueError(f"bfloat16 does not work on this machine: {reason}")

    def _fill_in(self) -> None:
        if USUAL not in (self.soft_points, self.rival_games, self.pool_games, self.agents, self.lessons):
            return
        game = game_of(self)
        agents = usual_agents(game) if self.agents is USUAL else self.agents
        usual = {
            "soft_points": game.clear_lead or _SOFT_POINTS,
            "agents": agents,
            "rival_games": _RIVAL_GAMES if game.constant_sum else 0.0,
            "pool_games": _POOL_GAMES if game.constant_sum else 0.0,
            "lessons": _LESSONS if agents else 0,
        }
        for name, value in usual.items():
            if getattr(self, name) is USUAL:
                object.__setattr__(self, name, value)

    @property
    def best_response(self) -> bool:
        """Whether all games are against agents by name: what is learned is how to play against these."""
        return self.rival_games == 1 and bool(self.agents)


class Network(nn.Module):
    """Observation in; out come a score for each action and scores of wins, oneself first, then clockwise.

    Args:
        observation_size: Numbers in an observation.
        actions: How many actions there are.
        values: How many values: see `agents.neural.value_count`.
        hidden_sizes: Widths of the hidden layers.
        bfloat16: Whether these compute with 16 bits.
    """

    def __init__(
        self, observation_size: int, actions: int, values: int, hidden_sizes: Sequence[int], bfloat16: bool = False
    ) -> None:
        super().__init__()
        self.short = bfloat16  # hidden layers with 16 bits
        widths = [observation_size, *hidden_sizes]
        self.hidden = nn.ModuleList(_layer(before, after, math.sqrt(2)) for before, after in pairwise(widths))
        self.policy = _layer(widths[-1], actions, 0.01)  # small: starts out undecided
        self.value = _layer(widths[-1], values, 0.01)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of actions (before masking) and of wins."""
        x = observations
        with torch.autocast(x.device.type, torch.bfloat16, enabled=self.short):
            for layer in self.hidden:
                x = functional.relu(layer(x))
        x = x.float()
        return self.policy(x), self.value(x)

    def arrays(self) -> Weights:
        """A copy of the weights as NumPy arrays."""
        return {name: value.detach().cpu().numpy().copy() for name, value in self.state_dict().items()}

    def load_arrays(self, arrays: Weights) -> None:
        """Put weights in."""
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
    """For each row one legal action by chance, as likely as the masked softmax of the scores says."""
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
    """Say who plays which seat in new games: the learner all, or the learner one side and a rival the others.

    Args:
        where: bool (games,): the new games.
        chances: float64 (1 + rivals,): of nobody but the learner, and of each rival.
        sides: int64 (seats,): seats of one side are the learner's together.
        generators: uint64 (games,).
        seated: int8 (games, seats), written: LEARNER or the number of the rival.
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
    """Put one of the first ``teachers`` rivals, drawn by chance, into each seat of new games."""
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
    no_chance = np.zeros(1, np.uint64)  # strategies need none
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
    """Play an action in each game, and what scripted rivals do then, until somebody else is to move or it is over.

    Args:
        games: Records (games,).
        tables: Their tables.
        actions: int64 (games,): NO_ACTION where only rivals play.
        seated: int8 (games, seats).
        strategies: int64 (1 + rivals,): which scripted strategy everybody follows, or ASKED.
        passed: int64 (games,), written: how many decisions that were.
        ended: bool (games,), written: whether the game is over.
        cut: bool (games,), written where it is: whether it was cut.
        finals: Records (games,), written where it is.
        ways: float32 (games, seats), written where it is: how far each seat came on the way to a win.
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
    """The same, each thread on its part of the games."""
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
    """Who is to move in each game, and what the seats' scores lose or gain because of who plays them."""
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
    """What each seat gets at the end of a game: its share of the win mixed with its soft share. If cut: nothing.

    The soft share is a softmax over the points; with ``soft_points`` 0 how far the seat came (``ways``).
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
    """GAE along each seat's stream of values through all positions of each game that were looked at.

    Args:
        players: int8 (steps + 1, games): the seat to move.
        values: float32 (steps + 1, games, seats): expected reward, from the seat to move clockwise.
        rewards: float32 (steps, games, seats): what each decision paid to each seat, from seat 0.
        ended: bool (steps, games): the decision, or those of scripted rivals after it, ended its game.
        passed: int64 (steps, games): how many decisions it was with those.
        gae_lambda: Lambda, for each of them.
        advantages: float32 (steps, games), written: of the decision, for who made it.
        targets: float32 (steps, games, seats), written: what the values should have been.
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
    """What `SelfPlay.collect` writes and `SelfPlay.learn` reads: (steps, games, ...), where not said otherwise."""

    observations: np.ndarray  # float32 (..., size)
    masks: np.ndarray  # bool (..., actions)
    actions: np.ndarray  # int64
    log_chances: np.ndarray  # float32: of the actions when they were chosen
    actors: np.ndarray  # int8 (steps + 1, games): LEARNER or a rival
    handicaps: np.ndarray  # float32 (steps + 1, games, seats)
    rewards: np.ndarray  # float32 (..., seats)
    ended: np.ndarray  # bool
    passed: np.ndarray  # int64: decisions until the next step, of scripted rivals as well
    players: np.ndarray  # int8 (steps + 1, games)
    values: np.ndarray  # float32 (steps + 1, games, seats)

    @classmethod
    def allocate(cls, game: Game, steps: int, games: int) -> Rollout:
        """Room for one, used again and again."""
        return cls(
            observations=np.zeros((steps, games, game.observation_size), np.float32),
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
    """The learner: call `iterate` again and again.

    Attributes:
        settings: The hyperparameters.
        network: What learns.
        games: Records of the games that are played.
        average: The averaged weights: what is handed out.
        rollouts: How many rollouts have been learned from.
        decisions: How many decisions have been learned from.
    """

    name: ClassVar[str] = "self-play PPO (training/selfplay.py)"
    settings_class: ClassVar[type[Settings]] = Settings

    def __init__(self, settings: Settings, start: Weights | None = None) -> None:
        """Start anew.

        Args:
            settings: The hyperparameters.
            start: Weights to start from in place of random ones.
        """
        self.settings = settings
        self.game = game = game_of(settings)
        self._add_up = values_add_up(game)
        self._tells_progress = "progress" in game.reward_schemes
        self._sides = np.array(game.teams if game.constant_sum else range(game.players))
        self._even = fair_share(game) or 0.5  # what is won against somebody of whom nothing is known
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
        self.pool_shares: list[float] = []  # what the learner wins against each
        self.agent_shares = [self._even] * len(settings.agents)
        self.chosen: list[int] = []  # the places in the pool of the rivals that play now

        numbers = np.arange(settings.num_envs, dtype=np.uint64)
        self._generators = np.zeros(settings.num_envs, np.uint64)
        start_generators(numbers + np.uint64(settings.seed + 2**32), self._generators)
        self.games = np.zeros(settings.num_envs, game.record)
        self.games["seed"] = numbers + np.uint64(settings.seed)
        self._finals = np.zeros(settings.num_envs, game.final)
        self._cut = np.zeros(settings.num_envs, np.bool_)
        self._ways = np.zeros((settings.num_envs, game.players), np.float32)
        self._view = Buffers.allocate(game, settings.num_envs)
        self._seated = np.zeros((settings.num_envs, game.players), np.int8)
        self._rollout = Rollout.allocate(game, settings.num_steps, settings.num_envs)
        self._choose_rivals()
        self.begin_all()

    @property
    def opponents(self) -> tuple[str, ...]:
        """Whom it is measured with: those that it learns to answer, or all that play this game only."""
        return tuple(dict.fromkeys(self.settings.agents)) if self.settings.best_response else opponents_of(self.game)

    @property
    def in_lessons(self) -> bool:
        """Whether the next rollout is played by the agents that the network learns from at first."""
        return self.decisions < self.settings.lessons

    def iterate(self, progress: float) -> dict[str, float]:
        """One rollout, and learn from it.

        Args:
            progress: From 0 at the start of the training to 1 at its end.

        Returns:
            Figures for the log.
        """
        lesson = self.in_lessons
        figures = self.play_and_learn(progress)
        self.finish_rollout(lesson)
        return figures

    def play_and_learn(self, progress: float) -> dict[str, float]:
        """The part of `iterate` that takes the time; on a cluster every worker does it with games of its own."""
        started = time.perf_counter()
        lesson = self.in_lessons
        figures = self.collect(progress)
        collected = time.perf_counter()
        figures |= self.learn(progress, lesson)
        figures["collect_seconds"] = collected - started
        figures["learn_seconds"] = time.perf_counter() - collected
        return figures

    def finish_rollout(self, lesson: bool) -> None:
        """Count it; begin with self-play after the last lesson; see to the pool.

        Args:
            lesson: Whether it was one.
        """
        self.rollouts += 1
        if lesson and not self.in_lessons:  # the averaged weights come a little behind
            self.average.load_state_dict(self.network.state_dict())
            self.begin_all()
        if not lesson and self.settings.pool_games and self.rollouts % self.settings.snapshot_every == 0:
            self.admit(self.weights())

    # -- playing -----------------------------------------------------------------------------------------------------

    @torch.inference_mode()
    def collect(self, progress: float) -> dict[str, float]:
        """Play ``steps`` decisions in every game, and those of scripted rivals in between."""
        settings, rollout, view = self.settings, self._rollout, self._view
        self._bring_in_rivals()
        soft_share = _between(settings.soft_share, progress) if self._add_up or self._tells_progress else 0.0
        soft_points = settings.soft_points if self._add_up else 0.0
        strength = self._strengths()
        slips = np.random.default_rng((settings.seed, self.rollouts))
        finals, own = [], []
        played = self._let_rivals_begin(np.arange(settings.num_envs))
        for step in range(settings.num_steps):
            observations, masks = rollout.observations[step], rollout.masks[step]
            self._look(step, strength)
            observations[:], masks[:] = view.observation, view.mask
            scores = self._judge(step, observations)
            actions, ended = rollout.actions[step], rollout.ended[step]
            by_agents = self._let_rivals_score(rollout.actors[step], observations, masks, scores)
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
                played += self._let_rivals_begin(np.flatnonzero(ended))
        self._look(settings.num_steps, strength)
        self._judge(settings.num_steps, view.observation)
        return {"played": played + int(rollout.passed.sum()), **_describe(self.game, finals, own)}

    def _look(self, step: int, strength: np.ndarray) -> None:
        """Write down who is to move in every game, and against whom."""
        view, rollout = self._view, self._rollout
        self.game._look(self.games, view)
        rollout.players[step] = view.player
        who_acts(view.player, self._seated, strength, rollout.actors[step], rollout.handicaps[step])

    def _judge(self, step: int, observations: np.ndarray) -> np.ndarray:
        """The network's scores of the actions; what it expects for the seats is written down."""
        scores, values = self.network(self._on_device(observations))
        if self._add_up:
            shares = (values + self._on_device(self._rollout.handicaps[step])).softmax(1)
        else:
            shares = values.sigmoid()
        self._rollout.values[step] = shares.cpu().numpy()  # one value for all seats is written to all
        return np.asarray(scores.cpu().numpy())

    def _play_on(self, actions: np.ndarray, passed: np.ndarray, ended: np.ndarray) -> None:
        """Play an action in every game, and let scripted rivals go on."""
        arguments = (
            self.games,
            self.game.tables,
            actions,
            self._seated,
            self._strategies,
            passed,
            ended,
            self._cut,
            self._finals,
            self._ways,
        )
        rules = self.game.rules
        with announce_compiling("the training", play_on_in_games, play_on_in_games_together, rules=rules):
            if self.settings.threads > 1 and can_share():
                with together():
                    play_on_in_games_together.of(rules)(self.settings.threads, *arguments)
            else:
                play_on_in_games.of(rules)(*arguments)

    def begin_all(self) -> None:
        """Set up all games anew, for those who are to play now."""
        self._begin(np.ones(self.settings.num_envs, np.bool_))

    def _begin(self, where: np.ndarray) -> None:
        """Set up new games and draw who plays them."""
        rows = np.flatnonzero(where)
        games, seeds = self.games[rows], np.zeros(len(rows), np.uint64)
        start_generators(games["seed"], seeds)  # each has a seed out of that of the game before
        self.game._reset(games, seeds)
        self.games[rows] = games
        self._seat(where)

    def _let_rivals_begin(self, rows: np.ndarray) -> int:
        """Let scripted rivals play in some games until somebody else is to move. Says how many decisions that were.

        A game that is over before anybody else was asked begins anew.
        """
        decisions = 0
        while len(rows):
            games, nothing = self.games[rows], np.full(len(rows), NO_ACTION)
            passed, ended = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.bool_)
            play_on_in_games.of(self.game.rules)(
                games,
                self.game.tables,
                nothing,
                self._seated[rows],
                self._strategies,
                passed,
                ended,
                np.zeros(len(rows), np.bool_),
                np.zeros(len(rows), self.game.final),
                np.zeros((len(rows), self.game.players), np.float32),
            )
            self.games[rows] = games
            decisions += int(passed.sum())
            rows = rows[ended]
            if len(rows):
                self._begin(np.isin(np.arange(self.settings.num_envs), rows))
        return decisions

    def _let_rivals_score(
        self, actors: np.ndarray, observations: np.ndarray, masks: np.ndarray, scores: np.ndarray
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Put the rivals' scores in place of the learner's where they act; agents by name give actions instead."""
        by_agents = []
        for number, rival in enumerate(self._rivals, start=1):
            rows = np.flatnonzero(actors == number)
            if not len(rows):
                continue
            if isinstance(rival, Network):
                scores[rows] = rival(self._on_device(observations[rows]))[0].cpu().numpy()
            else:
                games = self.games[rows] if rival.needs_games else None
                chosen = rival.choose(observations[rows], masks[rows], games)
                if not masks[rows, chosen].all():
                    raise IllegalActionError(f"{self.settings.agents[number - 1]} chose an action that is not legal")
                by_agents.append((rows, chosen))
        return by_agents

    def _slip(self, actions: np.ndarray, masks: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """The actions of a lesson as they are played: some by chance, so that it shows what to do after a mistake."""
        by_chance = np.zeros_like(actions)
        sample_actions(masks, self._generators, by_chance)
        return np.where(random.random(len(actions)) < self.settings.lesson_slips, by_chance, actions)

    def _seat(self, where: np.ndarray) -> None:
        """Draw who plays new games: the more games the learner loses against a rival, the more of them it gets."""
        if self.in_lessons:
            seat_teachers(where, len(self.settings.agents), self._generators, self._seated)
            return
        alone = self.game.players == 1
        agents = _deal(0 if alone else self.settings.rival_games, self.agent_shares)
        pool = _deal(0 if alone else self.settings.pool_games, self._shares_against_chosen())
        itself = 1 - agents.sum() - pool.sum()
        chances = np.concatenate([[itself], agents, pool])
        seat_players(where, chances, self._sides, self._generators, self._seated)

    def _note_results(self, ended: np.ndarray) -> None:
        """Follow what the learner wins against each rival, as an average over about a hundred games."""
        for game in np.flatnonzero(ended):
            rival = self._seated[game].max()
            if rival == LEARNER or self._seated[game].min() != LEARNER:  # nobody else plays, or a lesson
                continue
            won = float(self._finals["win_share"][game, int(np.argmin(self._seated[game]))])
            if rival <= len(self.agent_shares):
                shares, place = self.agent_shares, rival - 1
            else:
                shares, place = self.pool_shares, self.chosen[rival - 1 - len(self.agent_shares)]
            shares[place] += 0.01 * (won - shares[place])

    def _shares_against_chosen(self) -> list[float]:
        return [self.pool_shares[place] for place in self.chosen]

    def _strengths(self) -> np.ndarray:
        """What to add to a seat's score because of who plays it, so that values suit games against rivals as well.

        With k rivals that have the score -x and a learner that has 0, the learner's share is 1 / (1 + k exp(-x)). Where
        values do not add up to 1 there is nothing to add.
        """
        shares = [self._even, *self.agent_shares, *self._shares_against_chosen()]
        if not self._add_up:
            return np.zeros(len(shares), np.float32)
        share = np.clip(np.array(shares), 0.02, 0.98)
        strength: np.ndarray = np.log((1 - share) / share / (self.game.players - 1))
        return strength.astype(np.float32)

    # -- learning ----------------------------------------------------------------------------------------------------

    def learn(self, progress: float, lesson: bool) -> dict[str, float]:
        """PPO on the learner's own decisions of the rollout; of a lesson: learn to decide as it was decided."""
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
        if not len(instructive):  # in a short rollout all decisions may be others'
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
                scores, values = self.network(observations[index])
                log_policy = functional.log_softmax(scores.masked_fill(~masks[index], -1e9), dim=1)
                log_chance = log_policy.gather(1, actions[index].unsqueeze(1)).squeeze(1)
                ratio_log = log_chance - log_chances[index]
                ratio = ratio_log.exp()
                gain = advantage[index]
                clipped = ratio.clamp(1 - settings.clip_coef, 1 + settings.clip_coef)
                improvement = log_chance if lesson else torch.minimum(ratio * gain, clipped * gain)
                policy_loss = -(weight[index] * improvement).mean()
                likely = log_policy.clamp(min=-40)  # exp of the illegal ones' -1e9 would take a tenth of the time
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
        if lesson:  # what was learned is not what the network had chosen
            del figures["clipped"], figures["kl"]
        figures["entropy"] = -float(rollout.log_chances.ravel()[rows].mean())  # of the policy that played
        error = (targets[..., 0] - rollout.values[:-1, :, 0]).ravel()[rows]
        figures["explained"] = float(1 - error.var() / (targets[..., 0].ravel()[rows].var() + 1e-8))
        figures["learned"] = len(rows)
        figures["instructive"] = len(instructive) / len(rows)
        return figures

    def _value_loss(self, values: Tensor, handicaps: Tensor, targets: Tensor) -> Tensor:
        """Cross-entropy: of the shares where they add up to 1, else of each chance alone."""
        if self._add_up:
            return -(targets * functional.log_softmax(values + handicaps, dim=1)).sum(1).mean()
        own = targets[:, : values.shape[1]]  # seats that win together have the same
        return functional.binary_cross_entropy_with_logits(values, own, reduction="none").sum(1).mean()

    def _instructive(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Those decisions from which there is something to learn, and some of the others.

        Returns:
            Their rows, and float32 (steps, games): for how many decisions each counts in the gradient of the policy.
            Those that stand for others like them count for all of these: where an action is all but certain, its many
            small gradients have to balance the few large ones of the actions beside it.
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
        """Weights enter the pool, and rivals are chosen anew; of a full one those go that it beats most often.

        Every now and then the weights are its own averaged ones.
        """
        while len(self.pool) >= self.settings.pool:
            weakest = int(np.argmax(self.pool_shares))
            del self.pool[weakest], self.pool_shares[weakest]
        self.pool.append(weights)
        self.pool_shares.append(self._even)
        self._choose_rivals()

    def _choose_rivals(self) -> None:
        """Draw the earlier versions that play next: the more of its games the learner loses, the likelier.

        Games that are under way go on with them in the place of those that played before.
        """
        chance = 1 - np.array(self.pool_shares)
        count = min(self.settings.rivals, len(self.pool))
        random = np.random.default_rng((self.settings.seed, self.rollouts))
        self.chosen = (
            random.choice(len(self.pool), count, replace=False, p=chance / chance.sum()).tolist() if count else []
        )

    def _bring_in_rivals(self) -> None:
        """Agents by name are made anew for each rollout: a checkpoint then needs to keep nothing of them."""
        names, strategies = self.settings.agents, strategies_of(self.game)
        agents = [make_agent(name, self.game, seed=self.settings.seed + self.rollouts) for name in names]
        self._rivals: list[Network | Agent] = [*agents]
        self._strategies = np.full(1 + len(agents) + len(self.chosen), ASKED)
        if not self.in_lessons:  # there every decision is learned from
            for number, name in enumerate(names, start=1):
                if name in strategies:
                    self._strategies[number] = strategies.index(name)
        for place in self.chosen:
            network = self._new_network()
            network.load_arrays(self.pool[place])
            self._rivals.append(network)

    def _new_network(self) -> Network:
        game = self.game
        settings = self.settings
        sizes = game.observation_size, len(game.actions), value_count(game), settings.hidden_sizes
        return Network(*sizes, settings.bfloat16).to(settings.device)

    def _on_device(self, array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).to(self.settings.device)

    def weights(self) -> Weights:
        """The agent to hand out: the averaged weights."""
        return self.average.arrays()

    # -- checkpoints -------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write everything that `load` needs to go on as if nothing had happened."""
        arrays = self.learned()
        for place, member in enumerate(self.pool):
            arrays |= {f"pool/{place}/{name}": value for name, value in member.items()}
        arrays["generators"] = self._generators
        arrays["seated"] = self._seated
        arrays["games"] = self.games.view(np.uint8)
        write_arrays(path, arrays, self._about())

    def _about(self) -> dict[str, Any]:
        """What a checkpoint says beside its arrays."""
        return {
            "format": _FORMAT,
            **rules_of(self.game),
            "settings": asdict(self.settings),
            **self.standing(),
        }

    def learned(self) -> Weights:
        """What learning changes: the weights, their average, and what Adam knows."""
        arrays = {f"network/{name}": value for name, value in self.network.arrays().items()}
        arrays |= {f"average/{name}": value for name, value in self.average.arrays().items()}
        return arrays | adam_arrays(self.network, self.optimizer)

    def put_learned(self, arrays: Weights) -> None:
        """Put in what `learned` gave."""
        self.network.load_arrays(under("network/", arrays))
        self.average.load_arrays(under("average/", arrays))
        restore_adam(self.network, self.optimizer, arrays)

    def standing(self) -> dict[str, Any]:
        """How far the training is, and who of the pool plays; JSON-safe."""
        return {
            "rollouts": self.rollouts,
            "decisions": self.decisions,
            "pool_shares": self.pool_shares,
            "agent_shares": self.agent_shares,
            "chosen": self.chosen,
        }

    def put_standing(self, standing: dict[str, Any], pool: list[Weights]) -> None:
        """Put in what `standing` gave, with the pool of that time. Games go on as they are."""
        self.rollouts, self.decisions = int(standing["rollouts"]), int(standing["decisions"])
        self.pool, self.chosen = pool, list(standing["chosen"])
        self.pool_shares, self.agent_shares = list(standing["pool_shares"]), list(standing["agent_shares"])

    @classmethod
    def load(cls, path: Path, **changes: Any) -> Self:
        """Go on from a checkpoint; settings may be changed, except those that the sizes of its arrays follow from.

        Raises:
            CheckpointError: If the file is damaged or of something else, or the changes do not fit it.
        """
        arrays, about, settings = read_checkpoint(path, _FORMAT, cls.settings_class, changes)
        learner = cls(settings)
        with damage_named(path):
            before = about["settings"]
            learner._restore(arrays, about, same_agents=settings.agents == tuple(before["agents"]))
            lessons_began_or_ended = learner.in_lessons != (learner.decisions < before["lessons"])
            others = settings.agents != tuple(before["agents"]) or settings.rivals != before["rivals"]
            if problems := learner.game.problems(learner.games):
                raise ValueError("; ".join(problems[:5]))
        learner.game.refresh(learner.games)
        if others or lessons_began_or_ended:  # those who sit at the tables may not be there any more
            learner._choose_rivals()
            learner.begin_all()
        return learner

    def _restore(self, arrays: Weights, about: dict[str, Any], same_agents: bool) -> None:
        """Put in what `save` has written."""
        self.put_learned(arrays)
        agent_shares = about["agent_shares"] if same_agents else self.agent_shares
        pool = [under(f"pool/{place}/", arrays) for place in range(len(about["pool_shares"]))]
        self.put_standing(about | {"agent_shares": agent_shares}, pool)
        self._generators[:] = arrays["generators"]
        self._seated[:] = arrays["seated"]
        rivals = len(about["agent_shares"]) + len(self.chosen)
        if not all(LEARNER <= seat <= rivals for seat in np.unique(self._seated)):
            raise ValueError("its games have players that nobody knows")
        if not all(0 <= place < len(self.pool) for place in self.chosen):
            raise ValueError("it has rivals that are not in its pool")
        if same_agents and len(self.agent_shares) != len(self.settings.agents):
            raise ValueError("its rivals are not those of its settings")
        self.games[:] = arrays["games"].view(self.game.record)


def _between(ends: tuple[float, float], progress: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * progress


def _deal(part: float, shares: Sequence[float]) -> np.ndarray:
    """Part of the games for each rival: the more of them the learner loses, the more. No rivals: none."""
    losses = 1 - np.array(shares)
    return np.asarray(part * losses / losses.sum())


def _describe(game: Game, finals: list[np.ndarray], own: list[np.ndarray]) -> dict[str, float]:
    """Figures of the games that ended; wins and points are those of the learner's own seats, in lessons of all."""
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
