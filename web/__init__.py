"""Play, watch and analyse in the browser: ``pr-env web``.

The server uses games only through their interface (`pr_env.game.Game`), and the page only through the messages of the
server. The sources of the page are in ``client/``; Vite builds them into ``web/static/``.
"""
