"""Getting back what a damaged `state.db` still holds, and putting it in the place of the damaged file."""
