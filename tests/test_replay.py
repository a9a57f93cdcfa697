"""Replays: files match the games played, invalid ones are rejected, and the log describes the game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pr_env import Batch, PuertoRico
from pr_env.replay import Recorder, Replay, ReplayError, load, load_one, save


def recorded(players: int = 3, seed: int = 5, moves: int = 10_000, **options: Any) -> tuple[Replay, list[bytes]]:
    """A random game and the bytes of all its positions."""
    batch = Batch(PuertoRico(players=players, **options), 1, seed=seed, autoreset=False, threads=1)
    recorder = Recorder(batch.game, seed)
    positions = [batch.games.tobytes()]
    while len(positions) <= moves and not batch.is_over()[0]:
        action = batch.sample_actions()[0]
        batch.step([action])
        recorder.add(action)
        positions.append(batch.games.tobytes())
    return recorder.replay(), positions


WHOLE, WHOLE_POSITIONS = recorded()
START, _ = recorded(moves=40)
LINE = START.to_json()


def changed(replay: Replay, **values: Any) -> str:
    return json.dumps({**json.loads(replay.to_json()), **values})


# -- playing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_game_survives_the_way_through_json(players: int) -> None:
    replay, positions = recorded(players, seed=players, points="hidden")
    again = Replay.from_json(replay.to_json())
    assert again == replay
    assert [batch.games.tobytes() for batch in again.positions()] == positions


def test_batches_forwards_and_backwards() -> None:
    moves = range(0, len(WHOLE_POSITIONS), 29)
    for move in [*moves, *reversed(moves), len(WHOLE.actions)]:
        assert WHOLE.batch_at(move).games.tobytes() == WHOLE_POSITIONS[move]


def test_a_batch_at_a_move_can_be_played_on() -> None:
    batch = WHOLE.batch_at(50)
    batch.step([WHOLE.actions[50]])
    assert batch.games.tobytes() == WHOLE_POSITIONS[51]


@pytest.mark.parametrize("move", [-1, 41, True, 1.5])
def test_moves_that_are_not_there(move: Any) -> None:
    with pytest.raises(ReplayError, match=r"move must be from 0 \(set-up\) to 40"):
        START.batch_at(move)


def test_a_line_says_what_it_is() -> None:
    data = json.loads(WHOLE.to_json())
    assert list(data) == ["pr_env", "version", "game", "layout", "options", "seed", "actions", "result"]
    assert data["options"] == {"players": 3, "points": "public", "max_rounds": 100}
    final = WHOLE.batch_at(len(WHOLE.actions)).score()[0]
    assert data["result"] == {
        "points": final["total"][:3].tolist(),
        "ranks": final["rank"][:3].tolist(),
        "rounds": int(final["rounds"]),
    }
    assert "\n" not in WHOLE.to_json()


def test_a_game_that_is_not_over_has_no_result() -> None:
    assert json.loads(LINE)["result"] is None
    assert Replay.from_json(LINE) == START


def test_numbers_of_numpy_become_plain_ones() -> None:
    actions: Any = np.array(START.actions)
    seed: Any = np.uint64(START.seed)
    assert Replay(START.game, seed, actions).to_json() == LINE


def test_the_largest_seed() -> None:
    replay = Replay(PuertoRico(), 2**64 - 1, ())
    assert Replay.from_json(replay.to_json()) == replay


# -- files ------------------------------------------------------------------------------------------------------------


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    save(path, [START])
    save(path, [WHOLE, START], append=True)
    assert load(path) == [START, WHOLE, START]
    assert load_one(path, 2) == WHOLE
    save(path, [WHOLE])
    assert load(str(path)) == [WHOLE]


def test_a_replay_that_does_not_fit_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    save(path, [START])
    with pytest.raises(ReplayError, match="does not fit at move 1"):
        save(path, [START, Replay(START.game, 0, (0,))])
    assert load(path) == [START]


def test_errors_name_the_file_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"{LINE}\n\nnonsense\n")
    with pytest.raises(ReplayError, match=r"games\.jsonl, line 3: is not JSON: 'nonsense'"):
        load(path)
    assert load_one(path, 1) == START
    with pytest.raises(ReplayError, match=r"games\.jsonl has 2 games, no game 3"):
        load_one(path, 3)


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\xff\xfe\x80")
    with pytest.raises(ReplayError, match="it is not text"):
        load(path)


# -- invalid replays --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "is not JSON: ''"),
        ("{" * 5, "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is not a replay"),
        ('{"version": 1}', "is not a replay"),
        (changed(START, pr_env="position"), "is not a replay"),
        (changed(START, version=2), "version 2; only version 1 is known"),
        (changed(START, game="chess"), "unknown game 'chess'; known are puerto_rico"),
        (changed(START, game=["puerto_rico"]), "unknown game"),
        (changed(START, layout=99), "layout 99 of puerto_rico, expected layout 1"),
        (changed(START, options=None), "options must be a dictionary, got None"),
        (
            changed(START, options={"players": 7}),
            "puerto_rico refuses: players must be a whole number from 2 to 6, got 7",
        ),
        (changed(START, options={"players": 3.0}), "refuses: players must have the same type as 3, got 3.0"),
        (changed(START, options={"max_rounds": True}), "refuses: max_rounds must have the same type as 100, got True"),
        (changed(START, options={"colour": "red"}), "puerto_rico refuses: .*colour"),
        (changed(START, seed="5"), "seed must be a whole number from 0 to .*, got '5'"),
        (changed(START, seed=-1), "seed must be a whole number"),
        (changed(START, seed=2**64), "seed must be a whole number"),
        (changed(START, seed=None), "seed must be a whole number"),
        (changed(START, actions="1, 2"), "actions must be a list of whole numbers, got '1, 2'"),
        (changed(START, actions=[1, 2.0]), "the action of move 2 must be a whole number, got 2.0"),
        (changed(START, actions=[False]), "the action of move 1 must be a whole number, got False"),
        (changed(START, actions=[86]), r"does not fit at move 1: action 86 does not exist \(actions are 0 to 85\)"),
        (changed(START, actions=[10**30]), "does not fit at move 1: action 10+ does not exist"),
        (changed(START, result={"points": [1, 2, 3]}), "but playing it gives None"),
        (changed(WHOLE, result={"points": [1, 2, 3]}), r"result is {'points': \[1, 2, 3\]}, but playing it gives {'po"),
        (changed(WHOLE, result=0), "the result is 0, but"),
    ],
)
def test_bad_lines(line: str, complaint: str) -> None:
    with pytest.raises(ReplayError, match=complaint):
        Replay.from_json(line)


def test_an_illegal_action_names_the_move_and_the_legal_ones() -> None:
    actions = [*START.actions[:36], START.game.action_number("build", "city_hall"), *START.actions[37:]]
    batch = START.batch_at(36)
    decision = START.game.describe_decision(batch.games[0])
    legal = ", ".join(str(action) for action in batch.legal_actions(0))
    with pytest.raises(ReplayError) as caught:
        Replay.from_json(changed(START, actions=actions))
    assert str(caught.value) == (
        f"does not fit at move 37: game 0, {decision}: action 85 build city_hall is not legal; legal: {legal}"
    )


def test_actions_after_the_end() -> None:
    moves = len(WHOLE.actions)
    with pytest.raises(ReplayError, match=f"has {moves + 2} actions, but the game is over after {moves} moves"):
        Replay.from_json(changed(WHOLE, actions=[*WHOLE.actions, 0, 0]))


def loads_or_is_refused(line: str) -> None:
    try:
        replay = Replay.from_json(line)
    except ReplayError:
        return
    assert Replay.from_json(replay.to_json()) == replay


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(LINE)), st.integers(0, 3), st.text(max_size=3) | st.sampled_from('0123456789,"[]{}'))
def test_an_edited_line_plays_or_is_refused(start: int, length: int, text: str) -> None:
    loads_or_is_refused(LINE[:start] + text + LINE[start + length :])


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(list(json.loads(LINE))), ANY_JSON)
@example("layout", True)
def test_another_value_plays_or_is_refused(key: str, value: Any) -> None:
    loads_or_is_refused(changed(START, **{key: value}))


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(["players", "points", "max_rounds", "name", "self"]), ANY_JSON))
def test_other_options_play_or_are_refused(options: dict[str, Any]) -> None:
    loads_or_is_refused(changed(START, options=options))


# -- the log ----------------------------------------------------------------------------------------------------------


MOVES, LOG = WHOLE.moves(), WHOLE.log()


def line_of(move: int) -> str:
    """The line of a move in the log."""
    (line,) = [line for line in LOG if re.match(rf" *{move}  ", line)]
    return line


def first(*name: str) -> int:
    """The number of the first move whose action starts with this name."""
    names = [WHOLE.game.actions[action].name[: len(name)] for action in WHOLE.actions]
    return names.index(name) + 1


def change(move: int, player: int, key: str) -> Any:
    before, after = (WHOLE.batch_at(at).to_dict(0)["boards"][player][key] for at in (move - 1, move))
    if isinstance(after, dict):
        return {name: after[name] - before[name] for name in after if after[name] != before[name]}
    return after - before


def test_the_log_has_a_header_for_each_round_and_a_line_for_each_move() -> None:
    result = WHOLE.result()
    assert result is not None
    assert LOG[0] == "Puerto Rico, 3 players, seed 5"
    assert [line.split(" | ")[:2] for line in LOG if line.startswith("Round")] == [
        [f"Round {round_}", f"governor: player {(round_ - 1) % 3}"] for round_ in range(1, result["rounds"] + 1)
    ]
    numbers = [int(line.split()[0]) for line in LOG if re.match(r" *\d+  ", line)]
    assert numbers == list(range(1, len(WHOLE.actions) + 1))
    assert LOG[3] == f"    1  player 0: {WHOLE.game.actions[WHOLE.actions[0]].sentence.rstrip('.')}"


def test_the_log_tells_points_and_barrels_of_a_load() -> None:
    move = first("load")
    player = MOVES[move - 1].player
    chips, goods = (change(move, player, key) for key in ("chips", "goods"))
    line = line_of(move)
    assert chips > 0
    assert f"->  +{chips} point" in line
    assert all(f"{barrels} {good}" in line for good, barrels in goods.items())


def test_the_log_tells_what_everyone_produces() -> None:
    told = 0
    for move, action in enumerate(WHOLE.actions, start=1):
        if WHOLE.game.actions[action].name == ("pick", "craftsman"):
            picker, *effects = re.split("  ->  |; ", line_of(move))
            for player in range(3):
                mine = f"player {player}: " in picker
                for good, barrels in change(move, player, "goods").items():
                    assert any(f"+{barrels} {good}" in e for e in effects if mine or f"player {player}: " in e)
                    told += 1
        if told > 5:
            return
    pytest.fail("nobody produces in this game")


def test_the_log_tells_prices_and_points_of_a_building() -> None:
    move = first("build")
    player = MOVES[move - 1].player
    paid = -change(move, player, "doubloons")
    assert re.search(rf"Build the [a-z ]+  ->  \+\d points?, -{paid} doubloon", line_of(move))


def test_the_log_tells_tiles_colonists_and_why_the_game_ends() -> None:
    log = "\n".join(recorded(5, seed=1)[0].log())
    assert re.search(r"Hacienda: draw a face-down plantation and place it  ->  \+1 \w+ plantation", log)
    assert re.search(r"Take an? \w+ plantation  ->  new tiles: \d \w+, ", log)
    assert re.search(r"Take the colonist \(mayor's privilege\)  ->  \+2 colonists", log)
    assert re.search(r"player \d: \+1 colonist, \+1 on [a-z]", log)  # placed without a question
    assert re.search(r"Place 2 colonists on indigo\b", log)
    assert re.search(r"Keep (no barrel|all barrels) of \w+", log)
    assert "the corn ship sails" in log
    assert "the trading house is emptied" in log
    assert "THE LAST ROUND: the colonist ship could not be filled" in log
    assert "Pass (builder)" in log


def told_points() -> list[list[int]]:
    """The points that each player gained by each move, according to the log."""
    told = []
    for move in MOVES:
        points = [0] * 3
        for effect in move.effects:
            if won := re.match(r"(?:player (\d): )?([+-]\d+) point", effect):
                points[int(won[1] or move.player)] += int(won[2])
        told.append(points)
    return told


def test_the_points_told_add_up_and_do_not_flicker_while_colonists_are_placed() -> None:
    """Colonists in hand do not man a large building, but nobody loses points by rearranging them."""
    counted = np.array([batch.score()["total"][0, :3] for batch in WHOLE.positions()])
    told = np.array(told_points())
    assert (told.sum(axis=0) == counted[-1]).all()
    assert (np.diff(counted, axis=0) < 0).sum() > (told < 0).sum()
    placing = [batch.to_dict(0)["phase"] == "mayor" for batch in WHOLE.positions()][1:]
    assert not told[placing].any()


def test_the_log_ends_with_the_final_scores() -> None:
    result = WHOLE.result()
    assert result is not None
    winner = result["ranks"].index(1)
    *_, over, first_place, _, _ = LOG
    assert over.startswith(f"The game is over after {len(WHOLE.actions)} moves and {result['rounds']} rounds: ")
    assert first_place.startswith(f"  1. player {winner}: {result['points'][winner]} points (")


def test_the_log_of_a_game_that_was_cut() -> None:
    cut, _ = recorded(max_rounds=2)
    assert "and 2 rounds: the most rounds allowed were played." in "\n".join(cut.log())
    assert "The replay stops after 40 moves, before the game is over." in START.log()


def test_the_log_of_a_game_that_tells_little_of_its_positions() -> None:
    class Terse(PuertoRico):
        def to_dict(self, record: Any) -> dict[str, Any]:
            return {}

    log = Replay(Terse(players=3), START.seed, START.actions).log()
    assert log[1].startswith("    1  player 0: Pick the ")
    assert any(re.search(r"  ->  \+\d points?$", line) for line in log)


# -- who played -------------------------------------------------------------------------------------------------------


def test_seats_are_written_only_if_they_are_known() -> None:
    game = PuertoRico(players=2)
    plain, seated = Replay(game, 1, ()), Replay(game, 1, (), ("you", "builder"))
    assert "seats" not in json.loads(plain.to_json())
    assert Replay.from_json(plain.to_json()) == plain
    assert Replay.from_json(seated.to_json()) == seated
    assert seated.log()[1] == "player 0: you, player 1: builder"


@pytest.mark.parametrize("seats", [["you"], ["you", "a", "b"], [1, 2], "ab", {"you": 0, "a": 1}, None])
def test_seats_that_do_not_fit(seats: object) -> None:
    line = {**json.loads(Replay(PuertoRico(players=2), 1, ()).to_json()), "seats": seats}
    with pytest.raises(ReplayError, match="seats"):
        Replay.from_json(json.dumps(line))


def test_the_last_moves_are_told_as_among_all() -> None:
    batch = Batch(PuertoRico(players=3), 1, seed=4, autoreset=False, threads=1)
    recorder = Recorder(batch.game, 4)
    for _ in range(120):
        recorder.add(batch.sample_actions()[0])
        batch.step([recorder.replay().actions[-1]])
    replay = recorder.replay()
    moves = replay.moves()
    assert len(moves) == 120
    assert any("mayor" in move.words for move in moves)
    for start in (0, 1, *range(20, 121, 5)):
        assert replay.moves(start) == moves[start:]
