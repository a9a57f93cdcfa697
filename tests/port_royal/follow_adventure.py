"""Play adventures with the reference and follow each with the engine, decision by decision.

``python -m tests.port_royal.follow_adventure 3`` plays three games of each configuration; with ``--lines`` it lists the
lines of the rules that none of them reached.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np

from tests.port_royal import plain
from tests.port_royal.following_adventure import AdventureFollower
from tests.port_royal.reference_adventure import AdventureGame

COOPERATIVE = {"mode": "cooperative"}
LIKED = ("complete", "claim", "keep_item", "use_lookout", "sell_bread", "sell_rum", "accept", "repel", "hire")
POLICIES = ("uniform", "eager", "bold", "hoarder")

CONFIGURATIONS: list[dict[str, Any]] = [
    *({"players": players, "chapter": chapter} for chapter in range(1, 6) for players in (2, 3, 4)),
    *({"players": players, "chapter": chapter, **COOPERATIVE} for chapter in range(1, 6) for players in (1, 2, 3, 4)),
    *({"players": players, "mode": "post_adventure"} for players in (2, 3, 4)),
    {"players": 3, "chapter": 5, "character_choice": "draft", "month_end_ends_turn": True},
    {"players": 4, "chapter": 5, "character_choice": "draft", "must_repel_duplicate": True, **COOPERATIVE},
    {"players": 2, "chapter": 4, "jean_counts_for_missions": True, "bonus_coins": [6, 3], **COOPERATIVE},
    {"players": 1, "chapter": 2, "month_end_ends_turn": True, "bonus_coins": [3], **COOPERATIVE},
    {"players": 2, "chapter": 5, "bonus_coins": [20, 30], "jean_counts_for_missions": True},
    {"players": 3, "chapter": 3, "max_turns": 12},
    {"players": 3, "chapter": 3, "max_decisions": 25},
]


def choose(policy: str, game: AdventureGame, chooser: random.Random) -> tuple[Any, ...]:
    """One of the offered actions."""
    legal = game.legal
    if policy == "eager":
        liked = [action for action in legal if action[0] in LIKED]
        return chooser.choice(liked if liked and chooser.random() < 0.8 else legal)
    weights = {
        "uniform": {},
        "bold": {"draw": 6, "accept": 3, "hire": 4, "trade": 3, "keep_item": 6, "done": 0.3, "stop": 0.6},
        "hoarder": {"hire": 0.2, "trade": 8, "keep_item": 4, "draw": 0.7, "done": 0.2, "complete": 0.5, "claim": 0.3},
    }[policy]
    return chooser.choices(legal, [weights.get(str(action[0]), 1.0) for action in legal])[0]


def compare(follower: AdventureFollower, where: str) -> None:
    """Every field of the position, the offered and the sleeping actions."""
    told, position = follower.state(), follower.reference.position()
    if not position["legal"]:
        for name in ("pending", "asked_mission", "takes", "player"):
            position.pop(name, None)
    if position["question"] in ("SIDE", "CHARACTER"):  # before the first turn
        for name in ("turn", "active"):
            position.pop(name)
    for name in told.keys() & position.keys():
        assert told[name] == position[name], f"{where}: {name} is {told[name]}, in the reference {position[name]}"
    legal = sorted(map(str, follower.legal()))
    wanted = sorted(str(list(action)) for action in follower.reference.legal)
    assert legal == wanted, f"{where}: {legal}, in the reference {wanted}"
    asleep = sorted(map(str, follower.asleep()))
    wanted = sorted(str(list(action)) for action in position["asleep"])
    assert asleep == wanted, f"{where}: asleep {asleep}, in the reference {wanted}"


def follow(config: dict[str, Any], seed: int, policy: str) -> int:
    """Follow a game; returns its number of decisions."""
    chooser = random.Random(seed)
    game = AdventureGame(config, seed=seed)
    follower = AdventureFollower(config, game)
    follower.start()
    decisions = 0
    where = "the set-up"
    while not game.over:
        compare(follower, f"{config}, seed {seed}, decision {decisions}, after {where}")
        action = choose(policy, game, chooser)
        game.step(action)
        where = f"{action} at {follower.state()['question']}"
        follower.follow(list(action))
        decisions += 1
        problems = follower.game.problems(follower.record.flush())
        assert problems == [], f"{config}, seed {seed}, decision {decisions}, after {where}: {problems}"
    compare(follower, f"{config}, seed {seed}, at the end, after {where}")
    _compare_result(follower, game.result())
    return decisions


def _compare_result(follower: AdventureFollower, result: dict[str, Any]) -> None:
    final, players = follower.final(), follower.game.players
    assert final["turns"] == result["turns"], (final, result)
    assert follower.record.decisions == result["decisions"]
    assert final["coins"][:players].tolist() == result["coins"]
    assert follower.state()["influence"] == [one["total"] for one in result["influence"]]
    assert final["rank"][:players].tolist() == result["ranks"], (final, result)
    assert np.array_equal(final["win_share"][:players], np.float32(result["win_shares"]))
    assert bool(plain.rules.was_cut(follower.record)) == result["truncated"]
    team = result["team"]
    for place, source in enumerate(follower.game.point_sources):
        points = [one[source] for one in result["influence"]]
        if team is not None:
            points = [sum(points)] * players
        assert final["points"][:players, place].tolist() == points, source
    if team is not None:
        met = [team["all_missions"], team["cubes"] >= team["cubes_needed"]]
        met.append(team["influence"] >= team["influence_needed"])
        assert final["conditions"].tolist() == met


def follow_games(each: int, every: int = 1) -> str:
    """Follow games of every n-th configuration, with all policies in turn; returns a summary."""
    games = decisions = 0
    for place, config in enumerate(CONFIGURATIONS[::every]):
        for number in range(each):
            policy = POLICIES[(place + number) % len(POLICIES)]
            seed = 1000 * place + number
            try:
                decisions += follow(config, seed, policy)
            except AssertionError as error:
                raise AssertionError(f"{policy} play of {config}, seed {seed}: {error}") from error
            games += 1
    return f"{games} games, {decisions} decisions: no difference"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Compare adventures with the reference, decision by decision.")
    parser.add_argument("each", type=int, nargs="?", default=1, help="games of each configuration")
    parser.add_argument("--every", type=int, default=1, help="only every n-th configuration")
    parser.add_argument("--lines", action="store_true", help="list the lines of the rules that were not reached")
    options = parser.parse_args()
    if options.lines:
        from tests.port_royal.reached import Reached

        with Reached() as reached:
            print(follow_games(options.each, options.every))
        print(reached.report())
    else:
        print(follow_games(options.each, options.every))


if __name__ == "__main__":
    main()
