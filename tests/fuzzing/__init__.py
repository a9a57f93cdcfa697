"""Random bad calls and damaged files: each is accepted, or rejected with one of our messages and without side effects.

``make fuzz`` makes 200,000 of them and prints a table of outcomes.
"""
