"""The adventure ("Comienza la aventura"): five chapters with events, missions, characters, crowns and items.

Its rules are compiled only for games of the adventure (see ``extension.py``); the modules of the other sets call them
where the adventure adds to a phase. ``names.py`` has the rulebook's terms, ``cards.py`` reads its files, and
``state.py`` adds its fields to the record.
"""
