"""Years pass over a full core: what is needed stays, what is new gets its time, what is used comes back, and nothing is lost."""

import itertools
from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from archivist.notes.document import joined_length
from archivist.notes.leaving import GRACE, GRACE_SESSIONS, leaving, promotable, ranked
from archivist.records.notes import Entry, Use

BEGINNING = datetime(2026, 1, 1, 9, tzinfo=UTC)
LIMIT = 2_200


@dataclass
class Library:
    """A core, an archive, and the days that pass over them."""

    now: datetime = BEGINNING
    core: dict[str, Entry] = field(default_factory=dict)
    archive: dict[str, Entry] = field(default_factory=dict)
    left_at: dict[str, datetime] = field(default_factory=dict)
    uses: dict[str, list[Use]] = field(default_factory=dict)
    begun: list[datetime] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    refused: int = 0
    numbers: itertools.count = field(default_factory=itertools.count)

    def sessions_since(self):
        begun = len(self.begun)
        return {key: begun - bisect_right(self.begun, one.observed_at) for key, one in self.core.items()}

    def note(self, words, **fields):
        key = f"{next(self.numbers):04d}"
        one = Entry(
            key,
            "memory",
            f"{words} {key} ".ljust(60, "x"),
            self.now,
            self.now,
            **{"origin": "agent", **fields},
        )
        return self.put(one)

    def put(self, one):
        gone = leaving(
            self.core.values(),
            self.uses,
            now=self.now,
            sessions_since=self.sessions_since(),
            newcomers=[one],
            limit=LIMIT,
        )
        if gone is None:
            self.refused += 1
            return None
        for other in gone:
            self.archive[other.id] = self.core.pop(other.id)
            self.left_at[other.id] = self.now
            self.left.append(other.id)
        self.core[one.id] = one
        assert joined_length(other.text for other in self.core.values()) <= LIMIT
        return one.id

    def use(self, key, kind="used"):
        uses = self.uses.setdefault(key, [])
        if kind == "present" and uses and uses[-1].kind == "present":
            uses.pop()  # only the newest says anything
        uses.append(Use(key, self.now, kind, f"s{len(self.begun)}"))

    def live_a_day(self, used=(), sessions=1):
        """Sessions of a day, in which some entries are used and all of the core is present; then the night."""
        for _ in range(sessions):
            self.now += timedelta(hours=1)
            self.begun.append(self.now)
            for key in used:
                self.use(key)
        if sessions:
            for key in self.core:
                self.use(key, "present")
        self.now = self.now.replace(hour=9) + timedelta(days=1)

    def bring_back(self):
        back = promotable(
            self.archive.values(), self.core.values(), self.uses, now=self.now, sessions_since=self.sessions_since(),
            archived_at=self.left_at, limit=LIMIT,
        )  # fmt: skip
        for one in back[:1]:
            if self.put(one):
                del self.archive[one.id], self.left_at[one.id]

    def fill(self, count=34):
        return [self.note("settled") for _ in range(count)]

    def rank(self):
        return [
            one.entry.id
            for one in ranked(
                self.core.values(), self.uses, now=self.now, sessions_since=self.sessions_since()
            )
        ]


def test_an_obeyed_prohibition_stays_for_three_years():
    """Nobody ever speaks of it, because it is obeyed; hundreds of new facts pass by."""
    library = Library()
    kept = [library.note("never push to main", kind="prohibition")]
    kept += [library.note("as told", kind=kind) for kind in ("preference", "identity", "correction")]
    library.fill(30)
    for day in range(3 * 365):
        if day % 4 == 0:
            library.note("found out")
        library.live_a_day(used=[key for key in ("0005", "0006") if day % 7 == 0], sessions=1 + day % 2)
    assert all(key in library.core for key in kept)
    assert len(library.left) > 200


@pytest.mark.parametrize(("noted_every", "sessions", "turns"), [(1, 1, 1), (1, 3, 5), (2, 1, 5)])
def test_newcomers_to_a_full_core_that_is_used_every_day_all_have_their_time(noted_every, sessions, turns):
    """Each of 200 is there for seven days and three sessions at least, though all that is settled is remembered far better."""
    library = Library()
    settled = library.fill()
    for _ in range(60):
        library.live_a_day(used=settled)
    newcomers = []
    for day in range(200 * noted_every):
        if day % noted_every == 0:
            newcomers.append(library.note("newcomer"))
        used = [key for key in settled[day % turns :: turns] if key in library.core]
        library.live_a_day(used=used, sessions=sessions)
    assert library.refused == 0
    assert len(set(newcomers)) == 200
    gone = [key for key in newcomers if key in library.left_at]
    assert len(gone) > 150
    for key in gone:
        noted, left = library.archive[key].observed_at, library.left_at[key]
        assert left - noted >= GRACE
        assert sum(noted < begun <= left for begun in library.begun) >= GRACE_SESSIONS
    assert (
        len([key for key in settled if key in library.core]) >= 34 - 9
    )  # room for a week of newcomers, no more


def test_where_sessions_are_rare_a_newcomer_stays_until_the_third():
    library = Library()
    library.fill()
    for _ in range(30):
        library.live_a_day()
    newcomer = library.note("newcomer")
    for day in range(40):
        library.live_a_day(sessions=int(day % 20 == 19))
        library.note("another")
    assert newcomer in library.core
    assert library.refused > 0
    for _ in range(30):
        library.live_a_day()
        library.note("another")
    assert newcomer in library.archive


def test_an_archived_fact_that_is_used_returns_and_stays():
    library = Library()
    library.fill()
    fact = "0003"
    for _ in range(40):
        library.live_a_day()
        library.note("newcomer")
        library.bring_back()
    assert fact in library.archive
    for _ in range(3):
        library.use(fact, "opened")
        library.live_a_day()
        library.bring_back()
    assert fact in library.core
    for _ in range(60):
        library.live_a_day()
        library.note("newcomer")
        library.bring_back()
    assert fact in library.core


def test_nothing_that_left_comes_back_by_itself():
    library = Library()
    library.fill()
    for _ in range(200):
        library.live_a_day()
        library.note("newcomer")
        before = dict(library.archive)
        library.bring_back()
        assert library.archive == before


@pytest.mark.parametrize("every", [1, 7, 30, 90])
def test_of_two_facts_of_one_day_the_unused_one_leaves_first(every):
    library = Library()
    used, unused = library.note("used"), library.note("unused")
    library.fill(32)
    for day in range(400):
        library.live_a_day(used=[used] if day % every == every - 1 else [])
        if day >= 120:
            library.note("newcomer")
    assert unused in library.archive
    assert used in library.core or library.left.index(unused) < library.left.index(used)


def test_nothing_is_ever_lost_by_leaving():
    library = Library()
    noted = set(library.fill())
    for day in range(150):
        noted.add(library.note("newcomer"))
        library.live_a_day(used=library.rank()[day % 7 :: 7])
        if day % 5 == 0 and library.archive:
            library.use(sorted(library.archive)[day % len(library.archive)], "opened")
        library.bring_back()
    assert library.core.keys() | library.archive.keys() == noted - {None}
    assert not library.core.keys() & library.archive.keys()


def test_the_same_years_end_the_same():
    def lived():
        library = Library()
        library.fill()
        for day in range(120):
            library.note("newcomer")
            library.live_a_day(used=sorted(library.core)[day % 9 :: 9])
            library.bring_back()
        return library.left, library.rank()

    assert lived() == lived()
