"""Play games with the reference and follow each with the engine, decision by decision, in every configuration.

``python -m tests.port_royal.follow_reference 3`` plays three games of each configuration; with ``--lines`` it lists the
lines of the rules that none of them reached.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from tests.port_royal.follow_recorded import follow
from tests.port_royal.reached import Reached
from tests.port_royal.reference import Action, ReferenceGame

CONTRACTS = ["contract_cards", "contracts"]

# Weights of kinds of actions in a policy; 1 if not listed. Uniform play rarely gets far.
POLICIES: dict[str, dict[str, float]] = {
    "uniform": {},
    "ambitious": {
        "complete": 20,
        "claim": 20,
        "accept": 6,
        "hire": 12,
        "refuse": 8,
        "use_gambler": 4,
        "trade": 5,
        "draw": 2,
        "done": 0.3,
        "repel": 3,
    },
    "bold": {"draw": 6, "use_gambler": 8, "accept": 3, "hire": 4, "trade": 3, "done": 0.3, "complete": 2, "claim": 2},
    "hoarder": {"hire": 0.05, "trade": 8, "draw": 0.7, "done": 0.2, "claim": 0.3, "let_in": 4},
}


def configurations() -> Iterator[dict[str, Any]]:
    """All valid combinations, and truncated games."""
    cards = [
        [*gambler, *set_sail, *contract]
        for gambler, set_sail, contract in product(
            ([], ["gambler"]), ([], ["set_sail_20"]), ([], ["contract_cards"], CONTRACTS)
        )
    ]
    for add, players, alternative_end, must_repel, passive in product(
        cards, range(2, 6), (False, True), (False, True), (1, 2)
    ):
        if passive == 1 or "contract_cards" in add:
            options: dict[str, Any] = {"alternative_end": alternative_end, "must_repel_duplicate": must_repel}
            yield {"players": players, "add": add, "vice_admiral_passive": passive, **options}
    for add, players, must_repel, passive, score_start in product(cards, range(1, 6), (False, True), (1, 2), (0, 3)):
        if "contracts" in add:
            options = {"must_repel_duplicate": must_repel, "vice_admiral_passive": passive, "score_start": score_start}
            yield {"players": players, "add": add, "mode": "cooperative", **options}
    for players, must_repel in product(range(2, 5), (False, True)):
        yield {"players": players, "game": "set_sail", "must_repel_duplicate": must_repel}
    yield {"players": 3, "max_turns": 7, "add": ["gambler"]}
    yield {"players": 3, "max_decisions": 20}
    yield {"players": 2, "max_decisions": 60, "add": ["gambler", *CONTRACTS], "mode": "cooperative"}


CONFIGURATIONS = list(configurations())


def choose(policy: str, legal: list[Action], chooser: random.Random) -> Action:
    """An action by the weights of a policy."""
    weights = [POLICIES[policy].get(str(action[0]), 1.0) for action in legal]
    return chooser.choices(legal, weights)[0]


def play(
    config: dict[str, Any], seed: int, policy: str = "uniform", contracts: Sequence[str] | None = None
) -> dict[str, Any]:
    """A game of the reference, in the form of the recorded games; with these contracts, or random ones."""
    chooser = random.Random(seed)
    game = ReferenceGame(config, seed=seed, contracts=contracts)
    steps = []
    while not game.over:
        action = list(choose(policy, game.legal, chooser))
        steps.append({"revealed": list(game.revealed), **game.position(), "action": action})
        game.step(action)
    return {
        "config": config,
        "contracts": list(game.contracts),
        "steps": steps,
        "last_revealed": list(game.revealed),
        "result": game.result(),
    }


def follow_games(each: int, every: int = 1) -> str:
    """Follow games of every n-th configuration, with all policies in turn; returns a summary."""
    games = decisions = 0
    for place, config in enumerate(CONFIGURATIONS[::every]):
        for number in range(each):
            policy = list(POLICIES)[(place + number) % len(POLICIES)]
            seed = 1000 * place + number  # different cards and contracts for each
            try:
                decisions += follow(play(config, seed, policy))
            except AssertionError as error:
                raise AssertionError(f"{policy} play of {config}, seed {seed}: {error}") from error
            games += 1
    return f"{games} games, {decisions} decisions: no difference"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Compare the engine with the reference, decision by decision.")
    parser.add_argument("each", type=int, nargs="?", default=1, help="games of each configuration")
    parser.add_argument("--every", type=int, default=1, help="only every n-th configuration")
    parser.add_argument("--lines", action="store_true", help="list the lines of the rules that were not reached")
    options = parser.parse_args()
    print(f"{len(CONFIGURATIONS[:: options.every])} configurations")
    if options.lines:
        with Reached() as reached:
            print(follow_games(options.each, options.every))
        print(reached.report())
    else:
        print(follow_games(options.each, options.every))


if __name__ == "__main__":
    main()
