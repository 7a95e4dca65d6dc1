"""The sentences of an answer without a model, in English and Chinese. They say what was done and found, and claim no understanding."""

import re
from typing import Final

import msgspec

from archivist.loop.quoting.reading import Language

Said = tuple[re.Pattern[str], str]
"""What a tool says in English, and the same in another language."""


class Sentences(msgspec.Struct, frozen=True):
    """Of one language. What stands in braces is filled in.

    Attributes:
        others: What tools say most often, which they say in English; all else is passed on as it is.
    """

    no_model: str
    greeting: str
    thanks: str
    helping: str
    only_files: str
    no_tool: str
    noted: str
    note_waits: str
    note_unchanged: str
    note_failed: str
    what_to_note: str
    removed: str
    remove_waits: str
    remove_failed: str
    what_to_forget: str
    not_everything: str
    no_such_note: str
    which_note: str
    talk_stays: str
    undo: str
    usage: str
    found: str
    said_here: str
    found_notes: str
    found_talks: str
    talks_listed: str
    nothing: str
    nothing_noted: str
    no_talks: str
    note_hint: str
    fewer: str
    failed: str
    unreadable: str
    notice: str
    contradicts: str
    superseded: str
    moved: str
    nearest: str
    cut: str
    note: str
    daily: str
    you: str
    assistant: str
    tool: str
    other: str
    archived: str
    then: str
    others: tuple[Said, ...] = ()

    def noticed(self, text: str) -> str:
        """What a tool says should be known, as a line."""
        for pattern, sentence in self.others:
            if found := pattern.fullmatch(text):
                return self.notice.format(text=sentence.format(*found.groups()))
        return self.notice.format(text=text)


ENGLISH: Final = Sentences(
    no_model=(
        "No model is set: I answer with quotes from memory and do not interpret them."
        " `archivist model set provider/name` sets one."
    ),
    greeting="Hello. Ask about what was said or noted, or begin with “remember …” or “forget …”.",
    thanks="You are welcome.",
    helping=(
        "Without a model I do three things, by fixed rules:\n"
        "- “remember …” notes something, “forget …” takes a note away;\n"
        "- a question is looked up in notes and past conversations and answered with the words that stand there;\n"
        "- “what did we talk about yesterday?” lists conversations, “what have you noted?” lists notes."
    ),
    only_files="This is stored. Without a model nobody looks into pictures and files here.",
    no_tool="This cannot be done here: the tool `{tool}` is not offered in this session.",
    noted="Noted in {place}:",
    note_waits="Not noted yet, it waits for your review. `archivist review accept {id}` notes it:",
    note_unchanged="Nothing was noted anew:",
    note_failed="Not noted: {error}",
    what_to_note="What is to be noted? Say it in one sentence: “remember that the tests run with pytest”.",
    removed="Removed from {place}:",
    remove_waits="Not removed yet, it waits for your review. `archivist review accept {id}` removes it:",
    remove_failed="Not removed: {error}",
    what_to_forget="What is to be forgotten? Say it with the words of the note, or with its id: “forget e1a2b3c4d5”.",
    not_everything=(
        "Nothing was removed: I take away one note at a time, and only one that is surely meant."
        " “What have you noted?” lists them with their ids."
    ),
    no_such_note="Nothing was removed: no note was found for “{what}”.",
    which_note="Nothing was removed: it is not sure which note is meant. Say “forget” with one of these ids:",
    talk_stays=(
        "Conversations in which it was said are kept: `archivist sessions search` finds them, `archivist sessions delete` deletes one."
    ),
    undo="To undo: `archivist memory undo {id}`",
    usage="Used: {usage}",
    found="Found in memory, word for word:",
    said_here="You said earlier in this conversation:",
    found_notes="Noted, word for word:",
    found_talks="Said then, word for word:",
    talks_listed="The latest conversations:",
    nothing="Nothing in memory was found for “{what}”. Looked through: notes, daily notes and other conversations.",
    nothing_noted="Nothing is noted yet.",
    no_talks="No conversation was found for that time.",
    note_hint="If this was meant to be noted, begin with “remember”. Work of any other kind needs a model.",
    fewer="{more} more; `archivist recall` with --limit shows them.",
    failed="Memory could not be asked: {error}",
    unreadable="What the tool `{tool}` answered could not be read: {text}",
    notice="Notice: {text}",
    contradicts="It contradicts {text}; both stand until you decide (`archivist review`).",
    superseded="It takes the place of {text}; that is kept, and hidden.",
    moved="For want of room this went to the archive, where it is found still: {text}",
    nearest="Already there, and perhaps worth merging: {text}",
    cut="… [cut, the command below shows all]",
    note="note",
    daily="daily note",
    you="you said",
    assistant="the assistant said",
    tool="a tool gave",
    other="{speaker} said",
    archived="archived",
    then="then {who}:",
)

