"""What a message wants, by its words: to note, to forget, to list, to ask. In doubt it is a question, which changes nothing."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.loop.quoting.wishes import wish_of

REMEMBER = {
    "remember that I prefer tabs": "I prefer tabs",
    "Please remember: the server runs on port 8080": "the server runs on port 8080",
    "Can you remember that my name is Anna?": "my name is Anna",
    "note that we use pytest": "we use pytest",
    "note: buy milk": "buy milk",
    "Don't forget that the deploy is on Friday": "the deploy is on Friday",
    "remember to run the tests": "run the tests",
    "By the way, please remember I'm vegetarian.": "I'm vegetarian.",
    "my name is Anna, please remember that": "my name is Anna",
    "from now on answer in English": "from now on answer in English",
    "记住我喜欢喝绿茶": "我喜欢喝绿茶",
    "请记一下：服务器端口是8080": "服务器端口是8080",
    "帮我记住，项目用 pytest": "项目用 pytest",
    "以后都用中文回答我": "以后都用中文回答我",
    "我对花生过敏，请记住": "我对花生过敏",
    "别忘了周五部署": "周五部署",
    "把会议改到周五这件事记住": "会议改到周五这件事",
    "不要忘记周五部署": "周五部署",
    "merk dir, dass ich Tee mag": "ich Tee mag",
    "souviens-toi que j'aime le thé": "j'aime le thé",
    "recuerda que vivo en Madrid": "vivo en Madrid",
    "私は東京に住んでいることを覚えておいて": "私は東京に住んでいる",
}
FORGET = {
    "forget that I live in Berlin": "I live in Berlin",
    "Forget about the old port, please": "the old port",
    "don't remember my address": "my address",
    "Could you forget my old address?": "my old address",
    "delete the note about the harbour": "the harbour",
    "忘掉我住在柏林": "我住在柏林",
    "不要记得我的地址": "我的地址",
    "把我的旧地址忘掉": "我的旧地址",
    "vergiss, dass ich Tee mag": "ich Tee mag",
}
OTHERS = {
    "what do you remember?": "list",
    "What do you know about me?": "list",
    "list my notes": "list",
    "who am I?": "list",
    "我是谁？": "list",
    "show me what you have noted": "list",
    "你记得什么？": "list",
    "列出所有笔记": "list",
    "was weißt du über mich?": "list",
    "what did we talk about yesterday?": "talks",
    "What did we talk about last week": "talks",
    "what did we talk about": "talks",
    "昨天我们聊了什么": "talks",
    "上周我们聊了什么？": "talks",
    "我们聊了什么": "talks",
    "hi": "greet",
    "你好": "greet",
    "thanks": "thank",
    "谢谢！": "thank",
    "Where were we?": "talks",
    "我们说到哪了？": "talks",
    "help": "help",
    "?": "help",
    "。。。": "help",
    "你能做什么？": "help",
    "": "nothing",
}
QUESTIONS = {
    "Remember when we fixed the importer?": "when we fixed the importer",
    "Remember the talk about the harbour?": "the talk about the harbour",
    "Do you remember my dog's name?": "my dog's name",
    "What do you know about the harbour?": "the harbour",
    "what did we discuss about the importer last week?": "what did we discuss about the importer last week?",
    "I forgot my password": "I forgot my password",
    "In the future, will cars fly?": "In the future, will cars fly?",
    "Which test runner do we use?": "Which test runner do we use?",
    "你还记得我的狗叫什么吗？": "我的狗叫什么",
    "关于项目你知道什么？": "项目",
    "以后会下雨吗？": "以后会下雨吗？",
    "我的狗叫什么名字？": "我的狗叫什么名字？",
}


@pytest.mark.parametrize("said", REMEMBER)
def test_it_is_noted(said):
    wish = wish_of(said)
    assert (wish.kind, wish.what) == ("remember", REMEMBER[said])


@pytest.mark.parametrize("said", FORGET)
def test_it_is_forgotten(said):
    wish = wish_of(said)
    assert (wish.kind, wish.what) == ("forget", FORGET[said])


@pytest.mark.parametrize("said", OTHERS)
def test_it_is_something_else(said):
    assert wish_of(said).kind == OTHERS[said]


@pytest.mark.parametrize("said", QUESTIONS)
def test_it_is_asked(said):
    wish = wish_of(said)
    assert (wish.kind, wish.what) == ("ask", QUESTIONS[said])


@pytest.mark.parametrize(
    ("said", "is_personal"),
    [
        ("remember that I prefer tabs", True),
        ("remember my name is Anna", True),
        ("remember that my server runs on port 8080", False),
        ("remember that we use pytest", False),
        ("记住我喜欢喝绿茶", True),
        ("记住我的服务器在柏林", False),
        ("记住我们用 pytest", False),
        ("以后都用中文回答", True),
    ],
)
def test_what_is_about_the_person_is_told_from_the_rest(said, is_personal):
    assert wish_of(said).about_user is is_personal


@pytest.mark.parametrize(
    "said",
    ["remember this", "remember that", "记住这个", "把这个记住", "remember", "记住", "forget it", "忘了吧"],
)
def test_what_only_points_at_something_says_nothing_to_note_or_to_forget(said):
    wish = wish_of(said)
    assert wish.kind in {"remember", "forget"}
    assert wish.points or not wish.what


@pytest.mark.parametrize("said", ["forget everything", "forget all notes", "忘记一切"])
def test_everything_at_once_is_known_as_that(said):
    assert wish_of(said).wants_all


def test_a_long_text_is_noted_whole_where_its_first_line_asks_for_it():
    text = "remember the checklist:\n" + "\n".join(f"- step {n}" for n in range(500))
    wish = wish_of(text)
    assert wish.kind == "remember"
    assert wish.what.startswith("the checklist")
    assert wish.what.endswith("- step 499")


@given(st.text(max_size=3_000))
def test_any_text_is_read(text):
    assert wish_of(text) == wish_of(text)


@pytest.mark.parametrize(
    "piece", [" ", ",", "ok ", "please ", "forget ", "记", "请", "remember ", "what ", "\n", "就"]
)
def test_no_text_takes_long(piece):
    began = time.process_time()
    for text in ("x" + piece * 1_000 + "x", piece * 20_000, "remember " + piece * 20_000):
        wish_of(text)
    assert time.process_time() - began < 2
