"""Many games, in each of which a learner plays one seat (or team) and policies play the others.

The Gymnasium and Stable-Baselines3 environments are thin layers on this.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from pr_env.batch import Batch, one_thread_at_a_time
from pr_env.checks import check_choice, check_whole, is_whole, shown, whole_numbers
from pr_env.game import NO_TITLE, Buffers, Game, IllegalActionError, PositionError, check_is_game
from pr_env.opponents import Opponents, choosers

IllegalAction = Literal["raise", "terminate", "random_legal"]
ILLEGAL_REWARD = -1.0
MOST_SKIPPED = 1000  # games in a row that may end before the learner's first decision; with more, it never has one

Seat = int | Literal["rotate", "team"]


class SeatBatch:
    """N games, stepped from one decision of the learner to the next.

    After ``reset`` and ``step`` the attributes hold the results, with the batch as first axis. A finished game restarts
    in the same step; ``final`` and ``final_observation`` keep its last state. A game that ends before the learner's
    first decision is skipped, and the next one starts.

    Args:
        game: The game and its configuration.
        count: The number of games.
        seed: As for `Batch`.
        seat: The learner's seat: a number, or ``"rotate"``: the first seat is the game's seed modulo the number of
            players, and each new game uses the next seat. ``"team"``, for games with teams: the learner decides for all
            seats of a team, each time from the view of the seat to move. If there are several teams, they rotate like
            seats with ``"rotate"``.
        opponents: The players in the other seats, opponents or partners: the name of an agent, for example
            ``"random"``; a function from observations and masks of some games to actions; an object with a method
            ``choose``, like agents; or a list of these, one for each other seat, clockwise from the learner. The random
            numbers of ``"random"`` restart at every reset; those of other agents continue.
        reward: One of the game's reward schemes. The learner gets the reward of its seat (for a team, the mean over its
            seats) up to its next decision.
        illegal_action: What happens on an illegal action: ``"raise"`` (nothing changes), ``"terminate"`` (the game ends
            with reward -1) or ``"random_legal"`` (a random legal action is played instead).
        compact: As for `Batch`. Opponents are shown the usual observations.
        threads: As for `Batch`.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        seed: int | npt.ArrayLike = 0,
        *,
        seat: Seat = "rotate",
        opponents: Opponents = "random",
        reward: str = "win_share",
        illegal_action: IllegalAction = "raise",
        compact: bool = False,
        threads: int | None = None,
    ) -> None:
        check_is_game(game)
        check_illegal_action(illegal_action)
        check_seat(game, seat)
        self._places = _places(game, seat)
        self._choosers = choosers(game, opponents, [int((place > 0).sum()) for place in self._places])
        # All moves of others then happen in one call, which also writes the observations. A solo game has no such call.
        self._all_by_chance = bool(self._choosers) and all(chooser.player is None for chooser in self._choosers)
        self.game = game
        self.seat = seat
        self._is_team = seat == "team"
        self.illegal_action = illegal_action
        self._batch = Batch(game, count, seed, reward=reward, compact=compact, autoreset=False, threads=threads)
        count = len(self._batch)
        self._in_use = threading.RLock()
        self._every = np.arange(count)
        self.seats = np.zeros(count, np.int64)
        self.places = np.zeros(count, np.int64)
        self._distances = np.zeros((count, game.players), np.int64)
        self._asked = np.ones((count, game.players), np.bool_)
        self.reward = np.zeros(count, np.float32)
        self.terminated = np.zeros(count, np.bool_)
        self.truncated = np.zeros(count, np.bool_)
        self.final = np.zeros(count, game.final)
        self.final_observation = np.zeros_like(self._batch.observation)
        self.reset(seed)

    def __len__(self) -> int:
        """The number of games."""
        return len(self._batch)

    @property
    def observation(self) -> np.ndarray:
        """float32 (n, size): the learner's observations."""
        return self._batch.observation

    @property
    def mask(self) -> np.ndarray:
        """Bool (n, actions): the learner's legal actions."""
        return self._batch.mask

    @property
    def batch(self) -> Batch:
        """The underlying batch."""
        return self._batch

    @one_thread_at_a_time
    def reset(
        self, seed: int | npt.ArrayLike, first_place: int | None = None, position: Mapping[str, Any] | None = None
    ) -> None:
        """Restart all games.

        Args:
            seed: As for `Batch`.
            first_place: The first seat of ``"rotate"``, or the first team of ``"team"``, in the first game. None: each
                game's seed modulo the number of seats or teams.
            position: A position (see `Game.from_dict`) to start all games from, instead of the set-up.
        """
        if first_place is not None:
            check_whole("first_place", first_place, least=0)
        described = None if position is None else self.game.from_dict(position)
        with self._all_or_nothing(described is not None):
            self._batch.reset(seed)
            seeds = self._batch.seed
            if described is not None:
                self._batch.set_games(np.repeat(described, len(self)))
            if first_place is None:
                self._take_places((seeds % np.uint64(len(self._places))).astype(np.int64))
            else:
                self._take_places((self._every + first_place) % len(self._places))
            self._let_others_play()
            if described is not None and self._batch.is_over().any():
                raise PositionError("this position is over before the learner decides")
            self._skip_games_without_the_learner()
        self.reward[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False

    @contextmanager
    def _all_or_nothing(self, refusable: bool = False) -> Iterator[None]:
        """Restore everything if an error is raised inside. With random opponents only, there is none."""
        if self._all_by_chance and not refusable:
            yield
            return
        before = [(array, array.copy()) for array in self._arrays()]
        try:
            yield
        except BaseException:
            for array, content in before:
                array[:] = content
            raise

    def _arrays(self) -> list[np.ndarray]:
        """All arrays that a reset changes."""
        own = [value for value in vars(self).values() if isinstance(value, np.ndarray) and value is not self._every]
        return [*own, self._batch._games, self._batch._generators, *vars(self._batch.buffers).values()]

    def _take_places(self, places: np.ndarray) -> None:
        """Assign the seats of the learner and of its opponents."""
        self.places[:] = places
        self._distances[:] = self._places[places]
        self.seats[:] = (self._distances == 0).argmax(axis=1)
        self._asked[:] = True
        for chooser in self._choosers:
            if chooser.player is None:
                self._asked[np.isin(self._distances, chooser.distances)] = False

    @one_thread_at_a_time
    def step(self, actions: npt.ArrayLike) -> None:
        """Play the learner's action in every game, up to the learner's next decision.

        If an action is refused or an opponent fails, nothing changes.
        """
        numbers, refused = self._checked(actions)
        with self._all_or_nothing():
            self._step(numbers, refused)

    def _step(self, numbers: np.ndarray, refused: np.ndarray) -> None:
        # Before anything is cleared, as it may raise. Random opponents need no observations.
        out = self._batch.step(numbers, ~refused, observe=not self._all_by_chance)
        self.reward[:] = 0
        self.terminated[:] = refused
        self.truncated[:] = False
        self._collect(out)
        self._let_others_play(look_at_all=True)
        if refused.any():
            self.reward[refused] = ILLEGAL_REWARD
            self.final[refused] = self._batch.score()[refused]
        ended = self.terminated | self.truncated
        if ended.any():
            self._start_anew(ended)

    def _collect(self, out: Buffers) -> None:
        """Add up the rewards of the learner's seats, and keep the results of games that end."""
        if self._is_team:
            self.reward += out.reward.mean(axis=1, where=self._distances == 0)
        else:
            self.reward += out.reward[self._every, self.seats]
        ended = out.terminated | out.truncated
        if ended.any():
            self.terminated |= out.terminated
            self.truncated |= out.truncated
            self.final[ended] = out.final[ended]

    def _let_others_play(self, *, look_at_all: bool = False) -> None:
        """Let the others play until the learner is to move in every unfinished game."""
        while True:
            if not self._asked.all():
                self._collect(self._batch.play_on(self._asked, look_at_all=look_at_all))
                look_at_all = False
            over = self._batch.is_over()
            others = (self._batch.player != self.seats) & ~over
            if self._is_team:  # the learner takes the view of the seat to move, if it belongs to its team
                others &= self._distances[self._every, self._batch.player] > 0
                np.copyto(self.seats, self._batch.player, where=~others & ~over)
            if not others.any():
                return
            self._collect(self._batch.step(self._choose_for(others), others))

    def _choose_for(self, others: np.ndarray) -> np.ndarray:
        actions = np.zeros(len(self), np.int64)
        left_of_learner = self._distances[self._every, self._batch.player]
        for chooser in self._choosers:
            if chooser.player is None:
                continue
            index = np.flatnonzero(others & np.isin(left_of_learner, chooser.distances))
            if len(index):
                games = np.take(self._batch.games, index) if chooser.needs_games else None
                masks = self._batch.mask[index]
                answer = chooser.player.choose(self._usual(self._batch.observation[index]), masks, games)
                actions[index] = _checked_answer(chooser.player, answer, masks)
        return actions

    def _usual(self, observations: np.ndarray) -> np.ndarray:
        """What opponents know how to read."""
        return self.game.expand(observations) if self._batch.compact else observations

    def _start_anew(self, ended: np.ndarray) -> None:
        index = np.flatnonzero(ended)
        view = Buffers.allocate(self.game, 1, compact=self._batch.compact)
        for i in index:
            self.game._look(self._batch._games[i : i + 1], view, viewer=int(self.seats[i]))
            self.final_observation[i] = view.observation[0]
        self._batch.restart(index)
        if len(self._places) > 1:
            self._take_places(np.where(ended, (self.places + 1) % len(self._places), self.places))
        outcome = [(array, array.copy()) for array in (self.reward, self.terminated, self.truncated, self.final)]
        self._let_others_play()
        self._skip_games_without_the_learner()
        for array, content in outcome:
            array[:] = content

    def _skip_games_without_the_learner(self) -> None:
        """Skip new games that end before the learner's first decision, and start the next ones."""
        for _ in range(MOST_SKIPPED):
            over = np.flatnonzero(self._batch.is_over())
            if not len(over):
                return
            self._batch.restart(over)
            self._let_others_play()
        raise RuntimeError(f"{MOST_SKIPPED} games in a row ended before the learner was to move")

    def _checked(self, actions: npt.ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """The actions to play, and the games that end because their action is illegal."""
        refused = np.zeros(len(self), np.bool_)
        if self.illegal_action == "raise":
            return actions, refused  # type: ignore[return-value] # the batch itself refuses them
        try:
            numbers = whole_numbers("actions", actions, (len(self),))
        except ValueError as error:
            raise IllegalActionError(str(error)) from None
        exists = (numbers >= 0) & (numbers < len(self.game.actions))
        numbers = np.where(exists, numbers, 0)
        illegal = ~(exists & self.mask[self._every, numbers])
        if illegal.any():
            numbers = np.where(illegal, self._batch.sample_actions(), numbers)
            if self.illegal_action == "terminate":
                refused = illegal
        return numbers, refused


def _checked_answer(player: object, answer: Any, masks: np.ndarray) -> np.ndarray:
    """The actions that an opponent has chosen, checked.

    Raises:
        ValueError: If they are not one legal action for each game.
    """
    name = getattr(player, "name", type(player).__name__)
    try:
        actions = whole_numbers("actions", answer, (len(masks),))
    except ValueError as error:
        raise ValueError(f"opponent {name} must return one action for each game: {error}") from None
    exists = (actions >= 0) & (actions < masks.shape[1])
    illegal = np.flatnonzero(~(exists & masks[np.arange(len(masks)), np.where(exists, actions, 0)]))
    if len(illegal):
        legal = ", ".join(map(str, np.flatnonzero(masks[illegal[0]])))
        raise ValueError(f"opponent {name} must return legal actions ({legal}), got {actions[illegal[0]]}")
    return actions


def result_of(game: Game, final: Any, seat: int) -> dict[str, Any]:
    """The result that environments report at the end of a game.

    Args:
        game: The game and its configuration.
        final: Its final record.
        seat: The seat to report for.

    Returns:
        ``points`` of every seat and the seat's ``win_share``; in a cooperative or solo game, whether it was ``won``; in
        a game with titles, the ``title`` or None.
    """
    share = float(final["win_share"][seat])
    result: dict[str, Any] = {"points": final["total"][: game.players].tolist(), "win_share": share}
    if not game.constant_sum:
        result["won"] = share > 0
    if game.titles:
        title = int(final["title"])
        result["title"] = None if title == NO_TITLE else game.titles[title]
    return result


def check_seat(game: Game, seat: Seat) -> None:
    """Check that the game has such a seat.

    Raises:
        ValueError: If it does not, or for ``"team"`` in a game without teams.
    """
    if isinstance(seat, str) and seat == "team":
        if game.players > 1 and len(set(game.teams)) == game.players:
            raise ValueError(
                f"seat='team' is for games with teams; in this game of {game.name} everybody plays for themselves"
            )
        return
    if not (isinstance(seat, str) and seat == "rotate") and not (is_whole(seat) and seat in range(game.players)):
        raise ValueError(f"seat must be 'rotate', 'team' or a number from 0 to {game.players - 1}, got {shown(seat)}")


def _places(game: Game, seat: Seat) -> np.ndarray:
    """Where the learner can sit: for each place, the distance of every seat, which is 0 for the learner's seats.

    The other seats are counted clockwise from the learner's first one.
    """
    everybody = np.arange(game.players)
    if seat == "team":
        teams = np.array(game.teams)
        owned = [teams == team for team in dict.fromkeys(game.teams)]
    else:
        owned = [everybody == place for place in (everybody if seat == "rotate" else [seat])]
    places = np.zeros((len(owned), game.players), np.int64)
    for place, own in zip(places, owned, strict=True):
        clockwise = np.roll(everybody, -int(own.argmax()))
        others = clockwise[~own[clockwise]]
        place[others] = 1 + np.arange(len(others))
    return places


def check_illegal_action(illegal_action: str) -> None:
    """Check that the handling of illegal actions is known."""
    check_choice("illegal_action", illegal_action, get_args(IllegalAction))
