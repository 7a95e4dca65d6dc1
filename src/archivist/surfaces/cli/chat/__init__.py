"""The terminal in which a person and an agent talk: what is shown, typed and asked, and the commands that begin with a slash."""
