"""Nobody changes what they may not see: whatever is done to a conversation, the rows of others in it stay to the byte."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.promises.test_scope import PLANS, READERS, World, build, new_world

from archivist import ArchivistError, UnknownSession
from archivist.records import Reader

RENAMED = "Ledger of item501"
ACTS = {
    "rename": lambda sessions, name, scope: sessions.rename(name, RENAMED, scope=scope),
    "unname": lambda sessions, name, scope: sessions.rename(name, None, scope=scope),
    "fork": lambda sessions, name, scope: sessions.fork(name, scope=scope),
    "undo": lambda sessions, name, scope: sessions.undo(name, scope=scope),
    "undo two": lambda sessions, name, scope: sessions.undo(name, turns=2, scope=scope),
    "redo": lambda sessions, name, scope: sessions.redo(name, scope=scope),
    "archive": lambda sessions, name, scope: sessions.archive(name, scope=scope),
    "pin": lambda sessions, name, scope: sessions.pin(name, scope=scope),
}
STEPS = st.lists(st.tuples(st.sampled_from(sorted(ACTS)), st.integers(0, 7), READERS), min_size=1, max_size=6)


def rows_of_others(world: World, reader: Reader) -> list[tuple[object, ...]]:
    """All that is stored of sessions that a reader may not see, and of what was said in them."""
    hidden = [name for name, scope in world.scopes.items() if not scope.is_visible_to(reader)]
    kept = []
    for name in hidden:
        for query in (
            "SELECT * FROM sessions WHERE id = ?",
            "SELECT m.* FROM messages AS m JOIN sessions AS s ON s.key = m.session WHERE s.id = ? ORDER BY m.id",
        ):
            kept += world.archivist._store.read(lambda db, q=query, n=name: db.execute(q, (n,)).fetchall())
    return kept


@settings(deadline=None, max_examples=40)
@given(plan=PLANS, steps=STEPS)
def test_whatever_is_done_the_rows_of_others_stay(plan, steps):
    with new_world() as world:
        build(world, plan)
        names = list(world.scopes)
        for act, number, reader in steps:
            name = names[number % len(names)]
            before = rows_of_others(world, reader)
            is_named = any(
                world.roots[one] == name and world.sees(one, reader) for one in names
            ) or world.sees(name, reader)
            said = ""
            try:
                ACTS[act](world.archivist.sessions, name, reader)
            except UnknownSession:
                assert not is_named
            except ArchivistError as error:
                said = str(error).replace(RENAMED, "")
            theirs = {title for session, title in world.titles.items() if not world.sees(session, reader)}
            assert is_named or not said
            assert not any(title in said for title in theirs)
            assert rows_of_others(world, reader) == before
        assert world.archivist.verify().is_clean
