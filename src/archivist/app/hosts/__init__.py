"""The programs in which Archivist works: what they need to start it, put there and taken back."""
