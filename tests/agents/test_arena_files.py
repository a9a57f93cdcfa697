"""The arena's files: damaged, in use, on a full disk."""

from __future__ import annotations

import random
import resource
from pathlib import Path

import numpy as np
import pytest

from agents.arena import ArenaError, play_tournament
from agents.arena.journal import Journal
from agents.neural import SHIPPED, Brain, WrongWeightsError, save_agent
from agents.registry import make_agent
from agents.weights import read_arrays, write_arrays
from pr_env import PuertoRico

GAME = PuertoRico(players=3, max_rounds=3)
CONFIGURATION = {"pr_env": "arena", "format": 2, "game": "puerto_rico"}
ROWS = [{"seed": seed, "points": [[1, 2]]} for seed in range(40)]


def journal(path: Path) -> Journal:
    made = Journal(path, CONFIGURATION)
    made.add(0, 0, ROWS)
    made.add(0, 1, ROWS)
    made.close()
    return made


def test_a_damaged_file_never_gives_other_results(tmp_path: Path) -> None:
    path, chance, read = tmp_path / "partial.jsonl", random.Random(1), 0
    sentences = []
    journal(path)
    whole = path.read_bytes()
    for _ in range(400):
        data = bytearray(whole)
        place = chance.randrange(len(data))
        data[place] = chance.choice([byte for byte in (48, 49, 57, 44, 10, 32, data[place] ^ 1) if byte != data[place]])
        path.write_bytes(bytes(data))
        try:
            again = Journal(path, CONFIGURATION)
        except ArenaError as error:
            sentences.append(str(error))
            continue
        read += 1  # a batch is missing: it is played again
        assert again.games(0, 0) in (ROWS, None)
        assert again.games(0, 1) in (ROWS, None)
        again.close()
    assert read < 20
    assert all("partial.jsonl" in sentence for sentence in sentences)


def test_two_tournaments_do_not_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    running = Journal(path.with_name("results.json.partial.jsonl"), CONFIGURATION)
    with pytest.raises(
        ArenaError, match=r"partial\.jsonl is in use by another tournament: wait for it, or choose another"
    ):
        play_tournament(GAME, ["random"], mode="table", games=3, out=path)
    running.remove()
    assert play_tournament(GAME, ["random"], mode="table", games=3, out=path).matches
    assert [file.name for file in tmp_path.iterdir()] == ["results.json"]


def test_a_full_disk_is_one_sentence_and_keeps_the_games(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    options = {"mode": "table", "games": 30, "batch": 3, "out": path, "seed": 5}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, hard))  # writing more fails as on a full disk
    try:
        with pytest.raises(ArenaError, match=r"cannot write .*partial\.jsonl: .*; finished games are kept"):
            play_tournament(GAME, ["random"], **options)  # type: ignore[arg-type]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    kept = path.with_name("results.json.partial.jsonl").read_bytes().count(b"\n")
    assert kept > 1
    resumed = play_tournament(GAME, ["random"], **options)  # type: ignore[arg-type]
    alone = play_tournament(GAME, ["random"], **options | {"out": None})  # type: ignore[arg-type]
    assert resumed.matches[0].to_dicts() == alone.matches[0].to_dicts()


# -- weights ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_no_numbers(tmp_path: Path, value: float) -> None:
    arrays, about = read_arrays(SHIPPED / "ppo_3p.npz")
    arrays["policy.bias"][3] = value
    write_arrays(tmp_path / "weights.npz", arrays, about)
    with pytest.raises(
        WrongWeightsError, match=r"weights\.npz is damaged: its array 'policy\.bias' contains NaN or inf"
    ):
        Brain(tmp_path / "weights.npz")
    with pytest.raises(ValueError, match=r"weights must be finite and fit into 16 bits, got others in 'policy\.bias'"):
        save_agent(tmp_path / "other.npz", arrays, GAME, {})


@pytest.mark.parametrize("temperature", ["nan", "inf", "-1", "warm", "None"])
def test_temperatures_that_are_none(temperature: str) -> None:
    with pytest.raises(ValueError, match="temperature must be a number of at least 0, got"):
        make_agent(f"ppo:temperature={temperature}", PuertoRico(players=3))
