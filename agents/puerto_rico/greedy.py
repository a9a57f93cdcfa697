"""The agent that tries every legal action and takes the one with the best result."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from agents.agent import Agent
from agents.puerto_rico.judging import standing
from agents.puerto_rico.outlook import PlanRecord, chips_of
from agents.puerto_rico.plans import JUDGEMENT_PLAN, SENSIBLE_PLAN
from agents.puerto_rico.policy import follow
from pr_env.compiling import announce_compiling, compiled, kernel
from pr_env.game import Game
from pr_env.puerto_rico import PuertoRico
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.state import GAME_OVER, PICK_ROLE
from pr_env.puerto_rico.step import step
from pr_env.randomness import start_generator

RIVALRY = 0.5  # weight of the best and the average opponent against one's own standing


@compiled
def own_chance(game: GameRecord, seed: np.uint64) -> np.uint64:
    """A generator for simulations: derived from the seed and the visible state, never from the game's generator."""
    generator = start_generator(seed + np.uint64(game.round_number))
    generator = start_generator(generator + np.uint64(game.player))
    return start_generator(generator + np.uint64(game.phase))


@compiled
def imagine(game: GameRecord, copy: GameRecord, generator: np.uint64) -> None:
    """Replace what the acting player does not know in a copy: new face-down tiles, estimated chips of the others."""
    copy.rng = generator
    for player in range(game.players):
        copy.chips[player] = int(chips_of(game, player))


@compiled
def go_on(game: GameRecord, plan: PlanRecord, player: int) -> None:
    """Let all players play by the plan until the player picks a role again, or the game is over."""
    while game.phase != GAME_OVER and not (game.phase == PICK_ROLE and game.player == player):
        step(game, follow(game, plan))


@compiled
def judge(game: GameRecord, judgement: PlanRecord, player: int) -> float:
    """The player's standing relative to the others."""
    mine = standing(game, judgement, player)
    best, total = 0.0, 0.0
    for other in range(game.players):
        if other != player:
            worth = standing(game, judgement, other)
            best = max(best, worth)
            total += worth
    return float(mine - RIVALRY * 0.5 * (best + total / (game.players - 1)))


@compiled
def greedy_action(
    game: GameRecord, plan: PlanRecord, judgement: PlanRecord, seed: np.uint64, scratch: np.ndarray
) -> int:
    """The action with the best evaluation when the player picks a role again; ties go to the first.

    Args:
        game: The game.
        plan: The policy of all players until then.
        judgement: The weights of the evaluation.
        seed: Seed for random draws.
        scratch: An array of one record for simulations.
    """
    generator = own_chance(game, seed)
    best, choice = -1e9, 0
    for action in range(game.legal.shape[0]):
        if game.legal[action] == 0:
            continue
        scratch[0] = game
        copy = scratch[0]
        imagine(game, copy, generator)
        step(copy, action)
        go_on(copy, plan, game.player)
        worth = judge(copy, judgement, game.player)
        if worth > best:
            best, choice = worth, action
    return choice


@kernel
def greedy_actions(games: np.ndarray, seed: np.uint64, scratch: np.ndarray, out: np.ndarray) -> None:
    """The choice in each game."""
    for i in range(games.shape[0]):
        out[i] = greedy_action(games[i], SENSIBLE_PLAN[0], JUDGEMENT_PLAN[0], seed, scratch)


class GreedyAgent(Agent):
    """Evaluates the position after each legal action.

    All players first play by the default plan until the agent picks a role again, so that no half-finished phase is
    evaluated, and goods that others would ship first do not count. Face-down tiles are drawn with the agent's own
    generator.

    Args:
        game: The game to play.
        seed: Seed for simulated tiles. The same seed and position give the same choice.
    """

    plays: ClassVar[tuple[str, ...]] = (PuertoRico.name,)
    needs_observations: ClassVar[bool] = False
    needs_games: ClassVar[bool] = True

    def __init__(self, game: Game, *, seed: int = 0) -> None:
        super().__init__(game)
        self._seed = np.uint64(seed)

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """Choose one action for each game."""
        games = self._records(games)
        actions = np.zeros(len(games), np.int64)
        with announce_compiling("the greedy agent", greedy_actions):
            greedy_actions(games, self._seed, np.zeros(1, games.dtype), actions)
        return actions
