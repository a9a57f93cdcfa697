"""A cooperative game with hidden information: everybody has a card, and the cards must be played in order, in silence.

Each player has one of the cards 1 to 20 and sees only that card. The player to move plays it, or waits. If somebody has
a lower card than the one that is played, everybody loses; if all cards are played, everybody wins. The number of waits
is limited for all players together, so a player who waits tells the others something.

`resample` shows what a game with hidden cards must provide for a search: the other players' cards are redrawn from
those that the viewer has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pr_env import Action, Batch, Field, Game
from pr_env.checks import check_whole
from pr_env.compiling import compiled
from pr_env.randomness import next_state, random_below, start_generator
from pr_env.rules import EVERYTHING, Record, Rules, final_record, game_record

CARDS, MAX_PLAYERS = 20, 4
WAITS_EACH = 4
PLAY, WAIT = range(2)
ACTIONS = (Action(PLAY, ("play",), "Play your card."), Action(WAIT, ("wait",), "Wait."))
NO_CARD = 0

RECORD = game_record(
    "in_order",
    [
        ("seed", np.uint64),
        ("rng", np.uint64),
        ("players", np.int64),  # the configuration
        ("player", np.int64),
        ("card", np.int64, (MAX_PLAYERS,)),  # the card in each player's hand, or NO_CARD
        ("highest", np.int64),  # highest card played so far
        ("waits", np.int64),  # waits left
        ("lost", np.int64),  # 1: somebody had a lower card
        ("turns", np.int64),
        ("legal", np.uint8, (len(ACTIONS),)),
    ],
)


@compiled
def set_up(game: Record, seed: np.uint64) -> None:
    """Deal a card to everybody."""
    game.seed = seed
    game.rng = start_generator(seed)
    game.highest = 0
    game.lost = 0
    game.turns = 0
    game.waits = WAITS_EACH * game.players
    for seat in range(MAX_PLAYERS):
        game.card[seat] = NO_CARD
    for seat in range(game.players):
        deal(game, seat)
    game.player = 0
    refresh(game)


@compiled
def deal(game: Record, seat: int) -> None:
    """Deal a random card that nobody holds and that can still be played."""
    free = 0
    for card in range(game.highest + 1, CARDS + 1):
        free += not held(game, card)
    game.rng = next_state(game.rng)
    nth = random_below(game.rng, free)
    for card in range(game.highest + 1, CARDS + 1):
        if not held(game, card):
            if nth == 0:
                game.card[seat] = card
                return
            nth -= 1


@compiled
def held(game: Record, card: int) -> bool:
    """Whether somebody has the card in hand."""
    for seat in range(game.players):
        if game.card[seat] == card:
            return True
    return False


@compiled
def step(game: Record, action: int) -> None:
    """Play or wait. When no waits are left, everybody has to play, so nobody is asked anymore."""
    take_turn(game, action)
    refresh(game)


@compiled
def refresh(game: Record) -> None:
    """List the legal actions, after playing forced moves."""
    while game.waits == 0 and not is_over(game):
        take_turn(game, PLAY)
    for action in range(game.legal.shape[0]):
        game.legal[action] = not is_over(game)


@compiled
def take_turn(game: Record, action: int) -> None:
    """Play one turn. The next player is the next one with a card."""
    game.turns += 1
    if action == WAIT:
        game.waits -= 1
    else:
        played = game.card[game.player]
        for seat in range(game.players):
            if NO_CARD < game.card[seat] < played:
                game.lost = 1
        game.highest = max(game.highest, played)
        game.card[game.player] = NO_CARD
    if not is_over(game):
        game.player = (game.player + 1) % game.players
        while game.card[game.player] == NO_CARD:
            game.player = (game.player + 1) % game.players


@compiled
def is_over(game: Record) -> bool:
    """Whether the game is lost, or all cards have been played."""
    if game.lost == 1:
        return True
    for seat in range(game.players):
        if game.card[seat] != NO_CARD:
            return False
    return True


@compiled
def resample(game: Record, tables: Record, viewer: int, chance: np.uint64) -> None:
    """Redraw the others' cards from those that are higher than the last card played, except the viewer's own."""
    game.rng = chance
    if is_over(game):  # then everything is visible
        return
    in_hand = 0  # seats with a card, as bits
    for seat in range(game.players):
        if seat != viewer and game.card[seat] != NO_CARD:
            in_hand |= 1 << seat
            game.card[seat] = NO_CARD
    for seat in range(game.players):
        if in_hand & (1 << seat):
            deal(game, seat)


@compiled
def observe(game: Record, tables: Record, viewer: int, scratch: np.ndarray, out: np.ndarray) -> None:
    """The viewer's own card, and whether the others have one. All cards if nothing is hidden."""
    out[0] = game.highest / CARDS
    out[1] = game.waits / WAITS_EACH
    for place in range(game.players):
        seat = (max(0, viewer) + place) % game.players
        visible = place == 0 or viewer == EVERYTHING or is_over(game)
        out[2 + place] = game.card[seat] / CARDS if visible else 0.0
        out[2 + game.players + place] = game.card[seat] != NO_CARD


