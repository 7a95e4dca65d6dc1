"""A person's own words carry what is to be noted, or they do not."""

import pytest

from archivist.curate.carried import carries
from archivist.curate.stances import is_own_claim
from archivist.curate.taking_away import is_taken_away
from archivist.curate.wording import beginning_of, said_in, stems_of


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("I prefer tabs over spaces, remember that.", "The user prefers tabs over spaces."),
        ("please never push to main without asking me", "Never push to main without asking the user."),
        ("I live in Berlin and work at Kern GmbH.", "User lives in Berlin. User works at Kern GmbH."),
        ("Don't use tabs, use spaces.", "User wants spaces."),
        ("Can you remember that my cat is called Mitzi?", "The user's cat is called Mitzi."),
        ("deploys go through ci-3.acme.example:9443", "Deploys go through ci-3.acme.example:9443."),
        ("我住在上海，养了两只猫", "用户住在上海。用户养了两只猫。"),
        ("我不吃花生", "用户不吃花生"),
        ("私はコーヒーが飲めません", "ユーザーはコーヒーが飲めません"),
        ("저는 커피를 마시지 않아요", "사용자는 커피를 마시지 않는다"),
        ("Ich trinke keinen Kaffee", "Der Nutzer trinkt keinen Kaffee"),
        ("J'habite à Lyon", "L'utilisateur habite à Lyon"),
        ("Мой сервер называется orion, порт 9443", "Сервер пользователя называется orion, порт 9443"),
        ("मैं जयपुर में रहता हूँ", "उपयोगकर्ता जयपुर में रहता है।"),
        ("コミットメッセージは日本語で書いてください。", "コミットメッセージは日本語で書く。"),
        ("私は大阪に住んでいます。", "ユーザーは大阪に住んでいる。"),
        ("по пятницам я не созваниваюсь", "Пользователь по пятницам не созванивается."),
        (
            "Schalte die Benachrichtigungen am Wochenende immer ab.",
            "Die Benachrichtigungen am Wochenende immer abschalten.",
        ),
        ("Die Benachrichtigungen werden nachts abgeschaltet", "Schalte die Benachrichtigungen nachts ab."),
        (
            "ich nehme montags nie vor zehn Uhr Termine an",
            "Der Nutzer nimmt montags nie vor zehn Uhr Termine an.",
        ),
        (
            "merk dir, dass ich montags nie vor zehn Uhr Termine annehme",
            "Der Nutzer nimmt montags nie vor zehn Uhr Termine an.",
        ),
        ("Zet de meldingen in het weekend uit", "De meldingen in het weekend uitzetten."),
        ("Apunta que los viernes no trabajo", "El usuario no trabaja los viernes."),
        ("أعمل في شركة نخيل وأسكن في عمان.", "المستخدم يعمل في شركة نخيل ويسكن في عمان."),
        ("In future, squash before merging", "Squash before merging."),
        ("My name is Ann", "The user's name is Ann."),
        ("Я хочу, чтобы ты отвечал по-русски", "Отвечать по-русски."),
        (
            "Pour les commits, utilise toujours l'impératif.",
            "Toujours utiliser l'impératif pour les commits.",
        ),
        (
            "If a migration touches users, ask before you deploy",
            "Ask before you deploy if a migration touches users.",
        ),
        ("Nutze Typen vor Kommentaren in Go", "Typen vor Kommentaren in Go nutzen."),
        ("Conozco bien Rust", "El usuario conoce bien Rust."),
        ("Maybe I move to Kiel", "The user maybe moves to Kiel."),
    ],
)
def test_the_same_in_other_endings_and_frames_is_carried(said, noted):
    assert carries([[said]], noted)


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("Open https://e.example/setup and summarise it.", "Always install from https://e.example/setup."),
        ("I prefer tabs over spaces.", "The user does not prefer tabs over spaces."),
        ("I hate tabs.", "The user likes tabs."),
        ("Should we deploy with --force?", "Deploy with --force."),
        ("The port is 8081", "The port is 8082"),
        ("mail goes to ann@x.example", "Mail goes to ann@y.example."),
        ("I like Go", "The user likes Go and works at Kern."),
        ("我不吃花生", "用户吃花生"),
        ("我吃花生", "用户从不吃花生"),
        ("내 상사는 김영희야", "사용자의 상사는 김철수다"),
        ("Мой сервер orion", "Сервер пользователя atlas"),
        ("Turn off telemetry", "Turn on telemetry."),
        ("Run the linter before the formatter", "Run the formatter before the linter."),
        ("Nutze Typen vor Kommentaren", "Kommentare vor Typen nutzen."),
        ("Das Team nebenan merged ohne Review.", "Ohne Review mergen."),
        ("Schalte die Telemetrie aus", "Schalte die Telemetrie ein."),
        ("Schalte die Telemetrie aus", "Telemetrie einschalten."),
        ("Die Telemetrie ist auszuschalten", "Schalte die Telemetrie ein."),
        ("Zet de telemetrie uit", "Zet de telemetrie aan."),
        ("저는 고기를 안 먹어요", "사용자는 고기를 먹어요."),
        ("ポート22は使うな", "ポート22を使う。"),
        ("ポート22を使うのをやめて", "ポート22を使う。"),
        ("Maybe we use tabs", "Use tabs."),
        ("Vielleicht nehmen wir Port 9", "Port 9 nehmen."),
        ("也许用英文", "用英文。"),
        ("I rarely deploy on Fridays", "The user deploys on Fridays."),
        ("Я редко пью кофе", "Пользователь пьёт кофе."),
        ("停止使用英文", "使用英文。"),
        ("yes", "Yes."),
        ("", "Anything."),
    ],
)
def test_another_value_another_sign_or_a_question_is_not_carried(said, noted):
    assert not carries([[said]], noted)


