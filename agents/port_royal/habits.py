"""Statistics of play in Port Royal: arena hooks that count draws, busts and hires."""

from __future__ import annotations

import numpy as np

from agents.arena.hooks import Hook, Playing
from agents.arena.statistics import Estimate, average, share
from agents.port_royal.drawing import bust_chance
from pr_env.compiling import announce_compiling, kernel
from pr_env.port_royal import PortRoyal
from pr_env.port_royal.actions import DRAW, LET_IN, STOP
from pr_env.port_royal.cards import PERSON
from pr_env.port_royal.state import DISCOVER, END_OF_TURN, GAME_OVER, IMMEDIATE, NOTHING
from pr_env.port_royal.tables import NUM_COLOURS

MOST_SABRES = 7  # larger numbers count as this one: they repel every ship that can be repelled
_JINX = "jinx"  # the contract for a turn that ends in a bust: the player is asked about it at once


@kernel
def bust_chances(games: np.ndarray, tables: np.ndarray, out: np.ndarray) -> None:
    """The exact probability that the next card is a bust, in each game."""
    for i in range(games.shape[0]):
        out[i] = bust_chance(games[i], tables[0])


class Draws(Hook):
    """Counts when players draw another card and when they stop.

    Attributes:
        decided: int64 (ships, sabres): the number of decisions between drawing and stopping, by ships in the harbour
            and the player's sabres (up to MOST_SABRES).
        drew: The number of draws among them.
        risk: float64, same shape: the sum of the exact probabilities of a bust.
        drawn_at: The same sum over the draws only.
    """

    def __init__(self) -> None:
        shape = (NUM_COLOURS + 1, MOST_SABRES + 1)
        self.decided, self.drew = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.risk, self.drawn_at = np.zeros(shape), np.zeros(shape)

    def step(self, playing: Playing, index: np.ndarray, actions: np.ndarray) -> None:
        """Count decisions between drawing and stopping."""
        games = playing.batch.games
        legal = games["legal"]
        free = (games["question"][index] == DISCOVER) & (legal[index, DRAW] == 1) & (legal[index, STOP] == 1)
        free &= np.isin(actions, (DRAW, STOP))
        if not free.any():
            return
        asked, drew = games[index[free]], actions[free] == DRAW
        chances = np.zeros(len(asked))
        with announce_compiling("the chances of a bust", bust_chances):
            bust_chances(asked, playing.batch.game.tables, chances)
        ships = (asked["harbour_ship"] != NOTHING).sum(axis=1)
        sabres = np.minimum(asked["sabres"][np.arange(len(asked)), asked["active"]], MOST_SABRES)
        np.add.at(self.decided, (ships, sabres), 1)
        np.add.at(self.drew, (ships, sabres), drew)
        np.add.at(self.risk, (ships, sabres), chances)
        np.add.at(self.drawn_at, (ships, sabres), np.where(drew, chances, 0))


class Busts(Hook):
    """Counts the turns that end in a bust.

    Attributes:
        counts: Busts in each finished game.
        seeds: The seeds of these games.
    """

    def __init__(self) -> None:
        self._turn = self._busts = np.zeros(0, np.int64)
        self._counts: list[np.ndarray] = []
        self._seeds: list[np.ndarray] = []

    def before_game(self, playing: Playing, index: np.ndarray) -> None:
        """Start counting."""
        self._turn = np.full(len(playing.batch), NOTHING)  # the turn in which a card is entering the harbour
        self._busts = np.zeros(len(playing.batch), np.int64)

    def step(self, playing: Playing, index: np.ndarray, actions: np.ndarray) -> None:
        """Check the result of the last card, and note the next one."""
        self._look(playing, index)
        entering = np.isin(actions, (DRAW, LET_IN)) & (playing.batch.games["question"][index] != GAME_OVER)
        self._turn[index] = np.where(entering, playing.batch.games["turn"][index], NOTHING)

    def after_game(self, playing: Playing, index: np.ndarray, finals: np.ndarray) -> None:
        """Check the last turn, which can be a bust too."""
        self._look(playing, index)
        self._counts.append(self._busts[index])
        self._seeds.append(finals["seed"])

    def _look(self, playing: Playing, index: np.ndarray) -> None:
        """Detect busts: after one, the turn has no decisions left but a last claim or one for a contract."""
        games = playing.batch.games
        ended = (games["turn"][index] != self._turn[index]) | np.isin(
            games["question"][index], (END_OF_TURN, GAME_OVER)
        )
        if "asked_about" in (games.dtype.names or ()):
            assert isinstance(playing.batch.game, PortRoyal)
            names = [contract.name for contract in playing.batch.game.cards.contracts]
            jinx = games["asked_about"][index] == names.index(_JINX)
            ended |= (games["question"][index] == IMMEDIATE) & jinx
        self._busts[index] += (self._turn[index] != NOTHING) & ended
        self._turn[index] = NOTHING

    @property
    def counts(self) -> np.ndarray:
        """The busts in each finished game."""
        return np.concatenate(self._counts)

    def a_game(self) -> Estimate:
        """The mean number per game, with its 95 % interval."""
        return average(self.counts.astype(np.float64), np.concatenate(self._seeds))


class Hires(Hook):
    """Records the persons that each player hires.

    Args:
        game: The game and its configuration.

    Attributes:
        types: The types of persons in the game, such as ``"trader"``.
    """

    def __init__(self, game: PortRoyal) -> None:
        persons = game.cards.of(PERSON)
        self.types = tuple(dict.fromkeys(card.type for card in persons))
        self._type_of = np.full(len(game.actions), NOTHING)
        for card in persons:
            self._type_of[game.action_number("hire", card.name)] = self.types.index(card.type)
        self._hired = np.zeros((0, game.players, len(self.types)), np.int64)
        self._finished: list[np.ndarray] = []
        self._wins: list[np.ndarray] = []
        self._seeds: list[np.ndarray] = []

    def before_game(self, playing: Playing, index: np.ndarray) -> None:
        """Start recording."""
        self._hired = np.zeros((len(playing.batch), *self._hired.shape[1:]), np.int64)

    def step(self, playing: Playing, index: np.ndarray, actions: np.ndarray) -> None:
        """Record a hire."""
        types = self._type_of[actions]
        hires = types != NOTHING
        where = index[hires]
        np.add.at(self._hired, (where, playing.batch.player[where], types[hires]), 1)

    def after_game(self, playing: Playing, index: np.ndarray, finals: np.ndarray) -> None:
        """Record the winners."""
        self._finished.append(self._hired[index])
        self._wins.append(finals["win_share"][:, : self._hired.shape[1]])
        self._seeds.append(finals["seed"])

    def a_player(self, kind: str) -> float:
        """The mean number of persons of a type that a player hires in a game."""
        return float(np.concatenate(self._finished)[..., self.types.index(kind)].mean())

    def wins(self, kind: str, *, hired: bool) -> Estimate | None:
        """The win rate of players who hired a person of a type, or who did not; None if there are none."""
        has = (np.concatenate(self._finished)[..., self.types.index(kind)] > 0) == hired
        if not has.any():
            return None
        seeds = np.broadcast_to(np.concatenate(self._seeds)[:, None], has.shape)
        return share(np.concatenate(self._wins)[has], seeds[has])
