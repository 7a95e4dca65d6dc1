"""Exports in folders and ZIP files: members are found and read in place, and nothing that is refused is opened."""

import os
import re
import struct
import zipfile
import zlib

import pytest

from archivist.transfer import SourceUnreadable
from archivist.transfer.containers import Assets, asset_id, list_members, opened

CONVERSATIONS = re.compile(r"conversations.*\.json")


def pack(path, members, date=(2026, 1, 2, 3, 4, 6)):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, date), content, zipfile.ZIP_DEFLATED)
    return path


def content(member):
    with opened(member) as file:
        return file.read()


def rewritten(path, **changes):
    """The same ZIP file with fields of its directory's first entry overwritten: flags, method, crc, packed, size."""
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    places = {
        "flags": (8, "<H"),
        "method": (10, "<H"),
        "crc": (16, "<L"),
        "packed": (20, "<L"),
        "size": (24, "<L"),
    }
    for name, value in changes.items():
        offset, form = places[name]
        struct.pack_into(form, data, at + offset, value)
        if name in {"flags", "method"}:
            struct.pack_into(form, data, offset - 2, value)
    path.write_bytes(data)
    return path


def test_a_file_a_folder_and_zip_files_hold_the_same_members(tmp_path):
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "conversations.json").write_text("[1]")
    packed = pack(tmp_path / "one.zip", {"conversations.json": "[1]"})
    for path in (folder, folder / "conversations.json", packed):
        [member] = list_members(path).members
        assert (member.name, member.bytes, content(member)) == ("conversations.json", 3, b"[1]")
    assert list_members(packed).members[0].path == packed / "conversations.json"


def test_several_zip_files_of_one_export_are_one_export_older_members_first(tmp_path):
    pack(tmp_path / "b.zip", {"conversations-001.json": "[2]", "deep/conversations-000.json": "[1]"})
    pack(
        tmp_path / "a.zip",
        {"conversations-002.json": "[3]", "file-abc-x.png": b"png"},
        date=(2026, 2, 1, 0, 0, 0),
    )
    listing = list_members(tmp_path)
    assert [content(member) for member in listing.named(CONVERSATIONS)] == [b"[2]", b"[1]", b"[3]"]


def test_equal_files_have_equal_prints_and_others_do_not(tmp_path):
    prints = set()
    for number, text in enumerate(("[1]", "[2]", "[1]")):
        for where in (tmp_path / f"{number}.zip", tmp_path / f"{number}.json"):
            if where.suffix == ".zip":
                pack(where, {"conversations.json": text})
            else:
                where.write_text(text)
            prints.add((where.suffix, list_members(where).members[0].print))
    assert len(prints) == 4


@pytest.mark.parametrize(
    "name", ["../x.json", "/etc/x.json", "a/../../x.json", "..\\x.json", "C:\\x.json", "c:x.json"]
)
def test_a_zip_file_with_a_name_that_leaves_the_folder_is_refused(tmp_path, name):
    pack(tmp_path / "bad.zip", {"conversations.json": "[1]", name: "[2]"})
    pack(tmp_path / "good.zip", {"conversations.json": "[3]"})
    listing = list_members(tmp_path)
    assert [content(member) for member in listing.members] == [b"[3]"]
    [error] = listing.refused
    assert re.fullmatch(r"\S*bad\.zip: a name in it leaves the folder \(.*\): get it again", str(error))


def test_an_encrypted_zip_file_is_refused(tmp_path):
    packed = rewritten(pack(tmp_path / "x.zip", {"conversations.json": "[1]"}), flags=1)
    assert [str(error) for error in list_members(packed).refused] == [
        f"{packed}: it is encrypted: unpack it, then import the folder"
    ]


@pytest.mark.parametrize("cut", [0, 10, 60])
def test_a_zip_file_that_is_cut_off_is_refused(tmp_path, cut):
    packed = pack(tmp_path / "x.zip", {"conversations.json": "[1]" * 50})
    packed.write_bytes(packed.read_bytes()[:cut])
    [error] = list_members(packed).refused
    assert re.fullmatch(r"\S*x\.zip: the ZIP file is damaged \(.*\): get it again", str(error))


