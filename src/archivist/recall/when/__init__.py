"""Time expressions in questions: "last Tuesday", "上周三", "between 1 and 5 May" as stretches of time.

A question is read by its own date and in the owner's zone, and what is not surely a time stays a word:
to read too little costs a little order, to read too much would hide the answer.
"""

from archivist.recall.when.instants import UnreadableTime, parse_instant
from archivist.recall.when.periods import Period, read_periods
from archivist.recall.when.stripping import strip_periods

__all__ = ["Period", "UnreadableTime", "parse_instant", "read_periods", "strip_periods"]
