"""PettingZoo: any game as an AEC environment.

Agents act in the irregular turn order of the game, so there is no parallel API; use `Batch` for many games.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from pr_env.batch import Batch
from pr_env.checks import check_choice, is_whole, shown
from pr_env.game import EVERYTHING, Buffers, Game, IllegalActionError, PositionError, check_is_game
from pr_env.seats import ILLEGAL_REWARD, IllegalAction, check_illegal_action, result_of
from pr_env.spaces import action_space, masked_observation_space, observation_space

Observation = dict[str, np.ndarray]

_AFTER_RESET = {"agents", "agent_selection", "rewards", "terminations", "truncations", "infos"}


class GameAEC(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """One game for the agents ``player_0`` to ``player_{n-1}``, in seat order.

    Observations are ``{"observation": float32 vector, "action_mask": int8 vector}``. The mask is all zero for agents
    whose turn it is not; it is also in ``infos[agent]["action_mask"]``. At the end of a game the infos contain its
    result (see `pr_env.seats.result_of`). ``reset(seed=7)`` plays the same game as seed 7 in any batch;
    ``reset(options={"position": {...}})`` starts from a given position.

    Args:
        game: The game and its configuration.
        reward: One of the game's reward schemes.
        illegal_action: What happens on an illegal action. ``"raise"``: an IllegalActionError lists the legal actions,
            and the game does not change. ``"terminate"``: the game ends; the agent gets reward -1, the others 0.
            ``"random_legal"``: a random legal action is played instead.
        render_mode: None, ``"human"`` (prints the board), or one of the game's render modes.
    """

    def __init__(
        self,
        game: Game,
        *,
        reward: str = "win_share",
        illegal_action: IllegalAction = "raise",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_is_game(game)
        check_illegal_action(illegal_action)
        check_render_mode(game, render_mode)
        self.game = game
        self.render_mode = render_mode
        self.illegal_action = illegal_action
        self.metadata: dict[str, Any] = {
            "name": f"{game.name}_v0",
            "render_modes": ["human", *game.render_modes],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        # One space per agent: sampling uses the space's own random generator, which must not be shared.
        self.observation_spaces = {agent: masked_observation_space(game) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(game) for agent in self.possible_agents}
        self.state_space = observation_space(game)
        self._batch = Batch(game, 1, reward=reward, autoreset=False, threads=1)
        self._other_view = Buffers.allocate(game, 1)  # observation of an agent whose turn it is not
        self._no_mask = np.zeros(len(game.actions), np.int8)
        self._no_mask.flags.writeable = False  # shared by all agents whose turn it is not
        self._generator, _ = np_random()
        self._bind()

    def _bind(self) -> None:
        """Views of the batch's arrays for its one game; creating them at every step would take a third of its time."""
        out = self._batch.buffers
        self._seen, self._paid = out.observation[0], out.reward[0]
        self._mask = out.mask[0].view(np.int8)
        self._player, self._terminated, self._truncated = out.player, out.terminated, out.truncated

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the views of the batch's arrays after unpickling."""
        self.__dict__.update(state)
        self._bind()

    def __deepcopy__(self, memo: dict[int, Any]) -> GameAEC:
        """An independent copy."""
        copy = type(self).__new__(type(self))
        memo[id(self)] = copy
        copy.__setstate__({name: deepcopy(value, memo) for name, value in self.__dict__.items()})
        return copy

    def __getattr__(self, name: str) -> Any:
        """Explain which attributes need a ``reset``; a wrapper that checks the order of calls would halve the speed."""
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same for all agents."""
        self._seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same for all agents."""
        self._seat(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game."""
        position = read_position(options)
        described = None if position is None else self.game.from_dict(position)
        if described is not None and self.game.is_over(described)[0]:
            raise PositionError("the game of this position is over")
        # From here on only an invalid seed can raise, and it does so before anything changes.
        if seed is None:
            self._batch.reset(int(self._generator.integers(2**63)))
        else:
            generator, _ = np_random(seed)
            self._batch.reset(seed)
            self._generator = generator
        if described is not None:
            self._batch.set_games(described)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_mask} for agent in self.agents}
        self._skip_agent_selection = None
        self._paid_last_time = False
        self._over = False
        self._select()

    def step(self, action: int | None) -> None:
        """Play an action for ``agent_selection``. When the game is over, step each agent with None to remove it."""
        agent = self.agent_selection
        if self._over:
            if self.agents:
                if action is not None:
                    raise IllegalActionError(f"action must be None now that the game is over, got {shown(action)}")
                self._was_dead_step(action)
            else:
                gymnasium.logger.warn("step() does nothing after all agents have left: call reset()")
            return
        number = check_action(action)
        try:
            self._batch._play_one(number)
        except IllegalActionError:
            if self.illegal_action == "raise":
                raise
            if self.illegal_action == "terminate":
                self._end_by_illegal_action(agent)
                return
            self._batch._play_one(int(self._generator.choice(np.flatnonzero(self._batch.mask[0]))))
        self._cumulative_rewards[agent] = 0.0
        paid = self._paid.tolist()
        if any(paid) or self._paid_last_time:  # most schemes pay only at the end, so most steps skip this
            for name, reward in zip(self.agents, paid, strict=True):
                self.rewards[name] = reward
                self._cumulative_rewards[name] += reward
            self._paid_last_time = any(paid)
        self.infos[agent]["action_mask"] = self._no_mask
        if self._terminated.item() or self._truncated.item():
            self._end(self._batch.final[0], self._terminated.item())
        else:
            self._select()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward, termination, truncation and info of the agent to move."""
        agent = self.agent_selection
        info = self.infos[agent]
        if not observe:
            observation = None
        elif self._over:
            observation = self.observe(agent)
        else:
            observation = {"observation": self._seen.copy(), "action_mask": info["action_mask"]}
        return observation, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], info

    def observe(self, agent: str) -> Observation:
        """What the agent sees now."""
        seat = self._seat(agent)
        if agent == self.agent_selection and not self._over:
            return {"observation": self._seen.copy(), "action_mask": self.infos[agent]["action_mask"]}
        self._batch.look(self._other_view, viewer=seat)
        return {"observation": self._other_view.observation[0].copy(), "action_mask": self._no_mask}

    def state(self) -> np.ndarray:
        """The full state in seat order, with nothing hidden."""
        self._batch.look(self._other_view, viewer=EVERYTHING)
        return np.array(self._other_view.observation[0])

    def render(self) -> str | np.ndarray | None:
        """The board in the environment's render mode."""
        return render(self._batch, self.render_mode)

    def _repr_svg_(self) -> str | None:
        """The board, as shown in notebooks."""
        return self._batch._repr_svg_()

    def close(self) -> None:
        """No resources to release."""

    def _seat(self, agent: str) -> int:
        """An agent's seat."""
        if not isinstance(agent, str) or agent not in self.observation_spaces:
            raise ValueError(f"agent must be one of {', '.join(self.possible_agents)}, got {shown(agent)}")
        return self.possible_agents.index(agent)

    def _select(self) -> None:
        """Set the acting agent and its mask."""
        self.agent_selection = agent = self.possible_agents[self._player.item()]
        self.infos[agent]["action_mask"] = self._mask.copy()

    def _end(self, final: Any, terminated: bool) -> None:
        """End the game for all agents; they are removed in seat order."""
        self._over = True
        for seat, agent in enumerate(self.agents):
            self.infos[agent] |= result_of(self.game, final, seat)
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, not terminated)
        self._deads_step_first()

    def _end_by_illegal_action(self, agent: str) -> None:
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: ILLEGAL_REWARD}
        self._cumulative_rewards[agent] = ILLEGAL_REWARD
        self.infos[agent]["action_mask"] = self._no_mask
        self._end(self._batch.score()[0], terminated=True)


