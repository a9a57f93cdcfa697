"""Learners: fast self-play PPO (``selfplay.py``), and a sample with Stable-Baselines3 (``sb3_ppo.py``)."""
