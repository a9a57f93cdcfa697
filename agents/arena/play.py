"""Games between agents, many at once: in every step each agent chooses once, for all games in which it is to move.

An agent that crashes, plays an illegal action or takes too long forfeits the game; the other games continue.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from agents.agent import Agent
from agents.arena.asking import Fault, ask
from agents.arena.hooks import Hook, Playing
from pr_env.batch import Batch
from pr_env.game import NO_TITLE, Game

# Called after every step with the number of games that ended in it, and the number of decisions made
Watch = Callable[[int, int], None]
NOT_PLAYED = -1  # in the array of actions


@dataclass
class Played:
    """Games that are over, or were abandoned.

    Attributes:
        finals: Final records (n,). In an abandoned game, points are those of that moment; the team at fault is last,
            and the other teams share the win. A cooperative game is lost.
        faults: The faults in abandoned games, by index of the game.
        actions: int16 (steps, n): the actions, NOT_PLAYED after the end of a game. None if not requested.
        games: The records (n,) at the end.
    """

    finals: np.ndarray
    faults: dict[int, Fault]
    actions: np.ndarray | None
    games: np.ndarray


def play_games(
    game: Game,
    agents: Sequence[Agent],
    seeds: np.ndarray,
    seating: np.ndarray,
    *,
    seconds: float,
    positions: np.ndarray | None = None,
    names: Sequence[str] = (),
    hooks: Sequence[Hook] = (),
    keep_actions: bool = False,
    watch: Watch | None = None,
) -> Played:
    """Play one game for each seed.

    Args:
        game: The game and its configuration.
        agents: The agents.
        seeds: uint64 (n,).
        seating: int64 (n, players): the index in ``agents`` of the agent in each seat.
        seconds: Time limit of an agent per answer.
        positions: Records (n,) of starting positions; the seeds are then ignored.
        names: Names of the agents for hooks; by default the names of their classes.
        hooks: Called while the games are played.
        keep_actions: Whether to keep the actions.
        watch: Receives progress reports.
    """
    observations = any(agent.needs_observations for agent in agents)
    reward = game.reward_schemes[0]
    # One thread: agents take most of the time, and on a busy machine two threads wait for each other
    batch = Batch(game, len(seeds), seeds, reward=reward, observations=observations, autoreset=False, threads=1)
    if positions is not None:
        batch.set_games(positions)
    faults: dict[int, Fault] = {}
    called = tuple(names) or tuple(type(agent).__name__ for agent in agents)
    playing = Playing(batch, called, seating, faults)
    every = np.arange(len(seeds))
    running = np.ones(len(seeds), np.bool_)
    finals = np.zeros(len(seeds), game.final)

    def end(ended: np.ndarray, results: np.ndarray) -> None:
        finals[ended] = results
        running[ended] = False
        for hook in hooks:
            hook.after_game(playing, ended, results)

    for hook in hooks:
        hook.before_game(playing, every)
    over = np.flatnonzero(batch.is_over())
    if len(over):
        end(over, batch.score()[over])
    log: list[np.ndarray] = []
    stalled: set[int] = set()
    while running.any():
        before = int(running.sum())
        actions = np.zeros(len(seeds), np.int64)
        found = _ask_everybody(agents, batch, seating, running, actions, stalled, seconds)
        if found:
            faults |= found
            abandoned = np.array(sorted(found), np.int64)
            end(abandoned, _abandoned(game, batch, abandoned, found))
        decisions = int(running.sum())
        if keep_actions:
            log.append(np.where(running, actions, NOT_PLAYED).astype(np.int16))
        if decisions:
            index = np.flatnonzero(running)
            for hook in hooks:
                hook.step(playing, index, actions[index])
            batch.step(actions, running)
            ended = np.flatnonzero(running & (batch.terminated | batch.truncated))
            if len(ended):
                end(ended, batch.final[ended])
        if watch is not None:
            watch(before - int(running.sum()), decisions)
    played = np.array(log, np.int16).reshape(len(log), len(seeds)) if keep_actions else None
    return Played(finals, faults, played, batch.games)


def _ask_everybody(
    agents: Sequence[Agent],
    batch: Batch,
    seating: np.ndarray,
    running: np.ndarray,
    actions: np.ndarray,
    stalled: set[int],
    seconds: float,
) -> dict[int, Fault]:
    """Write the actions of all running games, and return the faults, by game. Agents that stall are remembered."""
    faults: dict[int, Fault] = {}
    to_move = seating[np.arange(len(batch)), batch.player]
    for number, agent in enumerate(agents):
        index = np.flatnonzero(running & (to_move == number))
        if not len(index):
            continue
        actions[index], problems = ask(agent, batch, index, seconds)
        if any(kind == "stall" for kind, _ in problems.values()):
            stalled.add(number)
        for place, (kind, message) in problems.items():
            faults[place] = Fault(int(batch.player[place]), kind, message)
    for number in stalled:  # an agent that stalls once would stall again in every step
        for place in map(int, np.flatnonzero(running & (seating == number).any(axis=1))):
            seat = int(np.flatnonzero(seating[place] == number)[0])
            faults.setdefault(place, Fault(seat, "stall", "stalled in another game of the batch"))
    return faults


def _abandoned(game: Game, batch: Batch, index: np.ndarray, faults: dict[int, Fault]) -> np.ndarray:
    """Results of abandoned games: the current points; the team at fault is last, the others share the win."""
    finals = np.zeros(len(index), game.final)
    game._score(np.take(batch.games, index), finals)
    teams = np.array(game.teams)
    others = len(set(game.teams)) - 1
    for place, i in enumerate(index.tolist()):
        guilty = teams == teams[faults[i].seat]
        if others:
            finals["rank"][place, : game.players] = np.where(guilty, 1 + (~guilty).sum(), 1)
        finals["win_share"][place, : game.players] = np.where(guilty, 0, 1 / max(1, others))
    if game.titles:
        finals["title"] = NO_TITLE
    return finals
