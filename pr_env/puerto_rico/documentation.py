"""The pages and pictures of the documentation that are made from Puerto Rico's own tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pr_env.documentation import (
    ENVIRONMENT_ARGUMENTS,
    action_rows,
    field_rows,
    option_rows,
    picture,
    reward_rows,
    rows,
    usage,
)
from pr_env.game import Field
from pr_env.puerto_rico import PuertoRico, tables
from pr_env.puerto_rico.explanations import EFFECTS
from pr_env.puerto_rico.tables import MAX_BASE_PLAYERS, PLAYER_COUNTS

PAGE = """# puerto_rico_v0

The board game Puerto Rico for two to six players, with or without Expansion I. [The rules as implemented](rules.md) say
how a game is cut into decisions. This page is written by `make docs`.

![a board](board.svg)

| | |
|---|---|
| import | `from pr_env import puerto_rico_v0` |
| actions | discrete, {actions}; in an extended game {all_actions} |
| parallel API | no: turns are irregular, `pr_env.Batch` plays many games at once |
| manual control | no |
| agents | `player_0`, `player_1` and so on, in seat order; seat 0 is the first governor |
| observation | `{{"observation": float32, "action_mask": int8}}`, see Sizes |

## Usage

{usage}

The same with Expansion I and six players:

```python
from pr_env import Batch, PuertoRico, puerto_rico_v0

env = puerto_rico_v0.env(players=6, buildings="draft")
batch = Batch(PuertoRico(players=6, buildings="draft"), 16, seed=42)
batch.step(batch.sample_actions())
```

![six players with Expansion I](expansion.svg)

## Arguments

Of the game, everywhere:

| argument | default | meaning |
|---|---|---|
{option_rows}

A game is an extended one if it has six players, `double_cards`, or `buildings` other than `"base"`: it has its own
record, more actions and a longer observation. All other games are base games.

Of the environments:

{environment_arguments}

## Sizes

| | {count_heads} |
|---|{count_lines}|
{size_rows}

## Rewards

| scheme | paid | each seat gets |
|---|---|---|
{reward_rows}

A game that is cut pays nothing at its end.

## Actions

The numbers are the same for all player counts.

| number | name | |
|---|---|---|
{action_rows}

An extended game has these, too:

| number | name | |
|---|---|---|
{more_action_rows}

## Observation

Seen from the player's own seat: the table, then a block for each player: oneself, then clockwise. Each number is the
plain count multiplied with the scale; `game.read_observation(vector)` is the way back, and `game.fields` has the whole
table of a configuration.

| places | the table | shape | scale | meaning |
|---|---|---|---|---|
{table_rows}

An extended game goes on with:

| places | the table | shape | scale | meaning |
|---|---|---|---|---|
{more_table_rows}

The block of the player who sits `k` seats to the left begins at place {block} + {block_size} * `k`, in an extended game
at {more_block} + {more_block_size} * `k`. Before the names of these fields stands `self.` for oneself, `left_1.`,
`left_2.` and so on for the others:

| places in the block | of a player | shape | scale | meaning |
|---|---|---|---|---|
{player_rows}

An extended game goes on with:

| places in the block | of a player | shape | scale | meaning |
|---|---|---|---|---|
{more_player_rows}

## Version history

- v0: first version. Base games for two to five players; extended games with Expansion I (draft), double-sided role
  cards, six players in two variants, and the balanced rules of tournaments.
"""

MATERIAL_PAGE = """# Pieces and set-up

