"""The commands of a conversation, which begin with a slash: each in a module of its own, all of them in one table."""
