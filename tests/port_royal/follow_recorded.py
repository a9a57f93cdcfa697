"""Follow the recorded games with uncompiled rules and compare every decision.

``python -m tests.port_royal.follow_recorded`` follows all 138; a number limits the games of each configuration, which
are six.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from pr_env.port_royal.tables import TITLES
from tests.port_royal import plain
from tests.port_royal.following import Follower

FILE = Path(__file__).parent / "recorded_games.jsonl.gz"
GAMES_EACH = 6  # of every configuration


def follow(recorded: dict[str, Any]) -> int:
    """Follow one game; returns its number of decisions."""
    steps = recorded["steps"]
    follower = Follower(recorded["config"], recorded["contracts"])
    follower.begin(steps[0]["revealed"])
    for place, step in enumerate(steps):
        told = follower.state()
        where = f"{recorded['config']}, decision {place}"
        for name in told.keys() & step.keys():
            if name == "contracts":
                _compare_contracts(told[name], step[name], where)
            else:
                assert told[name] == step[name], f"{where}: {name} is {told[name]}, recorded {step[name]}"
        assert follower.legal() == step["legal"], f"{where}: {follower.legal()}, recorded {step['legal']}"
        asleep = sorted(map(str, follower.asleep()))
        assert asleep == sorted(map(str, step["asleep"])), f"{where}: asleep {asleep}, recorded {step['asleep']}"
        later = steps[place + 1]["revealed"] if place + 1 < len(steps) else recorded["last_revealed"]
        follower.step(step["action"], later)
    _compare_result(follower, recorded["result"])
    return len(steps)


def _compare_contracts(told: dict[str, Any], recorded: dict[str, Any], where: str) -> None:
    """Compare contracts. The recorded progress of players who have completed one is meaningless."""
    assert told.keys() == recorded.keys()
    for name, contract in told.items():
        finishers = recorded[name]["finishers"]
        assert contract["finishers"] == finishers, f"{where}: {name} is completed by {contract}, recorded {finishers}"
        for seat, progress in enumerate(contract["progress"]):
            assert seat in finishers or progress == recorded[name]["progress"][seat], f"{where}: progress of {name}"


def _compare_result(follower: Follower, result: dict[str, Any]) -> None:
    final = follower.final()
    players = follower.game.players
    assert final["turns"] == result["turns"], f"{final['turns']} turns, recorded {result['turns']}, {result}"
    assert follower.record.decisions == result["decisions"]
    assert final["coins"][:players].tolist() == result["coins"]
    assert follower.state()["influence"] == [one["total"] for one in result["influence"]]
    assert final["rank"][:players].tolist() == result["ranks"]
    assert np.array_equal(final["win_share"][:players], np.float32(result["win_shares"]))
    assert bool(plain.rules.was_cut(follower.record)) == result["truncated"]
    if result["team"] is None:
        names = {"ships": "merchants"}
        for place, source in enumerate(follower.game.point_sources):
            points = [one[names.get(source, source)] for one in result["influence"]]
            assert final["points"][:players, place].tolist() == points, source
    else:
        team = result["team"]
        title = TITLES[final["title"]] if final["won"] else None
        assert (bool(final["won"]), int(final["points"][0, 1]), title) == (team["won"], team["points"], team["title"])


def main() -> None:
    """Run the command line."""
    print(follow_recorded(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES_EACH))


def follow_recorded(each: int) -> str:
    """Follow a number of games of each configuration; returns a summary."""
    with gzip.open(FILE, "rt") as lines:
        games = [json.loads(line) for line in lines]
    chosen = [game for place, game in enumerate(games) if place % GAMES_EACH < each]
    decisions = sum(follow(game) for game in chosen)
    return f"{len(chosen)} games, {decisions} decisions: no difference"


if __name__ == "__main__":
    main()
