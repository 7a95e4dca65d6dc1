"""`python -m archivist.surfaces.hooks EVENT`: what an installed hook calls."""

import sys

from archivist.surfaces.hooks.running import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
