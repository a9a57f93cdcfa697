"""A game in progress at the terminal, and its file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pr_env import replay
from pr_env.moment import Moment
from pr_env.opponents import Player
from pr_env.replay import Replay, ReplayError

YOU = "you"  # the name of a person's seat


class Table:
    """One game, its moves so far, and the players in its seats.

    Args:
        start: The game to begin or resume, with the names of all seats.
        players: The player in each seat; a person plays the seats that are missing.
    """

    def __init__(self, start: Replay, players: Mapping[int, Player]) -> None:
        self.names = start.seats
        self.batch = start.batch_at(len(start.actions))
        self._moved = [int(batch.player[0]) for batch in start.positions()][:-1]  # the seat of each move
        self._replay = start
        self._players = players

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.batch.is_over()[0])

    @property
    def seat(self) -> int:
        """The seat to move."""
        return int(self.batch.player[0])

    @property
    def moment(self) -> Moment:
        """The current state of the game."""
        return Moment(self.batch.game, self.batch.games[0])

    @property
    def moves(self) -> int:
        """The number of moves played."""
        return len(self._replay.actions)

    def last_move_of(self, seat: int) -> int:
        """The number of a seat's last move, starting at 1; 0 if it has not moved yet."""
        return max((number for number, moved in enumerate(self._moved, start=1) if moved == seat), default=0)

    @property
    def replay(self) -> Replay:
        """The game so far."""
        return self._replay

    def play(self, action: int) -> None:
        """Play a move for the seat to move."""
        seat = self.seat
        self.batch.step([action])
        self._moved.append(seat)
        self._replay = self._with((*self._replay.actions, action))

    def play_seat(self) -> None:
        """Let the player to move, who is not a person, make its move."""
        self.play(self.ask(self._players[self.seat]))

    def ask(self, player: Player) -> int:
        """The action that a player chooses here."""
        # A copy: agents' kernels are compiled for writable arrays.
        games = np.array(self.batch.games)
        return int(player.choose(self.batch.observation, self.batch.mask, games)[0])

    def ask_everybody(self) -> None:
        """Ask each player once, so that compiling and errors happen before the first move."""
        if not self.is_over:
            for player in self._players.values():
                self.ask(player)

    def go_back(self, moves: int) -> None:
        """Go back to the position after this number of moves."""
        self._replay = self._with(self._replay.actions[:moves])
        self.batch = self._replay.batch_at(moves)
        del self._moved[moves:]

    def _with(self, actions: tuple[int, ...]) -> Replay:
        return Replay(self._replay.game, self._replay.seed, actions, self.names)


def load(path: Path, **local: Any) -> tuple[Replay, int]:
    """A game saved by ``pr-env play``, and the person's seat.

    Args:
        path: The file.
        **local: Options that files do not hold, see `pr_env.replay.load`.

    Raises:
        ReplayError: If it is not such a file.
        OSError: If it cannot be read.
    """
    games = replay.load(path, **local)
    if len(games) != 1 or YOU not in games[0].seats:
        raise ReplayError(f"{path} is not a game saved by 'pr-env play'; 'pr-env replay {path}' may show it")
    return games[0], games[0].seats.index(YOU)


def free_name(start: Replay) -> Path:
    """An unused file name in this folder, made from the game and its seed."""
    name, number = f"{start.game.name.replace('_', '-')}-{start.seed}", 1
    while (path := Path(f"{name}.jsonl" if number == 1 else f"{name}-{number}.jsonl")).exists():
        number += 1
    return path


def check_new(path: Path) -> None:
    """Check before the game that it can be saved there.

    Raises:
        ValueError: If the file exists, or its folder does not.
    """
    if path.exists():
        raise ValueError(f"{path} already exists; to resume a saved game: pr-env play --resume {path}")
    if not path.parent.is_dir():
        raise ValueError(f"cannot save to {path}: there is no folder {path.parent}")