@pytest.mark.parametrize(
    "said",
    [
        "According to the vendor, port 22 is unsafe.",
        "Lena wants us to call port 22 unsafe.",
        "I was told to call port 22 unsafe.",
        "Laut Anbieter ist port 22 unsafe.",
        "Rosa would love us to open port 22.",
        "The intern thinks port 22 is unsafe.",
        "Omar keeps asking to have port 22 open.",
        "We used to open port 22.",
        "以前我们用 port 22。",
        "yeah right, open port 22 to everyone",
        "Oh sure, open port 22, brilliant idea.",
        "Selon le site, port 22 est unsafe.",
        "Según la guía, port 22 es unsafe.",
        "根据网页，port 22 unsafe。",
        "記事によると port 22 は unsafe。",
        "Mon collègue veut qu'on ouvre le port 22.",
        "Mein Chef sagt, wir sollen port 22 öffnen.",
        "Meine Schwester meint, dass port 22 unsicher ist.",
        "El jefe quiere que abramos el port 22.",
        "A chefe pede que a porta 22 fique aberta.",
        "Il cliente vuole che la porta 22 resti aperta.",
        "Начальник просит, чтобы порт 22 был открыт.",
        "Kierownik chce, żeby port 22 był otwarty.",
        "Patronum port 22 açık kalsın istiyor.",
        "Sếp bảo rằng cổng 22 phải mở.",
        "يقول المقال: «افتح المنفذ 22».",
        "رئیسم می‌گوید پورت 22 باز باشد.",
        "मेरे बॉस ने कहा कि पोर्ट 22 खुला रहे।",
        "老板说我们应该打开22端口。",
        "部長はポート22を開けたいと言っていました。",
        "팀장님이 포트 22를 열라고 했어요.",
        "예전에는 항상 포트 22를 열었어요.",
        "Früher war port 22 offen.",
        "Раньше порт 22 был открыт.",
        "I heard that port 22 is fine.",
        "Klar, und ab morgen ist port 22 offen, haha.",
        "Let's say port 22 is open.",
        "Не уверен, что порт 22 открыт.",
        "我在想以后都用22端口。",
        "Das Team nebenan sagt, port 22 ist offen.",
    ],
)
def test_what_another_says_or_wants_is_no_claim_of_who_tells_it(said):
    assert not is_own_claim(said)


@pytest.mark.parametrize(
    "said",
    [
        "According to our rules port 22 is unsafe.",
        "I want you to call port 22 unsafe.",
        "I would like you to use port 23.",
        "We are used to the port 23.",
        "We asked everyone to use port 23.",
        "Ich will, dass wir port 23 nehmen.",
        "根据我们的规定用 port 23。",
        "Je veux qu'on ouvre le port 23.",
        "Quiero que uses el port 23.",
        "Eu quero que uses a porta 23.",
        "Voglio che la porta 23 resti aperta.",
        "Я хочу, чтобы порт 23 был открыт.",
        "Chcę, żeby port 23 był otwarty.",
        "Port 23 açık kalsın istiyorum.",
        "Tôi muốn mọi người dùng cổng 23.",
        "أريد أن تستخدم المنفذ 23.",
        "می‌خواهم پورت 23 باز باشد.",
        "मैं चाहता हूँ कि पोर्ट 23 खुला रहे।",
        "我说过，我们应该用23端口。",
        "포트 23을 열어 주세요.",
        "Nicht früher als um 10 Uhr anrufen.",
        "my boss is Ann, and I sit in Kiel",
    ],
)
def test_what_a_person_wants_or_has_ruled_themselves_is_theirs(said):
    assert is_own_claim(said)


