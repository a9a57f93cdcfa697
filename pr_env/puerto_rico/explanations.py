"""Explanations of the question in each phase, for newcomers to the game."""

from __future__ import annotations

EXPLANATIONS = {
    "pick_role": "Pick a role card. Everybody plays that role, you first and with its privilege; doubloons on "
    "the card are yours. Settler: island tiles. Mayor: colonists, without whom nothing works. Builder: buildings. "
    "Craftsman: goods. Trader: sell a barrel. Captain: ship barrels for points. Prospector: a doubloon for you.",
    "settler": "Take a tile for your island. The player who picked the settler, or one with a working construction "
    "hut, may take a quarry: it makes buildings cheaper.",
    "hacienda": "Your hacienda gives you a face-down tile before the usual one.",
    "hospice": "Your hospice puts a colonist on the tile that you have just taken.",
    "mayor_privilege": "The player who picked the mayor may take one more colonist.",
    "mayor": "Rearrange your colonists, one kind of place at a time. Tiles and buildings without colonists do "
    "nothing. Colonists without a place wait in San Juan.",
    "builder": "Buy one building. Each colonist on a quarry saves a doubloon, up to the building's points; the player "
    "who picked the builder saves one more.",
    "university": "Your university puts a colonist in the building that you have just built.",
    "craftsman_privilege": "The player who picked the craftsman gets one more barrel of a good that they have just "
    "produced.",
    "trader": "Sell one barrel of a kind that the trading house does not have yet: corn 0, indigo 1, sugar 2, tobacco "
    "3, coffee 4 doubloons; the trader gets one more, and markets add to it.",
    "captain": "Load barrels for a point each, as many as fit. A ship takes one kind of goods, and no two ships the "
    "same. If you can load, you must; the captain's first load gives one more point.",
    "store": "After shipping you may keep one barrel; warehouses keep all barrels of a kind. The rest is lost.",
    "draft": "Choose which violet buildings are in the game; each needs a free space of its cost.",
    "politician": "Play a role of this round once more, without its privilege.",
    "pay_colonist": "Your black market accepts a colonist instead of a doubloon.",
    "pay_barrel": "Your black market accepts a barrel instead of a doubloon.",
    "small_wharf": "Your small wharf ships barrels of any kinds for half a point each.",
    "guest": "Colonists of your guesthouse may go where one is missing, just in time.",
    "forest": "Your forest house may turn the tile into a forest; two forests make a building a doubloon cheaper.",
    "pirate_barrel": "The pirate takes a barrel from another player.",
    "pirate_colonist": "The pirate takes a colonist from another player.",
}

ROLES = {
    "settler": "Everybody takes a tile for their island; the picker may take a quarry.",
    "mayor": "New colonists are handed out and everybody rearranges theirs; the picker may take one more.",
    "builder": "Everybody may buy one building; for the picker, it costs one doubloon less.",
    "craftsman": "Everybody produces goods with manned tiles and buildings; the picker gets one more barrel.",
    "trader": "Everybody may sell one barrel; the picker gets one more doubloon.",
    "captain": "Barrels are shipped for a point each; the picker gets one more point for their first load.",
    "prospector": "The picker gets a doubloon; the others get nothing.",
}

# The effect of each building
EFFECTS = {
    "small_indigo_plant": "makes indigo",
    "small_sugar_mill": "makes sugar",
    "indigo_plant": "makes indigo",
    "sugar_mill": "makes sugar",
    "tobacco_storage": "makes tobacco",
    "coffee_roaster": "makes coffee",
    "small_market": "trader: 1 more doubloon for a sale",
    "hacienda": "settler: may draw a face-down tile first",
    "construction_hut": "settler: may take a quarry",
    "small_warehouse": "storing: all barrels of 1 kind",
    "hospice": "settler: a colonist on the tile taken",
    "office": "trader: may sell a kind that is already in the house",
    "large_market": "trader: 2 more doubloons for a sale",
    "large_warehouse": "storing: all barrels of 2 kinds",
    "factory": "craftsman: 0, 1, 2, 3, 5 doubloons for 1 to 5 kinds produced",
    "university": "builder: a colonist in the building built",
    "harbor": "captain: 1 more point for each load",
    "wharf": "captain, once a phase: ship all barrels of a kind to the supply",
    "guild_hall": "end: 1 point for each small production building, 2 for each other one",
    "residence": "end: 4, 5, 6, 7 points for up to 9, 10, 11, 12 filled island spaces",
    "fortress": "end: 1 point for 3 colonists",
    "customs_house": "end: 1 point for 4 points in chips",
    "city_hall": "end: 1 point for each violet building",
    "aqueduct": "craftsman: 1 more indigo and sugar, if any was produced in a large plant or mill",
    "black_market": "builder: pay up to 3 missing doubloons with a colonist, a barrel, a point, at most one of each",
    "forest_house": "settler: may place a forest instead of a tile; 2 forests reduce every cost by 1",
    "storehouse": "storing: 3 more barrels of any kinds",
    "guesthouse": "its colonists may move to empty circles in other phases",
    "church": "builder: 1 point for a building whose cost up to 2 or 3 quarries can reduce, 2 for a large one",
    "trading_post": "trader: sell to it instead of the house: any kind, but markets add nothing",
    "small_wharf": "captain, once a phase: ship any barrels to the supply, 1 point for 2",
    "lighthouse": "captain: 1 doubloon for each load, 1 more for the picker",
    "library": "doubles its owner's privileges",
    "specialty_factory": "craftsman: 1 doubloon per barrel, less 1, of the kind produced most (except corn)",
    "union_hall": "captain: before the first load 1 point for 2 barrels of the same kind",
    "cloister": "end: 1, 3, 6, 10 points for 1 to 4 groups of 3 equal island tiles",
    "statue": "nothing, and needs no colonist",
    "large_church": "end: 1 point for 2 doubloons",
}
