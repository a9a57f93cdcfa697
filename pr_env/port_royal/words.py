"""Texts about Port Royal for people: phrases, explanations and the story, as used by the rest of the package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pr_env.game import Action
from pr_env.moment import Moment
from pr_env.port_royal import phrases, story
from pr_env.port_royal.explanations import EFFECTS, EXPLANATIONS, MISSION_EXPLANATION
from pr_env.port_royal.view import View
from pr_env.words import Words, plain

if TYPE_CHECKING:
    from pr_env.port_royal import PortRoyal


class PortRoyalWords(Words):
    """Texts about Port Royal."""

    game: PortRoyal

    def _view(self, moment: Moment) -> View:
        return View(self.game, moment.record)

    def question(self, moment: Moment) -> str:
        """The question for the acting player."""
        return phrases.question(self._view(moment))

    def sentence(self, action: Action, moment: Moment) -> str:
        """An action's sentence in a position, with its costs."""
        return phrases.sentence(action, self._view(moment))

    def answer(self, action: Action, moment: Moment) -> str:
        """An action in as few words as the question needs."""
        return phrases.answer(action, self._view(moment))

    def remark(self, action: Action, moment: Moment) -> str:
        """What a choice brings."""
        return phrases.remark(action, self._view(moment))

    def explanation(self, moment: Moment) -> str:
        """A few sentences about the question."""
        view = self._view(moment)
        return MISSION_EXPLANATION if view.adventure and view.question == "immediate" else EXPLANATIONS[view.question]

    def topics(self) -> Mapping[str, str]:
        """The abilities of persons."""
        return {plain(ability): effect for ability, effect in EFFECTS.items()}

    # -- the end ----------------------------------------------------------------------------------------------------

    def end_reason(self, reason: str, moment: Moment) -> str:
        """The reason why a game ends."""
        return phrases.end_reason(reason, self._view(moment))

    def result(self, moment: Moment) -> str:
        """The winner of a finished game, and how it ended."""
        return phrases.result(self._view(moment))

    def tie_break(self, moment: Moment) -> str:
        """The coins of each player of a competitive game."""
        view = self._view(moment)
        if view.game.plays_together:
            return ""
        coins = ", ".join(f"{self.seat(seat)}: {view.displays[seat].coins}" for seat in phrases.ranking(view))
        return f"Tie-break (coins): {coins}"

    def standing(self, seat: int, moment: Moment) -> str:
        """A player's influence by source, and the coins that break ties."""
        view = self._view(moment)
        return phrases.standing(view.displays[seat], view)

    # -- the story --------------------------------------------------------------------------------------------------

    def move(self, action: Action, moment: Moment) -> str:
        """The decision, without a full stop."""
        view = self._view(moment)
        if view.question == "look":  # other players do not see it
            return "Put a card back on the deck"
        return phrases.decision(action, view)

    def effects(self, action: Action, before: Moment, after: Moment, gains: Sequence[int]) -> Iterator[str]:
        """The changes caused by a move, up to the next question."""
        yield from story.effects(action, self._view(before))

    def opens(self, moment: Moment) -> bool:
        """Drawing and stopping are the steps of a turn; everything else happens in between."""
        return self._view(moment).question == "discover"

    def round_number(self, moment: Moment) -> int:
        """The turn."""
        return self._view(moment).turn

    def header(self, moment: Moment) -> str:
        """The turn, its active player and the standings."""
        return story.header(self._view(moment))
