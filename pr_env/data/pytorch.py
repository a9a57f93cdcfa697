"""Exported decisions for PyTorch. Needs the extras ``data`` and ``train``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import IterableDataset, get_worker_info

from pr_env.data.reading import USUAL_COLUMNS, Decisions


class DecisionDataset(IterableDataset[dict[str, torch.Tensor]]):
    """Batches of decisions as tensors by column name.

    >>> loader = DataLoader(DecisionDataset("games", batch_size=1024), batch_size=None, num_workers=2)

    Every pass has a different order. The workers of a DataLoader share the row groups; the last batch of each worker
    may be smaller.

    Args:
        path: As for `Decisions`.
        batch_size: Decisions per batch.
        columns: The columns to read; only numeric ones.
        shuffle: Whether to shuffle the decisions.
        seed: Seed of the order.
        **local: As for `Decisions`.

    Attributes:
        decisions: The decisions that are read.
    """

    def __init__(
        self,
        path: str | Path,
        batch_size: int = 1024,
        columns: Sequence[str] = USUAL_COLUMNS,
        *,
        shuffle: bool = True,
        seed: int = 0,
        **local: Any,
    ) -> None:
        super().__init__()
        self.decisions = Decisions(path, **local)
        self._batch_size, self._columns = batch_size, tuple(columns)
        self._shuffle, self._seed = shuffle, seed
        self._passes = 0

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        """One pass over all decisions."""
        worker = get_worker_info()
        part, parts = (0, 1) if worker is None else (worker.id, worker.num_workers)
        # Workers that are restarted for every pass get a new seed each time.
        seed = self._seed + self._passes if worker is None else worker.seed % 2**32
        self._passes += 1
        rows = self.decisions.batches(
            self._batch_size, columns=self._columns, seed=seed if self._shuffle else None, part=part, parts=parts
        )
        for arrays in rows:
            yield {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
