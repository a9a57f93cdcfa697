"""Decisions of many games as Parquet files, written and read in parts. Needs the extra ``data``.

`pr_env.data.reading.Decisions` reads them as NumPy arrays, `pr_env.data.pytorch.DecisionDataset` as PyTorch tensors.
"""
