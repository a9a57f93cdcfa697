"""Analysis by agents: action probabilities, win probabilities of the seats, and turning points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agents.neural import NeuralAgent
from agents.search.agent import SearchAgent, Thought
from pr_env.game import Game
from pr_env.moment import Moment
from web.players import Mind, Players
from web.table import Table
from web.work import Work

TURNS, LEAST_TURN = 6, 0.04  # number of turning points, and the smallest change of a win probability
AT_ONCE = 512  # batch size of a network


def hint(game: Game, record: np.ndarray, mind: Mind, by: str, players: Players, work: Work) -> dict[str, Any]:
    """An agent's probability (or visit share) of each action, and the win probability of each seat."""
    agent = mind.agent
    actions: list[dict[str, Any]]
    if isinstance(agent, NeuralAgent):
        chances, values = mind.evaluate(record)
        seats = from_seat_0(game, record, values)[0]
        actions = [
            {"number": int(number), "share": float(chances[0, number]), "win": None}
            for number in np.flatnonzero(record["legal"][0])
        ]
    elif isinstance(agent, SearchAgent):
        thought = mind.think(record, work.watch)
        work.check()
        seats = _root_values(thought)[0]
        visits, mover = thought.visits[0], int(thought.players[0])
        actions = [
            {
                "number": int(number),
                "share": float(visits[number] / max(1, visits.sum())),
                "win": float(thought.values[0, number, mover]) if visits[number] else None,
            }
            for number in np.flatnonzero(record["legal"][0])
        ]
    else:
        best = mind.choose(record, work.watch)
        actions = [
            {"number": int(number), "share": float(number == best), "win": None}
            for number in np.flatnonzero(record["legal"][0])
        ]
        seats = values_of(game, record, players, work)[1]
    actions.sort(key=lambda action: -action["share"])
    return {"by": by, "player": int(record["player"][0]), "actions": actions, "values": _told(seats)}


def values_of(game: Game, record: np.ndarray, players: Players, work: Work) -> tuple[str, np.ndarray]:
    """The win probability of each seat, and the name of the agent that estimated it."""
    name, mind = players.judge(game)
    return name, _judged(game, record, mind, work.watch)[0]


def _judged(game: Game, records: np.ndarray, mind: Mind, watch: Callable[[float], bool]) -> np.ndarray:
    """Values (k, players) of positions; for finished games their results."""
    over = game._is_over(np.array(records))
    finals = np.zeros(len(records), game.final)
    game._score(np.array(records), finals)
    values = np.array(finals["win_share"][:, : game.players], np.float64)
    running = np.flatnonzero(~over)
    if len(running):
        asked = np.array(records[running])
        if isinstance(mind.agent, NeuralAgent):
            values[running] = from_seat_0(game, asked, mind.evaluate(asked)[1])
        else:
            values[running] = _root_values(mind.think(asked, watch))
    return values


def from_seat_0(game: Game, records: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Convert values given clockwise from the acting seat into the order of the seats."""
    seats = (np.arange(game.players)[None, :] - records["player"][:, None]) % game.players
    return np.take_along_axis(np.asarray(values, np.float64), seats, axis=1)


def _root_values(thought: Thought) -> np.ndarray:
    weight = thought.visits / np.maximum(1, thought.visits.sum(axis=1, keepdims=True))
    return np.asarray((thought.values * weight[:, :, None]).sum(axis=1))


def _told(values: np.ndarray) -> list[float]:
    return [round(float(value), 4) for value in values]


def curve(table: Table, by: str, mind: Mind | None, players: Players, work: Work) -> dict[str, Any]:
    """The win probability of each seat after each move, the turning points, and an agent's choices there.

    Args:
        table: The game. It may continue in the meantime.
        by: Name of the agent whose choices are shown; empty for the agent that evaluates positions.
        mind: That agent.
        players: Provides the agent that evaluates positions.
        work: Receives progress reports.
    """
    game, actions = table.game, list(table.actions)
    records = np.concatenate(table.records[: len(actions) + 1])
    judge_name, judge = players.judge(game)
    advisor = judge if mind is None else mind
    values = np.zeros((len(records), game.players))
    best = np.zeros(len(actions), np.int64)
    quick = not isinstance(judge.agent, SearchAgent) and not isinstance(advisor.agent, SearchAgent)
    step = AT_ONCE if quick else 1
    for start in range(0, len(records), step):
        work.watch(start / len(records))
        work.check()
        values[start : start + step] = _judged(game, records[start : start + step], judge, _until_stopped(work))
        for place in range(start, min(start + step, len(actions))):
            best[place] = advisor.choose(records[place : place + 1], _until_stopped(work))
    work.check()
    return {
        "by": judge_name,
        "advisor": by or judge_name,
        "values": [_told(row) for row in values],
        "best": best.tolist(),
        "turns": _turns(table, values, best, actions, records),
    }


def _until_stopped(work: Work) -> Callable[[float], bool]:
    """A progress callback for a part of a task: it can stop the task, but reports no progress."""
    return lambda share: not work.stopped


def _turns(
    table: Table, values: np.ndarray, best: np.ndarray, actions: list[int], records: np.ndarray
) -> list[dict[str, Any]]:
    change = np.abs(np.diff(values, axis=0)).max(axis=1) if len(actions) else np.zeros(0)
    largest = [int(move) for move in np.argsort(-change, kind="stable")[:TURNS] if change[move] >= LEAST_TURN]
    words = table.game.words
    turns = []
    for move in sorted(largest):
        moment = Moment(table.game, records[move])
        played, better = (table.game.actions[number] for number in (actions[move], int(best[move])))
        turns.append(
            {
                "move": move,
                "player": moment.player,
                "played": words.move(played, moment),
                "better": words.move(better, moment),
                "same": played.number == better.number,
                "change": _told(values[move + 1] - values[move]),
            }
        )
    return turns
