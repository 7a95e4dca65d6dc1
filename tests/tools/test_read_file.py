"""Lines are told with their numbers, what is no text is named, and nothing outside is read unasked."""

import os
import socket

import pytest

from archivist.records.approvals import Answer
from archivist.tools.read_file import LINE_CHARS, PAGE_CHARS


def test_lines_have_their_numbers(place):
    (place.root / "a.txt").write_text("one\ntwo\n")
    assert place.call("read_file", path="a.txt") == {"success": True, "text": "     1\tone\n     2\ttwo"}
    assert place.asked == []


def test_the_mark_of_a_cut_reads_on_to_the_end(place):
    lines = [f"line {number} {'x' * 100}" for number in range(1_500)]
    (place.root / "long.txt").write_text("\n".join(lines))
    told, offset = [], 1
    while offset:
        text = place.call("read_file", path="long.txt", offset=offset)["text"]
        assert len(text) <= PAGE_CHARS + 200
        *rows, last = text.split("\n")
        offset = int(last.rpartition("offset=")[2].rstrip("]")) if last.startswith("[cut, ") else 0
        told += [row.partition("\t")[2] for row in (rows if offset else [*rows, last])]
    assert told == lines


def test_a_long_line_is_cut_and_read_on_by_its_number(place):
    (place.root / "min.js").write_text(f"a\n{'x' * 30_000}\n")
    text = place.call("read_file", path="min.js")["text"]
    assert text.endswith(
        f"[cut, {30_000 - LINE_CHARS:,} more characters: read_file path=min.js offset=2 limit=1]"
    )
    assert place.call("read_file", path="min.js", offset=2, limit=1)["text"].count("x") == 30_000


def test_an_offset_from_the_end_and_one_beyond_it(place):
    (place.root / "a").write_text("1\n2\n3\n")
    assert place.call("read_file", path="a", offset=-1)["text"] == "     3\t3"
    assert "3 lines" in place.call("read_file", path="a", offset=9)["error"]


@pytest.mark.parametrize(
    ("raw", "text", "encoding"),
    [
        ("Grüße".encode("utf-16"), "Grüße", "utf-16-le"),
        (b"\xef\xbb\xbfhello", "hello", None),
        ("你好，世界。今天的天气很好".encode("gb18030"), "你好，世界。今天的天气很好", "gb18030"),
        ("Grüße, señor".encode("latin-1"), "Grüße, señor", "cp1252"),
    ],
)
def test_other_encodings_are_read_and_named(place, raw, text, encoding):
    (place.root / "a.txt").write_bytes(raw)
    result = place.call("read_file", path="a.txt")
    assert result["text"] == f"     1\t{text}"
    assert result.get("encoding") == encoding


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "PNG"),
        (b"%PDF-1.7\x00\xff", "PDF"),
        (b"\x00\x01\x02\xff", "binary"),
        (os.urandom(5_000), "no text"),
    ],
)
def test_what_is_no_text_is_named(place, raw, named):
    (place.root / "x").write_bytes(raw)
    result = place.call("read_file", path="x")
    assert result["success"] is False
    assert named in result["error"]


def test_an_empty_file_is_told_as_empty(place):
    (place.root / "x").touch()
    assert place.call("read_file", path="x") == {"success": True, "message": "the file is empty"}


def test_pipes_devices_sockets_and_folders_are_refused_without_waiting(place):
    os.mkfifo(place.root / "pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(place.root / "s"))
        for path in ("pipe", "s", "/dev/zero", "."):
            assert place.call("read_file", path=path)["success"] is False


def test_a_missed_name_is_told_with_those_that_are_like_it(place):
    (place.root / "settings.py").touch()
    assert "settings.py" in place.call("read_file", path="setings.py")["error"]


def test_what_leads_outside_is_asked_for(place, tmp_path):
    (tmp_path / "secret.txt").write_text("outside")
    (place.root / "link").symlink_to(tmp_path / "secret.txt")
    (place.root / "up").symlink_to(tmp_path)
    place.answer = Answer("no", "not that one")
    for path in ("link", "up/secret.txt", "../secret.txt", str(tmp_path / "secret.txt"), "/proc/self/cwd/x"):
        result = place.call("read_file", path=path)
        assert result["success"] is False
        assert "text" not in result
        assert "not that one" in result["error"]
    assert {ask.risk for ask in place.asked} == {"outside"}


def test_a_yes_lets_it_be_read(place, tmp_path):
    (tmp_path / "a.txt").write_text("outside")
    assert place.call("read_file", path="../a.txt")["text"] == "     1\toutside"


@pytest.mark.parametrize(
    "name",
    [
        ".env",
        ".ENV",
        ".env.local",
        ".env-local",
        ".env~",
        ".env.bak",
        "prod.env",
        ".envrc",
        "id_ed25519",
        "id_rsa.old",
        ".netrc",
        "server.pem",
        "Server.KEY",
        "server.pem.bak",
        "AuthKey.p8",
        ".aws/credentials",
        ".azure/token.json",
        "gh/hosts.yml",
        "secrets.yml",
        "client_secret_1.json",
        "service-account.json",
        "prod.tfvars",
        "terraform.tfstate",
        ".password-store/a.gpg",
    ],
)
def test_files_with_credentials_are_asked_for(place, name):
    path = place.root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("KEY=1")
    place.answer = Answer("no")
    assert place.call("read_file", path=name)["success"] is False
    assert "passwords or keys" in place.titles()[0]


@pytest.mark.parametrize(
    "name",
    [
        ".env.example",
        "id_rsa.pub",
        "monkey.py",
        "keys.md",
        "environment",
        "env.py",
        "secrets.py",
        "token.json",
    ],
)
def test_files_that_are_only_named_alike_are_not(place, name):
    (place.root / name).write_text("x")
    assert place.call("read_file", path=name)["success"]
    assert place.asked == []


def test_a_link_that_is_put_there_while_somebody_is_asked_is_not_followed(place, tmp_path):
    outside = tmp_path / "o.txt"
    outside.write_text("harmless")
    target = tmp_path / "private.txt"
    target.write_text("private")

    def swap():
        outside.unlink()
        outside.symlink_to(target)

    place.meanwhile = swap
    result = place.call("read_file", path="../o.txt")
    assert result["success"] is False
    assert "private" not in str(result)


def test_archivists_own_folder_is_asked_for_even_inside_the_workspace(tmp_path):
    from tests.tools.workplace import Workplace

    home = tmp_path / "work" / ".archivist"
    place = Workplace(tmp_path / "work", home=home)
    home.mkdir()
    (home / "config.toml").write_text("x")
    place.answer = Answer("no")
    assert place.call("read_file", path=".archivist/config.toml")["success"] is False
    assert "Archivist's own" in place.titles()[0]


def test_a_kept_output_is_read_by_its_id(place):
    place.outputs["a" * 16] = "one\ntwo"
    assert place.call("read_file", path=f"output:{'a' * 16}", offset=2)["text"] == "     2\ttwo"
    assert "no output" in place.call("read_file", path="output:none")["error"]


def test_names_that_other_tools_have_are_understood(place):
    (place.root / "a").write_text("x")
    assert place.call("read_file", file_path="a") == {"success": True, "text": "     1\tx"}


def test_a_huge_file_is_refused_with_the_way_to_read_it(place):
    with (place.root / "huge").open("wb") as file:
        file.truncate(1 << 33)
    assert "sed -n" in place.call("read_file", path="huge")["error"]


def test_paths_that_are_none(place):
    assert "character" in place.call("read_file", path="a\0b")["error"]
    assert place.call("read_file", path="x" * 5_000)["success"] is False
