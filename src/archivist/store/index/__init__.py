"""The full-text index of conversations, `index.db`: derived from `state.db`, so it can always be deleted."""