CHINESE: Final = Sentences(
    no_model="目前没有设置模型：我只引用记忆中的原文，不作解读。用 `archivist model set provider/name` 设置模型。",
    greeting="你好。可以问以前说过或记下的事，也可以用“记住……”或“忘掉……”开头。",
    thanks="不客气。",
    helping=(
        "没有模型时，我按固定规则做三件事：\n"
        "- “记住……”记下一条，“忘掉……”删去一条；\n"
        "- 提问时，在笔记和过去的对话中查找，用原文回答；\n"
        "- “昨天我们聊了什么？”列出对话，“你记得什么？”列出笔记。"
    ),
    only_files="已保存。没有模型时，这里无法查看图片和文件的内容。",
    no_tool="这里做不到：本次会话没有提供工具 `{tool}`。",
    noted="已记入 {place}：",
    note_waits="尚未记下，等待你的审核。用 `archivist review accept {id}` 记下：",
    note_unchanged="没有新记下内容：",
    note_failed="没有记下：{error}",
    what_to_note="要记住什么？请用一句话说明，例如“记住测试用 pytest 运行”。",
    removed="已从 {place} 删去：",
    remove_waits="尚未删去，等待你的审核。用 `archivist review accept {id}` 删去：",
    remove_failed="没有删去：{error}",
    what_to_forget="要忘掉什么？请用那条笔记里的词或它的编号，例如“忘掉 e1a2b3c4d5”。",
    not_everything="没有删去任何内容：我每次只删去一条明确指出的笔记。“你记得什么？”会列出笔记和编号。",
    no_such_note="没有删去任何内容：没有找到与“{what}”对应的笔记。",
    which_note="没有删去任何内容：不能确定指的是哪一条。请用“忘掉”加上其中一个编号：",
    talk_stays="说过这件事的对话仍然保留：`archivist sessions search` 可以找到，`archivist sessions delete` 可以删除。",
    undo="撤销：`archivist memory undo {id}`",
    usage="已用：{usage}",
    found="在记忆中找到的原文：",
    said_here="你在本次对话中说过：",
    found_notes="记下的原文：",
    found_talks="当时所说的原文：",
    talks_listed="最近的对话：",
    nothing="记忆中没有找到“{what}”。已查找：笔记、每日笔记和其他对话。",
    nothing_noted="还没有记下任何内容。",
    no_talks="没有找到那段时间的对话。",
    note_hint="如果想把这句话记下来，请以“记住”开头。其他工作需要模型。",
    fewer="还有 {more} 条；`archivist recall` 加 --limit 可以看到。",
    failed="无法查询记忆：{error}",
    unreadable="工具 `{tool}` 的回答无法读取：{text}",
    notice="提示：{text}",
    contradicts="与此矛盾：{text}；在你决定之前两条都保留（`archivist review`）。",
    superseded="它取代了 {text}；旧的一条保留但不再显示。",
    moved="因空间不足移入存档，仍可查到：{text}",
    nearest="已有内容，也许可以合并：{text}",
    cut="…… [已截断，用下面的命令看全文]",
    note="笔记",
    daily="每日笔记",
    you="你说",
    assistant="助手说",
    tool="工具给出",
    other="{speaker} 说",
    archived="已存档",
    then="接着{who}：",
    others=tuple(
        (re.compile(pattern), sentence)
        for pattern, sentence in (
            (r"(\S+) says this already: (.+)", "{} 已经这样写了：{}"),
            (
                r"No stored (?:message or note|message|note) has any of these words; try others\.",
                "没有任何记录含有这些词；请换别的词。",
            ),
            (
                r"No stored (?:message or note|message|note) has (.+), and the other words say too little alone; try others\.",
                "没有任何记录含有{}，其余的词单独说明不了什么；请换别的词。",
            ),
            (
                r"No stored (?:message or note|message|note) has (.+); these have other words of the question\.",
                "没有任何记录含有{}；以上含有问题中的其他词。",
            ),
            (
                r"(\d+) of these hits are not from (.+); their dates tell which\.",
                "其中 {} 条不是{}的，请看日期。",
            ),
            (
                r"Nothing was said in (.+); these (?:messages )?have those words\.",
                "{}没有说过这些；以上是其他时间说的。",
            ),
            (
                r"No (?:message or note|message|note) was (?:said|written down) in that range within these filters; widen it\.",
                "那段时间没有任何记录；请放宽时间。",
            ),
            (
                r"(\w+) is nearly full \((.+)\): merge entries that belong together",
                "{} 快满了（{}）：请合并相关的条目",
            ),
        )
    ),
)

SENTENCES: Final[dict[Language, Sentences]] = {"en": ENGLISH, "zh": CHINESE}
_OWN: Final = (
    "no_model",
    "note_unchanged",
    "what_to_note",
    "what_to_forget",
    "not_everything",
    "no_such_note",
    "which_note",
    "found",
    "said_here",
    "found_notes",
    "found_talks",
    "talks_listed",
    "nothing",
    "greeting",
    "helping",
)
"""Sentences by which an earlier answer of this kind is known again."""
_OWN_STARTS: Final = tuple(
    getattr(words, name).partition("{")[0].rstrip()
    for words in SENTENCES.values()
    for name in _OWN
    if len(getattr(words, name).partition("{")[0].rstrip()) > 3
)


_QUOTE: Final = re.compile(
    r"^ {3}`archivist (?:sessions|memory|daily) |^\d+\. \d{4}-\d\d-\d\d \d\d:\d\d · |`archivist memory undo c[0-9a-f]",
    re.MULTILINE,
)
"""How a quote looks, by which a stretch out of the middle is known."""


def is_own(text: str) -> bool:
    """Whether a text is an earlier answer of this kind, or a stretch of one that begins it: quoting it would be quoting quotes."""
    begins = text.lstrip(" …").startswith(_OWN_STARTS) or _QUOTE.search(text) is not None
    return begins or any(words.no_model in text for words in SENTENCES.values())


def said_no_model(before: tuple[str, ...]) -> bool:
    """Whether it was said already that there is no model."""
    return any(words.no_model in text for text in before for words in SENTENCES.values())


__all__ = ["SENTENCES", "Sentences", "is_own", "said_no_model"]
