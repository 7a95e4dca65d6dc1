"""What an owner does to a conversation that stays: names it, forks it, takes turns back, puts it away."""

from archivist.app.held import Held


class Changing(Held):
    """What an owner does to a conversation that stays: names it, forks it, takes turns back, puts it away."""
