"""Texts about Puerto Rico for people: phrases, explanations and the story, as used by the rest of the package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pr_env.game import Action
from pr_env.moment import Moment
from pr_env.puerto_rico import phrases, story
from pr_env.puerto_rico.explanations import EFFECTS, EXPLANATIONS, ROLES
from pr_env.puerto_rico.tables import BUILDINGS, COST, NUM_BASE_BUILDINGS
from pr_env.words import Words, counted, plain

if TYPE_CHECKING:
    from pr_env.puerto_rico import PuertoRico
    from pr_env.replay import Move


class PuertoRicoWords(Words):
    """Texts about Puerto Rico."""

    game: PuertoRico

    def question(self, moment: Moment) -> str:
        """The question for the acting player."""
        return phrases.question(moment.position)

    def sentence(self, action: Action, moment: Moment) -> str:
        """An action's sentence in a position."""
        return phrases.sentence(action, moment.position)

    def answer(self, action: Action, moment: Moment) -> str:
        """An action in as few words as the question needs."""
        return phrases.answer(action, moment.position)

    def remark(self, action: Action, moment: Moment) -> str:
        """What a choice costs or brings in doubloons, if that matters."""
        kind, *what = action.name
        position = moment.position
        if kind == "pick":
            waiting = position["roles"].get(what[0], {}).get("doubloons", 0)
            return f"+{waiting} on the card" if waiting else ""
        if kind not in ("build", "sell"):
            return ""
        after = moment.after(action).position
        if after["phase"].startswith("pay_"):
            return "and pay part of it in other ways"
        paid = position["boards"][moment.player]["doubloons"] - after["boards"][moment.player]["doubloons"]
        if kind == "build":
            return f"costs {paid}" if paid else "costs nothing"
        return f"pays {-paid}"

    def explanation(self, moment: Moment) -> str:
        """A few sentences about the phase."""
        return EXPLANATIONS[moment.position["phase"]]

    def topics(self) -> Mapping[str, str]:
        """Roles and buildings of this configuration."""
        kinds = BUILDINGS if self.game.extended else BUILDINGS[:NUM_BASE_BUILDINGS]
        row = COST[int(self.game.balanced)]
        return {role: f"role: {words}" for role, words in ROLES.items()} | {
            plain(kind.name): f"building, {counted(int(cost), 'doubloon')}, {kind.column} VP: {EFFECTS[kind.name]}"
            for kind, cost in zip(kinds, row, strict=False)
        }

    # -- the end ----------------------------------------------------------------------------------------------------

    def end_reason(self, reason: str, moment: Moment) -> str:
        """Why a game ends."""
        return phrases.end_reason(reason, moment.position)

    def result(self, moment: Moment) -> str:
        """The winner of a finished game, and how it ended."""
        return phrases.result(moment.position, moment.points)

    def tie_break(self, moment: Moment) -> str:
        """The doubloons and barrels left to each player."""
        left = ", ".join(f"{self.seat(seat)}: {moment.final['tie_break'][seat]}" for seat in self.ranking(moment))
        return f"Tie-break (doubloons and barrels): {left}"

    def standing(self, seat: int, moment: Moment) -> str:
        """A player's points from chips and from buildings, and what breaks ties."""
        return story.standing(seat, moment)

    # -- the story --------------------------------------------------------------------------------------------------

    def move(self, action: Action, moment: Moment) -> str:
        """The decision, without a full stop."""
        return story.decision(action, moment.position)

    def effects(self, action: Action, before: Moment, after: Moment, gains: Sequence[int]) -> Iterator[str]:
        """What a move changed for the players and on the table."""
        yield from story.effects_on_players(action, before, after, gains)
        yield from story.effects_on_table(before.position, after.position)

    def settled(self, moment: Moment) -> bool:
        """Colonists in hand do not work: points of large buildings are reported when all colonists are placed."""
        return moment.position.get("phase") != "mayor"

    def opens(self, moment: Moment) -> bool:
        """Picking a role opens a phase."""
        return moment.position.get("phase", "pick_role") in ("pick_role", "draft")

    def round_number(self, moment: Moment) -> int:
        """The round; 0 in the draft."""
        return 0 if self.part(moment) == story.DRAFT else super().round_number(moment)

    def part(self, moment: Moment) -> str:
        """The draft, or the round."""
        return story.part(moment.position)

    def header(self, moment: Moment) -> str:
        """The draft; or the round, its governor, the points and the doubloons on cards."""
        return story.header(moment)

    def told_reason(self, reason: str, moment: Moment) -> str:
        """Why the game ended."""
        return story.ending(reason, moment.position)

    def together(self, moves: Sequence[Move]) -> list[Move]:
        """The placements of a player's colonists make one sentence."""
        return story.told_together(moves)
