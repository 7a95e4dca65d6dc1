"""`python -m archivist.surfaces.hooks EVENT`: what an installed hook calls."""

import gc
import sys

if __name__ == "__main__":
    gc.disable()  # the process ends before anything could be collected
    from archivist.surfaces.hooks.running import main

    sys.exit(main(sys.argv[1:]))
