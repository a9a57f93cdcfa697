"""Learners. So far: play and rate random agents."""
