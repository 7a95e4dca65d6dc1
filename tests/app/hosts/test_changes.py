"""Files of other programs, changed as one plan: what was done before a failure is said."""

from pathlib import Path

import pytest

from archivist import HostFileNotWritten
from archivist.app.hosts.changes import Change, apply, to_write


def blocked(tmp_path: Path) -> Change:
    """A change that nobody can make: a file stands where its folder would."""
    (tmp_path / "file").write_text("in the way")
    return Change(tmp_path / "file" / "settings.json", "written", b"{}")


def test_what_was_changed_before_a_failure_is_named(tmp_path):
    first, same, last = tmp_path / "first", tmp_path / "same", tmp_path / "last"
    same.write_text("as it is")
    plan = [to_write(first, "1", keep=True), to_write(same, "as it is", keep=True)]
    with pytest.raises(HostFileNotWritten) as refused:
        apply([*plan, blocked(tmp_path), to_write(last, "2", keep=True)])
    assert refused.value.changed == (first,)
    assert f"only {first} was changed" in str(refused.value)
    assert "nothing was changed" not in str(refused.value)
    assert first.read_text() == "1"
    assert not last.exists()


def test_where_the_first_change_fails_nothing_was_changed(tmp_path):
    with pytest.raises(HostFileNotWritten, match="; nothing was changed: "):
        apply([blocked(tmp_path)])
