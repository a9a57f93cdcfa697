"""A league: self-play PPO with exploiters, agents trained only to beat the main agent.

`selfplay.SelfPlay` is the main agent, with all its opponents. At intervals an exploiter collects and learns from a
rollout as well: it has one seat (or team) against copies of the main agent, frozen when the exploiter started, and so
finds weaknesses of the main agent. When it wins clearly more than its fair share, or has used up its decisions, it
enters the pool of opponents that the main agent meets (more often, the better they do), and the next exploiter starts
from the current main agent. The decisions of both count, so that a league can be compared with plain self-play.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self

from agents.weights import Weights
from training.selfplay import SelfPlay, Settings

EXPLOITER = "exploiter.npz"  # next to the main agent's checkpoint
_NEVER = 2**40  # rollouts between snapshots: an exploiter does not play against versions of itself
_SEEDS_APART = 2**20  # distance between the seeds of two exploiters
# Settings of the machine may change when a run is resumed; they apply to the exploiter as well.
_OF_THE_MACHINE = ("game", "options", "threads", "device", "bfloat16")


@dataclass(frozen=True)
class LeagueSettings(Settings):
    """The hyperparameters of self-play, and those of the exploiters."""

    exploiter_every: int = 3  # rollouts of the main agent per rollout of the exploiter
    exploiter_decisions: int = 3_000_000  # budget of an exploiter
    exploiter_margin: float = 0.15  # an exploiter is done early if it wins this much more than its fair share

    def __post_init__(self) -> None:
        """Fill in the defaults of the game and check all values."""
        super().__post_init__()
        for name in ("exploiter_every", "exploiter_decisions"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)!r}")
        if not 0 < self.exploiter_margin < 1:
            raise ValueError(f"exploiter_margin must be between 0 and 1, got {self.exploiter_margin!r}")
        if self.best_response:
            raise ValueError("a league is self-play: opponent_games must be less than 1")
        if self.pool_games == 0:
            raise ValueError("a league needs games against the pool: pool_games must be more than 0")


class League(SelfPlay):
    """The main agent with its exploiters: call `iterate` repeatedly.

    Attributes:
        exploiter: The current exploiter; None before the first one.
        exploiters: Number of exploiters started.
        caught: Number of finished exploiters that won more than their fair share.
    """

    name: ClassVar[str] = "league of self-play PPO (training/league.py)"
    settings_class: ClassVar[type[Settings]] = LeagueSettings
    settings: LeagueSettings

    def __init__(self, settings: LeagueSettings, start: Weights | None = None) -> None:
        """Start a new training run, from given or random weights."""
        super().__init__(settings, start)
        self.exploiter: SelfPlay | None = None
        self.exploiters = self.caught = 0
        self._exploiting = False  # whether the loaded checkpoint had an exploiter

    def iterate(self, progress: float) -> dict[str, float]:
        """Collect a rollout of the main agent, at intervals one of the exploiter, and learn from both."""
        figures = super().iterate(progress)
        if not self.in_lessons and self.rollouts % self.settings.exploiter_every == 0:
            figures |= self._exploit()
        return figures

    def _exploit(self) -> dict[str, float]:
        settings = self.settings
        if self.exploiter is None:
            self.exploiter = self._new_exploiter()
        exploiter = self.exploiter
        found = exploiter.iterate(min(1.0, exploiter.decisions / settings.exploiter_decisions))
        self.decisions += int(found["learned"])
        wins = exploiter.pool_shares[0]
        if wins >= self._even + settings.exploiter_margin or exploiter.decisions >= settings.exploiter_decisions:
            self.admit(exploiter.weights())
            self.caught += wins > self._even
            self.exploiter = None
        return {"exploiter_wins": wins, "exploiters": self.exploiters}

    def _new_exploiter(self) -> SelfPlay:
        """Start an exploiter from the main agent's weights, against the same weights."""
        self.exploiters += 1
        own = {field.name: getattr(self.settings, field.name) for field in fields(Settings)}
        changes = {
            "seed": self.settings.seed + _SEEDS_APART * self.exploiters,
            "agents": (),
            "lessons": 0,
            "opponent_games": 0.0,
            "pool_games": 1.0,
            "pool_opponents": 1,
            "pool": 1,
            "snapshot_every": _NEVER,
        }
        exploiter = SelfPlay(Settings(**own | changes), self.weights())
        exploiter.admit(self.weights())
        exploiter.begin_all()
        return exploiter

    # -- checkpoints: the exploiter's is next to the main agent's ----------------------------------------------------

    def save(self, path: Path) -> None:
        """Write a checkpoint from which `load` resumes exactly."""
        if self.exploiter is not None:
            self.exploiter.save(path.with_name(EXPLOITER))
        super().save(path)

    def _about(self) -> dict[str, Any]:
        return super()._about() | {
            "exploiters": self.exploiters,
            "caught": self.caught,
            "exploiting": self.exploiter is not None,
        }

    def _restore(self, arrays: Weights, about: dict[str, Any], same_agents: bool) -> None:
        super()._restore(arrays, about, same_agents)
        self.exploiters, self.caught = int(about["exploiters"]), int(about["caught"])
        self._exploiting = bool(about["exploiting"])

    @classmethod
    def load(cls, path: Path, **changes: Any) -> Self:
        """Resume from a checkpoint.

        Raises:
            CheckpointError: If the file, or the exploiter's next to it, is damaged or not such a checkpoint.
        """
        league = super().load(path, **changes)
        if league._exploiting:
            kept = {name: changes[name] for name in _OF_THE_MACHINE if name in changes}
            league.exploiter = SelfPlay.load(path.with_name(EXPLOITER), **kept)
        return league
