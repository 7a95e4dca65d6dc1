"""What ChatGPT is told in every conversation."""

from archivist.transfer import import_history

PROFILE = "The user provided the following information about themselves.\nUser profile:\n```Ada, a diver\n\nLives in Bergen```"


def hidden(content, **metadata):
    return {"content": content, "metadata": {"is_visually_hidden_from_conversation": True} | metadata}


def context(**fields):
    return {"content_type": "user_editable_context"} | fields


def test_instructions_and_memory_are_about_the_person(talk, gpt, tmp_path, memory, desk):
    talk.say("i", "user", **hidden(context(user_profile=PROFILE, user_instructions="Use grams.")), time=None)
    noted = "1. [2024-05-01]. User likes rye.\n\n2. [2024-06-02]. User has a cat."
    talk.say("m", "system", {"content_type": "model_editable_context", "model_set_context": noted})
    talk.say("a", "user", "hello")
    report = import_history(gpt.export(tmp_path / "x", talk), memory, bring_in=desk)
    assert {one.place: one.text for one in desk.statements} == {
        "chatgpt:model_set_context#1": "User likes rye.",
        "chatgpt:model_set_context#2": "User has a cat.",
        "chatgpt:user_instructions#1": "Use grams.",
        "chatgpt:user_profile#1": "Ada, a diver",
        "chatgpt:user_profile#2": "Lives in Bergen",
    }
    assert {one.target for one in desk.statements} == {"user"}
    assert desk.statements[0].observed_at.isoformat() == "2024-05-01T00:00:00+00:00"
    assert (report.notes_read, report.notes) == (5, 5)


def test_what_was_typed_goes_before_what_the_model_was_told(talk, gpt, tmp_path, memory, desk):
    typed = {"user_context_message_data": {"about_model_message": "Use grams."}}
    talk.say("i", "user", **hidden(context(user_instructions="The user provided: grams"), **typed))
    talk.say("a", "user", "hello")
    import_history(gpt.export(tmp_path / "x", talk), memory, bring_in=desk)
    assert desk.told() == [("user", "Use grams.")]


def test_an_older_export_has_them_beside_an_empty_message(talk, gpt, tmp_path, memory, desk):
    typed = {
        "is_user_system_message": True,
        "user_context_message_data": {"about_user_message": "Lives in Bergen"},
    }
    talk.say("i", "system", **hidden({"content_type": "text", "parts": [""]}, **typed))
    talk.say("a", "user", "hello")
    import_history(gpt.export(tmp_path / "x", talk), memory, bring_in=desk)
    assert desk.told() == [("user", "Lives in Bergen")]


def test_the_newest_telling_counts_whatever_the_order(gpt, tmp_path, memory, desk):
    talks = []
    for key, time, text in (("new", 1_768_000_000, "Use grams."), ("old", 1_700_000_000, "Use cups.")):
        talk = gpt.Talk(key)
        talk.say("i", "user", **hidden(context(user_instructions=text)), time=time)
        talk.say("a", "user", "hello")
        talks.append(talk)
    import_history(gpt.export(tmp_path / "x", *talks), memory, bring_in=desk)
    assert desk.told() == [("user", "Use grams.")]
    again = import_history(tmp_path / "x", memory, bring_in=desk)
    assert (again.notes_read, again.changed_nothing) == (0, True)


def test_odd_shapes_cost_themselves(talk, gpt, tmp_path, memory, desk):
    talk.say("i", "user", **hidden(context(user_instructions=7, user_profile=None)))
    talk.say("m", "system", {"content_type": "model_editable_context", "model_set_context": "likes rye"})
    talk.say("a", "user", "hello")
    report = import_history(gpt.export(tmp_path / "x", talk), memory, bring_in=desk)
    assert (desk.told(), report.problems) == ([("user", "likes rye")], ())
