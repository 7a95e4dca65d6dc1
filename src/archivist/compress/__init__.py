"""A conversation that outgrows its window, made shorter: pure functions from messages to messages, a model only where one is given."""
