"""Decisions of many games as Parquet files, written and read a part at a time. Needs the extra ``data``.

`pr_env.data.reading.Decisions` reads them as NumPy arrays, `pr_env.data.pytorch.DecisionDataset` as PyTorch's tensors.
"""
