"""Play, watch and analyse in the browser: ``pr-env web``.

The server knows the games by their contract (`pr_env.game.Game`) alone, and the page knows them by what the server
tells it. The page's sources are in ``client/`` of the repository, what Vite makes of them in ``web/static/``.
"""
