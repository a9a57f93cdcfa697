"""Results of games as arrays, and their summaries."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from agents.arena.asking import Fault, FaultKind
from agents.arena.play import NOT_PLAYED, Played
from agents.arena.statistics import Estimate, average, share
from pr_env.checks import is_whole, shown
from pr_env.game import NO_TITLE, Game
from pr_env.replay import Replay

if TYPE_CHECKING:
    from rich.table import Table

NO_REPLAYS = "games that start from positions have no replays: a replay starts from the set-up of its seed"


class FaultWarning(UserWarning):
    """An agent has forfeited games by crashes, illegal actions or timeouts: they count as lost."""


@dataclass
class MatchResult:
    """All games of one table.

    Attributes:
        game: The game and its configuration.
        agents: The names of the agents, each once.
        seeds: uint64 (n,): the seed of each game.
        seating: int64 (n, players): the index in ``agents`` of the agent in each seat.
        win_shares: float64 (n, players): shares of the win, from the final records: 1 for the winner, 1/k for each of
            k seats that share the win.
        ranks: int64 (n, players): ranks, counted from 1; tied seats share a rank.
        points: int64 (n, players, sources): points by ``game.point_sources``.
        lengths: int64 (n,): lengths in ``game.length_unit``.
        endings: int64 (n,): reasons for the end; bit ``i`` stands for ``game.end_reasons[i]``.
        titles: int64 (n,): the title earned, an index in ``game.titles``; NO_TITLE if none. None if the game has no
            titles.
        faults: The faults in abandoned games, by index of the game. Their points are those of that moment; the team at
            fault is last, and the other teams share the win. A cooperative game is lost.
        actions: The actions of each game, if they were kept.
        games: Records (n,) at the end of the games, if they were kept.
        positions: int64 (n,): for games started from positions, the index of the position.
    """

    game: Game
    agents: tuple[str, ...]
    seeds: np.ndarray
    seating: np.ndarray
    win_shares: np.ndarray
    ranks: np.ndarray
    points: np.ndarray
    lengths: np.ndarray
    endings: np.ndarray
    titles: np.ndarray | None = None
    faults: dict[int, Fault] = field(default_factory=dict)
    actions: list[tuple[int, ...]] | None = None
    games: np.ndarray | None = None
    positions: np.ndarray | None = None

    def __len__(self) -> int:
        """The number of games."""
        return len(self.seeds)

    # -- construction and serialisation -----------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        game: Game,
        agents: Sequence[str],
        seating: np.ndarray,
        played: Played,
        positions: np.ndarray | None = None,
    ) -> MatchResult:
        """Create a result from games that were just played."""
        finals, players = played.finals, game.players
        actions = None
        if played.actions is not None:
            actions = [tuple(column[column != NOT_PLAYED].tolist()) for column in played.actions.T]
        return cls(
            game=game,
            agents=tuple(agents),
            seeds=np.array(finals["seed"]),
            seating=seating,
            win_shares=_exactly(finals["win_share"][:, :players]),
            ranks=finals["rank"][:, :players].astype(np.int64),
            points=finals["points"][:, :players].astype(np.int64),
            lengths=finals[game.length_unit].astype(np.int64),
            endings=finals["ending"].astype(np.int64),
            titles=finals["title"].astype(np.int64) if game.titles else None,
            faults=dict(sorted(played.faults.items())),
            actions=actions,
            games=played.games,
            positions=positions,
        )

    @classmethod
    def joined(cls, parts: Sequence[MatchResult]) -> MatchResult:
        """Concatenate results of the same table."""
        starts = np.cumsum([0, *[len(part) for part in parts]])
        arrays = ("seeds", "seating", "win_shares", "ranks", "points", "lengths", "endings")
        actions = [part.actions for part in parts if part.actions is not None]
        games = [part.games for part in parts if part.games is not None]
        positions = [part.positions for part in parts if part.positions is not None]
        titles = [part.titles for part in parts if part.titles is not None]
        return cls(
            game=parts[0].game,
            agents=parts[0].agents,
            **{name: np.concatenate([getattr(part, name) for part in parts]) for name in arrays},
            titles=np.concatenate(titles) if titles else None,
            faults={
                int(start) + i: fault
                for start, part in zip(starts, parts, strict=False)
                for i, fault in part.faults.items()
            },
            actions=[one for some in actions for one in some] if len(actions) == len(parts) else None,
            games=np.concatenate(games) if len(games) == len(parts) else None,
            positions=np.concatenate(positions) if len(positions) == len(parts) else None,
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """One JSON-safe dictionary per game."""
        rows = []
        for i in range(len(self)):
            row: dict[str, Any] = {
                "seed": int(self.seeds[i]),
                "seating": [self.agents[number] for number in self.seating[i]],
                "win_shares": self.win_shares[i].tolist(),
                "ranks": self.ranks[i].tolist(),
                "points": self.points[i].tolist(),
                self.game.length_unit: int(self.lengths[i]),
                "ending": [reason for bit, reason in enumerate(self.game.end_reasons) if self.endings[i] >> bit & 1],
            }
            if self.titles is not None:
                row["title"] = None if self.titles[i] == NO_TITLE else self.game.titles[self.titles[i]]
            if self.positions is not None:
                row["position"] = int(self.positions[i])
            if i in self.faults:
                row["fault"] = asdict(self.faults[i])
            if self.actions is not None:
                row["actions"] = list(self.actions[i])
            rows.append(row)
        return rows

    @classmethod
    def from_dicts(cls, game: Game, agents: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> MatchResult:
        """The inverse of `to_dicts`.

        Raises:
            ValueError: If the rows are not results of this game and these agents. Damaged rows may raise other errors.
        """
        if not rows or not agents or not all(isinstance(name, str) and name.isprintable() for name in agents):
            raise ValueError(f"results must have games and names of agents, got {len(rows)} games of {shown(agents)}")
        bits = {reason: 1 << bit for bit, reason in enumerate(game.end_reasons)}
        places = {None: NO_TITLE} | {title: place for place, title in enumerate(game.titles)}
        players, sources = game.players, len(game.point_sources)
        with_actions, with_positions = (all(key in row for row in rows) for key in ("actions", "position"))
        result = cls(
            game=game,
            agents=tuple(agents),
            seeds=np.array([row["seed"] for row in rows], np.uint64),
            seating=np.array([[agents.index(name) for name in row["seating"]] for row in rows]).reshape(-1, players),
            win_shares=np.array([row["win_shares"] for row in rows], np.float64).reshape(-1, players),
            ranks=np.array([row["ranks"] for row in rows], np.int64).reshape(-1, players),
            points=np.array([row["points"] for row in rows], np.int64).reshape(-1, players, sources),
            lengths=np.array([row[game.length_unit] for row in rows], np.int64),
            endings=np.array([sum(bits[reason] for reason in row["ending"]) for row in rows], np.int64),
            titles=np.array([places[row["title"]] for row in rows], np.int64) if game.titles else None,
            faults={i: Fault(**row["fault"]) for i, row in enumerate(rows) if "fault" in row},
            actions=[tuple(row["actions"]) for row in rows] if with_actions else None,
            positions=np.array([row["position"] for row in rows], np.int64) if with_positions else None,
        )
        result._check()
        return result

    def _check(self) -> None:
        """Reject impossible values."""
        players = self.game.players
        for name in ("seating", "win_shares", "ranks", "points"):
            if len(getattr(self, name)) != len(self):
                raise ValueError(f"{name} must have {len(self)} entries, one per game, got {len(getattr(self, name))}")
        if not ((self.win_shares >= 0) & (self.win_shares <= 1)).all():
            raise ValueError("win_shares must be from 0 to 1")
        if not ((self.ranks >= 1) & (self.ranks <= players)).all():
            raise ValueError(f"ranks must be from 1 to {players}")
        for fault in self.faults.values():
            if not (is_whole(fault.seat) and 0 <= fault.seat < players and isinstance(fault.message, str)):
                raise ValueError(f"a fault must have a seat from 0 to {players - 1} and a message, got {shown(fault)}")
            if fault.kind not in get_args(FaultKind):
                raise ValueError(f"the kind of a fault must be one of {get_args(FaultKind)}, got {shown(fault.kind)}")

    # -- derived values ---------------------------------------------------------------------------------------------

    @property
    def one_team(self) -> bool:
        """Whether all seats win or lose together (also if there is only one)."""
        return not self.game.constant_sum

    @property
    def starts(self) -> np.ndarray:
        """(n,): identifies the start of each game: its position, or its seed."""
        return self.seeds if self.positions is None else self.positions

    @property
    def first_seats(self) -> list[int]:
        """The first seat of each team."""
        return [self.game.teams.index(team) for team in dict.fromkeys(self.game.teams)]

    @property
    def team_ranks(self) -> np.ndarray:
        """int64 (n, teams): counted from 1; tied teams share a rank. Winners come first, whatever ``ranks`` says."""
        shares, teams = self.win_shares[:, self.first_seats], np.array(self.game.teams)
        ranks = np.stack([self.ranks[:, teams == teams[seat]].min(axis=1) for seat in self.first_seats], axis=1)
        ahead = (shares[:, None, :] > shares[:, :, None]) | (
            (shares[:, None, :] == shares[:, :, None]) & (ranks[:, None, :] < ranks[:, :, None])
        )
        return np.asarray(1 + ahead.sum(axis=2))

    @property
    def played(self) -> np.ndarray:
        """Bool (n,): games that were completed, not abandoned."""
        mask = np.ones(len(self), np.bool_)
        mask[list(self.faults)] = False
        return mask

    def seats_of(self, agent: str) -> np.ndarray:
        """Bool (n, players): the seats of the agent."""
        return np.asarray(self.seating == self.agents.index(agent))

    def wins_of(self, agent: str) -> Estimate:
        """The win rate of one seat (or team) of the agent, over all games, with its 95 % interval (see `share`).

        In cooperative games it is the win rate of the team, including any other agents in it. Games that the agent
        forfeited by a fault count as lost; a `FaultWarning` reports their number.
        """
        if forfeited := self.faults_of(agent):
            warnings.warn(
                f"{agent} forfeited {len(forfeited)} of {len(self)} games, the first one by: {forfeited[0].kind}: "
                f"{forfeited[0].message}",
                FaultWarning,
                stacklevel=2,
            )
        return self._wins_of(agent)

    def faults_of(self, agent: str) -> list[Fault]:
        """The fault of the agent in each game that it forfeited."""
        seats = self.seats_of(agent)
        return [fault for i, fault in self.faults.items() if seats[i, fault.seat]]

    def _wins_of(self, agent: str) -> Estimate:
        if self.one_team:
            return self.team_wins()
        theirs = self.seats_of(agent)[:, self.first_seats]  # an agent plays all seats of a team
        together = share((self.win_shares[:, self.first_seats] * theirs).sum(axis=1), self.starts)
        copies = int(theirs[0].sum())
        return Estimate(*(value / copies for value in together))

    def team_wins(self) -> Estimate:
        """The win rate of the team in a cooperative game, with its 95 % interval."""
        return share(self.win_shares.mean(axis=1), self.starts)

    def team_points(self) -> Estimate:
        """The mean points of a seat in completed games, with a 95 % interval; 0 if there are none."""
        points = self.points[self.played].sum(axis=-1).mean(axis=1)
        return average(points, self.starts[self.played]) if len(points) else Estimate(0.0, 0.0, 0.0)

    def wins_of_seat(self, seat: int) -> Estimate:
        """The win rate of a seat over all agents, with its 95 % interval."""
        return share(self.win_shares[:, seat], self.starts)

    def points_of_seat(self, seat: int) -> Estimate:
        """The mean points of a seat in completed games; there must be at least one."""
        return average(self.points[self.played, seat].sum(axis=-1), self.starts[self.played])

    def ends(self) -> dict[str, float]:
        """The share of completed games that ended for each reason; a game may end for several at once."""
        endings = self.endings[self.played]
        return {
            reason: float((endings >> bit & 1).mean()) if len(endings) else 0.0
            for bit, reason in enumerate(self.game.end_reasons)
        }

    def title_shares(self) -> dict[str, float]:
        """The share of all games that earned each title; empty if the game has none. Abandoned games earn none."""
        if self.titles is None:
            return {}
        return {
            title: float((self.titles == place).mean()) if len(self) else 0.0
            for place, title in enumerate(self.game.titles)
        }

    def mean_length(self) -> float:
        """The mean length of completed games, in ``game.length_unit``."""
        return float(self.lengths[self.played].mean()) if self.played.any() else 0.0

    def summary(self) -> list[dict[str, Any]]:
        """One row per agent. Points are those of completed games.

        There are no ranks in cooperative games.
        """
        rows = []
        for agent in self.agents:
            seats = self.seats_of(agent)
            wins = self._wins_of(agent)
            points = self.points[seats & self.played[:, None]]
            means = points.mean(axis=0) if len(points) else np.zeros(len(self.game.point_sources))
            rows.append(
                {
                    "agent": agent,
                    "games": len(self),
                    "copies": int(seats[0].sum()),
                    "win_share": wins.mean,
                    "win_share_low": wins.low,
                    "win_share_high": wins.high,
                    **({} if self.one_team else {"rank": float(self.ranks[seats].mean())}),
                    "points": float(means.sum()),
                    "sources": dict(zip(self.game.point_sources, means.tolist(), strict=True)),
                    "faults": len(self.faults_of(agent)),
                }
            )
        return rows

    def sources_table(self) -> Table | None:
        """Points by source, as a table of rich; None if the game has only one source of points."""
        from agents.arena.report import sources_table  # rich is needed only here

        return sources_table(self)

    def table(self) -> Table:
        """The summary as a table of rich: notebooks display it, and ``rich.print`` prints it."""
        from agents.arena.report import match_table  # rich is needed only here

        return match_table(self)

    def replays(self) -> list[Replay]:
        """The replay of each game. Replays of abandoned games end where they were abandoned.

        Raises:
            ValueError: If the actions were not kept, or the games started from positions.
        """
        if self.positions is not None:
            raise ValueError(NO_REPLAYS)
        if self.actions is None:
            raise ValueError("the actions of these games were not kept: play them with keep_actions=True")
        return [
            Replay(self.game, int(seed), actions, tuple(self.agents[number] for number in seats))
            for seed, actions, seats in zip(self.seeds, self.actions, self.seating, strict=True)
        ]


def _exactly(shares: np.ndarray) -> np.ndarray:
    """Convert float32 shares 1/k to exact float64, so that three thirds add up to 1."""
    won = shares > 0
    return np.where(won, 1 / np.rint(1 / np.where(won, shares, 1).astype(np.float64)), 0.0)
