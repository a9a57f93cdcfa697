"""Pictures of games: text for the terminal, SVG and arrays of pixels. Needs the extra ``render``."""
