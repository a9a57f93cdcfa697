"""Gymnasium: a campaign for one seat (or team); policies play the others."""

from __future__ import annotations

import inspect
from copy import deepcopy
from typing import Any, Literal, get_args

import gymnasium
import numpy as np
from gymnasium.utils.seeding import np_random

from pr_env.campaign import Campaign, campaign_of
from pr_env.checks import check_choice, check_whole, shown
from pr_env.game import Game
from pr_env.opponents import Opponents
from pr_env.registry import find_game
from pr_env.seats import IllegalAction, Seat
from pr_env.single import GameEnv

Episode = Literal["chapter", "campaign"]


class CampaignEnv(gymnasium.Env[Any, np.int64]):
    """The games of a campaign, one after the other.

    Observations, masks, seats and rewards are those of `GameEnv`. All games of a campaign have the same spaces.
    ``info["campaign"]`` says how the campaign stands (`Campaign.standing`). At the end of each game the info has its
    result, as that of `GameEnv`; in a long episode it stands in ``info["chapter_result"]``, because the observation is
    already that of the next game.

    ``reset(options={"campaign": campaign})`` begins with a campaign that stands somewhere, a `Campaign` or what
    `Campaign.to_dict` returned. The attribute ``campaign`` is the current one.

    Args:
        campaign: Where the campaign begins.
        episode: ``"chapter"``: an episode is one game; ``reset`` begins the next one, and when the campaign is over it
            begins again. ``"campaign"``: an episode is the whole campaign; each game pays its reward when it ends.
        max_games: After so many games a long episode is truncated.
        seat: As for `GameEnv`; with ``"rotate"`` the learner's seat may change from game to game.
        opponents: As for `GameEnv`.
        reward: As for `GameEnv`.
        illegal_action: ``"random_legal"`` or ``"raise"``, as for `GameEnv`.
        mask_in_observation: As for `GameEnv`.
        render_mode: As for `GameEnv`.
    """

    def __init__(
        self,
        campaign: Campaign,
        *,
        episode: Episode = "chapter",
        max_games: int = 25,
        seat: Seat = 0,
        opponents: Opponents = "random",
        reward: str = "win_share",
        illegal_action: IllegalAction = "random_legal",
        mask_in_observation: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if not isinstance(campaign, Campaign):
            raise ValueError(f"campaign must be a Campaign, got {shown(campaign)}")
        check_choice("episode", episode, get_args(Episode))
        check_whole("max_games", max_games)
        if illegal_action == "terminate":
            raise ValueError("illegal_action must be random_legal or raise: a campaign counts finished games only")
        self.episode = episode
        self.max_games = max_games
        self._start = self.campaign = campaign
        self._options: dict[str, Any] = {
            "seat": seat,
            "opponents": opponents,
            "reward": reward,
            "illegal_action": illegal_action,
            "mask_in_observation": mask_in_observation,
            "render_mode": render_mode,
        }
        self._env = self._env_for(campaign.first_game)
        self._played = 0
        self._running = False
        self.metadata = self._env.metadata
        self.render_mode = render_mode
        self.observation_space = self._env.observation_space
        self.action_space = self._env.action_space

    @property
    def game(self) -> Game:
        """The game that is being played."""
        return self._env.game

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin the next game, or the campaign."""
        campaign = self._campaign_for(options)
        generator = deepcopy(self.np_random) if seed is None else np_random(seed)[0]
        outcome = self._begin(campaign, generator)
        self.np_random = generator
        self._played = 0
        return outcome

    def step(self, action: np.int64) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and on to the learner's next decision, be it in the next game."""
        if not self._running:
            raise RuntimeError("the episode is over, or has not been started: call reset() before step()")
        observation, reward, terminated, truncated, info = self._env.step(action)
        if not (terminated or truncated):
            return observation, reward, False, False, info | {"campaign": self.campaign.standing()}
        final = self._env.final
        self.campaign = self.campaign.after(self._env.game, int(final["seed"]), final)
        self._played += 1
        info = info | {"campaign": self.campaign.standing()}
        if self.episode == "chapter":
            self._running = False
            return observation, reward, terminated, truncated, info
        if self.campaign.is_over or self._played >= self.max_games:
            self._running = False
            return observation, reward, self.campaign.is_over, not self.campaign.is_over, info
        result = {name: value for name, value in info.items() if name not in ("action_mask", "seat", "campaign")}
        observation, info = self._begin(self.campaign, self.np_random)
        return observation, reward, False, False, info | {"chapter_result": result}

    def action_masks(self) -> np.ndarray:
        """Bool (actions,): what the learner may do."""
        return self._env.action_masks()

    def render(self) -> Any:
        """The board in the environment's render mode."""
        return self._env.render()

    def _campaign_for(self, options: dict[str, Any] | None) -> Campaign:
        options = options or {}
        unknown = set(options) - {"campaign"}
        if unknown:
            raise ValueError(f"options has {sorted(unknown)[0]!r}; it knows campaign")
        if "campaign" in options:
            given = options["campaign"]
            campaign = given if isinstance(given, Campaign) else type(self._start).from_dict(given)
            if campaign.first_game != self._start.first_game:
                raise ValueError("options['campaign'] must have the options of the environment's campaign")
            return self._start if campaign.is_over else campaign
        if self.episode == "campaign" or self.campaign.is_over:
            return self._start
        return self.campaign

    def _begin(self, campaign: Campaign, generator: np.random.Generator) -> tuple[Any, dict[str, Any]]:
        game = campaign.next_game()
        env = self._env if game == self._env.game else self._env_for(game)
        observation, info = env.reset(seed=int(generator.integers(2**63)))
        self._env, self.campaign, self._running = env, campaign, True
        return observation, info | {"campaign": campaign.standing()}

    def _env_for(self, game: Game) -> GameEnv:
        return GameEnv(game, **self._options)


def make(game_name: str, **options: Any) -> CampaignEnv:
    """What ``gymnasium.make`` calls: options are those of the campaign's games and of `CampaignEnv`."""
    known = inspect.signature(CampaignEnv).parameters
    for_env = {name: options.pop(name) for name in known if name in options}
    return CampaignEnv(campaign_of(find_game(game_name)).for_options(options), **for_env)
