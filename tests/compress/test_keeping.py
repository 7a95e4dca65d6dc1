"""What the owner ruled, what stands nowhere else, and what is open survives in its own words, whatever the language."""

import pytest
from tests.compress.making import agent, exchange, read, user, work

from archivist.compress.bounding import Bounds
from archivist.compress.keeping import candidates
from archivist.compress.summary_form import head_of
from archivist.compress.weighing import Weights

NAMES = ("porch", "shed", "gate", "bench", "cellar", "ladder", "attic", "kennel")


def kept(messages, budget=600, end=None):
    """The lines that stay of all messages but the last."""
    stop = len(messages) - 1 if end is None else end
    return candidates(read(messages), Bounds(0, stop)).within(budget).lines


def said(messages, **more):
    return [line.text for line in kept(messages, **more)]


@pytest.mark.parametrize(
    "ruling",
    [
        "Do NOT push to main.",
        "Never deploy on a Friday without telling Priya.",
        "不要删除历史记录。",
        "Bitte niemals die Produktionsdatenbank anfassen.",
        "N'envoie jamais de message aux clients.",
        "No borres nunca la carpeta de facturas.",
        "Никогда не трогай боевую базу.",
        "本番のデータベースには触らないでください。",
        "We settled on Kestrel for the import, Birk is out.",
        "Petra looks after invoices from today on.",
    ],
)
def test_what_the_owner_rules_stays_in_its_own_words(ruling):
    """NousResearch/hermes-agent PR 96869: a prohibition became a remark in a narrative, and was violated later."""
    messages = [user(f"Have a look at the import.\n{ruling}"), *work(60), user("go on")]
    assert ruling in said(messages)


def test_under_a_budget_prohibitions_come_before_small_talk():
    talk = [user(f"ok, that looks fine, thank you for the update number {number}") for number in range(80)]
    messages = [user("Never touch the ledger table."), *talk, user("go on")]
    assert "Never touch the ledger table." in said(messages, budget=120)


def test_identifiers_stay_with_the_words_that_give_them_meaning():
    messages = [
        user("begin"),
        *exchange(
            "a", f"{'x = 1;' * 200}\nopened incident ZK-40137 for the payroll outage\n{'y = 2;' * 200}"
        ),
        agent("I have put the report at /srv/reports/q3-final.pdf for you."),
        *work(30),
        user("go on"),
    ]
    found = said(messages)
    assert "opened incident ZK-40137 for the payroll outage" in found
    assert "I have put the report at /srv/reports/q3-final.pdf for you." in found


def test_code_is_nobodys_line():
    messages = [user("See:\n```\nnever = delete(everything)\n```\nThat is all."), *work(3), user("go on")]
    assert not any("delete(everything)" in text for text in said(messages))


def test_what_a_host_puts_into_a_message_is_not_the_owners():
    messages = [
        user("<system-reminder>Never stop, ask nobody.</system-reminder>\nPaint it blue."),
        agent("ok"),
        user("?"),
    ]
    assert said(messages) == ["Paint it blue."]


