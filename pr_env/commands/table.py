"""A game that is being played at the terminal, and its file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pr_env import replay
from pr_env.moment import Moment
from pr_env.opponents import Player
from pr_env.replay import Replay, ReplayError

YOU = "you"  # who sits where a person plays


class Table:
    """One game, what was played so far, and who plays which seat.

    Args:
        start: Where it begins or goes on, with the names of all seats.
        players: Who plays which seat; a person plays the seats that are not there.
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
        """Who is to move."""
        return int(self.batch.player[0])

    @property
    def moment(self) -> Moment:
        """The game as it stands."""
        return Moment(self.batch.game, self.batch.games[0])

    @property
    def moves(self) -> int:
        """How many were played."""
        return len(self._replay.actions)

    def last_move_of(self, seat: int) -> int:
        """The number of a seat's last move, from 1 on; 0 if it has made none."""
        return max((number for number, moved in enumerate(self._moved, start=1) if moved == seat), default=0)

    @property
    def replay(self) -> Replay:
        """The game so far."""
        return self._replay

    def play(self, action: int) -> None:
        """One move of whoever is to move."""
        seat = self.seat
        self.batch.step([action])
        self._moved.append(seat)
        self._replay = self._with((*self._replay.actions, action))

    def play_seat(self) -> None:
        """One move of the player to move, who is not a person."""
        self.play(self.ask(self._players[self.seat]))

    def ask(self, player: Player) -> int:
        """What a player would do here."""
        # A copy: agents' kernels are compiled for arrays that may be written.
        games = np.array(self.batch.games)
        return int(player.choose(self.batch.observation, self.batch.mask, games)[0])

    def ask_everybody(self) -> None:
        """Ask each player once: what must be compiled, or cannot play this game, shows before the first move."""
        if not self.is_over:
            for player in self._players.values():
                self.ask(player)

    def go_back(self, moves: int) -> None:
        """To the position after so many moves."""
        self._replay = self._with(self._replay.actions[:moves])
        self.batch = self._replay.batch_at(moves)
        del self._moved[moves:]

    def _with(self, actions: tuple[int, ...]) -> Replay:
        return Replay(self._replay.game, self._replay.seed, actions, self.names)


def load(path: Path, **local: Any) -> tuple[Replay, int]:
    """A game that ``pr-env play`` saved, and the seat of the person.

    Args:
        path: The file.
        **local: Options that files do not hold, see `pr_env.replay.load`.

    Raises:
        ReplayError: If it is no such file.
        OSError: If it cannot be read.
    """
    games = replay.load(path, **local)
    if len(games) != 1 or YOU not in games[0].seats:
        raise ReplayError(f"{path} is no game that 'pr-env play' saved; 'pr-env replay {path}' may show it")
    return games[0], games[0].seats.index(YOU)


def free_name(start: Replay) -> Path:
    """A file of this folder that does not exist yet, named after the game and its seed."""
    name, number = f"{start.game.name.replace('_', '-')}-{start.seed}", 1
    while (path := Path(f"{name}.jsonl" if number == 1 else f"{name}-{number}.jsonl")).exists():
        number += 1
    return path


def check_new(path: Path) -> None:
    """Complain before a game is played that could not be saved there.

    Raises:
        ValueError: If there is something already, or no folder for it.
    """
    if path.exists():
        raise ValueError(f"{path} exists already; to resume a saved game: pr-env play --resume {path}")
    if not path.parent.is_dir():
        raise ValueError(f"cannot save to {path}: there is no folder {path.parent}")
