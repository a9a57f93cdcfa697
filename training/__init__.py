"""Learners: fast self-play PPO (``selfplay.py``), and an example with Stable-Baselines3 (``sb3_ppo.py``)."""
