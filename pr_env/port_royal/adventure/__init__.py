"""The adventure ("Comienza la aventura"): five chapters with events, missions, characters, crowns and items.

Its rules are compiled for games of the adventure alone (see ``extension.py``); the modules of the other sets call them
where the adventure adds to a phase. ``names.py`` has what the rulebook calls things, ``cards.py`` reads its files,
``state.py`` adds its fields to the record.
"""
