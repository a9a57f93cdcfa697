"""Replays: a game is its configuration, its seed and the actions that were played.

A file of replays has one JSON line per game. Moves are replayed when a file is read, so every loaded replay is valid.

>>> recorder = Recorder(game, seed)
>>> recorder.add(action)  # after every step
>>> save("games.jsonl", [recorder.replay()])
>>> for line in load("games.jsonl")[0].log():
...     print(line)
"""

from __future__ import annotations

import inspect
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np

from pr_env.batch import Batch
from pr_env.checks import is_whole, shown
from pr_env.game import Game, IllegalActionError, check_is_game
from pr_env.moment import Moment
from pr_env.registry import known_game
from pr_env.words import counted

VERSION = 1


class ReplayError(ValueError):
    """A replay that cannot be read, or whose moves do not fit the game."""


@dataclass(frozen=True)
class Move:
    """One move of a replay in words.

    Attributes:
        number: Its number, starting at 1.
        round: The round that it was played in; 0 before the first one and for a game without rounds.
        player: The seat that decided.
        opens: Whether it opens a part of the round, as picking a role does.
        words: The decision.
        effects: What changed, including what was played because there was no choice.
        who: The seat's name, if it is not simply "player" and a number.
    """

    number: int
    round: int
    player: int
    opens: bool
    words: str
    effects: tuple[str, ...]
    who: str = ""

    @property
    def decision(self) -> str:
        """The player and the decision."""
        return f"{self.who or f'player {self.player}'}: {self.words}"

    def __str__(self) -> str:
        return self.decision + (f"  ->  {'; '.join(self.effects)}" if self.effects else "")


