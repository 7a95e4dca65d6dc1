"""`python -m archivist.surfaces.cli`: the program, for whoever cannot rely on its script being found."""

from archivist.surfaces.cli import main

if __name__ == "__main__":
    main()
