"""Damaged files of every kind that the project reads."""

from __future__ import annotations

import io
import json
import random
import shutil
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from agents.arena.journal import Journal
from agents.arena.positions import load_positions
from agents.arena.report import report
from agents.arena.tournament import Tournament, _finished, play_tournament
from agents.exporting import AgentGames, export
from agents.neural import SHIPPED, Brain
from agents.weights import read_arrays, write_arrays
from examples.nim import Nim
from pr_env import Batch, PortRoyal, PuertoRico, replay
from pr_env.data.reading import Decisions
from tests.fuzzing.calls import damaged
from tests.fuzzing.outcomes import ACCEPTED, Outcomes
from training.selfplay import SelfPlay, Settings

_JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    3,
    2**64,
    1e308,
    0.5,
    "",
    "x",
    "\x1b[31m",
    "[bold]",
    [],
    [0],
    [[1], 2],
    {},
    {"a": 1},
)
CARDS = Path(__file__).parents[2] / "pr_env" / "port_royal" / "data"


@dataclass
class Kind:
    """One kind of file.

    Attributes:
        name: Its name in the table.
        path: An intact file; it is damaged and restored.
        read: Reads it, and returns its content in comparable form.
        damage: Changes its bytes.
        sealed: Whether reading a file with changed content must fail.
    """

    name: str
    path: Path
    read: Callable[[], object]
    damage: Callable[[bytes, random.Random], bytes]
    sealed: bool = False


def kinds(folder: Path) -> list[Kind]:
    """All kinds of files, each with an example in the folder."""
    game = PuertoRico(players=3)
    batch = Batch(game, 1, 5, autoreset=False, threads=1)
    recorder = replay.Recorder(game, 5)
    for _ in range(12):
        actions = batch.sample_actions()
        recorder.add(int(actions[0]))
        batch.step(actions)
    replays, positions, weights = folder / "games.jsonl", folder / "positions.jsonl", folder / "weights.npz"
    replay.save(replays, [replay.Replay(game, 5, recorder.replay().actions, ("you", "a", "b"))])
    positions.write_text(json.dumps(batch.to_dict(0)) + "\n", encoding="utf-8")
    arrays, about = read_arrays(SHIPPED / "ppo_3p.npz")
    small = {name: value[:8] if value.ndim == 1 else value[:8, :8] for name, value in arrays.items()}
    write_arrays(folder / "small.npz", small, about)
    shutil.copy(SHIPPED / "ppo_3p.npz", weights)
    results, unfinished = folder / "results.json", folder / "partial.jsonl"
    tournament = play_tournament(game, ["random"], mode="table", games=3, batch=2, out=results)
    configuration = tournament.configuration
    journal = Journal(unfinished, configuration)
    for place in range(2):
        journal.add(0, place, tournament.matches[0].to_dicts()[place : place + 2])
    journal.close()
    decisions = folder / "decisions"
    export(AgentGames(Nim(players=2), ["random"], 40, 0, 60.0), decisions)
    learner = SelfPlay(
        Settings(game="examples.nim:Nim", num_envs=4, num_steps=8, hidden_sizes=(8,), minibatch_size=16, lessons=0)
    )
    checkpoint = folder / "checkpoint.npz"
    learner.save(checkpoint)
    cards = folder / "cards"
    shutil.copytree(CARDS, cards)
    return [
        Kind("replays", replays, lambda: _log(replays), _text),
        Kind("positions", positions, lambda: load_positions(positions, game), _text),
        Kind("weights", weights, lambda: Brain(weights, game).about, _archive),
        Kind("arrays", folder / "small.npz", lambda: sorted(read_arrays(folder / "small.npz")[0]), _archive),
        Kind("arena results", results, lambda: _printed(_finished(results, game, configuration)), _text),
        Kind("arena partial", unfinished, lambda: _games(unfinished, configuration), damaged, sealed=True),
        Kind("exported decisions", decisions / "part-00000.parquet", lambda: _actions(decisions), damaged),
        Kind("checkpoints", checkpoint, lambda: SelfPlay.load(checkpoint).decisions, _archive),
        Kind("card files", cards / "base_cards.csv", lambda: PortRoyal(players=3, data=str(cards)).cards, _table),
    ]