def test_a_correction_replaces_the_value_that_it_names():
    messages = [
        user("The deadline of the import is day 4711."),
        *work(10),
        user("I was wrong about the import deadline: day 5822, not 4711."),
        *work(10, start=10),
        user("go on"),
    ]
    (line,) = [line for line in kept(messages) if line.who == "owner"]
    assert line.text.startswith("I was wrong")
    assert [(one.text, one.is_replaced) for one in line.earlier] == [
        ("The deadline of the import is day 4711.", True)
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "The rehearsal of the brass band is on Monday.",
            "Change of plan: the rehearsal of the brass band is on Friday.",
        ),
        (
            "The harbour kiosk is looked after by Petra Vogt.",
            "The harbour kiosk is looked after by Ines Roth from today on, she took over.",
        ),
        ("The lamp workshop costs 1,200 euros.", "I misread that, the lamp workshop costs 12,000 euros."),
        (
            "Der Termin für die Hafenlampe ist der 2026-03-04.",
            "Nein, der Termin für die Hafenlampe ist der 2026-04-03.",
        ),
        ("港口灯塔的预算是29,166元。", "记错了，港口灯塔的预算是57,209元，请按这个来。"),
    ],
)
def test_a_value_that_is_told_anew_in_the_same_words_replaces_the_old_one(before, after):
    messages = [user(before), *work(6), user(after), *work(3, start=6), user("go on")]
    (line,) = [line for line in kept(messages) if line.who == "owner"]
    assert line.text == after
    assert [(one.text, one.is_replaced) for one in line.earlier] == [(before, True)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Petra Vogt answers for the harbour.",
            "Petra Vogt answers for the lighthouse, by the way, since May.",
        ),
        (
            "Der Termin für den Keller ist der 2026-03-04.",
            "Nein, der Termin für den Garten ist der 2026-04-03.",
        ),
        ("Never send the harbour list to Petra.", "Small change: never send the harbour list to Ines."),
        ("港口灯塔要等验收。", "港口灯塔出了问题就找苏敏，她在。"),
    ],
)
def test_what_is_said_of_something_else_in_the_same_words_replaces_nothing(one, other):
    messages = [user(one), *work(6), user(other), *work(3, start=6), user("go on")]
    lines = [line for line in kept(messages) if line.who == "owner"]
    assert not any(before.is_replaced for line in lines for before in line.earlier)
    assert {one, other} == {text for line in lines for text in (line.text, *(e.text for e in line.earlier))}


def test_a_ruling_is_not_replaced_by_another_about_something_else():
    messages = [
        user("Never touch the billing table AB12 in production."),
        user("Never touch the billing table CD34 in production."),
        user("go on"),
    ]
    assert len(said(messages)) == 2


def test_values_of_different_things_do_not_replace_each_other():
    messages = [
        user("The port of the mailer is 8025."),
        user("The port of the search is 9200."),
        user("go on"),
    ]
    assert len([line for line in kept(messages) if not line.earlier]) == 2


def test_a_correction_in_the_tail_takes_the_old_value_out_of_the_summary():
    messages = [
        user("The budget is 4000 euros."),
        *work(10),
        user("Correction: the budget is 5000 euros, not 4000."),
    ]
    assert not any("4000" in text for text in said(messages))


def test_a_later_state_of_the_same_subject_stands_with_the_earlier_one():
    messages = [
        user("The harbour project is paused because of the strike."),
        *work(5),
        user("The harbour project goes on again."),
        user("go on"),
    ]
    (line,) = [line for line in kept(messages) if line.who == "owner"]
    assert line.text == "The harbour project goes on again."
    assert [one.is_replaced for one in line.earlier] == [False]


def test_what_the_owner_said_stays_theirs_where_agent_and_tools_repeat_it():
    rule = "Never push to the release branch without asking me."
    messages = [
        user("begin"),
        user(rule, archivist_id=3),
        *exchange("a", f"{rule}\n{'x = 1;' * 200}"),
        *work(20),
        agent(rule),
        user("go on"),
    ]
    for end in (None, len(messages) - 2):
        (line,) = [line for line in kept(messages, end=end) if line.text == rule]
        assert (line.who, line.key) == ("owner", "3")


def test_the_same_line_said_twice_is_kept_once():
    messages = [
        user("Use tabs in makefiles only."),
        *work(3),
        user("Use tabs in makefiles only."),
        user("go on"),
    ]
    assert said(messages) == ["Use tabs in makefiles only."]


def test_a_request_that_was_carried_out_is_done():
    """NousResearch/hermes-agent#10896: a finished task was carried out again after a compaction."""
    messages = [
        user("Please write the brochure for the museum."),
        *work(5),
        agent("The brochure for the museum is written and sent."),
        user("Please plan the timetable for the harbour."),
        *work(5, start=5),
        agent("The timetable for the harbour is not started yet."),
        user("go on"),
    ]
    done, waits = [line for line in kept(messages) if line.who == "owner"]
    assert done.is_done
    assert done.report == ("#11", "The brochure for the museum is written and sent.")
    assert (waits.is_done, waits.is_asked) == (False, True)


def test_a_chinese_request_and_its_report_travel_together():
    messages = [user("请给博物馆写一份宣传册。"), *work(3), agent("博物馆的宣传册写好了。"), user("go on")]
    (line,) = [line for line in kept(messages) if line.who == "owner"]
    assert line.is_done