def check_render_mode(game: Game, render_mode: str | None) -> None:
    """Refuse unknown render modes."""
    if render_mode is not None:
        check_choice("render_mode", render_mode, ("human", *game.render_modes))


def check_action(action: Any) -> int:
    """An action as a Python int.

    Raises:
        IllegalActionError: If it is not a whole number.
    """
    if type(action) is np.int64 or (type(action) is int and 0 <= action < 2**31):  # nearly always
        return int(action)
    scalar: Any = action.item() if isinstance(action, np.ndarray) and action.shape == () else action
    if not is_whole(scalar):
        raise IllegalActionError(f"action must be a whole number, got {shown(action)}")
    return int(scalar)


def read_position(options: dict[str, Any] | None) -> Any:
    """The position given in the options of a reset, or None. Other options, as passed by checkers, are ignored."""
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f"options must be a dictionary or None, got {shown(options)}")
    return (options or {}).get("position")


def render(batch: Batch, mode: str | None) -> str | np.ndarray | None:
    """Render the first game of a batch."""
    if mode is None:
        gymnasium.logger.warn("render() does nothing without a render_mode: create the environment with one")
        return None
    if mode == "human":
        print(batch.game.render(batch.games[0], "ansi"))
        return None
    return batch.game.render(batch.games[0], mode)
