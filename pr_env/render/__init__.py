"""What pictures of games are made of: text for the terminal, SVG and arrays of pixels. Needs the extra ``render``."""
