"""Replays: a game is its configuration, its seed and the actions that were played.

A file of replays has one JSON line a game. Reading one plays it, so a replay that was read is a replay that fits.

>>> recorder = Recorder(game, seed)
>>> recorder.add(action)  # after every step
>>> save("games.jsonl", [recorder.replay()])
>>> for line in load("games.jsonl")[0].log():
...     print(line)
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np

from pr_env.batch import Batch
from pr_env.game import Action, Game, IllegalActionError
from pr_env.puerto_rico import PuertoRico
from pr_env.render import words

VERSION = 1
GAMES: dict[str, Callable[..., Game]] = {PuertoRico.name: PuertoRico}


class ReplayError(ValueError):
    """A replay that cannot be read or does not fit the game."""


@dataclass(frozen=True)
class Move:
    """One move of a replay in words.

    Attributes:
        number: From 1 on.
        round: The round that it was played in; 0 before the first one and for a game without rounds.
        player: The seat that decided.
        opens: Whether it opens a part of the round, as picking a role does.
        words: What was decided.
        effects: What changed, including what was played because there was no choice.
    """

    number: int
    round: int
    player: int
    opens: bool
    words: str
    effects: tuple[str, ...]

    def __str__(self) -> str:
        effects = f"  ->  {'; '.join(self.effects)}" if self.effects else ""
        return f"player {self.player}: {self.words}{effects}"


@dataclass(frozen=True)
class Replay:
    """One game that was played, to its end or not.

    Attributes:
        game: The game and its configuration.
        seed: What it was set up with.
        actions: What was played, in order.
        seats: Who played each seat, for example ``("you", "builder", "builder")``; empty if nobody wrote it down.
    """

    game: Game
    seed: int
    actions: tuple[int, ...]
    seats: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what are no whole numbers; those of NumPy become plain ones."""
        if not _is_whole(self.seed) or not 0 <= self.seed < 2**64:
            raise ReplayError(f"the seed is a whole number from 0 to 2**64 - 1, not {_short(self.seed)}")
        if not isinstance(self.actions, (tuple, list, np.ndarray)):
            raise ReplayError(f"the actions are a list of whole numbers, not {_short(self.actions)}")
        for move, action in enumerate(self.actions, start=1):
            if not _is_whole(action):
                raise ReplayError(f"the action of move {move} is a whole number, not {_short(action)}")
        object.__setattr__(self, "seed", int(self.seed))
        object.__setattr__(self, "actions", tuple(int(action) for action in self.actions))
        if not isinstance(self.seats, (tuple, list)) or not all(isinstance(who, str) for who in self.seats):
            raise ReplayError(f"the seats are a list of names, not {_short(self.seats)}")
        if self.seats and len(self.seats) != self.game.players:
            raise ReplayError(f"has {len(self.seats)} names of seats for {self.game.players} players")
        object.__setattr__(self, "seats", tuple(self.seats))

    # -- playing ----------------------------------------------------------------------------------------------------

    def positions(self) -> Iterator[Batch]:
        """The game at set-up and after every move: always the same batch of one game, one step further.

        Raises:
            ReplayError: If an action is not legal, or comes after the end of the game.
        """
        reward = self.game.reward_schemes[0]
        batch = Batch(self.game, 1, self.seed, reward=reward, autoreset=False, threads=1)
        yield batch
        for move, action in enumerate(self.actions, start=1):
            if self.game.is_over(batch.games)[0]:
                raise ReplayError(f"has {len(self.actions)} actions, but the game is over after {move - 1} moves")
            if not 0 <= action < len(self.game.actions):
                most = len(self.game.actions) - 1
                raise ReplayError(f"does not fit at move {move}: action {action} does not exist (0 to {most} do)")
            try:
                batch.step([action])
            except IllegalActionError as error:
                raise ReplayError(f"does not fit at move {move}: {error}") from None
            yield batch

    def batch_at(self, move: int) -> Batch:
        """A batch of one game after so many moves; 0 is the set-up. Plays from the start: a game takes milliseconds.

        Raises:
            ReplayError: If there is no such move, or the actions up to it do not fit.
        """
        if not _is_whole(move) or not 0 <= move <= len(self.actions):
            raise ReplayError(f"the replay has the moves 0 (set-up) to {len(self.actions)}, not {move!r}")
        return next(islice(self.positions(), move, None))

    def result(self) -> dict[str, Any] | None:
        """Points and ranks of all players and the number of rounds; None if the game is not over.

        Raises:
            ReplayError: If the actions do not fit.
        """
        batch = self._last()
        return _standing(batch) if self.game.is_over(batch.games)[0] else None

    def _last(self) -> Batch:
        """The batch after all moves; unlike ``batch_at`` it also finds what cannot be played."""
        *_, last = self.positions()
        return last

    # -- reading and writing ----------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """One line of JSON. The result is for people and for checking."""
        data = {
            "pr_env": "replay",
            "version": VERSION,
            "game": self.game.name,
            "layout": self.game.layout,
            "options": self.game.options(),
            "seed": self.seed,
            "actions": self.actions,
            "result": self.result(),
        }
        if self.seats:
            data["seats"] = self.seats
        return json.dumps(data)

    @classmethod
    def from_json(cls, line: str) -> Replay:
        """The replay of a line, played once to see that it fits.

        Raises:
            ReplayError: If it does not, with what is wrong.
        """
        data = _read_object(line)
        seats = data.get("seats", ())
        replay = cls(_read_game(data), data.get("seed"), data.get("actions"), seats)  # type: ignore[arg-type] # it checks
        written, played = data.get("result"), replay.result()
        if written is not None and written != played:
            raise ReplayError(f"says that the result is {_short(written)}, but playing it gives {played}")
        return replay

    # -- telling ----------------------------------------------------------------------------------------------------

    def moves(self, start: int = 0) -> list[Move]:
        """Every move in words, or only those after the first ``start`` ones."""
        first = start
        while first and self.batch_at(first).to_dict(0).get("phase") == "mayor":
            first -= 1  # points of large buildings are told at the end of that phase
        moments = [_Moment.of(batch) for batch in islice(self.positions(), first, None)]
        return _moves(self, moments, first)[start - first :]

    def log(self) -> list[str]:
        """The whole game for people to read: a header for each round, a line for each move, the final scores."""
        moments = self._moments()
        lines = [f"{_words(self.game.name).title()}, {self.game.players} players, seed {self.seed}"]
        lines += [", ".join(f"player {seat}: {who}" for seat, who in enumerate(self.seats))] if self.seats else []
        part = ""
        for move in _moves(self, moments):
            moment = moments[move.number - 1]
            if (now := _part(moment.position)) != part:
                part = now
                lines += ["", _header(moment)]
            lines.append(f"{move.number:5}  {'' if move.opens else '   '}{move}")
        return [*lines, "", *_final_lines(self._last(), len(self.actions))]

    def _moments(self) -> list[_Moment]:
        return [_Moment.of(batch) for batch in self.positions()]


