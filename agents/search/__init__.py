"""Monte Carlo tree search for several players, compiled: the tree, the playouts, and the loops over them."""
