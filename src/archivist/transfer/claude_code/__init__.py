"""Claude Code's session files: one JSON object a line, a tree of lines, one response in several of them."""