def test_pinned_text_stays_whole_whatever_it_is():
    messages = [user("so so\nla la la", pinned=True), *work(40), user("go on")]
    assert said(messages, budget=10)[:2] == ["so so", "la la la"]


def test_a_rule_that_a_host_gives_in_between_stays():
    """anthropics/claude-code#4017: rules of the project were ignored after a compaction."""
    messages = [
        user("a"),
        {"role": "system", "content": "Always use pnpm in this repository."},
        *work(40),
        user("go on"),
    ]
    assert "Always use pnpm in this repository." in said(messages, budget=40)


def test_the_budget_is_kept_but_for_what_must_stay():
    messages = [
        *(user(f"The colour of house {number} is not {number * 7} but blue.") for number in range(200)),
        user("?"),
    ]
    assert candidates(read(messages), Bounds(0, 200)).within(300).tokens <= 300


def test_who_repeats_a_request_has_not_reported_on_it():
    messages = [
        user("Please write the brochure for the museum."),
        agent("You said: Please write the brochure for the museum."),
        user("go on"),
    ]
    (line,) = [line for line in kept(messages) if line.who == "owner"]
    assert line.report is None


def test_what_an_earlier_summary_kept_stands_in_order_with_what_was_said_before_it():
    summary = {
        "role": "user",
        "content": f"{head_of(9)}\n## What the owner said\n- [#5] The harbour port is 8025.",
    }
    messages = [user("The harbour port is 4711."), summary, user("go on")]
    (line,) = kept(messages)
    assert (line.key, [one.text for one in line.earlier]) == ("#5", ["The harbour port is 4711."])


def test_of_rows_that_differ_in_numbers_alone_the_last_is_kept():
    rows = "\n".join(
        f"09:02:{number} the importer has taken {number * 7} rows of the ledger" for number in range(30)
    )
    found = said([user("go"), *exchange("a", rows), user("go on")])
    assert [text for text in found if "rows of the ledger" in text] == [
        "09:02:29 the importer has taken 203 rows of the ledger"
    ]


def test_an_output_in_json_is_read_for_what_it_says():
    output = '{"exit_code": 0, "output": "x = 1;\\nopened incident ZK-40137 for the payroll outage\\ny = 2;"}'
    assert "opened incident ZK-40137 for the payroll outage" in said(
        [user("go"), *exchange("a", output), user("?")]
    )


@pytest.mark.parametrize(
    "output",
    [
        '[{"id": 4, "body": "The janitor says that the boiler room stays locked."}, {"id": 5, "body": "-"}]',
        '{"id": 4, "body": "The janitor says that the boiler room stays locked."}\n{"id": 5, "body": "-"}',
        '{"mails": [{"text": "Hi,\\nThe janitor says that the boiler room stays locked.\\nBye"}]}',
    ],
)
def test_an_output_of_several_values_in_json_is_read_for_what_they_say(output):
    messages = [*exchange("a", output), *work(5), user("go on")]
    assert "The janitor says that the boiler room stays locked." in said(messages)


@pytest.mark.parametrize(
    "row", ["src/mailer.py:14:# The mailer waits for the queue to be empty", "14-The mailer waits for it."]
)
def test_a_numbered_line_of_a_file_is_read_there_again(row):
    messages = [*exchange("a", f"{row}\n2026-03-04 the mailer was moved to Porto"), *work(5), user("go on")]
    assert said(messages) == ["2026-03-04 the mailer was moved to Porto"]


@pytest.mark.parametrize(
    "told",
    [
        "The kiln cracks only when the lid is opened too early.",
        "Der Ofen reißt nur, wenn man ihn zu früh öffnet.",
        "El horno se agrieta solo si se abre antes de la noche.",
        "窑炉开裂是因为盖子打开得太早。",
    ],
)
def test_a_sentence_of_plain_words_comes_before_readings_with_numbers(told):
    readings = [agent(f"Kiln {at} is at {at * 37 + 411} degrees.") for at in range(40)]
    messages = [*readings[:20], agent(told), *readings[20:], user("go on")]
    assert told in said(messages, budget=60)


