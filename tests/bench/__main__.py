"""How fast rules and bots are, and how well those play: `python -m tests.bench [NAME]`."""

import sys

from tests.bench.benchmarks import main

if __name__ == "__main__":
    sys.exit(main())
