"""Load measurements: `make load`, see `tests/load/__main__.py`."""
