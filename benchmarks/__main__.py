"""`make bench`: every figure beside its reference, in one table.

Name groups to measure only those: `python -m benchmarks write_path masking`.
"""

import sys
from importlib import import_module

from benchmarks.figures import print_table

GROUPS = (
    "write_path",
    "masking",
    "scanning",
    "tokens",
    "compressing",
    "importing",
    "following",
    "exporting",
    "indexing",
    "search_latency",
    "noting",
    "prompt",
    "turns",
    "tools",
    "cold_start",
    "hooks",
    "backing_up",
    "mcp_server",
)

if __name__ == "__main__":
    chosen = sys.argv[1:] or GROUPS
    print_table(figure for group in chosen for figure in import_module(f"benchmarks.{group}").figures())
