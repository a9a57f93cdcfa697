"""Speed measurements: ``python -m benchmarks``."""
