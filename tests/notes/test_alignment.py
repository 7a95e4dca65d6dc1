"""Which entries the texts of a changed file are."""

import os
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.notes.alignment import align
from archivist.notes.likeness import normal

TEXTS = [
    "The project uses pytest with xdist",
    "Deploys go to Fly, region fra",
    "User prefers dark mode in every editor",
    "Never push to main without asking",
    "用户喜欢简短的回答",
    "项目使用 PostgreSQL 16 数据库",
    "The staging server is called heron",
    "Invoices are sent on the first of the month",
]
REWORDED = [
    "The project uses pytest with xdist and hypothesis",
    "Deploys go to Fly, region ams",
    "User prefers dark mode in every editor and terminal",
    "Never push to main without asking first",
    "用户喜欢简短直接的回答",
    "项目使用 PostgreSQL 17 数据库",
    "The staging server is called osprey",
    "Invoices are sent on the last of the month",
]
SOME_TEXTS = st.lists(
    st.one_of(
        st.sampled_from(TEXTS + REWORDED), st.sampled_from(["a", "A", "a.", "b"]), st.text("ab ", min_size=1)
    ),
    max_size=12,
)


def named(texts):
    return [(f"n{number}", text) for number, text in enumerate(texts)]


@given(
    SOME_TEXTS,
    SOME_TEXTS,
    st.dictionaries(st.sampled_from([*map(normal, TEXTS), "a", "b"]), st.sampled_from(["f1", "f2", "n0"])),
)
def test_every_known_entry_is_one_text_or_gone(old, new, former):
    aligned = align(named(old), new, former)
    kept = [entry for entry in aligned.ids if entry]
    assert len(aligned.ids) == len(new)
    assert len(set(kept)) == len(kept)
    assert sorted({*kept} - {"f1", "f2"}) + sorted(aligned.gone) == sorted({*kept} - {"f1", "f2"}) + sorted(
        {name for name, _ in named(old)} - {*kept}
    )
    assert all(aligned.ids[at] == entry for at, entry in aligned.revised.items())


@given(SOME_TEXTS, SOME_TEXTS)
def test_what_says_the_same_keeps_as_many_ids_as_there_are_texts(old, new):
    aligned = align(named(old), new)
    shared = Counter(map(normal, old)) & Counter(map(normal, new))
    same = sum(
        1
        for at, entry in enumerate(aligned.ids)
        if entry and normal(dict(named(old))[entry]) == normal(new[at])
    )
    assert same >= shared.total()


@given(
    st.lists(st.sampled_from(TEXTS + REWORDED), unique=True).flatmap(
        lambda t: st.tuples(st.just(t), st.permutations(t))
    )
)
def test_another_order_keeps_all_ids(both):
    old, new = both
    ids = {text: name for name, text in named(old)}
    aligned = align(named(old), new)
    assert aligned.ids == tuple(ids[text] for text in new)
    assert (aligned.revised, aligned.gone) == ({}, ())


@given(st.lists(st.sampled_from(TEXTS), min_size=1, unique=True), st.data())
def test_one_change_leaves_all_others_alone(old, data):
    index = data.draw(st.integers(0, len(old) - 1))
    ids = tuple(name for name, _ in named(old))
    new_text = "Something quite else that nobody said"
    inserted = align(named(old), [*old[:index], new_text, *old[index:]])
    assert inserted.ids == (*ids[:index], None, *ids[index:])
    deleted = align(named(old), [*old[:index], *old[index + 1 :]])
    assert (deleted.ids, deleted.gone) == ((*ids[:index], *ids[index + 1 :]), (ids[index],))
    reworded = REWORDED[TEXTS.index(old[index])]
    revised = align(named(old), [*old[:index], reworded, *old[index + 1 :]])
    assert (revised.ids, revised.revised, revised.gone) == (ids, {index: ids[index]}, ())
    replaced = align(named(old), [*old[:index], new_text, *old[index + 1 :]])
    assert (replaced.ids[index], replaced.gone) == (None, (ids[index],))


@pytest.mark.parametrize(("old", "new"), list(zip(TEXTS, REWORDED, strict=True)))
def test_a_reworded_entry_between_the_same_neighbours_is_the_same(old, new):
    aligned = align(named(["before it", old, "after it"]), ["before it", new, "after it"])
    assert aligned.ids == ("n0", "n1", "n2")
    assert aligned.revised == {1: "n1"}


def test_an_entry_that_was_reworded_elsewhere_is_another_one():
    aligned = align(named([TEXTS[0], "one", "two"]), ["one", "two", REWORDED[0]])
    assert aligned.ids == ("n1", "n2", None)
    assert aligned.gone == ("n0",)


def test_case_width_and_white_space_make_no_new_version():
    aligned = align(
        named(["User prefers  dark mode.", "项目使用ＡＢＣ"]), ["user prefers dark mode", "项目使用abc"]
    )
    assert aligned.ids == ("n0", "n1")
    assert aligned.revised == {}


def test_equal_to_the_letter_comes_before_saying_the_same():
    aligned = align(named(["Foo", "foo"]), ["foo", "Foo"])
    assert aligned.ids == ("n1", "n0")


def test_of_equal_texts_those_stay_that_stand_between_the_same_neighbours():
    aligned = align(named(["x", "between them", "x"]), ["between them", "x"])
    assert aligned.ids == ("n1", "n2")
    assert aligned.gone == ("n0",)


def test_two_reworded_neighbours_are_not_mixed_up():
    old = ["Port of the API is 8080", "Port of the web is 3000"]
    new = ["Port of the API is 8081", "Port of the web is 3001"]
    assert align(named(old), new).revised == {0: "n0", 1: "n1"}
    assert align(named(old), [new[1]]).revised == {0: "n1"}


def test_a_text_that_stood_there_before_is_that_entry_again():
    former = {normal("Old truth"): "old", normal(TEXTS[0]): "n0"}
    aligned = align(named([TEXTS[1]]), ["old truth.", TEXTS[1], "old truth"], former)
    assert aligned.ids == ("old", "n0", None)
    assert (aligned.revised, aligned.gone) == ({}, ())


def test_an_entry_that_got_an_earlier_text_back_is_revised():
    aligned = align(named(["Something that was made of it"]), ["Its first words"], {"its first words": "n0"})
    assert aligned.ids == ("n0",)
    assert aligned.revised == {0: "n0"}
    assert aligned.gone == ()


def test_a_file_of_which_every_entry_was_reworded_keeps_its_ids():
    old = [f"Host h{number} runs service s{number * 7} in rack r{number * 3}" for number in range(300)]
    new = [f"{text} since the move" for text in old]
    del new[100]
    aligned = align(named(old), new)
    assert aligned.gone == ("n100",)
    assert aligned.ids == tuple(f"n{number}" for number in range(300) if number != 100)


def test_the_result_does_not_depend_on_the_seed_of_hashes():
    code = (
        "from archivist.notes.alignment import align\n"
        "old = [(str(n), f'word{n % 7} thing{n % 5} of {n % 11} and more') for n in range(120)]\n"
        "new = [f'{text} again' for _, text in old[::-2]] + [text for _, text in old[::3]]\n"
        "print(align(old, new))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