@dataclass(frozen=True)
class Replay:
    """A played game, finished or not.

    Attributes:
        game: The game and its configuration.
        seed: The seed of its set-up.
        actions: The actions played, in order.
        seats: The player in each seat, for example ``("you", "builder", "builder")``; empty if unknown.
    """

    game: Game
    seed: int
    actions: tuple[int, ...]
    seats: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the values, and convert NumPy's whole numbers to Python's."""
        check_is_game(self.game)
        if not is_whole(self.seed) or not 0 <= self.seed < 2**64:
            raise ReplayError(f"seed must be a whole number from 0 to 2**64 - 1, got {shown(self.seed)}")
        if not isinstance(self.actions, (tuple, list)) and np.ndim(self.actions) != 1:
            raise ReplayError(f"actions must be a list of whole numbers, got {shown(self.actions)}")
        for move, action in enumerate(self.actions, start=1):
            if not is_whole(action):
                raise ReplayError(f"the action of move {move} must be a whole number, got {shown(action)}")
        object.__setattr__(self, "seed", int(self.seed))
        object.__setattr__(self, "actions", tuple(int(action) for action in self.actions))
        if not isinstance(self.seats, (tuple, list)) or not all(isinstance(who, str) for who in self.seats):
            raise ReplayError(f"seats must be a list of names, got {shown(self.seats)}")
        if not all(who.isprintable() for who in self.seats):
            raise ReplayError(f"seats must be names without control characters, got {shown(self.seats)}")
        if self.seats and len(self.seats) != self.game.players:
            raise ReplayError(f"seats must be {self.game.players} names, got {len(self.seats)}")
        object.__setattr__(self, "seats", tuple(self.seats))

    # -- playing ----------------------------------------------------------------------------------------------------

    def positions(self) -> Iterator[Batch]:
        """The game after the set-up and after every move: always the same batch of one game, advanced step by step.

        Raises:
            ReplayError: If an action is not legal, or comes after the end of the game.
        """
        reward = self.game.reward_schemes[0]
        batch = Batch(self.game, 1, self.seed, reward=reward, autoreset=False, threads=1)
        yield batch
        for move, action in enumerate(self.actions, start=1):
            if batch.is_over()[0]:
                raise ReplayError(f"has {len(self.actions)} actions, but the game is over after {move - 1} moves")
            if not 0 <= action < len(self.game.actions):
                most = len(self.game.actions) - 1
                raise ReplayError(
                    f"does not fit at move {move}: action {action} does not exist (actions are 0 to {most})"
                )
            try:
                batch.step([action])
            except IllegalActionError as error:
                raise ReplayError(f"does not fit at move {move}: {error}") from None
            yield batch

    def batch_at(self, move: int) -> Batch:
        """A batch of one game after this number of moves; 0 is the set-up. Plays from the start, in milliseconds.

        Raises:
            ReplayError: If there is no such move, or the actions up to it do not fit.
        """
        if not is_whole(move) or not 0 <= move <= len(self.actions):
            raise ReplayError(f"move must be from 0 (set-up) to {len(self.actions)}, got {shown(move)}")
        return next(islice(self.positions(), move, None))

    def result(self) -> dict[str, Any] | None:
        """Points and ranks of all players and the number of rounds; None if the game is not over.

        In a cooperative or solo game there are no ranks: the result says whether the game was won.

        Raises:
            ReplayError: If the actions do not fit.
        """
        *_, last = self.positions()  # unlike batch_at, this also finds actions that cannot be played
        moment = _moment(last)
        return _result(moment) if moment.is_over else None

    # -- reading and writing ----------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """One line of JSON. It includes the result, for people and for checking."""
        data = {
            "pr_env": "replay",
            "version": VERSION,
            "game": self.game.name,
            "layout": self.game.layout,
            "options": self.game.recorded_options(),
            "seed": self.seed,
            "actions": self.actions,
            "result": self.result(),
        }
        if self.seats:
            data["seats"] = self.seats
        return json.dumps(data)

    @classmethod
    def from_json(cls, line: str, **local: Any) -> Replay:
        """The replay in a line, played once to check it.

        Args:
            line: The output of `to_json`.
            **local: Options that are not in files (``Game.local_options``), for example a folder of card files.

        Raises:
            ReplayError: If it does not fit; the message says why.
        """
        data = _read_object(line)
        seats = data.get("seats", ())
        replay = cls(_read_game(data, local), data.get("seed"), data.get("actions"), seats)  # type: ignore[arg-type] # it checks
        written, played = data.get("result"), replay.result()
        if written is not None and written != played:
            raise ReplayError(f"says that the result is {shown(written)}, but playing it gives {played}")
        return replay

    # -- telling ----------------------------------------------------------------------------------------------------

    def moves(self, start: int = 0) -> list[Move]:
        """Every move in words, or only those after the first ``start`` ones."""
        if not is_whole(start) or start < 0:
            raise ReplayError(f"start must be a whole number of at least 0, got {shown(start)}")
        words, first = self.game.words, min(start, len(self.actions))
        while first and not words.settled(_moment(self.batch_at(first))):
            first -= 1  # points won before are told later
        moments = [_moment(batch) for batch in islice(self.positions(), first, None)]
        return told_moves(self.actions, moments, first)[start - first :]

    def log(self) -> list[str]:
        """The whole game in words: a header for each round, a line for each move, and the final scores."""
        words = self.game.words
        moments = [_moment(batch) for batch in self.positions()]
        lines = [f"{words.title}, {counted(self.game.players, 'player')}, seed {self.seed}"]
        lines += [", ".join(f"{words.seat(seat)}: {who}" for seat, who in enumerate(self.seats))] if self.seats else []
        part = ""
        for move in told_moves(self.actions, moments):
            moment = moments[move.number - 1]
            if (now := words.part(moment)) != part:
                part = now
                lines += ["", words.header(moment)]
            lines.append(f"{move.number:5}  {'' if move.opens else '   '}{move}")
        return [*lines, "", *_final_lines(moments[-1], len(self.actions))]


class Recorder:
    """Collects the actions of one game while it is played elsewhere, from its set-up on.

    Args:
        game: The game and its configuration.
        seed: The seed of its set-up; ``batch.seed[i]`` for game ``i`` of a batch.
    """

    def __init__(self, game: Game, seed: int) -> None:
        Replay(game, seed, ())  # checks the arguments
        self._game = game
        self._seed = seed
        self._actions: list[int] = []

    def add(self, action: SupportsIndex) -> None:
        """Add the next action that was played."""
        if not is_whole(action):
            raise ReplayError(f"action must be a whole number, got {shown(action)}")
        self._actions.append(int(action))

    def replay(self) -> Replay:
        """The game so far."""
        return Replay(self._game, self._seed, tuple(self._actions))


# -- files ------------------------------------------------------------------------------------------------------------


def save(path: str | Path, replays: Iterable[Replay], append: bool = False) -> None:
    """Write one line per replay; ``append`` keeps the file's contents.

    Raises:
        OSError: If the file cannot be written. In that case it does not change.
    """
    path = Path(path)
    data = "".join(replay.to_json() + "\n" for replay in replays).encode()  # before writing: one may not fit
    try:
        if append:
            _append(path, data)
        elif path.exists() and not path.is_file():  # a device or a pipe
            path.write_bytes(data)
        else:
            write_all_or_nothing(path, data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _append(path: Path, data: bytes) -> None:
    size = path.stat().st_size if path.exists() else 0
    try:
        with path.open("ab") as file:
            file.write(data)
    except OSError:
        if path.is_file():
            os.truncate(path, size)
        raise


def write_all_or_nothing(path: Path, data: bytes) -> None:
    """Write a file anew; if that fails it is as it was."""
    path = path.resolve()  # a link stays one
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        new.write_bytes(data)
        if path.exists():
            shutil.copymode(path, new)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise


def load(path: str | Path, **local: Any) -> list[Replay]:
    """All replays in a file.

    Args:
        path: The file.
        **local: Options that are not in files, see `Replay.from_json`.

    Raises:
        ReplayError: If a line is not a valid replay; the message has the file and the number of the line.
        OSError: If the file cannot be read.
    """
    return list(each(path, **local))


def each(path: str | Path, start: int = 0, **local: Any) -> Iterator[Replay]:
    """Iterate over the replays in a file, without the first ``start`` ones; raises the same errors as ``load``."""
    return (_load_line(path, number, line, local) for number, line in _lines(path)[start:])


def count(path: str | Path) -> int:
    """The number of replays in a file; raises the same errors as ``load`` if it cannot be read."""
    return len(_lines(path))


def load_one(path: str | Path, game: int, **local: Any) -> Replay:
    """One replay of a file by its number, starting at 1, without reading others; raises the same errors as ``load``."""
    lines = _lines(path)
    if not 1 <= game <= len(lines):
        raise ReplayError(f"{path} has {len(lines)} game{'' if len(lines) == 1 else 's'}, no game {game}")
    return _load_line(path, *lines[game - 1], local)


def _lines(path: str | Path) -> list[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ReplayError(f"{path} is not a file of replays: it is not text") from None
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _load_line(path: str | Path, number: int, line: str, local: Mapping[str, Any]) -> Replay:
    try:
        return Replay.from_json(line, **local)
    except ReplayError as error:
        raise ReplayError(f"{path}, line {number}: {error}") from None


def _read_object(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (TypeError, ValueError, RecursionError):
        raise ReplayError(f"is not JSON: {shown(line)}") from None
    if not isinstance(data, dict) or data.get("pr_env") != "replay":
        raise ReplayError('is not a replay: it has no "pr_env": "replay"')
    if data.get("version") != VERSION:
        raise ReplayError(f"is a replay of version {shown(data.get('version'))}; only version {VERSION} is known")
    return data


def _read_game(data: Mapping[str, Any], local: Mapping[str, Any]) -> Game:
    name, options = data.get("game"), data.get("options")
    if not isinstance(name, str):
        raise ReplayError(f"is of an unknown game, {shown(name)}")
    try:
        kind = known_game(name)
    except ValueError as error:
        raise ReplayError(f"is of an {error}") from None
    if not isinstance(options, dict):
        raise ReplayError(f"options must be a dictionary, got {shown(options)}")
    try:
        _check_types(kind, options)
        game = kind.from_recorded(options, **local)
    except (TypeError, ValueError) as error:
        raise ReplayError(f"has options that {name} refuses: {error}") from None
    if data.get("layout") != game.layout:
        raise ReplayError(f"is of layout {shown(data.get('layout'))} of {name}, expected layout {game.layout}")
    return game


def _check_types(kind: type[Game], options: Mapping[str, Any]) -> None:
    """Check that numbers have the type of their defaults: JSON allows 3.0 and true, compiled rules need 3 and 1."""
    for name, parameter in inspect.signature(kind).parameters.items():
        default = parameter.default
        if name in options and isinstance(default, int) and type(options[name]) is not type(default):
            raise TypeError(f"{name} must have the same type as {default!r}, got {shown(options[name])}")


# -- telling ----------------------------------------------------------------------------------------------------------


def _moment(batch: Batch) -> Moment:
    return Moment(batch.game, batch.games[0])


def _result(moment: Moment) -> dict[str, Any]:
    """Points, ranks (or whether a team won, and its title), and the length of the game if it is counted."""
    words, players = moment.game.words, moment.game.players
    result: dict[str, Any] = {"points": moment.points}
    if words.one_team:
        result["won"] = bool(moment.final["win_share"][0] > 0)
        if words.game.titles:
            result["title"] = moment.title
    else:
        result["ranks"] = moment.final["rank"][:players].tolist()
    if words.game.length_unit in (moment.final.dtype.names or ()):
        result[words.game.length_unit] = int(moment.final[words.game.length_unit])
    return result


def told_moves(actions: Sequence[int], moments: Sequence[Moment], first: int = 0) -> list[Move]:
    """The moves between moments of a game, in words.

    Args:
        actions: All actions from the beginning of the game.
        moments: The game after ``first`` moves, and after each move from there on.
        first: A number of moves after which all points won so far have been told (`Words.settled`).
    """
    game, moves = moments[0].game, []
    words = game.words
    told = moments[0].points
    for number, (before, after) in enumerate(pairwise(moments), start=first + 1):
        action = game.actions[actions[number - 1]]
        points = after.points if words.settled(after) else told
        gains = [new - old for new, old in zip(points, told, strict=True)]
        told = points
        moves.append(
            Move(
                number=number,
                round=words.round_number(before),
                player=before.player,
                opens=words.opens(before),
                words=words.move(action, before),
                effects=tuple(words.effects(action, before, after, gains)),
                who=words.seat(before.player),
            )
        )
    return moves


def _final_lines(moment: Moment, moves: int) -> list[str]:
    """The result, or the current standings."""
    words, played = moment.game.words, counted(moves, "move")
    if moment.is_over:
        reasons = " and ".join(words.told_reason(reason, moment) for reason in moment.end_reasons)
        length = _result(moment).get(words.game.length_unit)
        unit = "" if length is None else f" and {counted(length, words.one_unit)}"
        lines = [f"The game is over after {played}{unit}{reasons and ': '}{reasons}."]
        lines += [f"{words.result(moment)}."] if words.one_team else []
    else:
        lines = [f"The replay stops after {played}, before the game is over."]
    for seat in words.ranking(moment):
        rank = "" if words.one_team else f"{moment.final['rank'][seat]:3}. "
        lines.append(f"{rank}{words.seat(seat)}: {words.standing(seat, moment)}")
    return lines
