"""Estimated tokens, against what real tokenizers counted."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.records.tokens import estimate_tokens, estimate_tokens_of_lines

ENGLISH = (
    "The build server keeps its cache on the second disk; when it fills up, clear the folder of last month first.\n"
    "Mei prefers short answers without apologies, and wants dates written as day, month, year.\n"
    "We decided against the message queue because nobody on the team could operate it at night, and a table in the "
    "database has been enough for two years. If the number of jobs grows beyond ten thousand an hour, look at it again.\n"
    "I couldn't reproduce the crash on my laptop, but it happens every time on the staging machine."
)
CHINESE = (
    "构建服务器的缓存放在第二块硬盘上，满了以后先清理上个月的文件夹。\n"
    "小梅喜欢简短的回答，不要道歉，日期按年月日来写。\n"
    "我们决定不用消息队列，因为团队里没有人能在夜里维护它，数据库里的一张表已经够用两年了。"
    "如果每小时的任务超过一万个，再重新考虑这件事。\n"
    "我下周三要去杭州参加我表姐的婚礼，顺便看望住在西湖边上的外婆。"
)
JAPANESE = (
    "ビルドサーバーのキャッシュは二台目のディスクにあります。いっぱいになったら、まず先月のフォルダーを消してください。\n"
    "メイさんは短い答えが好きで、謝る必要はありません。日付は年、月、日の順に書きます。\n"
    "夜中に運用できる人がチームにいないので、メッセージキューは使わないことにしました。"
)
CODE = '''
@dataclass(frozen=True)
class RetryPolicy:
    """How often a call is tried again."""

    attempts: int = 3
    first_delay_seconds: float = 0.25

    def delays(self) -> Iterator[float]:
        delay = self.first_delay_seconds
        for attempt in range(self.attempts):
            yield min(delay * 2**attempt, MAX_DELAY)


async function loadUser(id) {
  const response = await fetch(`/api/users/${id}`, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}
'''
JSON = """
{"id": "msg_01K8", "created_at": "2026-03-20T12:00:00Z", "usage": {"input_tokens": 1842, "output_tokens": 96}, "tags": ["alpha", "beta"],
 "items": [{"name": "disk_cache", "size": 73400320, "ok": true}, {"name": "index", "size": 1048576, "ok": false}], "next": null}
{
  "mcpServers": {
    "archive": {"command": "archivist", "args": ["mcp", "--home", "/srv/notes"], "env": {"LANG": "de_DE.UTF-8"}}
  }
}
"""
MIXED = (
    "部署脚本在 `scripts/deploy.sh`，运行前先设置 `STAGE=production`，否则会写到测试库。\n"
    "```python\nfor row in rows:\n    print(row.name, row.size)\n```\n"
    "如果报错 `ConnectionRefusedError`，检查 PostgreSQL 是否在 5432 端口监听。\n"
)
VOCABULARIES = {
    "o200k": "openai",
    "cl100k": None,
    "claude": "claude",
    "qwen3": "qwen",
    "deepseek-v3": "deepseek",
}
# Counted in November 2026 with bpe-openai 0.1.4 (o200k, cl100k) and the tokenizer.json of Claude's published vocabulary, of Qwen3 and of
# DeepSeek V3.
COUNTED = {
    "English": (ENGLISH, {"o200k": 109, "cl100k": 110, "claude": 113, "qwen3": 110, "deepseek-v3": 110}),
    "Chinese": (CHINESE, {"o200k": 116, "cl100k": 175, "claude": 157, "qwen3": 99, "deepseek-v3": 90}),
    "Japanese": (JAPANESE, {"o200k": 97, "cl100k": 138, "claude": 136, "qwen3": 79, "deepseek-v3": 93}),
    "code": (CODE, {"o200k": 134, "cl100k": 133, "claude": 152, "qwen3": 134, "deepseek-v3": 147}),
    "JSON": (JSON, {"o200k": 156, "cl100k": 154, "claude": 161, "qwen3": 174, "deepseek-v3": 164}),
    "mixed": (MIXED, {"o200k": 70, "cl100k": 77, "claude": 77, "qwen3": 72, "deepseek-v3": 66}),
}


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
@pytest.mark.parametrize("kind", COUNTED)
def test_a_text_of_each_kind_is_within_fifteen_percent_of_each_vocabulary(kind, vocabulary):
    text, counted = COUNTED[kind]
    estimated = estimate_tokens(text, VOCABULARIES[vocabulary])
    assert estimated == pytest.approx(counted[vocabulary], rel=0.15)


@pytest.mark.parametrize("kind", COUNTED)
def test_without_a_family_the_estimate_is_never_far_below_any(kind):
    text, counted = COUNTED[kind]
    assert estimate_tokens(text) >= 0.9 * max(counted.values())


def test_a_family_that_nobody_knows_counts_as_none():
    assert estimate_tokens(MIXED, "somebody's") == estimate_tokens(MIXED)


def test_nothing_is_no_token_and_anything_at_least_one():
    assert estimate_tokens("") == 0
    assert all(estimate_tokens(text) == 1 for text in ("a", " ", "\n", "\x00", "the", "."))


@pytest.mark.parametrize(
    "sign", ["a", "A", "1", "-", ".", " ", "\n", "é", "中", "の", "한", "я", "😀", "\ud800", "\x00"]
)
def test_a_run_of_one_sign_grows_with_its_length(sign):
    short, long = estimate_tokens(sign * 1_000), estimate_tokens(sign * 10_000)
    assert 9 * short <= long + 9
    assert long >= 100


@given(st.text(), st.text(), st.sampled_from([None, *VOCABULARIES.values()]))
def test_a_longer_text_is_never_much_less(one, two, family):
    parts = estimate_tokens(one, family) + estimate_tokens(two, family)
    whole = estimate_tokens(one + two, family)
    assert 0 <= whole <= parts + 6
    assert whole >= max(estimate_tokens(one, family), estimate_tokens(two, family)) - 6


@given(
    st.lists(st.text().map(lambda text: text.strip("\r\n")).filter(bool)),
    st.sampled_from([None, *VOCABULARIES.values()]),
)
def test_lines_are_what_they_are_below_each_other(lines, family):
    assert estimate_tokens_of_lines(lines, family) == estimate_tokens("\n".join(lines), family)


def test_the_expression_is_compiled_at_the_first_estimate_and_not_before():
    program = (
        "import re; compiled = []; compile_ = re.compile\n"
        "re.compile = lambda *a, **k: compiled.append(a) or compile_(*a, **k)\n"
        "from archivist.records.tokens import estimate_tokens\n"
        "before = len(compiled); estimate_tokens('a'); estimate_tokens('b'); print(before, len(compiled))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    before, after = map(int, shown.split())
    assert after == before + 1


@pytest.mark.parametrize(("line", "real"), [("═" * 46, 7), ("─" * 46, 5), ("-" * 46, 2)])
def test_a_drawn_line_is_a_few_tokens(line: str, real: int) -> None:
    """The real counts are o200k's."""
    assert abs(estimate_tokens(line, "openai") - real) <= 2
