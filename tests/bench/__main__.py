"""Speed of rules and bots, and strength of bots: `python -m tests.bench [NAME]`."""

import sys

from tests.bench.benchmarks import main

if __name__ == "__main__":
    sys.exit(main())
