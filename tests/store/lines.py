"""A conversation that tests compact: what a compaction writes, without a model."""

from archivist.records import Message, SessionStart
from archivist.store.lines import SUMMARY, lineage_of
from archivist.store.messages import read_context, set_states
from archivist.store.sessions import end_session, require_session, require_tip, start_session


def compact(store, session, *, keep=1, child=None, now):
    """Keep the last messages that the model sees, and let a summary stand for the others; returns the child's id.

    What a fork shares keeps its state: it is its parent's.
    """
    child = child or store._world.new_session_id()

    def change(db):
        tip = require_tip(db, session)
        seen = read_context(db, tip.key, None)
        kept = seen[len(seen) - keep :] if keep else []
        own = set(lineage_of(db, tip.key))
        gone = [
            message.id
            for message in seen[: len(seen) - len(kept)]
            if message.state == "active" and require_session(db, message.session_id).key in own
        ]
        parent = db.execute("SELECT id FROM sessions WHERE key = ?", (tip.key,)).get
        begun = start_session(
            db, SessionStart("cli", parent_id=parent, link="compaction"), session_id=child, now=now
        )
        db.executemany(
            "INSERT INTO context(session, position, message, text_as_sent) VALUES(?, ?, ?, NULL)",
            [
                (begun.key, place, message.id)
                for place, message in enumerate(kept)
                if message.session_id != child
            ],
        )
        set_states(db, [(message, "compacted") for message in gone])
        end_session(db, tip.key, reason="compaction", now=now)

    store.write(change)
    store.append(child, [Message("user", "summary of what was said", metadata={SUMMARY: True})])
    return child


def ids(messages):
    return [message.id for message in messages]


def texts(messages):
    return [message.text for message in messages]