@compiled
def write_final(game: Record, final: Record) -> None:
    """All players win or lose together, with one point for each card played in order."""
    final.seed = game.seed
    final.turns = game.turns
    final.ending = 1 if game.lost == 1 else 2 if is_over(game) else 0
    for seat in range(MAX_PLAYERS):
        seated = seat < game.players
        final.points[seat, 0] = points(game, seat) if seated else 0
        final.total[seat] = final.points[seat, 0]
        final.rank[seat] = seated
        final.win_share[seat] = seated and is_over(game) and game.lost == 0


@compiled
def points(game: Record, seat: int) -> int:
    """The number of cards that the team has played in order."""
    played = -game.lost
    for other in range(game.players):
        played += game.card[other] == NO_CARD
    return played


RULES = Rules(
    "in_order",
    set_up=set_up,
    step=step,
    refresh=refresh,
    is_over=is_over,
    observe=observe,
    write_final=write_final,
    points=points,
    resample=resample,
)


@dataclass(frozen=True)
class InOrder(Game):
    """Cards in order, together.

    Attributes:
        players: 2 to 4.
    """

    players: int = 2

    name: ClassVar[str] = "in_order"
    layout: ClassVar[int] = 1
    rules: ClassVar[Rules] = RULES
    length_unit: ClassVar[str] = "turns"
    record = RECORD
    final = final_record(MAX_PLAYERS, 1, "turns")
    point_sources = ("cards",)
    end_reasons = ("lower_card", "all_played")
    actions = ACTIONS

    def __post_init__(self) -> None:
        """Refuse invalid options."""
        check_whole("players", self.players, 2, MAX_PLAYERS)

    @property
    def teams(self) -> tuple[int, ...]:
        """All players are one team."""
        return (0,) * self.players

    @property
    def fields(self) -> tuple[Field, ...]:  # type: ignore[override]
        """The observation table."""
        seats = (("self", *(f"{place}_to_the_left" for place in range(1, self.players))),)
        return (
            Field("highest", 0, (), 1 / CARDS, "highest card that was played"),
            Field("waits", 1, (), 1 / WAITS_EACH, "waits that are left"),
            Field("card", 2, seats, 1 / CARDS, "the card in hand; 0 for those of the others"),
            Field("has_card", 2 + self.players, seats, 1, "whether there is one"),
        )

    @property
    def observation_size(self) -> int:  # type: ignore[override]
        """Length of the observation."""
        return self.fields[-1].stop

    @property
    def blank(self) -> np.ndarray:
        """The configuration as a record."""
        blank = np.zeros(1, RECORD)
        blank["players"] = self.players
        return blank

    def fits(self, games: np.ndarray) -> bool:
        """Whether the records are for this number of players."""
        return bool((games["players"] == self.players).all())

    @property
    def imperfect_information(self) -> bool:
        """Each player only knows their own card."""
        return True

    def problems(self, games: np.ndarray) -> list[str]:
        """Describe what is impossible in these records."""
        found = []
        if not self.fits(games):
            found.append(f"these games are not for {self.players} players")
        if ((games["player"] < 0) | (games["player"] >= self.players)).any():
            found.append(f"seats are 0 to {self.players - 1}")
        cards = games["card"][:, : self.players]
        if ((cards < 0) | (cards > CARDS)).any() or games["card"][:, self.players :].any():
            found.append(f"cards are 0 to {CARDS}, for those who play")
        if ((games["highest"] < 0) | (games["highest"] > CARDS)).any():
            found.append(f"the highest card is 0 to {CARDS}")
        limits = WAITS_EACH * self.players
        if ((games["waits"] < 0) | (games["waits"] > limits) | (games["lost"] < 0) | (games["lost"] > 1)).any():
            found.append(f"waits are 0 to {limits}, lost is 0 or 1")
        running = games["lost"] == 0
        if (running[:, None] & (cards != NO_CARD) & (cards <= games["highest"][:, None])).any():
            found.append("a card in hand is higher than what was played")
        for one in range(self.players):
            for other in range(one):
                if ((cards[:, one] != NO_CARD) & (cards[:, one] == cards[:, other])).any():
                    found.append("no two players have the same card")
        mover = cards[np.arange(len(games)), np.clip(games["player"], 0, self.players - 1)]
        if (running & cards.any(axis=1) & (mover == NO_CARD)).any():
            found.append("who is to move has a card")
        if ((games["turns"] < 0) | (games["turns"] > limits + self.players)).any():
            found.append(f"a game has 0 to {limits + self.players} turns")
        return found


def main() -> None:
    """Play many random games, and many by a simple rule: play cards that are low for the number of waits left."""
    game = InOrder(players=3)
    batch = Batch(game, 1000, seed=0)
    for name in ("chance", "low cards first"):
        batch.reset(0)
        won = games = 0.0
        while games < 10_000:
            seen = game.read_observation(batch.observation)
            passed = 1 - seen["waits"] / (WAITS_EACH * game.players)
            low = seen["card"][:, 0] <= 1 + CARDS * passed
            batch.step(batch.sample_actions() if name == "chance" else np.where(low, PLAY, WAIT))
            won += batch.reward[:, 0].sum()
            games += batch.terminated.sum()
        print(f"{name}: {won / games:.0%} of {games:.0f} games won")


if __name__ == "__main__":
    main()
