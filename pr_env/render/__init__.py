"""Building blocks of pictures of games: text for the terminal, SVG and arrays of pixels. Needs the extra ``render``."""
