"""Parents and children, in order; and a conversation as a tree, for edits and second answers make branches, and a person sees one path.

Nothing here calls itself, for a chain may be a hundred thousand messages long. A missing or circular parent costs nothing but itself.
"""

from collections.abc import Hashable, Iterator, Mapping
from datetime import datetime
from typing import TypeVar

import msgspec

K = TypeVar("K", bound=Hashable)


class Node(msgspec.Struct, frozen=True):
    """A node as its source tells it: its parent's id, and its own time where it has one."""

    parent: str | None
    time: datetime | None


class Tree:
    """A tree, put in order.

    Attributes:
        order: Every id once, parents before their children and else by time: a tree that grows adds at the end.
        parents: The parent of each, where there is one and it does not descend from its child.
        times: The time of each: its own, else that of the nearest one above it that has one, else the default.
    """

    def __init__(self, nodes: Mapping[str, Node], default: datetime) -> None:
        _, self._lost = parents_first({key: node.parent or None for key, node in nodes.items()})
        self.parents = {
            key: None if key in self._lost else node.parent or None for key, node in nodes.items()
        }
        self.times: dict[str, datetime] = {}
        self._roots: dict[str, str] = {}
        self._children: dict[str, list[str]] = {}
        for key, parent in self.parents.items():
            if parent:
                self._children.setdefault(parent, []).append(key)
        self.order = self._in_order(nodes, default)
        self._rank = {key: rank for rank, key in enumerate(self.order)}

    def leaves(self) -> Iterator[str]:
        """The ends of all branches, the newest first."""
        return (key for key in reversed(self.order) if key not in self._children)

    def path_to(self, leaf: str | None) -> set[str]:
        """The ids from a leaf back to the beginning; where a parent is missing, on along the newest branch that is older."""
        path: set[str] = set()
        at, ends = leaf, self.leaves()
        while at is not None:
            path.add(at)
            parent = self.parents.get(at)
            at = self._end_before(at, ends, path) if parent is None and at in self._lost else parent
        return path

    def above(self, key: str) -> Iterator[str]:
        """The ids from a node's parent to the root."""
        at = self.parents.get(key)
        while at is not None:
            yield at
            at = self.parents.get(at)

    def _end_before(self, key: str, ends: Iterator[str], path: set[str]) -> str | None:
        """The next older end of a branch that does not come from this node."""
        for end in ends:
            if self._rank[end] < self._rank[key] and self._roots[end] != key and end not in path:
                return end
        return None

    def _in_order(self, nodes: Mapping[str, Node], default: datetime) -> list[str]:
        places: dict[str, tuple[datetime, int, int]] = {}
        waiting = [key for key, parent in self.parents.items() if parent is None]
        numbers = {key: number for number, key in enumerate(nodes)}
        while waiting:
            key = waiting.pop()
            parent = self.parents[key]
            self._roots[key] = self._roots[parent] if parent else key
            self.times[key] = nodes[key].time or (self.times[parent] if parent else default)
            latest, depth, _ = places[parent] if parent else (self.times[key], -1, 0)
            places[key] = max(latest, self.times[key]), depth + 1, numbers[key]
            waiting += self._children.get(key, ())
        return sorted(nodes, key=places.__getitem__)


def parents_first(parents: Mapping[K, K | None]) -> tuple[list[K], set[K]]:
    """Keys, each behind its parent, and those of them that let their parent go: it is missing, or would descend from its child.

    Args:
        parents: The parent of each key, if it has one.
    """
    order: dict[K, None] = {}
    let_go: set[K] = set()
    for key in parents:
        chain: dict[K, None] = {}
        at: K | None = key
        while at is not None and at in parents and at not in order and at not in chain:
            chain[at] = None
            at = parents[at]
        if at is not None and at not in order:  # nobody's, or the chain's own
            let_go.add(next(reversed(chain)))
        order.update(dict.fromkeys(reversed(chain)))
    return list(order), let_go