class Recorder:
    """Collects the actions of one game while it is played elsewhere, from its set-up on.

    Args:
        game: The game and its configuration.
        seed: What it was set up with, for game ``i`` of a batch ``batch.seed[i]``.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self._game = game
        self._seed = seed
        self._actions: list[int] = []

    def add(self, action: SupportsIndex) -> None:
        """The next action that was played."""
        self._actions.append(int(action))

    def replay(self) -> Replay:
        """The game so far."""
        return Replay(self._game, self._seed, tuple(self._actions))


# -- files ------------------------------------------------------------------------------------------------------------


def save(path: str | Path, replays: Iterable[Replay], append: bool = False) -> None:
    """Write one line a replay; ``append`` keeps what the file has."""
    lines = [replay.to_json() + "\n" for replay in replays]  # before the file is touched: one may not fit
    with open(path, "a" if append else "w", encoding="utf-8") as file:
        file.writelines(lines)


def load(path: str | Path) -> list[Replay]:
    """All replays of a file.

    Raises:
        ReplayError: If a line is not a replay that fits, with the file and the number of the line.
        OSError: If the file cannot be read.
    """
    return [_load_line(path, number, line) for number, line in _lines(path)]


def load_one(path: str | Path, game: int) -> Replay:
    """One replay of a file by its number, from 1 on. Looks at no other; raises what ``load`` raises."""
    lines = _lines(path)
    if not 1 <= game <= len(lines):
        raise ReplayError(f"{path} has {len(lines)} game{'' if len(lines) == 1 else 's'}, no game {game}")
    return _load_line(path, *lines[game - 1])


def _lines(path: str | Path) -> list[tuple[int, str]]:
    """The lines that have something on them, with their numbers."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ReplayError(f"{path} is not a file of replays: it is not text") from None
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _load_line(path: str | Path, number: int, line: str) -> Replay:
    try:
        return Replay.from_json(line)
    except ReplayError as error:
        raise ReplayError(f"{path}, line {number}: {error}") from None