The numbers of `pr_env/puerto_rico/tables.py`, written by `make docs`; what a building does is put in words by hand.
What roles do is in [the rules](rules.md#the-game-in-short).

## Set-up

| | {set_up_heads} |
|---|{set_up_lines}|
{set_up_rows}

Colonists in the supply do not count those on the first ship, one for each player. Plantations include the tiles that
the players start with. Seats that start with corn have 1 doubloon less with `balanced=True`.
One tile more than there are players lies face up.

## Buildings

A building works while a colonist is in it; its points count always. Quarries: the most that may reduce its cost.

| building | cost | points | quarries | circles | copies | what it does |
|---|---|---|---|---|---|---|
{base_rows}

Copies are for three to five players; with two there are 2 of each production building and 1 of each other. Large
buildings (cost 10) take two spaces. With `balanced=True` the university costs {university}, the factory {factory}.

## Buildings of the extended game

| building | cost | points | quarries | circles | copies | what it does |
|---|---|---|---|---|---|---|
{more_rows}

The large church is only in the six-player game `"johns"`, which has one more copy of each small building.
"""


def _blocks(game: PuertoRico) -> tuple[list[Field], list[Field]]:
    """The observation's fields of the table, and those of the first player's block."""
    own = [field for field in game.fields if field.name.startswith("self.")]
    return [field for field in game.fields if field.start < own[0].start], own


def material_page() -> str:
    """The page of pieces."""
    games = {f"{players} players": players for players in (2, 3, 4, 5)}
    games |= {'6, `"johns"`': 6, '6, `"governor"`': tables.GOVERNOR_ROW}
    return MATERIAL_PAGE.format(
        set_up_heads=" | ".join(games),
        set_up_lines="|".join("---" for _ in games),
        set_up_rows=_set_up_rows(list(games.values())),
        base_rows=_building_rows(range(tables.NUM_BASE_BUILDINGS)),
        more_rows=_building_rows(range(tables.NUM_BASE_BUILDINGS, tables.NUM_BUILDINGS)),
        university=tables.BALANCED_COST["university"],
        factory=tables.BALANCED_COST["factory"],
    )


def _set_up_rows(games: list[int]) -> str:
    """What each game starts with; the numbers are rows of the tables."""

    def by_kind(counts: Iterable[int]) -> str:
        return ", ".join(f"{count} {good}" for count, good in zip(counts, tables.GOODS, strict=True))

    what: dict[str, Callable[[int], object]] = {
        "doubloons of each": lambda row: tables.START_DOUBLOONS[row],
        "points in chips": lambda row: tables.VP_CHIPS[row],
        "colonists in the supply": lambda row: tables.COLONIST_SUPPLY[row],
        "cargo ships for": lambda row: ", ".join(str(room) for room in tables.SHIP_CAPACITY[row] if room),
        "quarries": lambda row: tables.QUARRIES[row],
        "seats that start with indigo; the others have corn": lambda row: tables.INDIGO_SEATS[row],
        "plantations": lambda row: by_kind(tables.PLANTATIONS[row]),
        "barrels": lambda row: by_kind(tables.BARRELS[row]),
        "roles picked in a round": lambda row: tables.PICKS_A_ROUND[row],
        "cards besides the six roles": lambda row: ", ".join(
            role.replace("_", " ")
            for number, role in enumerate(tables.ROLES)
            if number >= tables.NUM_ACTION_ROLES and tables.CARDS[row, number]
        ),
    }
    return rows([name, *(str(value(row)) for row in games)] for name, value in what.items())


def _building_rows(numbers: Iterable[int]) -> str:
    """Lines of the table of buildings."""
    return rows(
        [
            f"`{building.name}`",
            str(building.cost),
            str(tables.PRINTED_POINTS[number]),
            str(building.column),
            str(building.circles),
            str(building.copies),
            EFFECTS[building.name],
        ]
        for number, building in ((number, tables.BUILDINGS[number]) for number in numbers)
    )


def _size_rows() -> str:
    """What a game takes, by the number of players."""
    kinds: dict[str, list[PuertoRico | None]] = {
        "base game": [PuertoRico(players) if players <= MAX_BASE_PLAYERS else None for players in PLAYER_COUNTS],
        "extended game": [PuertoRico(players, buildings="draft") for players in PLAYER_COUNTS],
    }
    what: dict[str, Callable[[PuertoRico], int]] = {
        "observation": lambda game: game.observation_size,
        "actions": lambda game: len(game.actions),
        "bytes of a record": lambda game: game.record.itemsize,
    }
    return rows(
        [f"{name}, {kind}", *("" if game is None else str(size(game)) for game in games)]
        for kind, games in kinds.items()
        for name, size in what.items()
    )


def page() -> str:
    """The whole page."""
    game, extended = PuertoRico(players=3), PuertoRico(players=3, buildings="draft")
    (table, own), (all_table, all_own) = _blocks(game), _blocks(extended)
    block, more_block = own[0].start, all_own[0].start
    return PAGE.format(
        actions=len(game.actions),
        all_actions=len(extended.actions),
        usage=usage(PuertoRico),
        option_rows=option_rows(PuertoRico),
        environment_arguments=ENVIRONMENT_ARGUMENTS,
        reward_rows=reward_rows(game),
        count_heads=" | ".join(f"{players} players" for players in PLAYER_COUNTS),
        count_lines="|".join("---" for _ in PLAYER_COUNTS),
        size_rows=_size_rows(),
        action_rows=action_rows(game.actions),
        more_action_rows=action_rows(extended.actions[len(game.actions) :]),
        table_rows=field_rows(table),
        more_table_rows=field_rows(all_table[len(table) :]),
        player_rows=field_rows(own, block),
        more_player_rows=field_rows(all_own[len(own) :], more_block),
        block=block,
        block_size=own[-1].stop - block,
        more_block=more_block,
        more_block_size=all_own[-1].stop - more_block,
    )


def board() -> str:
    """A picture of a random game: many goods, and a captain who has to choose."""
    return picture(PuertoRico(players=4), seed=321, moves=472)


def expansion() -> str:
    """A picture of a random game with forests and new buildings: a pirate chooses a colonist."""
    return picture(PuertoRico(players=6, buildings="draft"), seed=1371, moves=570)


PAGES: dict[str, Callable[[], str]] = {
    "puerto_rico_v0.md": page,
    "material.md": material_page,
    "board.svg": board,
    "expansion.svg": expansion,
}
