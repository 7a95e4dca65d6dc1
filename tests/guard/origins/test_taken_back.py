"""What a person takes back is no word of theirs any more: what stands before it in the message, or the message before."""

import pytest

from archivist.guard.origins.taken_back import left_of, takes_the_last_back


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Use npm for everything. Scrap that.", ""),
        ("Use port 7000. Scrap that. Use port 7100.", "Use port 7100."),
        ("Use tabs — no wait, scrap that, use spaces", "use spaces"),
        ("We deploy on Fridays. That was a joke.", ""),
        ("Antworte auf Englisch. Ach, vergiss es.", ""),
        ("Usa sempre o ramo develop. Esquece, estava errado.", ""),
        ("D'ora in poi chiamami Dottore. Anzi no, lascia stare.", ""),
        ("用A吧，算了，还是用B", "还是用B"),
        ("返事は英語で。やっぱりなし。", ""),
        ("항상 짧게 답해 줘. 아니, 취소.", ""),
        ("Отвечай по-английски. Забудь об этом.", ""),
        ("Собирай релиз из stable. Хотя нет, не надо так.", ""),
        ("Ich nehme Port 9. Nein, mach das lieber nicht.", ""),
    ],
)
def test_what_stands_before_it_is_taken_back(said, left):
    assert "".join(left_of((said,))) == left


@pytest.mark.parametrize(
    "said",
    [
        "forget the thing about Jenkins, we've left it",
        "vergiss das mit den Tabs in Go",
        "don't forget: never restart the worker",
        "Drop it into the folder.",
        "Run the linter always. For this file, skip it.",
        "Ignore it if the log is long.",
        "I never mind long answers.",
        "忘れないで、ポートは8000",
    ],
)
def test_what_is_named_or_asked_for_stays(said):
    assert left_of((said,)) == (said,)
    assert not takes_the_last_back((said,))


@pytest.mark.parametrize(
    "said",
    [
        "Never mind.",
        "No wait, that's wrong, ignore my last message.",
        "算了，当我没说。",
        "Ach, vergiss es.",
        "Không, thôi.",
        "boş ver",
    ],
)
def test_the_message_before_is_taken_back(said):
    assert takes_the_last_back((said,))


@pytest.mark.parametrize(
    "said", ["No, that's wrong, it's 3 May.", "I like port 80. Scrap that.", "thanks", ""]
)
def test_what_answers_another_takes_nothing_back(said):
    assert not takes_the_last_back((said,) if said else ())


def test_paragraphs_before_it_go_and_those_behind_it_stay():
    assert left_of(("Use tabs.", "Scrap that, use spaces.", "My name is Ann.")) == (
        "use spaces.",
        "My name is Ann.",
    )