def _read_object(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ReplayError(f"is not JSON: {_short(line)}") from None
    if not isinstance(data, dict) or data.get("pr_env") != "replay":
        raise ReplayError('is not a replay: it has no "pr_env": "replay"')
    if data.get("version") != VERSION:
        raise ReplayError(f"is a replay of version {_short(data.get('version'))}; only version {VERSION} is known")
    return data


def _read_game(data: Mapping[str, Any]) -> Game:
    name, options = data.get("game"), data.get("options")
    kind = GAMES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ReplayError(f"is of an unknown game, {_short(name)}; known are {', '.join(GAMES)}")
    if not isinstance(options, dict):
        raise ReplayError(f"has options that are no dictionary but {_short(options)}")
    try:
        _check_types(kind, options)
        game = kind(**options)
    except (TypeError, ValueError) as error:
        raise ReplayError(f"has options that {name} refuses: {error}") from None
    if data.get("layout") != game.layout:
        raise ReplayError(f"is of layout {_short(data.get('layout'))} of {name}; here it has layout {game.layout}")
    return game


def _check_types(kind: Callable[..., Game], options: Mapping[str, Any]) -> None:
    """JSON knows 3.0 and true where the compiled rules need 3 and 1: numbers are of the type of their defaults."""
    for name, parameter in inspect.signature(kind).parameters.items():
        default = parameter.default
        if name in options and isinstance(default, int) and type(options[name]) is not type(default):
            raise TypeError(f"{name} is something like {default!r}, not {_short(options[name])}")


def _is_whole(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _short(value: object) -> str:
    """Enough of a value to recognise it in a message of one line."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# -- words ------------------------------------------------------------------------------------------------------------
#    What a position says is read with care: another game may not have boards, rounds or roles.

DRAFT = "Draft of the violet buildings"
_ENDINGS = {
    "colonists": "the colonist ship could not be filled",
    "chips": "the victory point chips are used up",
    "rounds": "the most rounds allowed were played",
}


@dataclass(frozen=True)
class _Moment:
    """What the log needs of the game between two moves."""

    position: Mapping[str, Any]
    player: int
    points: list[int]

    @classmethod
    def of(cls, batch: Batch) -> _Moment:
        return cls(batch.to_dict(0), int(batch.player[0]), _standing(batch).get("points", [0] * batch.game.players))

    def boards(self) -> list[Mapping[str, Any]]:
        return self.position.get("boards") or [{} for _ in self.points]


def _standing(batch: Batch) -> dict[str, Any]:
    """Points, ranks and rounds as if the game ended now, as far as the game counts them."""
    score, players = batch.score()[0], batch.game.players
    known = score.dtype.names or ()
    standing: dict[str, Any] = {}
    for name, field in (("points", "total"), ("ranks", "rank")):
        if field in known:
            standing[name] = score[field][:players].tolist()
    if "rounds" in known:
        standing["rounds"] = int(score["rounds"])
    return standing


def _moves(replay: Replay, moments: list[_Moment], first: int = 0) -> list[Move]:
    """The moves between these moments, of which the earliest is after ``first`` moves."""
    moves = []
    told = moments[0].points
    for number, (before, after) in enumerate(pairwise(moments), start=first + 1):
        action = replay.game.actions[replay.actions[number - 1]]
        # Colonists in hand work nowhere: the points of large buildings are told when all colonists have their place.
        points = told if after.position.get("phase") == "mayor" else after.points
        gains = [new - old for new, old in zip(points, told, strict=True)]
        told = points
        moves.append(
            Move(
                number=number,
                round=0 if _part(before.position) == DRAFT else before.position.get("round", 0),
                player=before.player,
                opens=before.position.get("phase", "pick_role") in ("pick_role", "draft"),
                words=_decision_in_words(action, before.position),
                effects=(*_effects_on_players(action, before, after, gains), *_effects_on_table(before, after)),
            )
        )
    return moves


def _decision_in_words(action: Action, position: Mapping[str, Any]) -> str:
    """The action's sentence, with the names of what the position asks about."""
    phase = _words(position.get("phase", "").replace("_privilege", "'s privilege"))
    if phase and action.name == ("pass",):
        return f"Pass ({phase})"
    if phase and action.name == ("take_colonist",):
        return f"Take the colonist ({phase})"
    return words.spelled_out(action, position).rstrip(".")


def _effects_on_players(action: Action, before: _Moment, after: _Moment, gains: list[int]) -> Iterator[str]:
    """What each player won and lost, the one who decided first and without a name."""
    arranged = _who_arranged(action, before, after)
    boards = list(zip(before.boards(), after.boards(), strict=True))
    for seat in _clockwise(before.player, len(boards)):
        decided = seat == before.player
        said = action.name if decided else ()
        changes = [*_counted(gains[seat], "point"), *_board_changes(*boards[seat], said)]
        if decided and "drawn" in (after.position.get("decision") or {}):
            changes.append(f"draws {after.position['decision']['drawn']}")
        if seat in arranged:
            asked = (before.position.get("decision") or {}).get("circle_kind") if decided else None
            changes += _arrangement(*boards[seat], asked)
        if changes:
            yield ("" if decided else f"player {seat}: ") + ", ".join(changes)


def _board_changes(old: Mapping[str, Any], new: Mapping[str, Any], said: tuple[str | int, ...]) -> list[str]:
    """Doubloons, barrels, tiles, buildings and colonists, but for the tile or building that the action names."""
    changes = _counted(new.get("doubloons", 0) - old.get("doubloons", 0), "doubloon")
    changes += _counted(min(0, new.get("chips", 0) - old.get("chips", 0)), "chip")  # black market
    for good, barrels in new.get("goods", {}).items():
        changes += _counted(barrels - old.get("goods", {}).get(good, 0), good, plural="")
    for tile, entry in new.get("island", {}).items():
        more = entry["tiles"] - old.get("island", {}).get(tile, {}).get("tiles", 0) - (said == ("settle", tile))
        changes += _counted(more, tile if tile == "quarry" else f"{tile} plantation")
    changes += _counted(new.get("forests", 0) - old.get("forests", 0) - (said == ("settle", "forest")), "forest")
    for building in new.get("city", {}):
        if building not in old.get("city", {}) and said != ("build", building):
            changes.append(f"+1 {_words(building)}")
    more = sum(_colonists(new).values()) - sum(_colonists(old).values())
    return changes + _counted(more, "colonist")


def _colonists(board: Mapping[str, Any]) -> dict[str, int]:
    """How many work where; those without a circle are in San Juan."""
    places = {tile: entry["colonists"] for tile, entry in board.get("island", {}).items()}
    return {**places, **board.get("city", {}), "San Juan": board.get("san_juan", 0)}


def _who_arranged(action: Action, before: _Moment, after: _Moment) -> list[int]:
    """Mayor: who finished placing colonists in this move, asked or not."""
    old, new = before.position, after.position
    begun = old.get("phase") in ("mayor", "mayor_privilege") or action.name[1:] == ("mayor",)
    if not begun or "picker" not in old or new["phase"] == "mayor_privilege":
        return []
    players = len(before.points)
    turns_left = (old["picker"] - before.player) % players or players
    asked_now = new["player"] if new["phase"] == "mayor" else None
    return list(takewhile(lambda seat: seat != asked_now, islice(_clockwise(before.player, players), turns_left)))


def _arrangement(old: Mapping[str, Any], new: Mapping[str, Any], asked: str | None) -> Iterator[str]:
    """Mayor: where a player's colonists went without a question, and who found no circle."""
    was, now = _colonists(old), _colonists(new)
    waiting = now.pop("San Juan")
    for place, count in now.items():
        if place != asked and count != was[place]:
            yield f"{count - was[place]:+} on {_words(place)}"
    if waiting:
        yield f"{waiting} in San Juan"


def _effects_on_table(before: _Moment, after: _Moment) -> Iterator[str]:
    """What happens on the table at the end of a phase, and why the game will end."""
    old, new = before.position, after.position
    over = new.get("phase") == "game_over"
    for ship, sailed in zip(old.get("ships", []), new.get("ships", []), strict=True):
        if ship["good"] and not sailed["good"]:
            yield f"the {ship['good']} ship sails"
    if old.get("trading_house") and not new.get("trading_house"):
        yield "the trading house is emptied"
    if old.get("face_up") != new.get("face_up") and new.get("role") is None and not over:
        yield f"new tiles: {_listed(new['face_up'])}"
    if old.get("role") == "mayor" and new.get("role") is None and not over:
        yield f"colonists on the next ship: {new['colonist_ship']}"
    if not over:
        for reason in new.get("ending", []):
            if reason not in old.get("ending", []):
                yield f"THE LAST ROUND: {_ending(reason, new)}"


def _ending(reason: str, position: Mapping[str, Any]) -> str:
    if reason == "city":
        return words.end_by_city(position)
    return _ENDINGS.get(reason, reason)


def _part(position: Mapping[str, Any]) -> str:
    """What the log has a header for."""
    if position.get("phase") == "draft":
        return DRAFT
    return f"Round {position['round']}" if "round" in position else ""


def _header(moment: _Moment) -> str:
    position = moment.position
    parts = [_part(position)]
    if parts == [DRAFT]:
        return DRAFT
    if "governor" in position:
        parts.append(f"governor: player {position['governor']}")
    parts.append(f"points: {' / '.join(str(points) for points in moment.points)}")
    cards = [(role, card["doubloons"]) for role, card in position.get("roles", {}).items() if card["doubloons"]]
    if cards:
        parts.append(f"doubloons on {', '.join(f'{_words(role)} ({count})' for role, count in cards)}")
    return " | ".join(parts)


def _final_lines(batch: Batch, moves: int) -> list[str]:
    """Who won, or how it stands."""
    standing, position = _standing(batch), batch.to_dict(0)
    if batch.game.is_over(batch.games)[0]:
        reasons = " and ".join(_ending(reason, position) for reason in position.get("ending", []))
        rounds = f" and {standing['rounds']} rounds" if "rounds" in standing else ""
        lines = [f"The game is over after {moves} moves{rounds}{reasons and ': '}{reasons}."]
    else:
        lines = [f"The replay stops after {moves} move{'s' if moves != 1 else ''}, before the game is over."]
    boards = position.get("boards") or [{}] * batch.game.players
    seats = range(batch.game.players)
    ranks, points = standing.get("ranks", [1 for _ in seats]), standing.get("points", [0 for _ in seats])
    for seat in sorted(seats, key=lambda seat: ranks[seat]):
        lines.append(f"{ranks[seat]:3}. player {seat}: {points[seat]} points{_sources(boards[seat], points[seat])}")
    return lines


def _sources(board: Mapping[str, Any], points: int) -> str:
    if "chips" not in board:
        return ""
    left = board["doubloons"] + sum(board["goods"].values())
    return f" ({board['chips']} in chips, {points - board['chips']} from buildings; doubloons and barrels: {left})"


def _clockwise(start: int, players: int) -> Iterator[int]:
    return ((start + turn) % players for turn in range(players))


def _counted(change: int, what: str, plural: str = "s") -> list[str]:
    """A change such as "+2 points"; nothing for no change."""
    return [f"{change:+} {what}{'' if abs(change) == 1 else plural}"] if change else []


def _listed(counts: Mapping[str, int]) -> str:
    """For example "2 corn, 1 quarry"."""
    return ", ".join(f"{count} {_words(name)}" for name, count in counts.items() if count) or "nothing"


def _words(name: str) -> str:
    return name.replace("_", " ")
