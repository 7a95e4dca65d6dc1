"""From a question to what was said: query, candidates, ranking, packing, snippets; and reading on from a find."""
