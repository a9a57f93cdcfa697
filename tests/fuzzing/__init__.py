"""Random bad calls and damaged files: each is accepted, or refused with a sentence of ours that changes nothing.

``make fuzz`` makes 200,000 of them and prints a table of outcomes.
"""
