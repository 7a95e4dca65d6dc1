"""Letta's memory blocks."""

from archivist.transfer import import_history


def test_a_block_is_about_the_person_or_the_world_and_a_persona_is_no_note(
    agent, tmp_path, memory, letta, desk
):
    agent.say("user", "one")
    blocks = [
        {"label": "persona", "value": "I keep the seeds."},
        {"label": "human", "value": "Name: Ada."},
        {"label": "seeds", "value": "- lupin: scarify\n- rye: dry", "read_only": True},
        {"label": "empty", "value": None},
        7,
    ]
    report = import_history(letta.write(tmp_path / "keeper.af", agent, blocks=blocks), memory, bring_in=desk)
    assert desk.told() == [("user", "Name: Ada."), ("memory", "lupin: scarify"), ("memory", "rye: dry")]
    assert desk.places() == ["letta:keeper.af/human#1", "letta:keeper.af/seeds#1", "letta:keeper.af/seeds#2"]
    assert dict(report.notes_reasons) == {"damaged record": 1, "says who an agent is, not what it knows": 1}
    assert (report.notes_read, report.notes, report.notices) == (5, 3, {})


def test_the_older_flat_shape_has_them_too(tmp_path, memory, letta, desk):
    path = letta.write_flat(tmp_path / "old.af", {"role": "user", "text": "no peat"})
    import_history(path, memory, bring_in=desk)
    assert desk.told() == [("user", "x")]
