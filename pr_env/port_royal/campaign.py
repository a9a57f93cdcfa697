"""The adventure as a campaign: five chapters in a row, played together or against each other.

Together: a chapter that is lost is played again, each time with 3 more coins, which the team shares out as it likes;
after a success the next chapter begins without them. Competitive: every game leads to the next chapter. Play cards that
a chapter has added stay in the deck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from pr_env.campaign import Campaign, CampaignError
from pr_env.checks import is_whole, shown
from pr_env.game import Game
from pr_env.port_royal import MOST_BONUS_COINS, PortRoyal
from pr_env.port_royal.adventure.names import NUM_CHAPTERS
from pr_env.port_royal.adventure.tales import CHAPTERS, ENDS, FAILURE, tale_of_mission
from pr_env.words import counted

COINS_FOR_FAILURE = 3
_DECIDED = ("deck", "chapter", "bonus_coins")  # options that the campaign itself sets


@dataclass(frozen=True)
class AdventureCampaign(Campaign):
    """The five chapters of the adventure.

    >>> campaign = AdventureCampaign.new(players=2, mode="cooperative")
    >>> campaign.next_game()
    PortRoyal(players=2, deck='adventure', ...)

    Attributes:
        game: The first chapter, with the options of all chapters.
    """

    game: PortRoyal = field(default_factory=lambda: PortRoyal(players=2, deck="adventure", mode="cooperative"))

    game_name: ClassVar[str] = PortRoyal.name

    def __post_init__(self) -> None:
        """Refuse games that are no first chapter."""
        game = self.game
        if not isinstance(game, PortRoyal) or game.deck != "adventure" or game.chapter != 1 or game.bonus_coins:
            raise ValueError(f"game must be the first chapter of the adventure, got {shown(game)}")
        if game.mode == "post_adventure":
            raise ValueError("mode must be competitive or cooperative: post_adventure is for after the campaign")

    @classmethod
    def new(cls, **options: Any) -> Self:
        """A new campaign.

        Args:
            **options: Of `PortRoyal`, those of all chapters: ``players`` (default 2), ``mode`` (default
                ``"cooperative"``), ``character_choice``, ``month_end_ends_turn``, ``jean_counts_for_missions``,
                ``max_turns``, ``max_decisions``, ``data``.

        Raises:
            ValueError: If there is no such campaign.
        """
        return cls.for_options(options)

    @classmethod
    def for_options(cls, options: Mapping[str, Any], *, recorded: bool = False, **local: Any) -> Self:
        """A new campaign; see `Campaign.for_options`."""
        for name in _DECIDED:
            if name in options and not (recorded and name == "deck"):
                raise ValueError(f"{name} is not an option of a campaign: it decides that itself")
        if recorded:
            return cls(game=PortRoyal.from_recorded(options, **local))
        usual: dict[str, Any] = {"deck": "adventure", "players": 2, "mode": "cooperative"}
        return cls(game=PortRoyal(**usual | dict(options), **local))

    # -- where it stands -----------------------------------------------------------------------------------------------

    @property
    def first_game(self) -> PortRoyal:
        """The first chapter."""
        return self.game

    @property
    def chapter(self) -> int:
        """The chapter that is played next; one more than there are when the campaign is over."""
        return 1 + sum(self._leads_on(result.win_share) for result in self.results)

    @property
    def failures(self) -> int:
        """How often the team has failed at this chapter."""
        count = 0
        for result in reversed(self.results):
            if self._leads_on(result.win_share):
                break
            count += 1
        return count

    @property
    def defeats(self) -> int:
        """How many games the team has lost in all; 0 in a competitive campaign."""
        return sum(not self._leads_on(result.win_share) for result in self.results)

    @property
    def is_over(self) -> bool:
        """Whether all chapters have been completed."""
        return self.chapter > NUM_CHAPTERS

    @property
    def wins(self) -> tuple[float, ...]:
        """Wins of each seat; a shared win counts as its share."""
        return tuple(sum(result.win_share[seat] for result in self.results) for seat in range(self.players))

    @property
    def to_share(self) -> int:
        """Extra coins that the team has for the next game."""
        return COINS_FOR_FAILURE * self.failures

    def _leads_on(self, win_share: Sequence[float]) -> bool:
        return not self.game.plays_together or win_share[0] > 0

    # -- the next game -------------------------------------------------------------------------------------------------

    def next_game(self, shares: Sequence[int] = ()) -> PortRoyal:
        """The next chapter, or the same one again; see `Campaign.next_game`."""
        if self.is_over:
            raise ValueError("the campaign is over: all chapters have been completed")
        coins = self._even_shares() if not len(shares) else tuple(shares)
        if len(shares):
            usable = len(coins) == self.players and all(is_whole(one) and one >= 0 for one in coins)
            if not usable or sum(coins) != self.to_share:
                raise ValueError(
                    f"shares must be {self.players} whole numbers that add up to {self.to_share}, got {shown(shares)}"
                )
        return replace(self.game, chapter=self.chapter, bonus_coins=coins if any(coins) else ())  # type: ignore[arg-type] # 1 to 5

    def _even_shares(self) -> tuple[int, ...]:
        coins = min(self.to_share, MOST_BONUS_COINS * self.players)
        each, more = divmod(coins, self.players)
        return tuple(each + (seat < more) for seat in range(self.players))

    def shares_of(self, game: Game) -> tuple[int, ...]:
        """How the extra coins of a next game were shared out; see `Campaign.shares_of`."""
        if self.is_over:
            raise CampaignError("the campaign is over: all chapters have been completed")
        if not isinstance(game, PortRoyal) or replace(game, bonus_coins=()) != replace(self.game, chapter=self.chapter):  # type: ignore[arg-type]
            raise CampaignError(f"the game is not the next one, which is chapter {self.chapter}")
        try:
            self.next_game(game.bonus_coins)
        except ValueError as error:
            raise CampaignError(str(error)) from None
        if self.to_share and not game.bonus_coins:
            raise CampaignError(f"the game must have the {self.to_share} coins for failures")
        return tuple(game.bonus_coins)

    def after_adventure(self) -> PortRoyal:
        """What can be played when all chapters are completed: four missions with a star, everybody for themselves.

        Raises:
            ValueError: If there is one player only.
        """
        return replace(self.game, mode="post_adventure", bonus_coins=())

    # -- texts ---------------------------------------------------------------------------------------------------------

    def before(self) -> list[str]:
        """Title and opening of the chapter, and its first mission."""
        if self.is_over:
            return []
        title, opening = CHAPTERS[self.chapter - 1]
        told = [f"Chapter {self.chapter}: {title}", opening]
        first = tale_of_mission(f"{self.chapter}0")
        told += [first] if first else []
        if self.failures:
            again = "once" if self.failures == 1 else f"{self.failures} times"
            told.append(f"The team has failed here {again}: it has {counted(self.to_share, 'coin')} more to share out.")
        return told

    def afterwards(self) -> list[str]:
        """How the last game has ended."""
        if not self.results:
            return []
        last = self.results[-1].win_share
        if not self._leads_on(last):
            return [FAILURE]
        told = [ENDS[self.chapter - 2]]
        if not self.game.plays_together:
            winners = [seat for seat, share in enumerate(last) if share > 0]
            who = " and ".join(f"player {seat}" for seat in winners)
            told.append(f"{who[0].upper()}{who[1:]} {'win' if len(winners) > 1 else 'wins'} the chapter.")
        if self.is_over:
            told.append(self._epilogue())
        return told

    def _epilogue(self) -> str:
        if self.game.plays_together:
            if self.defeats == 0:
                return "The adventure is won without a single defeat: there is no higher honour."
            return f"The adventure is won, after {counted(self.defeats, 'defeat')}."
        wins = ", ".join(f"player {seat}: {share:.3g}" for seat, share in enumerate(self.wins))
        return f"The adventure is over. Chapters won: {wins}."

    def standing(self) -> dict[str, Any]:
        """Chapter, failures and results, JSON-safe."""
        return {
            "chapter": self.chapter,
            "chapters": NUM_CHAPTERS,
            "is_over": self.is_over,
            "games": len(self.results),
            "failures": self.failures,
            "defeats": self.defeats,
            "to_share": self.to_share,
            "wins": list(self.wins),
        }
