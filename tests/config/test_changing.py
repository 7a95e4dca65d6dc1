"""Lines of config.toml that are changed for its owner: those, and no other byte."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.config import SettingsUnreadable, read_settings
from archivist.config.changing import SettingsNotChanged, change_table

MINE = """\
# my settings
timezone = "Europe/Berlin"   # home

[notes]
memory_limit = 3_000  # more

[hosts."claude-code"]
read = 'owner'
"""


def put(tmp_path, text, values, table="model"):
    file = tmp_path / "config.toml"
    file.write_bytes(text.encode())
    change_table(file, table, values)
    return file.read_bytes().decode()


def test_a_table_that_is_new_stands_below_all_that_was_there(tmp_path):
    made = put(tmp_path, MINE, {"name": "openai/gpt-5.6", "window": 9_000, "base_url": None})
    assert made == MINE + '\n[model]\nname = "openai/gpt-5.6"\nwindow = 9000\n'
    assert put(tmp_path, "", {"name": "a/b"}) == '[model]\nname = "a/b"\n'


def test_only_the_lines_in_question_change(tmp_path):
    before = (
        MINE + '\n[model]  # which\nname = "old/one"  # for now\nwindow = 5_000\n\n[agent]\nrecall = "off"\n'
    )
    made = put(tmp_path, before, {"name": "new/one"})
    assert made == before.replace('"old/one"', '"new/one"')
    assert put(tmp_path, before, {"window": None}) == before.replace("window = 5_000\n", "")
    assert put(tmp_path, before, {"name": "old/one", "window": 5_000}) == before


def test_a_table_whose_last_key_goes_goes_too(tmp_path):
    before = MINE + '\n[model]\nname = "old/one"\n'
    made = put(tmp_path, before, {"name": None, "window": None})
    assert tomllib.loads(made) == tomllib.loads(MINE)
    assert made.startswith(MINE)
    assert put(tmp_path, MINE, {"name": None}) == MINE


def test_a_file_that_ends_its_lines_as_windows_does_goes_on_so(tmp_path):
    before = MINE.replace("\n", "\r\n")
    made = put(tmp_path, before, {"name": "a/b"})
    assert made.startswith(before)
    assert made.count("\r\n") == made.count("\n")
    assert read_settings(tmp_path / "config.toml").model.name == "a/b"


def test_what_a_hand_wrote_badly_is_refused_with_the_line_and_stays(tmp_path):
    for text, reason in (('[model\nname = "x"', "line 1"), ('[model]\nnme = "x"\n', "unknown key 'nme'")):
        with pytest.raises(SettingsUnreadable, match=reason):
            put(tmp_path, text, {"name": "a/b"})
        assert (tmp_path / "config.toml").read_text() == text


def test_a_value_that_could_not_be_followed_is_not_written(tmp_path):
    with pytest.raises(SettingsUnreadable, match=r"window in \[model\] must be"):
        put(tmp_path, MINE, {"name": "a/b", "window": 3})
    assert (tmp_path / "config.toml").read_text() == MINE


def test_a_link_stays_a_link_and_nothing_half_written_is_left(tmp_path):
    (tmp_path / "dotfiles").mkdir()
    target = tmp_path / "dotfiles" / "archivist.toml"
    target.write_text(MINE)
    (tmp_path / "config.toml").symlink_to(target)
    assert change_table(tmp_path / "config.toml", "model", {"name": "a/b"})
    assert (tmp_path / "config.toml").is_symlink()
    assert 'name = "a/b"' in target.read_text()
    assert not change_table(tmp_path / "config.toml", "model", {"name": "a/b"})
    assert [entry.name for entry in target.parent.iterdir()] == ["archivist.toml"]


@pytest.mark.parametrize(
    "before",
    [
        'model = { name = "old/one" }\n',
        'model.name = "old/one"\nmodel.window = 5000\n[agent]\nrecall = "off"\n',
        '[model]\nname = "old/one"\n[agent]\nrecall = "off"\n[model.prices]\ninput = 1\noutput = 2\n',
        '["model"]\n"name" = \'old/one\'\n',
    ],
)
def test_unusual_forms_are_changed_rightly_or_left_alone_with_a_word(tmp_path, before):
    wanted = tomllib.loads(before)
    wanted["model"]["name"] = "new/one"
    try:
        made = put(tmp_path, before, {"name": "new/one"})
    except SettingsNotChanged:
        made = None
        assert (tmp_path / "config.toml").read_text() == before
    assert made is None or tomllib.loads(made) == wanted


LINES = st.lists(
    st.sampled_from(
        [
            "# a remark",
            "",
            "   ",
            'timezone = "Asia/Shanghai"',
            "[notes]",
            "memory_limit = 4_000 # x",
            "[agent]",
            'recall = "on"',
            "[model]",
            'name = "old/one"',
            "window = 5000   # tokens",
            "[model.prices]",
            "input = 1.5",
            "output = 2e1",
            "[hosts.x]",
            "trusted = true",
        ]
    ),
    max_size=12,
)


@given(LINES, st.booleans())
def test_whatever_is_there_all_other_settings_stay_and_all_remarks(tmp_path_factory, lines, removes):
    text = "\n".join(lines) + "\n"
    file = tmp_path_factory.mktemp("x") / "config.toml"
    file.write_text(text)
    try:
        read_settings(file)
    except SettingsUnreadable:
        return
    wanted = tomllib.loads(text)
    if removes:
        wanted.get("model", {}).pop("name", None)
        if not wanted.get("model", True):
            del wanted["model"]
    else:
        wanted.setdefault("model", {})["name"] = "new/one"
    change_table(file, "model", {"name": None if removes else "new/one"})
    made = file.read_text()
    assert tomllib.loads(made) == wanted
    assert made.count("# a remark") == text.count("# a remark") or removes
