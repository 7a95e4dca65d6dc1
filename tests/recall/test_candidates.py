"""Candidates: bounded lists, fair to old and new."""

from archivist.recall import candidates
from archivist.recall.candidates import sample


def test_a_sample_holds_new_old_and_middling_ids():
    chosen = sample(range(1, 1001), 40)
    assert len(set(chosen)) == 40
    assert 1000 in chosen
    assert 1 in chosen
    assert sum(250 < key < 750 for key in chosen) >= 5


def test_a_small_list_is_taken_whole():
    assert sorted(sample([5, 3, 9], 10)) == [3, 5, 9]


def test_old_messages_are_found_under_frequent_words(archive, monkeypatch):
    monkeypatch.setattr(candidates, "WHOLE_LIST", 50)
    monkeypatch.setattr(candidates, "JOINED_LIST", 20)
    (old,) = archive.say("the copper kettle sings in the kitchen of the inn")
    for number in range(12):
        archive.say(
            *(
                f"kettle {number} {other} kitchen inn" if other % 3 else f"copper {other} pot"
                for other in range(60)
            )
        )
    archive.index.catch_up()
    assert archive.find("copper kettle kitchen inn")[0] == old


def test_many_frequent_words_find_the_message_that_has_all(archive, monkeypatch):
    monkeypatch.setattr(candidates, "WHOLE_LIST", 30)
    monkeypatch.setattr(candidates, "JOINED_LIST", 10)
    words = ["north", "south", "east", "west"]
    for number in range(240):
        kept = " ".join(word for place, word in enumerate(words) if place != number % 4)
        archive.say(f"{kept} {number}")
    (key,) = archive.say("west of east and north of south")
    for number in range(60):
        archive.say(f"north {number}")
    assert archive.find("north south east west")[0] == key
