"""A short measurement of the machine with the learner's network, before a training run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from statistics import median

import torch

from agents.neural import value_count
from pr_env.threads import most_threads
from training.bfloat16 import why_no_bfloat16
from training.selfplay import Network, Settings
from training.settings import game_of

SECONDS = 2.0  # duration, without compilation and first calls
MOST_THREADS = 8  # more are not worthwhile for networks of this size
MORE_THREADS_PAY = 1.1  # required speed-up, because other programs may need the cores
BFLOAT16_PAYS = 1.15  # required speed-up, because it is less precise

Way = tuple[int, bool]  # threads, and whether to use bfloat16


@dataclass(frozen=True)
class Measurement:
    """Maximum decisions per second of the network, for each combination tried.

    Attributes:
        rates: Decisions per second, by number of threads and use of bfloat16.
    """

    rates: Mapping[Way, float]

    def best_threads(self, bfloat16: bool) -> int:
        """The smallest number that is about as fast as any."""
        rates = {threads: rate for (threads, short), rate in self.rates.items() if short == bfloat16}
        return min(threads for threads, rate in rates.items() if rate * MORE_THREADS_PAY >= max(rates.values()))

    def bfloat16_pays(self) -> bool:
        """Whether it works here and is clearly faster."""
        best = {short: max(rate for (_, kind), rate in self.rates.items() if kind == short) for short in self.kinds}
        return True in best and best[True] >= BFLOAT16_PAYS * best[False]

    @property
    def kinds(self) -> tuple[bool, ...]:
        """Whether bfloat16 was measured: (False,), or (False, True) if it works here."""
        return tuple(sorted({short for _, short in self.rates}))

    def words(self, threads: int, bfloat16: bool | None) -> str:
        """One line with the measurement and the choice; bfloat16 None for a resumed run, which keeps its setting."""
        tried = ", ".join(
            f"{number} thread{'' if number == 1 else 's'}{' bfloat16' if short else ''} {rate:,.0f}"
            for (number, short), rate in sorted(self.rates.items(), key=lambda item: (item[0][1], item[0][0]))
        )
        numbers = {None: "numbers as before", True: "bfloat16", False: "float32"}[bfloat16]
        off = "" if True in self.kinds else "; bfloat16 does not work here"
        return f"Measured, maximum decisions per second: {tried}{off}. Used: threads {threads}, {numbers}."


def measure(settings: Settings, threads: Sequence[int] = (), seconds: float | None = None) -> Measurement:
    """Time forward passes and updates of a training run's network, alternating, so that other load affects all equally.

    Args:
        settings: Settings with the network, batch sizes and device.
        threads: The numbers of threads to try; by default 1, 2, 4, ... up to those of the machine.
        seconds: Duration; None for SECONDS.
    """
    tried = threads or [number for number in (1, 2, 4, MOST_THREADS) if number <= most_threads()]
    before = torch.get_num_threads()
    work = {short: _work(settings, short) for short in (False, True)}
    ways = [(number, short) for short in (False, True) for number in tried if work[short] is not None]
    times: dict[Way, list[tuple[float, float]]] = {way: [] for way in ways}
    until = 0.0
    try:
        for turn in count():
            if turn == 1:  # the first turn is a warm-up
                until = time.perf_counter() + (SECONDS if seconds is None else seconds)
            if turn > 1 and time.perf_counter() >= until:
                break
            for way in ways:
                torch.set_num_threads(way[0])
                parts = work[way[1]]
                assert parts is not None
                passing, updating = (_seconds(part) for part in parts)
                if turn:
                    times[way].append((passing, updating))
    finally:
        torch.set_num_threads(before)
    return Measurement({way: _rate(settings, found) for way, found in times.items()})


def _rate(settings: Settings, times: Sequence[tuple[float, float]]) -> float:
    passing = median(time for time, _ in times) / settings.num_envs
    updating = median(time for _, time in times) / settings.minibatch_size
    return 1 / (passing + settings.update_epochs * updating)


def _seconds(work: Callable[[], None]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _work(settings: Settings, bfloat16: bool) -> tuple[Callable[[], None], Callable[[], None]] | None:
    """A forward pass as in playing, and an update as in learning; None if bfloat16 does not work here."""
    if bfloat16 and why_no_bfloat16(settings.device):
        return None
    game = game_of(settings)
    sizes = game.observation_size, len(game.actions), value_count(game), settings.hidden_sizes
    network = Network(*sizes, bfloat16).to(settings.device)
    optimizer = torch.optim.Adam(network.parameters(), 1e-4, eps=1e-5, fused=True)
    played, learned = (
        torch.rand(rows, game.observation_size, device=settings.device)
        for rows in (settings.num_envs, settings.minibatch_size)
    )

    def pass_through() -> None:
        with torch.inference_mode():
            network(played)[0].cpu()

    def update() -> None:
        scores, values = network(learned)
        optimizer.zero_grad()
        loss = scores.square().mean() + values.square().mean()
        loss.backward()
        optimizer.step()
        loss.item()

    return pass_through, update
