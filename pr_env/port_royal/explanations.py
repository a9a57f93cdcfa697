"""Explanations of each question, for newcomers to the game."""

from __future__ import annotations

from pr_env.port_royal import tables

EXPLANATIONS = {
    "discover": "Turn up cards from the deck one by one. Persons and ships go to the harbour. A second ship of the "
    "same colour is a bust: all cards in the harbour are discarded and your turn is over. Stop in time, and "
    "everybody may take cards from the harbour, you first: one card, two if there are ships of four colours, three if "
    "there are five. Expeditions and contracts can be claimed at any moment of your turn.",
    "repel": "You have at least as many sabres as the ship, so you may repel it: it is discarded and does not count. "
    "Otherwise it enters the harbour, where a second ship of its colour is a bust. Sabres are not used up. Ships with "
    "a skull are never repelled.",
    "pay": "An expedition costs persons with its symbols from your display: captains, priests and settlers. A jack of "
    "all trades stands in for any of them. You lose their influence and gain the expedition's.",
    "take": "Take a card from the harbour. A ship is traded: it is discarded and pays its coins. A person is hired for "
    "its cost, stays in your display and works for you from now on. In another player's turn each card costs one more "
    "coin, which the active player gets.",
    "end_of_turn": "The harbour is gone and your turn is about to end. This is your last chance this turn to claim an "
    "expedition or complete a contract.",
    "give": "This ship also pays a coin to another player. You choose who gets it.",
    "immediate": "This contract can only be completed at the moment when its condition is met. It takes one of your "
    "three cubes and pays the coins of its next free space; your second contract gives 1 influence, the third 2 more. "
    "Contracts with progress spaces take more than one such moment.",
    "set_aside": "After a tax you may move a card from the time deck to the score deck, unseen. The team has one turn "
    "less to complete all contracts, but gets one more point if it does.",
    "look": "Your lookout sees the next cards of the deck. You put one back on top, known only to you, and the "
    "others are discarded without effect. Then you draw it, or stop.",
    "item": "The mission asks for pirates of the Ares that you have kept, with any item. You choose which item "
    "you can spare.",
    "cube": "At the end of the month you may pay to return the leftmost cube of your character to the box. It uncovers "
    "the next field like a completed mission: the ability, then the trophy without which nobody wins, then crowns.",
    "side": "Each side of your card is another character with its own coins and its own ability, which works from your "
    "first mission on.",
    "character": "Each player chooses a character card and its side; both sides of a chosen card are gone.",
}

MISSION_EXPLANATION = (
    "This mission can only be completed at the moment when its condition is met. It takes the leftmost cube of your "
    "character, which uncovers the ability, then the trophy, then crowns."
)

# The effect of each ability
EFFECTS = {
    "trader": "each ship of its colour that you trade pays 1 more coin",
    "settler": "a symbol for expeditions; some contracts ask for one",
    "captain": "a symbol for expeditions; some contracts ask for one",
    "priest": "a symbol for expeditions; a contract asks for one",
    "jack_of_all_trades": "stands in for any symbol when you claim an expedition (not for contracts)",
    "sailor": "sabres to repel ships with",
    "pirate": "sabres to repel ships with",
    "mademoiselle": "each person that you hire costs 1 coin less, but at least 0",
    "jester": f"{tables.JESTER_COINS} coin when your part of phase 2 begins with an empty harbour, and after every "
    "bust, whoever's it is",
    "admiral": f"{tables.ADMIRAL_COINS} coins when your part of phase 2 begins with {tables.ADMIRAL_CARDS} or more "
    "cards in the harbour",
    "governor": "1 more take in each of your parts of phase 2",
    "merchant": "each ship of its colour that you trade for coins is put under it and is worth 1 influence, however "
    "many merchants of the colour you have",
    "passenger": "only its influence",
    "gambler": f"once in your turn, instead of drawing: turn up {tables.GAMBLER_DRAWS} cards in a row without "
    "repelling any; if there is no bust, phase 1 ends and you have 1 more take",
    "clerk": "1 more take for each ship of its colour that you trade",
    "gunner": "1 coin for each ship but one in the harbour when your part of phase 2 begins",
    "vice_admiral": f"1 coin when your part of phase 2 begins with {' or '.join(map(str, tables.VICE_ADMIRAL_CARDS))} "
    "cards in the harbour (see the option `vice_admiral_passive`)",
}
