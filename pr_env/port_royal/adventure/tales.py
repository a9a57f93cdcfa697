"""What story cards tell here: short texts of this project. The printed ones are not part of it."""

from __future__ import annotations

# Title and opening of each chapter
CHAPTERS = (
    (
        "Grey sails",
        "Ships under the flag of the Ares wait outside the bay, and no merchant dares to leave. The governor looks for "
        "people who are not afraid of grey sails.",
    ),
    (
        "The empty larder",
        "The blockade has left the town without bread and rum. A settler knows a bay where supplies can still be "
        "bought, and an old book says who else knows it.",
    ),
    (
        "Into the unknown",
        "A map from the book leads past the reefs. Whoever wants to follow it needs an expedition, a steady captain, "
        "and a Tybuk at the oars.",
    ),
    (
        "Behind the tavern door",
        "The trail ends where most trails end in this town: in a tavern. Those who know something want to be paid in "
        "bread, rum and herbs.",
    ),
    (
        "The last harbour",
        "The fleet of the Ares gathers for one last attack. The governor asks for every coin, and for everybody who "
        "can hold a sabre.",
    ),
)

# When a chapter is completed
ENDS = (
    "The grey sails turn away. For the first time in weeks a merchant leaves the bay.",
    "The larder is full again, and the book has told what it knew.",
    "Behind the reefs lies more than the map has shown.",
    "The tavern falls silent, and the way to the fleet lies open.",
    "The fleet of the Ares is scattered. Port Royal celebrates for three days.",
)
FAILURE = "The month is over and the work is not done. The team gathers new coins and tries again."

MISSIONS = {
    "10": "Two ships of the Ares have come too close: bring them in.",
    "11": "A captain must take the lead.",
    "12": "Arm one crew and pay it for the watch.",
    "13": "A priest asks for alms before he blesses the fleet.",
    "14": "The first ship of the Ares is to be taken with sabres.",
    "15": "Two ships of the Ares at once: that takes sabres, too.",
    "16": "A priest wants to read the book from the hold.",
    "17": "The priest reads, but the copyist wants his pay.",
    "20": "A settler knows the bay.",
    "21": "The settlers have had no bread for days.",
    "22": "Bread, and some coins for who carries it.",
    "23": "Nobody loads a ship without rum.",
    "24": "Rum, and the wages that were left unpaid.",
    "25": "Guards for the stores, and their pay.",
    "26": "More thieves, more guards, more pay.",
    "27": "Book and herbs together hold the recipe.",
    "28a": "Book and herbs, and the apothecary's fee.",
    "28b": "Book and herbs, and a favour of the crown.",
    "30": "An expedition sets out along the map.",
    "31": "A captain with a blade keeps the crew together.",
    "32": "Mutiny is in the air: a captain with two blades.",
    "33": "Ships of four nations must lie in the harbour.",
    "34": "Four nations in the harbour, and presents for all.",
    "35": "A Tybuk knows the passage.",
    "36": "A Tybuk knows the passage and its price.",
    "37": "Break through to the ship of the Ares.",
    "38": "Break through to two ships of the Ares.",
    "40": "Three cheap hands hear more than one dear one.",
    "41": "The cook asks for herbs and bread.",
    "42": "Herbs, bread, and something for the cook.",
    "43": "An innkeeper joins you.",
    "44": "An innkeeper joins you for a barrel of rum.",
    "45": "A settler trades news for rum.",
    "46": "A settler trades news for rum and coins.",
    "47": "A priest speaks for you at court.",
    "48": "A priest speaks for you, but the court is expensive.",
    "50": "Let the tax collector find something.",
    "51": "Leave the harbour at the right moment, with a gift.",
    "52": "Three quiet turns, so that nobody takes notice.",
    "53": "A captain and a full purse.",
    "54": "A captain and a fuller purse.",
    "55": "Sabres, and the book with the signals.",
    "56": "More sabres, and the book with the signals.",
    "57": "The last ships of the Ares.",
    "58": "The last ships of the Ares, and their guard.",
}


def tale_of_mission(name: str) -> str:
    """What the story card of a mission tells; nothing for cards of other files."""
    return MISSIONS.get(name, "")
