"""Games played with plain rules, so that tests of words and pictures need no compiled code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from pr_env.game import Action
from pr_env.interpreting import interpreted
from pr_env.port_royal import PortRoyal, people, rules
from pr_env.port_royal import step as stepping
from pr_env.port_royal.cards import PERSON
from pr_env.port_royal.state import ON_TABLE
from pr_env.port_royal.view import View
from tests.port_royal.configurations import CONTRACTS, EVERYTHING

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "base, 2 players": {"players": 2},
    "base, 3 players": {"players": 3},
    "base, 5 players": {"players": 5},
    "alternative end": {"players": 3, "alternative_end": True},
    "set_sail": {"players": 4, "deck": "set_sail"},
    "gambler": {"players": 3, "add": ("gambler",)},
    "base with set_sail": {"players": 4, "add": ("set_sail_20",)},
    "contract cards": {"players": 3, "add": ("contract_cards",)},
    "contracts": {"players": 2, "add": CONTRACTS},
    "everything": {"players": 5, "add": EVERYTHING},
    "solo": {"players": 1, "add": CONTRACTS, "mode": "cooperative"},
    "cooperative": {"players": 3, "add": EVERYTHING, "mode": "cooperative", "score_start": 2},
    "cooperative, 5 players": {"players": 5, "add": CONTRACTS, "mode": "cooperative"},
}
Policy = Callable[[View, np.random.Generator], Action]

_set_up, _step, _join = (interpreted(rule) for rule in (rules.set_up, stepping.step, people.join))


def by_chance(view: View, chances: np.random.Generator) -> Action:
    """Any legal action, but rarely one that ends a turn or part, so that more happens."""
    weights = np.array([0.3 if action.name[0] in ("stop", "done") else 1.0 for action in view.legal])
    return view.legal[chances.choice(len(view.legal), p=weights / weights.sum())]


def sensibly(view: View, chances: np.random.Generator) -> Action:
    """Play like a beginner: stop before it gets dangerous, hire affordable persons, take what is offered."""
    del chances
    legal = {action.name: action for action in view.legal}
    first = [name for name in legal if name[0] in ("complete", "claim", "accept", "pay_match", "give", "use_gambler")]
    if first:
        return legal[first[0]]
    if view.pending is not None and ("repel",) in legal:
        return legal["repel",] if view.doubles_colour(view.pending) else legal["let_in",]
    if ("draw",) in legal and (("stop",) not in legal or (view.chance_of_bust < 0.25 and view.harbour_size < 5)):
        return legal["draw",]
    hires = [name for name in legal if name[0] == "hire"]
    if hires:
        return legal[max(hires, key=lambda name: (view.person(str(name[1])).influence, name))]
    trades = [name for name in legal if name[0] == "trade"]
    if trades:
        return legal[max(trades, key=lambda name: (view.income(view.ship(str(name[1]))), name))]
    return view.legal[-1]


def moves(game: PortRoyal, seed: int, policy: Policy = by_chance) -> Iterator[tuple[View, Action | None, Any]]:
    """A game move by move: the position, the action, and the record after it; None at the end."""
    record: Any = game.blank.copy()[0]
    _set_up(record, game.tables[0], np.uint64(seed))
    chances = np.random.default_rng(seed)
    while True:
        view = View(game, record)
        if view.is_over:
            yield view, None, record
            return
        action = policy(view, chances)
        _step(record, game.tables[0], action.number)
        yield view, action, record


def paying(game: PortRoyal) -> View:
    """A player with two captains and two jacks of all trades claims an expedition and must decide how to pay."""
    record: Any = next(moves(game, 1))[0].record
    record.expedition[0] = ON_TABLE
    names = [card.name for card in game.cards.of(PERSON)]
    for name in ("captain_4_1", "captain_4_1", "jack_of_all_trades_6_1", "jack_of_all_trades_6_1"):
        _join(record, game.tables[0], record.player, names.index(name))
    _step(record, game.tables[0], game.action_number("claim", "two_captains"))
    return View(game, record)


@cache
def positions(configuration: str) -> list[View]:
    """Positions of two complete games: some for each kind of decision, one for each kind of action."""
    game = PortRoyal(**CONFIGURATIONS[configuration])
    views = [view for seed in (1, 2) for view, _, _ in moves(game, seed)]
    met: dict[object, list[View]] = {}
    for view in views:
        met.setdefault(view.question, []).append(view)
        for action in view.legal:
            met.setdefault(("may", action.name[0]), [view])  # the first position for each kind of action
    some = [view for found in met.values() for view in found[:: -(-len(found) // 6)]]
    return [*some, paying(game)] if game.shape.expeditions else some
