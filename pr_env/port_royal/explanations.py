"""What a person is asked at each question, for those who are new to the game."""

from __future__ import annotations

EXPLANATIONS = {
    "discover": "Turn up cards from the deck one by one. Persons and ships go to the harbour. A second ship of a "
    "colour that lies there is a bust: all cards in the harbour are discarded and your turn is over. Stop in time, and "
    "everybody may take cards from the harbour, you first: one card, two if there are ships of four colours, three if "
    "there are five. Expeditions and contracts can be claimed at any moment of your turn.",
    "repel": "You have at least as many sabres as the ship, so you may repel it: it is discarded and does not count. "
    "Otherwise it enters the harbour, where a second ship of its colour is a bust. Sabres are not used up. Ships with "
    "a skull are never repelled.",
    "pay": "An expedition costs persons with its symbols from your display: captains, priests and settlers. A jack of "
    "all trades stands in for any of them. Their influence is lost, the expedition's is won.",
    "take": "Take a card from the harbour. A ship is traded: it is discarded and pays its coins. A person is hired for "
    "its cost, stays in your display and works for you from now on. In the turn of another player each card costs a "
    "coin more, which the active player gets.",
    "end_of_turn": "The harbour is gone and your turn is about to end. This is your last chance in it to claim an "
    "expedition or complete a contract.",
    "give": "This ship also pays a coin to another player. You choose who gets it.",
    "immediate": "This contract can be completed only at the moment when its condition is met. It takes one of your "
    "three cubes and pays the coins of its next free space; your second contract gives 1 influence, the third 2 more. "
    "Contracts with progress spaces take more than one such moment.",
    "set_aside": "After a tax you may move a card from the time deck to the score deck, unseen. The team has a turn "
    "less to complete all contracts, but a point more if it does.",
    "look": "Your lookout sees the next cards of the deck. You put one back on top, which only you know, and the "
    "others are discarded without effect. Then you draw it, or stop.",
    "item": "The mission asks for pirates of the Ares that you have kept, of whatever item. You choose which item "
    "you can spare.",
    "cube": "At the end of the month you may pay to return the leftmost cube of your character to the box. It uncovers "
    "the next field like a completed mission: the ability, then the trophy without which nobody wins, then crowns.",
    "side": "Each side of your card is another character with its own coins and its own ability, which works from your "
    "first mission on.",
    "character": "Each player chooses a character card and its side; both sides of a chosen card are gone.",
}

MISSION_EXPLANATION = (
    "This mission can be completed only at the moment when its condition is met. It takes the leftmost cube of your "
    "character, which uncovers the ability, then the trophy, then crowns."
)