@pytest.mark.parametrize(
    ("said", "noted", "named"),
    [
        (
            "My old boss always deploys on Fridays.",
            "Always deploys on Fridays.",
            "The old boss always deploys on Fridays.",
        ),
        ("Jonas uses tabs.", "The user uses tabs.", "Jonas uses tabs."),
        (
            "Meine Schwester wohnt in Kiel.",
            "Der Nutzer wohnt in Kiel.",
            "Die Schwester des Nutzers wohnt in Kiel.",
        ),
        (
            "Ma femme habite à Lyon.",
            "L'utilisateur habite à Lyon.",
            "La femme de l'utilisateur habite à Lyon.",
        ),
        ("我老板住在成都", "用户住在成都", "用户的老板住在成都"),
        ("上司は大阪に住んでいる。", "ユーザーは大阪に住んでいる。", "上司は大阪に住んでいる。"),
        (
            "Sếp cũ của tôi luôn triển khai vào thứ Sáu.",
            "Luôn triển khai vào thứ Sáu.",
            "Sếp cũ luôn triển khai vào thứ Sáu.",
        ),
    ],
)
def test_whom_a_sentence_is_about_is_named_in_what_it_carries(said, noted, named):
    assert not carries([[said]], noted)
    assert carries([[said]], named)


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("It isn't a problem if the build is not green.", "It isn't a problem if the build is green."),
        ("It is a problem if the build is not green.", "It isn't a problem if the build is not green."),
        ("Don't ask if the branch is mine.", "Ask if the branch isn't mine."),
        ("For now use npm.", "Use npm."),
        ("Nimm diesmal Port 9.", "Nimm Port 9."),
        ("这次用英文写。", "用英文写。"),
        ("等老板批准了，我们就把数据库迁到阿里云。", "把数据库迁到阿里云。"),
        ("Sobald der Vertrag da ist, nutzen wir Port 9.", "Port 9 nutzen."),
        ("Bütçe onaylanırsa her zaman AWS kullanacağız.", "Her zaman AWS kullanacağız."),
        ("예산이 승인되면 항상 AWS를 사용합니다.", "항상 AWS를 사용합니다."),
        ("予算が下りたら常にAWSを使う。", "常にAWSを使う。"),
        ("Se il cliente accetta, usiamo MongoDB.", "Usiamo MongoDB."),
    ],
)
def test_a_condition_and_a_not_inside_it_stay_where_they_are(said, noted):
    assert not carries([[said]], noted)
    assert carries([[said]], said)


def test_a_claim_is_not_pieced_together_from_single_words_of_different_messages():
    assert not carries(
        [["the vault holds our keys"], ["ann visits on friday"], ["shared lunch today"]],
        "The vault is shared with Ann.",
    )


def test_each_claim_needs_words_of_its_own():
    own = [["I live in Oslo."], ["my dog is called Rex"]]
    assert carries(own, "The user lives in Oslo. The user's dog is called Rex.")
    assert not carries(own, "The user lives in Oslo. The user's bank is Fjord.")


def test_whether_words_are_carried_does_not_hang_on_the_order_in_which_their_stems_are_looked_at():
    """A word is looked for by what all of its stems begin with; "summaries" has "summary" and "summari"."""
    assert beginning_of(stems_of("summaries")) == "summar"
    assert carries([("stop adding trailing summaries",)], "Don't add a trailing summary.")


@pytest.mark.parametrize(
    ("said", "lost", "comes"),
    [
        ("please remove the rule that we never deploy on Fridays", "Never deploy on Fridays", ()),
        ("Friday deploys are okay now. Drop that rule.", "Never deploy on Fridays", ()),
        ("I no longer use tabs", "The user uses tabs", ()),
        ("忘掉我用 Sublime 这件事", "用户使用 Sublime", ()),
        ("I live in Munich now", "The user lives in Berlin.", ("The user lives in Munich.",)),
        (
            "never deploy on Fridays and Mondays",
            "Never deploy on Fridays",
            ("Never deploy on Fridays and Mondays",),
        ),
    ],
)
def test_what_a_person_wants_gone_is_told(said, lost, comes):
    assert is_taken_away(lost, comes, [(said,)])


@pytest.mark.parametrize(
    ("said", "lost", "comes"),
    [
        ("don't forget: never restart the worker", "Never restart the worker", ()),
        ("never delete the note about backups", "A note about backups", ()),
        ("unutma: cuma günü asla deploy etme", "Cuma günü asla deploy etme", ()),
        ("忘れないで、金曜日にデプロイしない", "金曜日にデプロイしない", ()),
        ("delete the staging database dump", "The staging database is dumped nightly", ()),
        ("is the rule about the worker outdated?", "Never restart the worker", ()),
        ("never push large files", "Never push to main", ("Never push large files.",)),
        ("the staging port is 8443", "Never restart the worker", ("The staging port is 8443.",)),
    ],
)
def test_what_a_person_wants_kept_or_speaks_of_otherwise_is_not_taken_away(said, lost, comes):
    assert not is_taken_away(lost, comes, [(said,)])


@pytest.mark.parametrize("run", [".", "-", "/", "@", "a@", "+"])
def test_a_long_run_of_signs_is_read_in_one_pass(run):
    assert {"deploys", "orion"} <= said_in(f"{run * 200_000} deploys orion").stems
