"""Gymnasium: an environment for one seat (or team); policies play the others."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.seeding import np_random

from pr_env.aec import check_action, check_render_mode, read_position, render
from pr_env.game import Game, check_is_game
from pr_env.opponents import Opponents
from pr_env.registry import find_game
from pr_env.seats import IllegalAction, Seat, SeatBatch, result_of
from pr_env.spaces import action_space, masked_observation_space, observation_space


class GameEnv(gymnasium.Env[Any, np.int64]):
    """One game after another, stepped from one decision of the learner to the next.

    The observation is the vector of `Batch`. The mask is in ``info["action_mask"]`` (int8) and returned by
    ``action_masks()`` (bool, as sb3-contrib expects). ``info["seat"]`` is the seat that the learner decides for; at the
    end of a game the info contains its result, see `pr_env.seats.result_of`. ``reset(seed=7)`` plays the game with seed
    7; ``reset(options={"position": {...}})`` starts from a given position.

    Args:
        game: The game and its configuration.
        seat: The learner's seat; ``"rotate"``: the next seat at every reset or, with a seed, the seed modulo the number
            of players; or ``"team"``: all seats of a team, in a game with teams.
        opponents: The players in the other seats, including partners, see `SeatBatch`.
        reward: One of the game's reward schemes.
        illegal_action: ``"random_legal"`` (environment checkers play illegal actions), ``"raise"`` or ``"terminate"``.
        mask_in_observation: Whether observations are ``{"observation": vector, "action_mask": int8 mask}``, for
            libraries that expect the mask there. At the end of a game this mask is all ones, so that a softmax of it is
            never NaN.
        render_mode: None, ``"human"`` (prints the board), or one of the game's render modes.
    """

    def __init__(
        self,
        game: Game,
        *,
        seat: Seat = "rotate",
        opponents: Opponents = "random",
        reward: str = "win_share",
        illegal_action: IllegalAction = "random_legal",
        mask_in_observation: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_is_game(game)
        check_render_mode(game, render_mode)
        self.metadata = {"render_modes": ["human", *game.render_modes], "render_fps": 2}
        self.render_mode = render_mode
        self.game = game
        self.mask_in_observation = bool(mask_in_observation)
        self.observation_space = (masked_observation_space if mask_in_observation else observation_space)(game)
        self.action_space = action_space(game)
        self._seats = SeatBatch(
            game, 1, seat=seat, opponents=opponents, reward=reward, illegal_action=illegal_action, threads=1
        )
        self._next_place = 0
        self._running = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game and play to the learner's first decision."""
        position = read_position(options)
        # If a position is refused, the generator must not have advanced.
        if seed is None:
            generator = deepcopy(self.np_random)
            game_seed = int(generator.integers(2**63))
            self._seats.reset(game_seed, first_place=self._next_place, position=position)
            self.np_random = generator
        else:
            generator, _ = np_random(seed)
            self._seats.reset(seed, position=position)
            self.np_random = generator
        self._next_place = int(self._seats.places[0]) + 1
        self._running = True
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, up to the learner's next decision or the end of the game."""
        if not self._running:
            raise RuntimeError("the game is over, or has not been started: call reset() before step()")
        seats = self._seats
        seat = int(seats.seats[0])
        seats.step([check_action(action)])
        reward, terminated, truncated = float(seats.reward[0]), bool(seats.terminated[0]), bool(seats.truncated[0])
        if not (terminated or truncated):
            return self._observation(), reward, False, False, self._info()
        self._running = False
        info = {
            "action_mask": np.zeros(len(self.game.actions), np.int8),
            "seat": seat,
            **result_of(self.game, seats.final[0], seat),
        }
        last: Any = seats.final_observation[0].copy()
        if self.mask_in_observation:
            last = {"observation": last, "action_mask": np.ones(len(self.game.actions), np.int8)}
        return last, reward, terminated, truncated, info

    @property
    def final(self) -> Any:
        """The final record of the last game that has ended."""
        return self._seats.final[0]

    def action_masks(self) -> np.ndarray:
        """Bool (actions,): the learner's legal actions."""
        return np.array(self._seats.mask[0])

    def render(self) -> Any:
        """The board in the environment's render mode."""
        return render(self._seats.batch, self.render_mode)

    def _repr_svg_(self) -> str | None:
        """The board, as shown in notebooks."""
        return self._seats.batch._repr_svg_()

    def _observation(self) -> Any:
        vector = self._seats.observation[0].copy()
        if not self.mask_in_observation:
            return vector
        return {"observation": vector, "action_mask": self._seats.mask[0].astype(np.int8)}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._seats.mask[0].astype(np.int8), "seat": int(self._seats.seats[0])}


def make(game_name: str, **options: Any) -> GameEnv:
    """Entry point for ``gymnasium.make``; takes the options of the game and of `GameEnv`."""
    return GameEnv(find_game(game_name).from_options(options), **options)
