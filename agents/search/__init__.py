"""Compiled multiplayer Monte Carlo tree search: the tree, the playouts and the loops over them."""
