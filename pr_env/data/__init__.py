"""Decisions of many games as Parquet files, written and read in parts. Needs the extra ``data``.

`pr_env.data.reading.Decisions` reads them as NumPy arrays, `pr_env.data.pytorch.DecisionDataset` as PyTorch tensors.
"""

try:
    import pyarrow  # noqa: F401 # all modules of this package need it
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"pr_env.data needs {missing.name}, of the extra 'data': pip install -e '.[data]' in the checkout of pr-env",
        name=missing.name,
    ) from None