def damaged_files(outcomes: Outcomes, chance: random.Random, count: int, of: Sequence[Kind]) -> None:
    """Damage a number of files and read them."""
    whole = {kind.name: (kind.path.read_bytes(), kind.read()) for kind in of}
    for number in range(count):
        kind = of[number % len(of)]
        content, said = whole[kind.name]
        kind.path.write_bytes(kind.damage(content, chance))
        entry = f"file of {kind.name}"
        found: list[object] = []
        outcome = outcomes.call(entry, f"file {number}", partial(_read_into, found, kind), None)
        if outcome == ACCEPTED and kind.sealed and found[0] != said and not _part_of(found[0], said):
            outcomes.hole(entry, "a damaged file was read as something else")
        kind.path.write_bytes(content)


def _read_into(found: list[object], kind: Kind) -> None:
    found.append(kind.read())


def _actions(folder: Path) -> list[int]:
    return [action for rows in Decisions(folder).batches(64) for action in rows["action"].tolist()]


def _part_of(found: object, said: object) -> bool:
    """Whether the file has only lost whole batches, which are then played again."""
    return isinstance(found, dict) and isinstance(said, dict) and found.items() <= said.items()


def _log(path: Path) -> list[str]:
    """The printed content of a replay file."""
    lines = [line for one in replay.load(path) for line in one.log()]
    if not all(line.isprintable() for line in lines):
        raise AssertionError("control characters reach the terminal")
    return lines


def _printed(tournament: Tournament) -> str:
    """The printed results."""
    out = io.StringIO()
    for part in report(tournament):
        Console(file=out, width=80).print(part, highlight=False)
    if not all(line.isprintable() for line in out.getvalue().split("\n")):
        raise AssertionError("control characters reach the terminal")
    return out.getvalue()


def _games(path: Path, configuration: dict[str, Any]) -> dict[tuple[int, int], str]:
    journal = Journal(path, configuration)
    try:
        return {(0, place): json.dumps(journal.games(0, place)) for place in range(2) if journal.games(0, place)}
    finally:
        journal.close()


# -- damage ----------------------------------------------------------------------------------------------------------


def _text(content: bytes, chance: random.Random) -> bytes:
    """Damage bytes, or a value of the JSON in a line."""
    if chance.random() < 0.4:
        return damaged(content, chance)
    lines = content.decode().split("\n")
    lines[0] = json.dumps(_other_value(json.loads(lines[0]), chance))
    return "\n".join(lines).encode()


def _other_value(told: Any, chance: random.Random) -> Any:
    if isinstance(told, dict) and told and chance.random() < 0.9:
        key = chance.choice(list(told))
        if chance.random() < 0.05:
            return {name: value for name, value in told.items() if name != key}
        return {**told, key: _other_value(told[key], chance)}
    if isinstance(told, list) and told and chance.random() < 0.9:
        place = chance.randrange(len(told))
        if chance.random() < 0.05:
            return told[:place]
        return [*told[:place], _other_value(told[place], chance), *told[place + 1 :]]
    return chance.choice(_JUNK)


def _table(content: bytes, chance: random.Random) -> bytes:
    """Damage bytes, or a cell of a card table."""
    if chance.random() < 0.4:
        return damaged(content, chance)
    rows = [row.split(",") for row in content.decode().split("\n")]
    row = rows[chance.randrange(len(rows))]
    row[chance.randrange(len(row))] = chance.choice(
        ("", "x", "-1", "0", "1e9", "99999999999999999999", "\x1b[2J", '"', "é")
    )
    return "\n".join(map(",".join, rows)).encode()


def _archive(content: bytes, chance: random.Random) -> bytes:
    """Damage bytes of the archive; or of a member, with a correct checksum; or replace an array."""
    if chance.random() < 0.3:
        return damaged(content, chance)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(list(members))
    kind = chance.randrange(4)
    if kind == 0:
        del members[name]
    elif kind == 1:
        members[name] = members[name][:6] + damaged(members[name][6:128], chance) + members[name][128:]
    elif kind == 2:
        members[name] = _npy(_other_array(chance))
    elif "about" in name:
        about = json.loads(np.load(io.BytesIO(members[name])).tobytes())
        members[name] = _npy(np.frombuffer(json.dumps(_other_value(about, chance)).encode(), np.uint8))
    else:
        array = np.load(io.BytesIO(members[name])).copy()
        if array.size and array.dtype.kind == "f":
            array.flat[chance.randrange(array.size)] = chance.choice((np.nan, np.inf, -np.inf))
        members[name] = _npy(array)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for member, data in members.items():
            archive.writestr(member, data)
    return out.getvalue()


def _other_array(chance: random.Random) -> np.ndarray:
    shape = chance.choice(((), (0,), (1,), (8,), (8, 8), (256, 256), (1, 1, 1)))
    return np.ones(shape, chance.choice(("f2", "f4", "f8", "c16", "i8", "?", "U3")))


def _npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()
