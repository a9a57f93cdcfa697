"""The agent that tries every legal action and takes the one with the best result."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from agents.agent import Agent
from agents.port_royal.judging import judge
from agents.port_royal.outlook import PlanRecord
from agents.port_royal.plans import STRATEGIES
from agents.port_royal.policy import follow, plan_of
from pr_env.compiling import announce_compiling, compiled, kernel
from pr_env.game import Game
from pr_env.port_royal import PortRoyal
from pr_env.port_royal.actions import DRAW, STOP
from pr_env.port_royal.cooperative import first_card_is_time_card
from pr_env.port_royal.discover import meet_card
from pr_env.port_royal.piles import reshuffle
from pr_env.port_royal.rules import is_over, refresh
from pr_env.port_royal.sleep import wake_all
from pr_env.port_royal.state import DISCOVER, REPEL
from pr_env.port_royal.step import go_on, step
from pr_env.randomness import start_generator
from pr_env.rules import Record

SENSIBLE = STRATEGIES.index("crew")  # the policy of all players in simulations: no preferences, alone and in a team
CONTINUATIONS = 24  # simulations of an action that is followed by draws, unless the next card is fixed
DOUBT = 0.05  # influence by which the estimates of two actions can differ just because their simulations differ


@compiled
def own_chance(game: Record, seed: np.uint64) -> np.uint64:
    """A generator for simulations: derived from the seed and the visible state, never from the game's generator."""
    generator = start_generator(seed + np.uint64(game.turn))
    generator = start_generator(generator + np.uint64(game.drawn))
    return start_generator(generator + np.uint64(game.decisions))


@compiled
def finish_turn(game: Record, tables: Record, plan: PlanRecord, turn: int) -> None:
    """Let all players play by the plan until the turn is over."""
    while game.turn == turn and not is_over(game):
        step(game, tables, follow(game, tables, plan))


@compiled
def draw_as(game: Record, tables: Record, kind: int) -> None:
    """Draw a card, and make it a given kind."""
    wake_all(game)
    game.deck -= 1
    game.unseen[kind] -= 1
    go_on(game, tables, meet_card(game, tables, kind))
    refresh(game, tables)


@compiled
def draw_value(
    game: Record, tables: Record, plan: PlanRecord, seat: int, generator: np.uint64, scratch: np.ndarray
) -> float:
    """The value of a draw: every possible card is weighted by its exact probability."""
    scratch[1] = game
    before = scratch[1]
    if before.deck == 0:
        before.rng = generator
        reshuffle(before)
    worth, total = 0.0, 0
    for kind in range(before.unseen.shape[0]):
        copies = int(before.unseen[kind])
        if copies > 0:
            scratch[0] = before
            copy = scratch[0]
            copy.rng = start_generator(generator + np.uint64(kind))
            draw_as(copy, tables, kind)
            finish_turn(copy, tables, plan, int(game.turn))
            worth += copies * judge(copy, tables, plan, seat)
            total += copies
    return worth / total


@compiled
def action_value(
    game: Record, tables: Record, plan: PlanRecord, action: int, generator: np.uint64, scratch: np.ndarray
) -> float:
    """The mean evaluation for the player at the end of the turn after an action."""
    seat = int(game.player)
    if game.question == DISCOVER and action == DRAW and not first_card_is_time_card(game):
        return draw_value(game, tables, plan, seat, generator, scratch)
    draws_follow = game.question in (DISCOVER, REPEL) and action != STOP
    many = CONTINUATIONS if draws_follow else 1
    worth = 0.0
    for number in range(many):
        scratch[0] = game
        copy = scratch[0]
        copy.rng = start_generator(generator + np.uint64(number))
        step(copy, tables, action)
        finish_turn(copy, tables, plan, int(game.turn))
        worth += judge(copy, tables, plan, seat)
    return worth / many


@compiled
def greedy_action(game: Record, tables: Record, plan: PlanRecord, seed: np.uint64, scratch: np.ndarray) -> int:
    """The action with the best evaluation at the end of the turn.

    The choice of the plan is preferred unless another action is better by more than the noise of the simulations.

    Args:
        game: The game.
        tables: Its tables.
        plan: The policy of all players in simulations, and the weights of the evaluation.
        seed: Seed for random draws.
        scratch: An array of two records for simulations.
    """
    generator = own_chance(game, seed)
    sensible = follow(game, tables, plan)
    choice = sensible
    best = action_value(game, tables, plan, sensible, generator, scratch) + DOUBT
    for action in range(game.legal.shape[0]):
        if game.legal[action] != 0 and action != sensible:
            worth = action_value(game, tables, plan, action, generator, scratch)
            if worth > best:
                best, choice = worth, action
    return choice


@kernel
def greedy_actions(
    games: np.ndarray, tables: np.ndarray, seed: np.uint64, scratch: np.ndarray, out: np.ndarray
) -> None:
    """The choice in each game."""
    for i in range(games.shape[0]):
        out[i] = greedy_action(games[i], tables[0], plan_of(games[i], tables[0], SENSIBLE), seed, scratch)


class GreedyAgent(Agent):
    """Evaluates the position after each legal action.

    All players first play by the default plan to the end of the turn, so that no half-finished turn is evaluated, and
    cards that others would take first do not count. A draw is evaluated for every possible card, by its exact
    probability; later draws come from the agent's own generator.

    Args:
        game: The game to play.
        seed: Seed for simulated cards. The same seed and position give the same choice.
    """

    plays: ClassVar[tuple[str, ...]] = (PortRoyal.name,)
    needs_observations: ClassVar[bool] = False
    needs_games: ClassVar[bool] = True

    def __init__(self, game: Game, *, seed: int = 0) -> None:
        super().__init__(game)
        assert isinstance(game, PortRoyal)
        if game.deck == "adventure":  # it simulates the next card as if nobody could have seen it
            raise ValueError("greedy does not play the adventure; crew does")
        self._seed = np.uint64(seed)

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """Choose one action for each game."""
        games = self._records(games)
        actions = np.zeros(len(games), np.int64)
        with announce_compiling("the greedy agent", greedy_actions):
            greedy_actions(games, self.game.tables, self._seed, np.zeros(2, games.dtype), actions)
        return actions
