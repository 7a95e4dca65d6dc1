"""Exit codes; 0 is success and 2, misuse, is click's own."""

FAILURE, INTERRUPTED = 1, 130
