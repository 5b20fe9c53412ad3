"""The network of the valuation. It needs numpy, which is imported here only.

Import this module only to judge or to learn, so that no other process gives memory to numpy.
"""

import os
from typing import Any

# Before numpy is imported, which starts the threads. The arrays are too small to be worth more than one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

__all__ = ["Arrays", "np", "outputs"]

Arrays = dict[str, Any]


def outputs(arrays: Arrays, rows: Any) -> tuple[Any, Any]:
    """Log odds and money by row, and the hidden units (None for linear weights)."""
    if "hidden" not in arrays:
        return rows @ arrays["skip"], None
    hidden = np.maximum(rows @ arrays["hidden"] + arrays["hidden_bias"], 0)
    return hidden @ arrays["output"] + arrays["output_bias"] + rows @ arrays["skip"], hidden
