"""What a person is asked in each phase, for those who are new to the game."""

from __future__ import annotations

EXPLANATIONS = {
    "pick_role": "Pick a role card. Everybody plays that role, you first and with its privilege; doubloons that lie on "
    "the card are yours. Settler: island tiles. Mayor: colonists, without whom nothing works. Builder: buildings. "
    "Craftsman: goods. Trader: sell a barrel. Captain: ship barrels for points. Prospector: a doubloon for you.",
    "settler": "Take a tile for your island. Who picked the settler, or has a working construction "
    "hut, may take a quarry: it makes buildings cheaper.",
    "hacienda": "Your hacienda gives you a face-down tile before the usual one.",
    "hospice": "Your hospice puts a colonist on the tile that you have just taken.",
    "mayor_privilege": "Who picked the mayor may have one more colonist.",
    "mayor": "Place your colonists anew, one kind of place after the other. Tiles and buildings without colonists do "
    "nothing. Who finds no place waits in San Juan.",
    "builder": "Buy one building. Each colonist on a quarry saves a doubloon, up to the building's points; who picked "
    "the builder saves one more.",
    "university": "Your university puts a colonist in the building that you have just built.",
    "craftsman_privilege": "Who picked the craftsman gets one more barrel of a good that they have just made.",
    "trader": "Sell one barrel of a kind that the trading house does not have yet: corn 0, indigo 1, sugar 2, tobacco "
    "3, coffee 4 doubloons; the trader gets one more, and markets add to it.",
    "captain": "Load barrels for a point each, as many as fit. A ship takes one kind of goods, and no two ships the "
    "same. Who can load must; the captain's first load gives one more point.",
    "store": "After shipping you may keep one barrel; warehouses keep all barrels of a kind. The rest is lost.",
    "draft": "Choose which violet buildings are in the game; each needs a free space of its cost.",
    "politician": "Play a role of this round once more, without its privilege.",
    "pay_colonist": "Your black market takes a colonist in place of a doubloon.",
    "pay_barrel": "Your black market takes a barrel in place of a doubloon.",
    "small_wharf": "Your small wharf ships barrels of any kinds for half a point each.",
    "guest": "Colonists of your guesthouse may go where one is missing, just in time.",
    "forest": "Your forest house may turn the tile into a forest; two forests make a building a doubloon cheaper.",
    "pirate_barrel": "The pirate takes a barrel from another player.",
    "pirate_colonist": "The pirate takes a colonist from another player.",
}
