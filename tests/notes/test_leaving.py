"""Who leaves a full core: what will be remembered least, and never what must stay."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.notes.document import joined_length
from archivist.notes.leaving import leaving, promotable, ranked
from archivist.notes.retention import STEADY
from archivist.records.notes import Entry, Use

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def entry(name, *, age=100.0, text=None, kind="fact", origin="agent", pinned=False):
    noted = NOW - age * DAY
    return Entry(
        name, "memory", text or f"about {name}", noted, noted, kind=kind, origin=origin, pinned=pinned
    )


def used(name, *days_ago, kind="used"):
    return [Use(name, NOW - ago * DAY, kind, "s") for ago in days_ago]


@dataclass
class Case:
    core: list
    uses: dict = field(default_factory=dict)
    sessions: dict = field(default_factory=dict)

    def known(self):
        return {"now": NOW, "sessions_since": {one.id: self.sessions.get(one.id, 99) for one in self.core}}

    def ranked(self, **options):
        return ranked(self.core, self.uses, **self.known(), **options)

    def order(self, **options):
        return [one.entry.id for one in self.ranked(**options)]

    def gone(self, *newcomers, limit):
        found = leaving(self.core, self.uses, **self.known(), newcomers=newcomers, limit=limit)
        return None if found is None else [one.id for one in found]

    def back(self, archived, archived_at, limit=0):
        found = promotable(
            archived, self.core, self.uses, **self.known(), archived_at=archived_at, limit=limit
        )
        return [one.id for one in found]


NEW = entry("new", age=0)


def limit_of(*entries):
    return joined_length(one.text for one in entries)


# ---- the order ----


def test_the_unused_goes_before_the_used_and_the_seldom_used_before_the_often_used():
    case = Case(
        [entry("often"), entry("never"), entry("once")],
        {"often": used("often", 90, 60, 30), "once": used("once", 90)},
    )
    assert case.order() == ["never", "once", "often"]


def test_what_will_be_remembered_counts_not_what_is_now():
    fresh, settled = entry("fresh", age=8), entry("settled", age=100)
    case = Case(
        [settled, fresh], {"settled": used("settled", 90, 60, 20), "fresh": used("fresh", 0, kind="present")}
    )
    [first, second] = case.ranked()
    assert (first.entry, first.retention, second.entry) == (fresh, 1.0, settled)
    assert second.retention < 1.0
    assert first.ahead < second.ahead


def test_of_equals_the_older_use_goes_first_and_then_the_id_decides():
    present = {name: used(name, 0, kind="present") for name in "abcd"}
    case = Case([entry("d", age=50), entry("a", age=50), entry("c", age=60), entry("b", age=50)], present)
    assert case.order() == ["c", "a", "b", "d"]


@given(st.permutations([entry(f"e{n}", age=50 + n % 3) for n in range(9)]))
def test_the_order_of_the_file_makes_no_difference(core):
    assert Case(core).order() == Case(sorted(core, key=lambda one: one.id)).order()


def test_what_may_not_leave_stands_behind_what_may():
    steady = [entry(kind, kind=kind) for kind in sorted(STEADY)]
    case = Case([entry("pin", pinned=True), entry("newcomer", age=1), *steady, entry("plain")])
    assert case.order()[0] == "plain"
    assert case.order()[-1] == "pin"
    assert [one.entry.id for one in case.ranked() if one.protected is None] == ["plain"]


@pytest.mark.parametrize(
    ("one", "told", "reason"),
    [
        (entry("a", age=100), [], "never used since it was noted on 2026-02-21"),
        (entry("a"), used("a", 9, kind="present"), "never used since it was noted on 2026-02-21"),
        (entry("a"), used("a", 9), "used 1 time, last on 2026-05-23"),
        (entry("a"), used("a", 9, 3), "used 2 times, last on 2026-05-29"),
        (entry("a", kind="identity"), used("a", 9), "does not fade: identity"),
    ],
)
def test_the_reason_says_what_it_is_judged_by(one, told, reason):
    [standing] = Case([one], {"a": told}).ranked()
    assert standing.reason == reason


@pytest.mark.parametrize(
    ("one", "sessions", "words"),
    [
        (entry("a", pinned=True), 99, "pinned"),
        (entry("a", age=6.9), 99, "stays: new, for 7 days from 2026-05-25"),
        (entry("a", age=100), 1, "stays: new, for 7 days from 2026-02-21, and for 2 sessions more"),
        (entry("a", kind="prohibition"), 99, "stays: prohibition"),
        (entry("a", kind="preference"), 99, "leaves only for its like"),
        (entry("a", age=7), 3, None),
    ],
)
def test_what_protects_is_said(one, sessions, words):
    [standing] = Case([one], sessions={"a": sessions}).ranked()
    assert standing.protected == words or words in standing.protected


def test_an_entry_of_which_no_sessions_are_known_stays():
    assert ranked([entry("a")], {}, now=NOW, sessions_since={})[0].protected


# ---- making room ----


def test_nothing_leaves_where_all_fit():
    core = [entry("a"), entry("b")]
    assert Case(core).gone(NEW, limit=limit_of(*core, NEW)) == []


def test_delimiters_count():
    core = [entry("a"), entry("b")]
    assert Case(core).gone(NEW, limit=limit_of(*core, NEW) - 1) == ["a"]
    assert Case(core).gone(NEW, limit=limit_of(NEW)) == ["a", "b"]


def test_the_least_remembered_leave_and_no_more_than_must():
    core = [
        entry("a", age=90, text="x" * 20),
        entry("b", age=80, text="x" * 30),
        entry("c", age=70, text="x" * 600),
    ]
    case = Case(core, {name: used(name, 0, kind="present") for name in "abc"})
    assert case.gone(limit=limit_of(*core) - 1) == ["a"]
    assert case.gone(limit=limit_of(*core) - 24) == ["b"]
    assert case.gone(limit=limit_of(*core) - 50) == ["a", "b"]
    assert case.gone(limit=limit_of(*core) - 500) == ["c"]
    assert case.gone(limit=limit_of(*core) - 620) == ["a", "c"]
    assert case.gone(limit=0) == ["a", "b", "c"]


def test_where_it_cannot_be_it_is_said():
    assert Case([entry("a")]).gone(entry("long", text="x" * 100), limit=99) is None
    assert Case([entry("a", pinned=True)]).gone(NEW, limit=10) is None
    assert Case([]).gone(NEW, limit=3) is None
    assert Case([]).gone(NEW, limit=100) == []


@pytest.mark.parametrize("origin", ["user", "hand", "agent", "distilled", "import", "provider"])
@pytest.mark.parametrize("kind", ["fact", "decision", "event", *sorted(STEADY)])
def test_a_newcomer_and_what_is_pinned_and_a_prohibition_never_leave(kind, origin):
    newcomer = entry("new", age=0, kind=kind, origin=origin)
    core = [entry("p", pinned=True), entry("n", age=3), entry("x", kind="prohibition"), entry("plain")]
    assert Case(core).gone(newcomer, limit=limit_of(*core[:3], newcomer)) == ["plain"]
    assert Case(core).gone(newcomer, limit=limit_of(*core[:2], newcomer)) is None


@pytest.mark.parametrize("kind", ["preference", "identity", "correction"])
def test_what_does_not_fade_makes_room_only_for_its_like_and_for_the_owner(kind):
    core = [entry("old", kind=kind, age=200), entry("plain")]
    limit = limit_of(NEW)
    case = Case(core)
    assert case.gone(entry("new", age=0, origin="agent"), limit=limit) is None
    assert case.gone(entry("new", age=0, origin="user"), limit=limit) == ["plain", "old"]
    assert case.gone(entry("new", age=0, kind="preference"), limit=limit) == ["plain", "old"]
    mixed = [entry("new", age=0, kind="preference"), entry("ne2", age=0)]
    assert case.gone(*mixed, limit=limit_of(*mixed)) is None
    assert case.gone(entry("new", age=0, origin="user"), limit=limit + 3 + len("about old")) == ["plain"]


CHOICES = st.builds(
    lambda number, age, length, kind, pinned: entry(
        f"e{number}", age=age, text="x" * length, kind=kind, pinned=pinned
    ),
    st.integers(0, 10**9),
    st.integers(0, 400),
    st.integers(1, 300),
    st.sampled_from(["fact", "fact", "decision", "preference", "prohibition"]),
    st.booleans() | st.just(False),
)


@given(
    core=st.lists(CHOICES, max_size=12, unique_by=lambda one: one.id),
    newcomer=CHOICES,
    limit=st.integers(0, 2_200),
    days=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 300)), max_size=20),
)
def test_what_leaves_is_enough_and_none_of_it_needless(core, newcomer, limit, days):
    told = {}
    for place, ago in days:
        if place < len(core):
            told.setdefault(core[place].id, []).extend(used(core[place].id, ago))
    case = Case(core, told)
    free = {one.entry.id for one in case.ranked(newcomers=[newcomer]) if one.protected is None}
    gone = case.gone(newcomer, limit=limit)
    rest = [one for one in core if one.id not in free]
    if gone is None:
        assert limit_of(*rest, newcomer) > limit
        return
    assert set(gone) <= free
    staying = [one for one in core if one.id not in gone]
    assert limit_of(*staying, newcomer) <= limit
    for name in gone:
        with_it = [one for one in core if one.id == name or one.id not in gone]
        assert limit_of(*with_it, newcomer) > limit


# ---- coming back ----


def test_what_is_used_after_it_left_comes_back_before_what_is_remembered_less():
    weak, old, unused = entry("weak"), entry("old"), entry("unused")
    case = Case([weak], {"old": used("old", 80, 3), "unused": used("unused", 80, 60)})
    left = {"old": NOW - 20 * DAY, "unused": NOW - 20 * DAY}
    assert case.back([old, unused], left) == ["old"]
    assert case.back([old], {}) == []


def test_it_stays_away_while_the_core_is_remembered_better():
    case = Case([entry("strong")], {"strong": used("strong", 90, 60, 30, 2), "old": used("old", 3)})
    left = {"old": NOW - 20 * DAY}
    assert case.back([entry("old")], left) == []
    assert case.back([entry("old")], left, limit=limit_of(entry("old"), entry("strong"))) == ["old"]


def test_nothing_pushes_out_what_may_not_leave():
    case = Case([entry("pin", pinned=True), entry("n", age=1)], {"old": used("old", 3)})
    assert case.back([entry("old")], {"old": NOW - 20 * DAY}) == []


def test_presence_brings_nothing_back():
    case = Case([entry("weak")], {"old": used("old", 80, 60) + used("old", 3, kind="present")})
    assert case.back([entry("old")], {"old": NOW - 20 * DAY}) == []


@pytest.mark.parametrize("year", [1, 2, 9998, 9999])
def test_times_at_the_ends_of_the_calendar_are_judged_like_others(year):
    entry = Entry(
        "e1", "memory", "far away", datetime(year, 12, 31, tzinfo=UTC), datetime(year, 12, 31, tzinfo=UTC)
    )
    for now in (
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(2026, 5, 1, tzinfo=UTC),
        datetime(9999, 12, 31, tzinfo=UTC),
    ):
        (found,) = ranked([entry], {}, now=now, sessions_since={"e1": 9})
        assert 0.0 <= found.ahead <= 1.0
