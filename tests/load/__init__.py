"""How much the site bears, and how it grows: `make load`, see `tests/load/__main__.py`."""