def test_a_member_that_unpacks_to_far_more_than_it_says_is_damaged(tmp_path):
    """A bomb: 50 MB of zeros that claim to be ten bytes."""
    zeros = bytes(50_000_000)
    packed = rewritten(pack(tmp_path / "x.zip", {"file-abc.png": zeros}), size=10)
    [member] = list_members(packed).members
    with pytest.raises(SourceUnreadable, match="damaged"):
        content(member)
    assets = Assets(packed, [member])
    assert assets.read(member) is None
    assets.close()


def test_a_member_whose_bytes_were_changed_is_damaged(tmp_path):
    packed = pack(tmp_path / "x.zip", {"conversations.json": "[1, 2, 3]" * 20})
    rewritten(packed, crc=zlib.crc32(b"other"))
    with pytest.raises(SourceUnreadable, match=r"conversations\.json: the ZIP file is damaged"):
        content(list_members(packed).members[0])


def test_a_way_of_packing_that_is_not_known_is_said(tmp_path):
    packed = rewritten(pack(tmp_path / "x.zip", {"conversations.json": "[1]"}), method=99)
    with pytest.raises(SourceUnreadable, match="cannot be unpacked"):
        content(list_members(packed).members[0])


def test_errors_of_who_reads_are_not_taken_for_damage(tmp_path):
    packed = pack(tmp_path / "x.zip", {"conversations.json": "[1]"})
    for error in (KeyError, NotImplementedError, RuntimeError):
        with pytest.raises(error), opened(list_members(packed).members[0]):
            raise error


def test_a_member_that_is_gone_is_said(tmp_path):
    packed = pack(tmp_path / "x.zip", {"conversations.json": "[1]"})
    [member] = list_members(packed).members
    pack(packed, {"other.json": "[2]"})
    with pytest.raises(SourceUnreadable, match="the ZIP file has changed"):
        content(member)
    packed.unlink()
    with pytest.raises(SourceUnreadable, match="No such file"):
        content(member)


def test_what_is_neither_a_file_nor_a_folder_holds_nothing(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    for path in (tmp_path, tmp_path / "pipe.json", tmp_path / "nothing"):
        assert list_members(path).members == []


def test_links_out_of_the_folder_are_not_followed(tmp_path):
    folder, outside = tmp_path / "export", tmp_path / "secret.json"
    (folder / "deep").mkdir(parents=True)
    outside.write_text("[1]")
    (folder / "conversations.json").symlink_to(outside)
    (folder / "deep" / "file-abc.png").symlink_to(outside)
    assert list_members(folder).members == []
    assert Assets(folder, []).find("file-abc") is None


@pytest.mark.parametrize("is_packed", [True, False])
def test_assets_are_found_by_the_id_with_which_their_names_begin(tmp_path, is_packed):
    files = {
        "file-AB-plan.png": b"1",
        "file-ABC-other.png": b"2",
        "deep/down/file_0001-sanitized.wav": b"3",
        "dalle/file-Z.webp": b"4",
    }
    if is_packed:
        path = pack(tmp_path / "x.zip", files)
    else:
        path = tmp_path / "export"
        for name, data in files.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
    assets = Assets(path, list_members(path).members)
    found = {
        key: assets.find(key) for key in ("file-AB", "file-ABC", "file_0001", "file-Z", "file-A", "file", "")
    }
    assert {key: assets.read(member) for key, member in found.items() if member} == {
        "file-AB": b"1", "file-ABC": b"2", "file_0001": b"3", "file-Z": b"4", "file": b"1",
    }  # fmt: skip
    assets.close()


def test_a_file_is_found_by_its_name_where_it_is_the_only_one(tmp_path):
    packed = pack(tmp_path / "x.zip", {"a/plan.png": b"1", "b/plan.png": b"2", "plan.pdf": b"3"})
    assets = Assets(packed, list_members(packed).members)
    assert assets.named("plan.pdf").name == "plan.pdf"
    assert (assets.named("plan.png"), assets.named("plan"), assets.named("")) == (None, None, None)


@pytest.mark.parametrize(
    ("pointer", "key"),
    [
        ("file-service://file-AbC123", "file-AbC123"),
        ("sediment://file_00000000abcd", "file_00000000abcd"),
        ("sediment://1a2b3c#file_0001#p_0.jpg", "file_0001"),
        ("https://example.org/x", ""),
        ("", ""),
    ],
)
def test_a_pointer_holds_the_id_of_an_asset(pointer, key):
    assert asset_id(pointer) == key
