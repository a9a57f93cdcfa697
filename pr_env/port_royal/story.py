"""The story of a game: the effects of a move, recorded while the rules play it once more."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pr_env.game import Action
from pr_env.interpreting import Listener, interpreted
from pr_env.port_royal import contracts, discover, expeditions, harbour, people, piles, takes, taxes, turns
from pr_env.port_royal import step as rules
from pr_env.port_royal.adventure import choosing, crowns, events, lookout, missions
from pr_env.port_royal.adventure import phrases as adventure
from pr_env.port_royal.adventure.names import ALL_ABILITIES
from pr_env.port_royal.cards import TAX, Card
from pr_env.port_royal.phrases import (
    bonus,
    by_seat,
    coins,
    completed_contracts,
    contract,
    counted_names,
    described,
    listed,
    name,
    person,
    player_name,
    with_article,
)
from pr_env.port_royal.state import FIRST_COIN_SPACE, NOTHING
from pr_env.port_royal.view import View
from pr_env.words import counted, plain


def header(view: View) -> str:
    """The header of a turn: the active player and the standings."""
    parts = [f"Turn {view.turn}: {player_name(view.active)}{' (last round)' if view.last_round else ''}"]
    parts.append(f"influence {_in_order(display.influence for display in view.displays)}")
    parts.append(f"coins {_in_order(display.coins for display in view.displays)}")
    if view.is_cooperative:
        parts.append(f"contracts {completed_contracts(view)} of {len(view.offers)}")
        parts.append(f"time deck {view.time}, score deck {view.score}")
    if view.adventure:
        parts += adventure.heading(view)
        if view.turn == 1 and adventure.story(view):
            parts.append(adventure.story(view))
    if view.offers and view.turn == 1:
        parts.append(f"contracts on the table: {', '.join(contract(offer.contract) for offer in view.offers)}")
    cards = [name(card) for card in _harbour(view)]
    if cards:
        parts.append(f"harbour: {', '.join(cards)}")
    return " | ".join(parts)


def effects(action: Action, view: View) -> list[str]:
    """The changes caused by a move, in order, up to the next question.

    Args:
        action: The decision.
        view: The game at the decision.
    """
    return Listening(action, view).told


def _in_order(counts: Iterable[int]) -> str:
    return " / ".join(str(count) for count in counts)


def _signed(count: int) -> str:
    return f"{'+' if count > 0 else '-'}{coins(abs(count))}"


def _harbour(view: View) -> list[Card]:
    """The cards in the harbour, one by one."""
    return [*view.ships, *view.doubles, *(stack.card for stack in view.persons for _ in range(stack.count))]


@dataclass(frozen=True)
class Flow:
    """Coins that a player got or lost.

    Attributes:
        seat: The player's seat.
        count: The number of coins; negative if they were lost.
        abilities: Abilities of the persons counted just before, which are the reason if coins were paid.
    """

    seat: int
    count: int
    abilities: tuple[int, ...]


class Listening:
    """Plays one move with uncompiled rules and records what they do.

    The player who decided is not named, until another player's part or a new turn begins.

    Args:
        action: The decision.
        view: The game at the decision.

    Attributes:
        told: What happened, in words.
        after: The record after the move.
    """

    def __init__(self, action: Action, view: View) -> None:
        self.told: list[str] = []
        self.after: Any = np.array([view.record], view.game.record)[0]
        self._view = view
        self._action = action
        self._passed_on = False  # whether the part of the player who decided is over
        self._card: Card | None = view.pending  # the card turned up last
        self._counted: list[int] = []  # abilities of persons found since coins were last moved
        self._flows: list[Flow] = []  # of coins not told yet
        self._looks = False  # with a lookout, whose cards are not told
        self._left: list[Card] = []  # persons who have left a display
        interpreted(rules.step, self._listeners())(self.after, view.tables, action.number)
        self._tell_discards(len(self.told))  # of an unfinished claim

    def _listeners(self) -> dict[Callable[..., Any], Listener]:
        return {
            piles.turn_up: self._turn_up,
            piles.turn_up_time_card: self._turn_up,
            piles.reshuffle: self._reshuffle,
            piles.gain_coins: self._gain_coins,
            piles.spend_coins: self._spend_coins,
            people.count: self._count,
            people.join: self._join,
            people.leave: self._leave,
            people.gain_influence: self._gain_influence,
            harbour.clear: self._clear,
            discover.bust: self._bust,
            taxes.levy: self._levy,
            taxes.pay_bonus: self._pay_bonus,
            takes.begin_part: self._begin_part,
            takes.end_part: self._end_part,
            takes.trade: self._told_by_the_move,
            takes.hire: self._told_by_the_move,
            takes.give: self._give,
            expeditions.pay: self._pay,
            contracts.complete: self._complete,
            contracts.advance_refusal: self._advance_refusal,
            contracts.keep_repelled: self._keep_repelled,
            turns.begin_turn: self._begin_turn,
            choosing.begin: self._begin,
            crowns.gain_crowns: self._gain_crowns,
            crowns.pay_crowns: self._pay_crowns,
            events.reveal: self._reveal,
            events.lay_out: self._lay_out,
            events.return_cube: self._return_cube,
            lookout.use: self._use_lookout,
            lookout.put_back: self._put_back,
            missions.complete: self._complete_mission,
            takes.keep: self._told_by_the_move,
            takes.sell: self._told_by_the_move,
        }

    # -- saying -----------------------------------------------------------------------------------------------------

    def _say(self, seat: int, change: str, place: int | None = None) -> None:
        """Tell a change, at the end or at an index of what was told.

        Names are followed by a colon, not a verb, since a person at the table is called "you" instead.
        """
        unnamed = int(seat) == self._view.player and not self._passed_on
        said = change if unnamed else f"{player_name(int(seat))}: {change}"
        self.told.insert(len(self.told) if place is None else place, said)

    def _collected(self, rule: Any, *arguments: Any) -> tuple[Any, list[Flow]]:
        """The result of a rule, and the coins that it moved."""
        outer, self._flows = self._flows, []
        result = rule(*arguments)
        flows, self._flows = self._flows, outer
        return result, flows

    def _tell_flows(self, flows: Iterable[Flow], reason: str) -> None:
        """Tell who got or lost coins, grouping players with the same number."""
        by_count: dict[int, list[int]] = {}
        for flow in flows:
            by_count.setdefault(flow.count, []).append(flow.seat)
        for count, seats in by_count.items():
            each = " each" if len(seats) > 1 else ""
            self.told.append(f"{by_seat(seats)}: {_signed(count)}{each} {reason}")

    # -- coins, influence and persons ---------------------------------------------------------------------------------

    def _gain_coins(self, rule: Any, game: Any, seat: int, count: int) -> Any:
        gained = rule(game, seat, count)
        if gained:
            self._flows.append(Flow(int(seat), int(gained), tuple(self._counted)))
        self._counted.clear()
        if gained < count:
            self.told.append(f"{player_name(int(seat))}: no cards are left for {coins(int(count - gained))}")
        return gained

    def _spend_coins(self, rule: Any, game: Any, seat: int, count: int) -> None:
        rule(game, seat, count)
        if count:
            self._flows.append(Flow(int(seat), -int(count), tuple(self._counted)))
        self._counted.clear()

    def _count(self, rule: Any, game: Any, seat: int, ability: int) -> Any:
        count = rule(game, seat, ability)
        if count:
            self._counted.append(int(ability))
        return count

    def _gain_influence(self, rule: Any, game: Any, tables: Any, seat: int, influence: int) -> None:
        was_due = game.end_flag
        rule(game, tables, seat, influence)
        if influence:
            self._say(seat, f"+{influence} influence")
        if game.end_flag and not was_due:
            self.told.append(f"THE LAST ROUND: {player_name(int(seat))} with {game.influence[seat]} influence")

    def _join(self, rule: Any, game: Any, tables: Any, seat: int, kind: int) -> None:
        rule(game, tables, seat, kind)
        if sabres := self._view.cards.kinds[kind].sabres:
            self._say(seat, f"+{counted(sabres, 'sabre')}")

    def _leave(self, rule: Any, game: Any, tables: Any, seat: int, kind: int) -> None:
        rule(game, tables, seat, kind)
        self._left.append(self._view.cards.kinds[kind])

    def _told_by_the_move(self, rule: Any, *arguments: Any) -> Any:
        """Payments are told by the sentence of the move."""
        return self._collected(rule, *arguments)[0]

    # -- discover -----------------------------------------------------------------------------------------------------

    def _turn_up(self, rule: Any, game: Any) -> Any:
        kind = rule(game)
        if self._looks:
            return kind
        card = self._card = self._view.cards.kinds[kind]
        said = with_article("tax" if card.kind == TAX else described(card))
        if self._passed_on:
            self.told.append(f"{player_name(int(game.active))}: turn {game.turn} begins with {said}")
        else:
            self.told.append(said if self._action.name[0] in ("draw", "use_gambler") else f"draws {said}")
        return kind

    def _reshuffle(self, rule: Any, game: Any) -> None:
        rule(game)
        self.told.append("the discard pile becomes the new deck")

    def _levy(self, rule: Any, game: Any, tables: Any, kind: int) -> Any:
        stage, flows = self._collected(rule, game, tables, kind)
        self._tell_flows(flows, "to the tax")
        return stage

    def _pay_bonus(self, rule: Any, game: Any, tables: Any) -> Any:
        reason = bonus(self._view.cards.kinds[game.pending])
        stage, flows = self._collected(rule, game, tables)
        self._tell_flows(flows, f"for {reason}")
        return stage

    def _keep_repelled(self, rule: Any, game: Any, tables: Any, kind: int) -> Any:
        kept = rule(game, tables, kind)
        if kept and kind in game.kept[game.active]:
            self._say(int(game.active), "keeps the ship for the contract pack of pirates")
        return kept

    def _bust(self, rule: Any, game: Any, tables: Any) -> Any:
        assert self._card is not None
        doubling = View(self._view.game, game).doubles or (self._card,)
        self.told.append(f"BUST: a second {listed(name(ship) for ship in doubling)}")
        stage, flows = self._collected(rule, game, tables)
        self._tell_flows(flows, "for jesters")
        return stage

    def _clear(self, rule: Any, game: Any) -> None:
        lying = [name(card) for card in _harbour(View(self._view.game, game))]
        rule(game)
        if lying:
            self.told.append(f"discarded: {', '.join(counted_names(lying))}")

    # -- trade and hire -----------------------------------------------------------------------------------------------

    def _begin_part(self, rule: Any, game: Any, tables: Any) -> Any:
        """Coins that the player's persons pay for the harbour."""
        self._counted.clear()
        stage, flows = self._collected(rule, game, tables)
        for flow in flows:
            paid = listed(f"{plain(ALL_ABILITIES[ability])}s" for ability in flow.abilities)
            paid = paid if flow.abilities else "the character"
            self._say(flow.seat, f"{_signed(flow.count)} for {paid}")
        return stage

    def _end_part(self, rule: Any, game: Any) -> Any:
        self._passed_on = True
        return rule(game)

    def _give(self, rule: Any, game: Any, places: int) -> Any:
        stage, flows = self._collected(rule, game, places)
        if self._action.name[0] != "give":  # otherwise the move's sentence tells it
            self._tell_flows(flows, "of the ship")
        return stage

    # -- expeditions and contracts ------------------------------------------------------------------------------------

    def _pay(self, rule: Any, game: Any, tables: Any, with_jack: bool) -> Any:
        """A person is discarded; with the last one, the expedition is paid for."""
        place, seat = len(self.told), int(game.player)
        stage, flows = self._collected(rule, game, tables, with_jack)
        if game.pending == NOTHING:
            self._tell_discards(place)
            for flow in flows:
                self._say(seat, _signed(flow.count))
        return stage

    def _tell_discards(self, place: int) -> None:
        """Tell the persons discarded for an expedition, at an index of what was told."""
        if self._left:
            lost = sum(card.influence for card in self._left)
            left = counted_names(person(card) for card in self._left)
            discards = f"discards {listed(one if one[0].isdigit() else with_article(one) for one in left)}"
            self.told.insert(place, f"{discards} (-{lost} influence)" if lost else discards)
        self._left = []

    def _complete(self, rule: Any, game: Any, tables: Any, seat: int, number: int) -> None:
        told = len(self.told)
        _, flows = self._collected(rule, game, tables, seat, number)
        if self._action.name[0] not in ("complete", "accept") or int(game.cube[seat, number]) < FIRST_COIN_SPACE:
            paid = sum(flow.count for flow in flows)
            reward = f" for {coins(paid)}" if paid else ""
            about = contract(self._view.cards.contracts[number])
            self._say(seat, f"contract {about} completed{reward}", place=told)

    def _advance_refusal(self, rule: Any, game: Any, tables: Any, seat: int, which: int) -> None:
        before = game.cube[seat].copy()
        rule(game, tables, seat, which)
        for number in np.flatnonzero(game.cube[seat] != before):
            if game.cube[seat, number] < FIRST_COIN_SPACE:
                about = contract(self._view.cards.contracts[number])
                self._say(seat, f"step {game.cube[seat, number]} of the contract {about}")

    # -- turns --------------------------------------------------------------------------------------------------------

    def _begin_turn(self, rule: Any, game: Any) -> Any:
        self._passed_on = True
        return rule(game)

    # -- the adventure ------------------------------------------------------------------------------------------------

    def _begin(self, rule: Any, game: Any, tables: Any) -> Any:
        stage, flows = self._collected(rule, game, tables)
        self._tell_flows(flows, "to begin with")
        return stage

    def _gain_crowns(self, rule: Any, game: Any, tables: Any, seat: int, count: int) -> None:
        before = int(game.crowns[seat])
        place = len(self.told)
        rule(game, tables, seat, count)
        if game.crowns[seat] > before:
            self._say(seat, f"+{counted(int(game.crowns[seat]) - before, 'crown')}", place)

    def _pay_crowns(self, rule: Any, game: Any, tables: Any, seat: int, count: int) -> None:
        before = int(game.influence[seat])
        rule(game, tables, seat, count)
        if game.influence[seat] < before:
            self._say(seat, f"-{before - int(game.influence[seat])} influence")

    def _reveal(self, rule: Any, game: Any, tables: Any) -> Any:
        place = len(self.told)
        stage, flows = self._collected(rule, game, tables)
        event = View(self._view.game, game).adventure
        assert event is not None
        assert event.event is not None
        self.told.insert(place, f"{player_name(int(game.active))}: event: {adventure.event(event.event)}")
        self._tell_flows(flows, "from the event")
        return stage

    def _lay_out(self, rule: Any, game: Any, mission: int) -> None:
        rule(game, mission)
        own = View(self._view.game, game).adventure
        assert own is not None
        self.told.append(f"a new mission: {adventure.task_line(own.tasks[-1])}")

    def _return_cube(self, rule: Any, game: Any, tables: Any, accepted: bool) -> Any:
        return self._collected(rule, game, tables, accepted)[0]

    def _use_lookout(self, rule: Any, game: Any) -> Any:
        self._looks = True
        stage = rule(game)
        self._looks = False
        return stage

    def _put_back(self, rule: Any, game: Any, place: int) -> Any:
        cards = self._view.cards.kinds
        gone = [name(cards[kind]) for other, kind in enumerate(game.look) if kind != NOTHING and other != place]
        stage = rule(game, place)
        kept = "puts a card back on the deck"
        self.told.append(f"{kept}; discarded: {', '.join(counted_names(gone))}" if gone else kept)
        return stage

    def _complete_mission(self, rule: Any, game: Any, tables: Any, seat: int, slot: int) -> None:
        told = len(self.told)
        _, flows = self._collected(rule, game, tables, seat, slot)
        gained = sum(flow.count for flow in flows if flow.count > 0)
        if gained:
            self.told.insert(told, f"+{coins(gained)}" if not self._passed_on else f"player {seat}: +{coins(gained)}")
