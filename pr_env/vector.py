"""Gymnasium: a vector environment on one batch, without subprocesses."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

from pr_env.aec import read_position
from pr_env.checks import check_whole
from pr_env.game import Game, check_is_game
from pr_env.opponents import Opponents
from pr_env.registry import find_game
from pr_env.seats import IllegalAction, Seat, SeatBatch, result_of
from pr_env.spaces import action_space, masked_observation_space, observation_space


class GameVectorEnv(gymnasium.vector.VectorEnv[Any, np.ndarray, np.ndarray]):
    """N games, stepped from one decision of the learner to the next.

    A finished game restarts in the same step (``AutoresetMode.SAME_STEP``): where ``infos["_final_obs"]`` is True,
    ``infos["final_obs"]`` holds the learner's last observation and ``infos["final_info"]`` the result.

    Args:
        game: The game and its configuration.
        num_envs: The number of games.
        seat: The learner's seat, ``"rotate"``, or, in a game with teams, ``"team"`` for all seats of a team.
        opponents: The players in the other seats, including partners, see `SeatBatch`.
        reward: One of the game's reward schemes.
        illegal_action: ``"random_legal"``, ``"raise"`` or ``"terminate"``.
        mask_in_observation: Whether observations are ``{"observation": vectors, "action_mask": int8 masks}``, for
            libraries that expect the masks there. In ``final_obs`` these masks are all ones, so that a softmax of them
            is never NaN.
        compact: Whether observations are compact: uint8 counts, see `Batch`.
        threads: As for `Batch`.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        *,
        seat: Seat = "rotate",
        opponents: Opponents = "random",
        reward: str = "win_share",
        illegal_action: IllegalAction = "random_legal",
        mask_in_observation: bool = False,
        compact: bool = False,
        threads: int | None = None,
    ) -> None:
        super().__init__()
        self.metadata = {"render_modes": []}
        if hasattr(gymnasium.vector, "AutoresetMode"):  # since Gymnasium 1.1
            self.autoreset_mode = gymnasium.vector.AutoresetMode.SAME_STEP  # some libraries look here ...
            self.metadata["autoreset_mode"] = self.autoreset_mode  # ... and Gymnasium's own functions here
        self.game = game
        check_is_game(game)
        check_whole("num_envs", num_envs)
        self.num_envs = int(num_envs)
        self.mask_in_observation = bool(mask_in_observation)
        self.single_observation_space = (masked_observation_space if mask_in_observation else observation_space)(
            game, compact
        )
        self.single_action_space = action_space(game)
        self._seats = SeatBatch(
            game,
            num_envs,
            seat=seat,
            opponents=opponents,
            reward=reward,
            illegal_action=illegal_action,
            compact=compact,
            threads=threads,
        )
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Restart all games. With a single seed, game ``i`` has the seed ``seed + i``; a list has one seed per game.

        ``options={"position": {...}}`` starts all games from a given position.
        """
        position = read_position(options)
        # If a position is refused, the generator must not have advanced.
        if seed is None:
            generator = deepcopy(self.np_random)
            self._seats.reset(generator.integers(2**62, size=self.num_envs).tolist(), position=position)
            self.np_random = generator
        else:
            self._seats.reset(seed, position=position)
            if isinstance(seed, (int, np.integer)):
                super().reset(seed=int(seed))
        infos = self._infos()
        return self._observations(infos), infos

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play the learner's action in every game."""
        seats = self._seats
        seats_played = seats.seats.copy()
        seats.step(actions)
        infos = self._infos()
        ended = seats.terminated | seats.truncated
        if ended.any():
            infos |= {
                "final_obs": self._final_observations(ended),
                "_final_obs": ended,
                "final_info": self._final_info(ended, seats_played),
                "_final_info": ended,
            }
        return (
            self._observations(infos),
            seats.reward.astype(np.float64),
            seats.terminated.copy(),
            seats.truncated.copy(),
            infos,
        )

    def action_masks(self) -> np.ndarray:
        """Bool (n, actions): the learner's legal actions in each game."""
        return self._seats.mask.copy()

    def _observations(self, infos: dict[str, Any]) -> Any:
        vectors = self._seats.observation.copy()
        if not self.mask_in_observation:
            return vectors
        return {"observation": vectors, "action_mask": infos["action_mask"].copy()}

    def _final_observations(self, ended: np.ndarray) -> np.ndarray:
        """As in Gymnasium's own vector environments: an array of objects, None where the game continues."""
        observations = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            observations[i] = self._seats.final_observation[i].copy()
            if self.mask_in_observation:
                mask = np.ones(len(self.game.actions), np.int8)
                observations[i] = {"observation": observations[i], "action_mask": mask}
        return observations

    def _final_info(self, ended: np.ndarray, seats: np.ndarray) -> dict[str, Any]:
        """The items of `result_of` as arrays."""
        final = self._seats.final
        info: dict[str, Any] = {
            "points": final["total"][:, : self.game.players].copy(),
            "win_share": final["win_share"][np.arange(self.num_envs), seats],
            "seat": seats,
        }
        if not self.game.constant_sum:
            info["won"] = info["win_share"] > 0
        if self.game.titles:
            info["title"] = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(ended):
                info["title"][i] = result_of(self.game, final[i], int(seats[i]))["title"]
        return info | {f"_{name}": ended for name in info}

    def _infos(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        mask, seat = self._seats.mask.view(np.int8).copy(), self._seats.seats.copy()
        return {"action_mask": mask, "_action_mask": everywhere, "seat": seat, "_seat": everywhere}


def make(game_name: str, num_envs: int = 1, **options: Any) -> GameVectorEnv:
    """Entry point for ``gymnasium.make_vec``; takes the options of the game and of `GameVectorEnv`."""
    return GameVectorEnv(find_game(game_name).from_options(options), num_envs, **options)