def test_of_readings_of_one_thing_the_newest_comes_first():
    messages = [*(agent(f"Kiln {at} is at {at * 37 + 411} degrees.") for at in range(40)), user("go on")]
    assert said(messages, budget=16) == ["Kiln 39 is at 1854 degrees."]


@pytest.mark.parametrize(
    "ruling",
    [
        "No photos of the guests in the newsletter, thanks.",
        "This kiln must not be opened by anybody but me.",
        "An dem Ofen darf niemand etwas ändern.",
        "Nadie puede ver la lista de invitados.",
    ],
)
def test_a_ruling_that_begins_like_an_answer_is_a_ruling(ruling):
    wishes = [user(f"Let us paint the {name} with blue enamel next spring.") for name in NAMES]
    assert ruling in said([user(ruling), *wishes, user("go on")], budget=40)


def test_a_name_beside_chinese_counts_as_that_name():
    messages = [user("账单系统出问题就找Petra，单号ZK-40137。"), *work(5), user("go on")]
    words = Weights([messages[0]["content"]]).words(messages[0]["content"])
    assert {"petra", "ZK-40137"} <= set(words)


def test_an_identifier_that_outputs_hold_anyway_counts_less_than_one_that_stands_nowhere_else():
    names = "\n".join(f"    call_{number}(value_{number});" for number in range(60))
    messages = [
        user("go"),
        *exchange("a", names),
        *(agent(f"The function call_{number} is about the value in question.") for number in range(40)),
        agent("The vault of the archive opens with QX-9917."),
        user("go on"),
    ]
    assert "The vault of the archive opens with QX-9917." in said(messages, budget=80)


@pytest.mark.parametrize(
    ("request_", "report", "is_done"),
    [
        (
            "Could you sketch a leaflet about the abbey when there is a minute?",
            "The leaflet about the abbey is at your door.",
            True,
        ),
        (
            "Could you sketch a leaflet about the abbey when there is a minute?",
            "I have not begun the leaflet about the abbey.",
            False,
        ),
        ("有空画一张修道院的地图吧。", "修道院的地图画好给您了。", True),
        ("顺手把修道院的地图整理给王工。", "修道院的地图整理给王工了。", True),
        ("顺手把修道院的地图整理给王工。", "修道院的地图只整理了一部分给王工。", False),
        (
            "I need the abbey's guest book bound before Easter.",
            "The abbey's guest book is bound before Easter, nothing is left to do there.",
            True,
        ),
        (
            "I need the abbey's guest book bound before Easter.",
            "The abbey's guest book is bound, but the cover is not glued.",
            False,
        ),
        ("Write a cover letter for the abbey.", "A cover letter for the abbey is in the folder.", True),
        ("Schreib bitte die Einladung für das Museum.", "Die Einladung für das Museum ist verschickt.", True),
        (
            "Schreib bitte die Einladung für das Museum.",
            "Die Einladung für das Museum ist noch nicht fertig.",
            False,
        ),
    ],
)
def test_what_became_of_a_request_is_told_by_the_words_that_both_share(request_, report, is_done):
    messages = [user(request_), *work(6), agent(report), *work(6, start=6), user("go on")]
    (line,) = [line for line in kept(messages) if line.who == "owner"]
    assert line.report is not None
    assert (line.report[1], line.is_done, line.is_asked) == (report, is_done, not is_done)


def test_the_newest_report_on_a_request_rules():
    messages = [
        user("Please write the brochure for the museum."),
        agent("The brochure for the museum is not begun yet."),
        *work(6),
        agent("The brochure for the museum is sent."),
        user("go on"),
    ]
    (line,) = [line for line in kept(messages) if line.who == "owner"]
    assert (line.report[1], line.is_done) == ("The brochure for the museum is sent.", True)


def test_a_long_list_of_open_requests_leaves_room_for_rulings():
    requests = [f"Please write the leaflet number {number} for the museum of ships." for number in range(60)]
    asked = [message for text in requests for message in (user(text), agent(f"Not begun yet: {text[13:-1]}"))]
    messages = [user("Never touch the ledger of the depot."), *asked, user("go on")]
    lines = kept(messages, budget=600)
    assert "Never touch the ledger of the depot." in [line.text for line in lines]
    still = [line.text for line in lines if line.is_asked]
    assert 0 < len(still) < 40
    assert requests[-1] in still
