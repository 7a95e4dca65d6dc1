"""Titles are found whatever their script and their capitals."""

import re
import unicodedata

import pytest


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        ("Änderung", "änderung"),
        ("Änderung", "ÄNDERUNG"),
        ("Änderung", "anderung"),
        (unicodedata.normalize("NFD", "Änderung"), "änderung"),
        ("änderung", unicodedata.normalize("NFD", "Änderung")),
        ("ПЛАН", "план"),
        ("план", "ПЛАН"),
        ("ＡＢＣ", "abc"),
        ("abc", "ＡＢＣ"),
        ("ΣΧΈΔΙΟ", "σχέδιο"),
        ("Quay plans", "QUAY plans"),
        ("码头计划", "码头计划"),
    ],
)
def test_a_title_is_found_however_its_capitals_and_accents_are_written(archive, title, asked):
    archive.say("the lantern burns", session=archive.begin(title=title))
    (hit,) = archive.search(asked).hits
    assert (hit.title, hit.why) == (title, ("title",))


@pytest.mark.parametrize("title", ["Die Änderung am Kai 7", "ПЛАН-7 моста", "旧码头计划-7"])
def test_a_title_that_holds_the_words_is_found_too(archive, title):
    archive.say("the lantern burns", session=archive.begin(title=title))
    archive.say("nothing of it", session=archive.begin(title="Übersicht"))
    for word in (title.lower(), *re.findall(r"\S{2,}", title.lower())):
        assert {hit.title for hit in archive.search(word).hits} == {title}


def test_a_title_in_another_script_is_not_taken_for_an_answer(archive):
    archive.say("the lantern burns", session=archive.begin(title="Übersicht der Brücken"))
    assert archive.search("quay").hits == ()
