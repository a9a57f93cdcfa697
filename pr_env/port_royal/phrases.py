"""Texts for logs and pictures: names of cards, the question, answers and sentences, the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from pr_env.game import Action
from pr_env.port_royal.adventure import phrases as adventure
from pr_env.port_royal.cards import EXPEDITION, PERSON, SHIP, TAX, Card, Contract
from pr_env.port_royal.tables import SYMBOLS
from pr_env.port_royal.view import Display, Offer, View
from pr_env.words import capitalised, counted, plain

_NUMBERS = ("no", "a", "two", "three", "four", "five")
_BONUSES = {"max_sabres": "most sabres", "min_influence": "least influence"}
_TAX_RULES = {"half_rounded_down": "half of the coins", "down_to_8": "all but 8 coins"}
_NEEDS = {
    "expedition_1": "an expedition",
    "sabres_3": "3 sabres",
    "persons_cost_3_4": "4 persons of cost 3",
    "influence_12": "12 influence",
    "pay_15_coins": "15 coins, which are paid",
    "pay_tax": "coins lost to a tax",
    "refuse_frigate_coins_3": "3 frigates traded without coins",
    "refuse_galleon_coins_2": "2 galleons traded without coins",
    "bust_as_active": "a bust on your turn",
    "repel_5_colours": "repelled ships of all 5 colours",
    "harbour_4_colours": "4 ship colours on your turn",
    "harbour_3_colours_2": "3 ship colours on 2 of your turns",
}
_ORDINALS = ("first", "second", "third")
_END_REASONS = {
    "contracts": "every contract is completed",
    "time": "the time deck is empty",
    "stalemate": "no card could be turned up for a whole round",
    "turns": "the limit of turns is reached",
    "decisions": "the limit of decisions is reached",
    "chapter": "the chapter is over",
}


# -- names ------------------------------------------------------------------------------------------------------------


def player_name(seat: int) -> str:
    """The name of a seat in the middle of a sentence."""
    return f"player {seat}"


def coins(count: int) -> str:
    """For example "1 coin"."""
    return counted(count, "coin")


def listed(parts: Iterable[str]) -> str:
    """For example "a, b and c"."""
    names = list(parts)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nothing"


def with_article(name: str) -> str:
    """For example "an admiral"."""
    if name.startswith(adventure.ARES_PIRATES):  # several on one card
        return name
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def counted_names(names: Iterable[str]) -> list[str]:
    """Names with their counts, for example "sailor" and "2 jacks of all trades"."""
    return [one if count == 1 else f"{count} {_plural(one)}" for one, count in Counter(names).items()]


def _plural(name_: str) -> str:
    first, *rest = name_.split(" of ", 1)
    return " of ".join([f"{first}s", *rest])


def person(card: Card) -> str:
    """A person without its values, for example "yellow trader"."""
    return " ".join(part for part in (card.colour, plain(card.type)) if part)


def ship(card: Card) -> str:
    """A ship without its values, for example "red frigate"."""
    return adventure.ARES_PIRATES if card.colour == "ares" else f"{card.colour} {card.type}"


def sabres(card: Card) -> str:
    """The sabres that repelling a ship takes."""
    return counted(card.sabres, "sabre") if card.repellable else "skull"


def symbols(card: Card) -> str:
    """The symbols that an expedition asks for, for example "two captains and a settler"."""
    wanted = [
        f"{_NUMBERS[count]} {symbol}{'s' if count > 1 else ''}"
        for symbol, count in zip(SYMBOLS, card.requires, strict=True)
        if count
    ]
    return listed([*wanted, *adventure.items_of(card)])


def values(card: Card) -> str:
    """The values on a card, without its name."""
    if card.kind == PERSON:
        fights = f", {counted(card.sabres, 'sabre')}" if card.sabres else ""
        return f"cost {card.cost}, influence {card.influence}{fights}"
    if card.kind == SHIP:
        other = f" and {card.coins_other} for another player" if card.coins_other else ""
        crowns = getattr(card, "crowns", 0)
        pays = counted(crowns, "crown") if crowns and not card.coins else coins(card.coins)
        carried = getattr(card, "item", "")
        return f"{pays}{other}, {sabres(card)}" + (f", {adventure.item(carried)}" if carried else "")
    if card.kind == EXPEDITION:
        return f"{card.influence} influence, {coins(card.coins)}"
    return (
        f"{card.tax_from} or more coins: {_TAX_RULES[card.tax_rule]}; {_BONUSES[card.tax_bonus]}: +{card.bonus_coins}"
    )


def name(card: Card) -> str:
    """A card without its values."""
    if card.kind == PERSON:
        return person(card)
    if card.kind == SHIP:
        return ship(card)
    if card.kind == EXPEDITION:
        return f"expedition for {symbols(card)}"
    return f"tax ({bonus(card)})"


def described(card: Card) -> str:
    """A card with its values, for example "red frigate (3 coins, 6 sabres)"."""
    return f"tax ({values(card)})" if card.kind == TAX else f"{name(card)} ({values(card)})"


def bonus(card: Card) -> str:
    """The players who get the bonus of a tax."""
    return _BONUSES[card.tax_bonus]


def contract(card: Contract) -> str:
    """The name of a contract."""
    return plain(card.name)


def needs(card: Contract) -> str:
    """What completes a contract."""
    if card.requirement != "two_persons":
        return _NEEDS[card.requirement]
    first, second = (plain(type_) for type_ in card.persons)
    return f"two {first}s" if first == second else f"{with_article(first)} and {with_article(second)}"


# -- the question -----------------------------------------------------------------------------------------------------


def stage(view: View) -> str:
    """The stage of the turn."""
    if view.is_over:
        return "game over"
    before = dict.fromkeys(("side", "character"), "choosing characters")
    stages = before | {
        "cube": "end of the month",
        "take": "trade and hire",
        "give": "trade and hire",
        "end_of_turn": "end of the turn",
        "pay": "expedition",
    }
    return stages.get(view.question, "discover")


def question(view: View) -> str:
    """The question for the acting player."""
    if view.adventure and view.question in adventure.QUESTIONS:
        return adventure.QUESTIONS[view.question](view)
    return _QUESTIONS[view.question](view)


def _ask_discover(view: View) -> str:
    kinds = {action.name[0] for action in view.legal}
    if "draw" in kinds:
        return "draw another card, or stop?" if "stop" in kinds else "draw the first card?"
    return "stop, or do something more first?"


def _ask_repel(view: View) -> str:
    assert view.pending is not None
    bust = ", which doubles a colour" if view.doubles_colour(view.pending) else ""
    return f"repel the {described(view.pending)}{bust}?"


def _ask_pay(view: View) -> str:
    assert view.pending is not None
    return f"what to discard for the symbol {view.owed} of the {name(view.pending)}?"


def _ask_take(view: View) -> str:
    if view.takes == 0 or not any(action.name[0] in ("trade", "refuse", "keep_item", "hire") for action in view.legal):
        return "do something more?"
    left = "" if view.takes == 1 else f" ({view.takes} takes left)"
    return f"which card to take?{left}"


def _ask_end_of_turn(view: View) -> str:
    return "do something more before the turn ends?"


def _ask_give(view: View) -> str:
    return f"who gets the ship's {'coin' if view.record.gift == 1 else f'{view.record.gift} coins'} for another player?"


def _ask_immediate(view: View) -> str:
    if view.adventure:
        return adventure.ask_immediate(view)
    assert view.asked_about is not None
    verb = "begin" if _only_begins(view, view.asked_about) else "complete"
    return f"{verb} the contract {contract(view.asked_about.contract)}?"


def _ask_set_aside(view: View) -> str:
    return "move a card from the time deck to the score deck?"


_QUESTIONS: dict[str, Callable[[View], str]] = {
    "discover": _ask_discover,
    "repel": _ask_repel,
    "pay": _ask_pay,
    "take": _ask_take,
    "end_of_turn": _ask_end_of_turn,
    "give": _ask_give,
    "immediate": _ask_immediate,
    "set_aside": _ask_set_aside,
}


def _only_begins(view: View, offer: Offer) -> bool:
    """Whether a cube only goes to a progress space."""
    return offer.progress.get(view.player, 0) < offer.contract.progress_spaces


# -- answers ----------------------------------------------------------------------------------------------------------


def answer(action: Action, view: View) -> str:
    """An action in as few words as the question needs."""
    kind, *rest = action.name
    if view.adventure and (said := adventure.answer(view, str(kind), rest)):
        return said
    if kind == "hire":
        card = view.person(str(rest[0]))
        return f"{person(card)} {card.cost}/{card.influence}"
    if kind == "trade":
        return ship(view.ship(str(rest[0])))
    if kind == "refuse":
        return f"{ship(view.ship(str(rest[0])))} without coins"
    if kind == "claim":
        return f"claim {symbols(view.expedition(str(rest[0])))}"
    if kind == "complete":
        return f"complete {plain(str(rest[0]))}"
    if kind == "give":
        return player_name(_seat(view, int(rest[0])))
    if kind == "pay_match":
        return view.owed
    return _SHORT.get(str(kind)) or _done(view).lower()


_SHORT = {
    "draw": "draw",
    "stop": "stop",
    "repel": "repel",
    "let_in": "let it in",
    "pay_jack": "jack of all trades",
    "accept": "yes",
    "decline": "no",
    "use_gambler": "use a gambler",
}


def sentence(action: Action, view: View) -> str:
    """An action as a sentence in a position."""
    if action.name == ("draw",):
        chance = percent(view.chance_of_bust)
        return f"Draw a card (chance of a bust {chance})." if view.ships else "Draw a card."
    return f"{decision(action, view)}."


def decision(action: Action, view: View) -> str:
    """The decision, without a full stop."""
    kind, *rest = action.name
    if view.adventure and (said := adventure.decision(view, str(kind), rest)):
        return said
    return _DECISIONS[str(kind)](view, *rest)


def _draw(view: View) -> str:
    return "Draw a card"


def _stop(view: View) -> str:
    return "Stop" if view.harbour_size else "Stop with an empty harbour"


def _repel(view: View) -> str:
    assert view.pending is not None
    return f"Repel the {ship(view.pending)}"


def _let_in(view: View) -> str:
    assert view.pending is not None
    bust = ", a bust" if view.doubles_colour(view.pending) else ""
    return f"Let the {ship(view.pending)} into the harbour{bust}"


def _done(view: View) -> str:
    return "End the turn" if view.question == "end_of_turn" else "Pass"


def _complete(view: View, contract_name: str | int) -> str:
    offer = view.offer(str(contract_name))
    paid = "Pay 15 coins to complete" if offer.contract.requirement == "pay_15_coins" else "Complete"
    return f"{paid} the contract {contract(offer.contract)}{_reward(offer)}"


def _reward(offer: Offer) -> str:
    return f" for {coins(offer.next_coins)}" if offer.next_coins else ""


def _claim(view: View, expedition_name: str | int) -> str:
    card = view.expedition(str(expedition_name))
    return f"Claim the expedition for {symbols(card)}"


def _trade(view: View, colour: str | int) -> str:
    card = view.ship(str(colour))
    income = view.income(card)
    fee = ""
    if view.fee:
        part = "which goes" if income == view.fee else f"{view.fee} of them"
        fee = f", {part} to {player_name(view.active)}"
    return f"Trade the {ship(card)} for {coins(income)}{fee}"


def _refuse(view: View, colour: str | int) -> str:
    card = view.ship(str(colour))
    fee = f" and {coins(view.fee)} to {player_name(view.active)}" if view.fee else ""
    return f"Trade the {ship(card)} for no coins{fee}"


def _hire(view: View, person_name: str | int) -> str:
    card = view.person(str(person_name))
    price = view.price(card)
    paid = coins(price) if price else "nothing"
    fee = f" and {coins(view.fee)} to {player_name(view.active)}" if view.fee else ""
    return f"Hire the {person(card)} for {paid}{fee}"


def _pay_match(view: View) -> str:
    return f"Discard {with_article(view.owed)}"


def _pay_jack(view: View) -> str:
    return "Discard a jack of all trades"


def _give(view: View, places: str | int) -> str:
    return f"Give the coin to {player_name(_seat(view, int(places)))}"


def _accept(view: View) -> str:
    if view.question == "set_aside":
        return "Move a time card to the score deck"
    assert view.asked_about is not None
    about = contract(view.asked_about.contract)
    if _only_begins(view, view.asked_about):
        return f"Begin the contract {about}"
    return f"Complete the contract {about}{_reward(view.asked_about)}"


def _decline(view: View) -> str:
    if view.question == "set_aside":
        return "Leave the time deck as it is"
    assert view.asked_about is not None
    verb = "begin" if _only_begins(view, view.asked_about) else "complete"
    return f"Do not {verb} the contract {contract(view.asked_about.contract)}"


def _use_gambler(view: View) -> str:
    return "Use a gambler and draw four cards"


_DECISIONS: dict[str, Callable[..., str]] = {
    "draw": _draw,
    "stop": _stop,
    "repel": _repel,
    "let_in": _let_in,
    "done": _done,
    "complete": _complete,
    "claim": _claim,
    "trade": _trade,
    "refuse": _refuse,
    "hire": _hire,
    "pay_match": _pay_match,
    "pay_jack": _pay_jack,
    "give": _give,
    "accept": _accept,
    "decline": _decline,
    "use_gambler": _use_gambler,
}


def _seat(view: View, places: int) -> int:
    return (view.player + places) % view.players


def percent(chance: float) -> str:
    """A chance as text: never 0 % if it can happen, nor 100 % if it is not certain."""
    if 0 < chance < 0.01:
        return "under 1 %"
    return "over 99 %" if 0.99 < chance < 1 else f"{100 * chance:.0f} %"


# -- what a choice costs or brings ------------------------------------------------------------------------------------


def remark(action: Action, view: View) -> str:
    """What a choice brings, unless its sentence says so."""
    kind, *rest = action.name
    if view.adventure and kind in ("accept", "complete"):
        return ""  # its sentence says it
    return ", ".join(_REMARKS[str(kind)](view, *rest)) if kind in _REMARKS else ""


def _of_draw(view: View) -> list[str]:
    kinds = (("a person", PERSON), ("a ship", SHIP), ("an expedition", EXPEDITION), ("a tax", TAX))
    chances = [(name_, view.chance(view.cards.of(kind))) for name_, kind in kinds]
    return [f"{name_} {percent(chance)}" for name_, chance in chances if chance]


def _of_stop(view: View) -> list[str]:
    paid, number = view.after_stop()
    return [*([f"+{coins(paid)}"] if paid else []), *([counted(number, "take")] if view.harbour_size else [])]


def _of_let_in(view: View) -> list[str]:
    assert view.pending is not None
    if not view.doubles_colour(view.pending):
        return []
    jesters = view.jesters(view.active)
    return [f"+{coins(jesters)} for jesters"] if jesters else []


def _of_complete(view: View, contract_name: str | int) -> list[str]:
    return _of_contract(view)


def _of_contract(view: View) -> list[str]:
    more = view.influence_of_next_contract(view.player)
    which = _ORDINALS[view.displays[view.player].completed]
    return [f"{which} contract" + (f": +{more} influence" if more else "")]


def _of_claim(view: View, expedition_name: str | int) -> list[str]:
    card = view.expedition(str(expedition_name))
    return [f"{card.influence} influence", f"+{coins(card.coins)}"]


def _of_ship(view: View, colour: str | int) -> list[str]:
    card = view.ship(str(colour))
    said = [f"+{counted(view.clerks(card), 'take')}"] if view.clerks(card) else []
    return [
        *said,
        *([f"{coins(card.coins_other)} for another player"] if card.coins_other and view.players > 1 else []),
    ]


def _of_trade(view: View, colour: str | int) -> list[str]:
    card = view.ship(str(colour))
    merchant = ["+1 influence under the merchant"] if view.goes_under_merchant(card) else []
    return [*merchant, *_of_ship(view, colour)]


def _of_refuse(view: View, colour: str | int) -> list[str]:
    wanted = "refuse_frigate_coins_3" if colour == "red" else "refuse_galleon_coins_2"
    offer = next(offer for offer in view.offers if offer.contract.requirement == wanted)
    if _only_begins(view, offer):
        return [f"a step of the contract {contract(offer.contract)}", *_of_ship(view, colour)]
    return [f"completes the contract {contract(offer.contract)}{_reward(offer)}", *_of_ship(view, colour)]


def _of_hire(view: View, person_name: str | int) -> list[str]:
    card = view.person(str(person_name))
    return [f"{card.influence} influence", *([counted(card.sabres, "sabre")] if card.sabres else [])]


def _of_accept(view: View) -> list[str]:
    if view.question == "set_aside":
        return ["a point if the game is won", f"{counted(view.time - 1, 'turn')} left after this one"]
    assert view.asked_about is not None
    return ["needs a cube"] if _only_begins(view, view.asked_about) else _of_contract(view)


def _of_gambler(view: View) -> list[str]:
    return ["no ship can be repelled", "+1 take"]


_REMARKS: dict[str, Callable[..., list[str]]] = {
    "draw": _of_draw,
    "stop": _of_stop,
    "let_in": _of_let_in,
    "complete": _of_complete,
    "claim": _of_claim,
    "trade": _of_trade,
    "refuse": _of_refuse,
    "hire": _of_hire,
    "accept": _of_accept,
    "use_gambler": _of_gambler,
}

# -- the end ----------------------------------------------------------------------------------------------------------


def end_reason(reason: str, view: View) -> str:
    """The reason why a game ends."""
    if reason == "influence":
        also = " and an expedition" if view.game.alternative_end else " and a trophy" if view.adventure else ""
        return f"a player has {view.goal} influence{also}"
    return _END_REASONS[reason]


def completed_contracts(view: View) -> int:
    """Face-up contracts that at least one player has completed."""
    return sum(bool(offer.finished) for offer in view.offers)


def result(view: View) -> str:
    """How a finished game ended, without a full stop."""
    told = [end_reason(reason, view) for reason in reasons(view) if reason != "influence"]  # which goes without saying
    return f"{_outcome(view)} ({' and '.join(told)})" if told else _outcome(view)


def reasons(view: View) -> list[str]:
    """The reasons why the game has ended: names in ``game.end_reasons``."""
    return [reason for bit, reason in enumerate(view.game.end_reasons) if int(view.record.ending) >> bit & 1]


def was_cut(view: View) -> bool:
    """Whether a game was truncated, by a limit or because it had come to a standstill."""
    return not {"influence", "contracts", "time", "chapter"}.intersection(reasons(view))


def _outcome(view: View) -> str:
    if view.is_cooperative:
        who = "The team" if view.players > 1 else capitalised(player_name(0))
        if view.final.won:
            return f"{who} wins with {counted(view.score, 'point')}: {plain(view.game.titles[view.final.title])}"
        done = f"{completed_contracts(view)} of {counted(len(view.offers), 'contract')} completed"
        return f"{who} {'is stopped' if was_cut(view) else 'loses'} with {done}"
    if view.game.plays_together:
        return adventure.outcome(view)
    best = [seat for seat in range(view.players) if view.final.rank[seat] == 1]
    if was_cut(view):
        verb = "leads" if len(best) == 1 else "lead"
    else:
        verb = "wins" if len(best) == 1 else "share the win"
    names = listed(capitalised(player_name(seat)) for seat in best)
    return f"{names} {verb} with {view.displays[best[0]].influence} influence"


def marked_seats(view: View) -> list[int]:
    """The seats to highlight: the player who is asked, or the winners."""
    if not view.is_over:
        return [view.player]
    return [seat for seat in range(view.players) if view.final.win_share[seat] > 0]


def ranking(view: View) -> list[int]:
    """The seats from best to worst; in seat order if all are one team."""
    seats = range(view.players)
    return list(seats) if view.game.plays_together else sorted(seats, key=lambda seat: int(view.final.rank[seat]))


def standing(display: Display, view: View) -> str:
    """A player's influence by source, and coins."""
    if view.game.plays_together and view.adventure:
        crowns = counted(view.adventure.crowns(display.seat), "crown")
        return f"{display.influence} influence, {coins(display.coins)}, {crowns}"
    sources = zip(view.final.points[display.seat].tolist(), view.game.point_sources, strict=True)
    told = ", ".join(f"{count} from {plain(source)}" for count, source in sources if count)
    if view.is_cooperative:
        done = counted(display.completed, "contract")
        return f"{done}, {display.influence} influence, {coins(display.coins)}"
    return f"{display.influence} influence{f' ({told})' if told else ''}, {coins(display.coins)}"


def by_seat(seats: Iterable[int]) -> str:
    """For example "player 0 and player 2"."""
    return listed(player_name(seat) for seat in seats)
