"""One game played or viewed in browsers: its moves, its seats, and the permissions of its viewers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pr_env.batch import Batch
from pr_env.game import Game
from pr_env.moment import Moment
from pr_env.replay import Move, Replay, told_moves

PERSON = "person"


class NotAllowedError(ValueError):
    """The page is not permitted to do or see this."""


@dataclass(frozen=True)
class Access:
    """The permissions of a key.

    Attributes:
        seats: The seats that it can play.
        owner: Whether it belongs to the page that created the table.
    """

    seats: tuple[int, ...]
    owner: bool = False


@dataclass
class Table:
    """A game with its seats and keys.

    Attributes:
        game: The game and its configuration.
        seats: Who plays each seat: PERSON, an agent as returned by `Players.spec`, or, for a view-only game, a name.
            The agents of a view-only game are not asked.
        keys: The permissions by secret key.
        seed: The seed of the set-up; None if the game starts from a position.
        position: The starting position in that case, as returned by ``game.to_dict``.
        hints: Whether players with links may ask agents for hints.
        finished: Whether the game is view-only.
        names: Names of the seats of a view-only game.
        id: Id of the table.
        records: The game after every move, arrays of shape (1,).
        actions: The actions played.
        undone: The number of undos. Pages discard cached positions when it changes.
        is_over: Whether the game has ended.
        player: The seat to move.
    """

    game: Game
    seats: tuple[str, ...]
    keys: dict[str, Access]
    seed: int | None
    position: Mapping[str, Any] | None = None
    hints: bool = True
    finished: bool = False
    names: tuple[str, ...] = ()
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    records: list[np.ndarray] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    undone: int = 0
    is_over: bool = field(default=False, init=False)
    player: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        """Set up the game, and replay the recorded actions."""
        played, self.actions, self.records = self.actions, [], []
        if self.position is None:
            if self.seed is None:
                raise ValueError("a table needs a seed or a position")
            self._batch = Batch(self.game, 1, self.seed, reward=self._reward, autoreset=False, threads=1)
        else:
            self._batch = Batch(self.game, 1, 0, reward=self._reward, autoreset=False, threads=1)
            self._batch.set_games(self.game.from_dict(self.position))
        self._record()
        for action in played:
            self._step(action)
        self._load()

    def _load(self) -> None:
        """Load compiled code that drawing needs, so that nobody waits for it later."""
        if self.game.imperfect_information:
            self.game.seen_by(self.records[0][0], None)

    @property
    def _reward(self) -> str:
        return self.game.reward_schemes[0]

    # -- the game -----------------------------------------------------------------------------------------------------

    @property
    def moves(self) -> int:
        """The number of moves played."""
        return len(self.actions)

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats that people play."""
        return tuple(seat for seat, who in enumerate(self.seats) if who == PERSON and not self.finished)

    @property
    def agent_to_move(self) -> str | None:
        """The agent whose turn it is."""
        if self.is_over or self.finished or self.player in self.persons:
            return None
        return self.seats[self.player]

    def _step(self, action: int) -> None:
        if self.is_over:
            raise ValueError("the game is over")
        if not 0 <= action < len(self.game.actions):
            raise ValueError(f"action must be from 0 to {len(self.game.actions) - 1}, got {action}")
        self._batch.step([action])
        self.actions.append(int(action))
        self._record()

    def _record(self) -> None:
        """Store the position. Other threads draw and describe the stored positions; they never use the batch."""
        self.records.append(np.array(self._batch.games))
        self._read()

    def _read(self) -> None:
        self.is_over = bool(self._batch.is_over()[0])
        self.player = int(self._batch.player[0])

    def play(self, action: int) -> None:
        """Play a move for the agent to move.

        Raises:
            ValueError: If the action is illegal. The table is unchanged.
        """
        self._step(action)

    def act(self, access: Access, move: int, action: int) -> None:
        """Play a move for a person.

        Raises:
            NotAllowedError: If it is not their turn.
            ValueError: If the action is illegal. The table is unchanged.
        """
        if self.finished:
            raise NotAllowedError("this game is view-only: branch off to continue it")
        if self.is_over:
            raise NotAllowedError("the game is over")
        if move != self.moves:
            raise NotAllowedError(f"the game has changed: it is at move {self.moves}, not {move}")
        if self.player not in access.seats:
            raise NotAllowedError(f"it is {self.game.words.seat(self.player)}'s turn")
        self._step(action)

    def undo(self, access: Access) -> None:
        """Undo the last move of the seats of a key, and all moves after it.

        Raises:
            NotAllowedError: If other people play too, or there is no move to undo.
        """
        if not self.can_undo(access):
            raise NotAllowedError("you have no move to undo")
        self.undone += 1
        last = self._last_move_of(access.seats)
        del self.actions[last:], self.records[last + 1 :]
        self._batch.set_games(self.records[-1])
        self._read()

    def can_undo(self, access: Access) -> bool:
        """Whether `undo` is possible."""
        return self.is_private(access) and self._last_move_of(access.seats) >= 0

    def _last_move_of(self, seats: Sequence[int]) -> int:
        """The number of the last move made by one of these seats, counted from 0; -1 if there is none."""
        if self.finished:
            return -1
        movers = range(self.moves - 1, -1, -1)
        return next((move for move in movers if int(self.records[move]["player"][0]) in seats), -1)

    # -- permissions --------------------------------------------------------------------------------------------------

    def access(self, key: str) -> Access:
        """The permissions of a key.

        Raises:
            NotAllowedError: If the key is unknown.
        """
        if key not in self.keys:
            raise NotAllowedError("this link is invalid; it may be too old")
        return self.keys[key]

    def is_private(self, access: Access) -> bool:
        """Whether the key is the owner's and no other person plays."""
        return access.owner and set(self.persons) <= set(access.seats)

    def sees_everything(self, access: Access) -> bool:
        """Whether nothing needs to be hidden: the game is over, or only agents play."""
        return self.is_over or self.finished or not self.persons

    def may_analyse(self, access: Access) -> bool:
        """Whether saving, branching and analysis are permitted: not while something is hidden or other people play."""
        if self.sees_everything(access):
            return True
        return self.is_private(access) and not self.game.imperfect_information

    def may_ask(self, access: Access, move: int) -> bool:
        """Whether hints are permitted for a position."""
        if self.may_analyse(access):
            return True
        allowed = self.hints or self.is_private(access)
        return allowed and move == self.moves and not self.is_over and self.player in access.seats

    def viewer(self, access: Access, move: int) -> int | None:
        """The seat whose view is shown after a number of moves; if a page has several seats, the one to move."""
        acting = int(self.records[move]["player"][0])
        if acting in access.seats:
            return acting
        return access.seats[0] if access.seats else None

    def check_move(self, move: int) -> None:
        """Check a move number.

        Raises:
            ValueError: If it is negative, or the game has fewer moves.
        """
        if not 0 <= move <= self.moves:
            raise ValueError(f"move must be from 0 (the set-up) to {self.moves}, got {move}")

    def moment(self, access: Access, move: int) -> Moment:
        """The game after a number of moves, as the viewer may see it. Pictures and texts use nothing else."""
        self.check_move(move)
        return self._moment(self.records[move], self._eyes(access, move))

    def _eyes(self, access: Access, move: int) -> tuple[bool, int | None]:
        return self.sees_everything(access), self.viewer(access, move)

    def _moment(self, record: np.ndarray, eyes: tuple[bool, int | None]) -> Moment:
        everything, viewer = eyes
        seen = record[0] if everything else self.game.seen_by(record[0], viewer)
        return Moment(self.game, seen)

    def told(self, access: Access, start: int) -> list[tuple[Move, str]]:
        """The moves after the first ``start`` ones in words, each with its part of the game."""
        self.check_move(start)
        words, first = self.game.words, start
        actions, records = list(self.actions), list(self.records)  # copies: the game may continue in the meantime
        last = len(actions)
        eyes = self._eyes(access, min(last, self.moves))
        moments: dict[int, Moment] = {}

        def at(move: int) -> Moment:
            if move not in moments:
                moments[move] = self._moment(records[move], eyes)
            return moments[move]

        while first and not words.settled(at(first)):
            first -= 1
        moves = told_moves(actions, [at(move) for move in range(first, last + 1)], first)[start - first :]
        return [(move, words.part(at(move.number - 1))) for move in moves]

    # -- files --------------------------------------------------------------------------------------------------------

    def replay(self) -> Replay:
        """The game so far.

        Raises:
            ValueError: If it started from a position, which a replay cannot express.
        """
        if self.seed is None:
            raise ValueError("a game that started from a position cannot be saved as a replay")
        return Replay(self.game, self.seed, tuple(self.actions), self.names or tuple(self.seats))

    def to_dict(self) -> dict[str, Any]:
        """Everything needed to continue the game after a restart, JSON-safe."""
        return {
            "pr_env": "web table",
            "version": 1,
            "id": self.id,
            "game": self.game.name,
            "layout": self.game.layout,
            "options": self.game.recorded_options(),
            "seed": self.seed,
            "position": self.position,
            "actions": self.actions,
            "seats": self.seats,
            "names": self.names,
            "keys": {key: [access.seats, access.owner] for key, access in self.keys.items()},
            "hints": self.hints,
            "finished": self.finished,
        }


def new_key() -> str:
    """A random secret."""
    return secrets.token_hex(16)
