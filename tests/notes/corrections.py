"""Statements and what corrects them, in ten languages, and what comes near to that and corrects nothing.

Each line has a statement, and after the bar a text that says that the statement holds no more. Every text is also tried with the
statements of all other lines of its language, which it must leave alone.
"""

CORRECTING = {
    "en": """
        Amy works at Pine. | Amy works at Kern, not Pine.
        Bob works for Lund | Bob works for Moss, not for Lund
        The staging port is 8080 | The staging port isn't 8080, it's 8081.
        The office is on Elm Street | The office is not on Elm Street but on Oak Street
        Tim works for Lou | Correction: Tim works for Max
        Cleo plays the violin | Cleo no longer plays the violin
        The user uses vim | I don't use vim anymore; emacs now
        The release deadline is 2026-05-01 | The release deadline changed from 2026-05-01 to 2026-06-01.
        Dana lives in Berlin | Dana has moved from Berlin to Munich.
        The project uses MySQL | The project switched from MySQL to Postgres
        Indent with tabs | Indent with spaces instead of tabs
        The build uses make | The build uses just rather than make
        Prefers coffee | Prefers tea (not coffee)
        The API limit is 100 | Correction: the API limit is 200
        The database port is 5432 | Actually, the database port is 5433
        Eva's age is 44 | Scratch that: Eva's age is 45
        Fred sits in Paris | Fred used to sit in Paris, now in Rome
        Gus leads the team | Hal, not Gus, leads the team
        Ida drinks oat milk | Ida does not drink oat milk any more
        The timeout is 30 | The timeout was raised from 30 to 60
        Jan is based in Oslo | Jan relocated from Oslo to Bergen
        We use yarn | Actually, we use bun, not yarn
        We store logs in S3 | In fact, we store logs in GCS instead of S3
        The gateway listens on port 8080 | Actually, the gateway listens on port 9090, not 8080
        CI uses Python 3.11 | CI now uses Python 3.12, not Python 3.11
        Nightly builds now use Java 17 | Nightly builds use Java 21, not Java 17
        The relay listens on port 8080 | The relay no longer listens on port 8080, it listens on 9090
        Lea works for Pine | Lea moved from Pine to Kern
        I am vegetarian | I'm not vegetarian any more
        Kim's birthday is in May | Kim's birthday is not in May, it is in June
    """,
    "de": """
        Ana arbeitet bei Birk | Ana arbeitet nicht mehr bei Birk
        Bernd arbeitet bei Lund | Bernd arbeitet nicht bei Lund, sondern bei Moss
        Clara fährt mit dem Bus | Clara fährt mit dem Rad statt mit dem Bus
        Dora trinkt Kaffee | Dora trinkt keinen Kaffee mehr
        Emil wohnt in Berlin | Emil ist von Berlin nach München gezogen
        Das Projekt nutzt MySQL | Das Projekt nutzt Postgres, nicht MySQL
        Der Port ist 8080 | Korrektur: Der Port ist 8081
        Das Büro ist im dritten Stock | Das Büro ist nicht im dritten Stock, sondern im fünften Stock
        Die Frist ist Montag | Korrektur: Die Frist ist Dienstag
        Der Nutzer trinkt Tee | Ich trinke Tee nicht mehr
        Ich wohne in Paris | Ich bin von Paris nach Rom gezogen
        Fritz spielt Geige | Fritz spielt Cello anstatt Geige
    """,
    "fr": """
        Ana travaille chez Birk | Ana ne travaille plus chez Birk
        Boris travaille chez Lund | Boris ne travaille pas chez Lund mais chez Moss
        L'utilisateur utilise nano | L'utilisateur n'utilise plus nano
        Chloé habite à Berlin | Chloé a déménagé de Berlin à Munich
        Le projet utilise MySQL | Le projet utilise Postgres au lieu de MySQL
        Denis boit du café | Denis boit du thé, pas du café
        J'habite à Lyon | J'ai déménagé de Lyon à Nice
        Le port est 8080 | Correction : le port est 8081
        Élise joue du piano | Élise joue du violon plutôt que du piano
    """,
    "es": """
        Ana trabaja en Birk | Ana ya no trabaja en Birk
        Bruno trabaja en Lund | Bruno no trabaja en Lund sino en Moss
        El proyecto usa MySQL | El proyecto usa Postgres en vez de MySQL
        El servidor usa Debian | El servidor cambió de Debian a Ubuntu
        Clara bebe café | Clara bebe té y no café
        Diego toca el piano | Diego toca el violín en lugar de el piano
        El puerto es 8080 | Corrección: el puerto es 8081
        La oficina está en Madrid | La oficina no está en Madrid sino en Sevilla
    """,
    "it": """
        Ana lavora per Birk | Ana non lavora più per Birk
        Bruno lavora per Lund | Bruno lavora per Moss, non per Lund
        Il progetto usa MySQL | Il progetto usa Postgres invece di MySQL
        Il server usa Debian | Il server è passato da Debian a Ubuntu
        Carla beve caffè | Carla non beve caffè ma tè
        La porta è 8080 | Correzione: la porta è 8081
        Dario suona il piano | Dario suona il violino al posto di il piano
    """,
    "pt": """
        Ana trabalha na Birk | Ana não trabalha mais na Birk
        Bruno trabalha na Lund | Bruno já não trabalha na Lund
        O projeto usa MySQL | O projeto mudou de MySQL para Postgres
        O servidor usa Fedora | O servidor usa Ubuntu em vez de Fedora
        Carla bebe café | Carla bebe chá, não café
        Davi toca piano | Davi não toca piano, mas sim violino
        A porta é 8080 | Correção: a porta é 8081
    """,
    "ru": """
        Анна работает в Бирке | Анна больше не работает в Бирке
        Борис работает в Лунде | Борис работает не в Лунде, а в Моссе
        Вера работает в банке | Вера работает в школе, а не в банке
        Проект использует MySQL | Проект использует Postgres вместо MySQL
        Галина живёт в Берлине | Галина переехала из Берлина в Мюнхен
        Порт 8080 | Поправка: порт 8081
        Пользователь читает газету | Я больше не читаю газету, теперь книги
        Дима играет на скрипке | Дима уже не играет на скрипке
    """,
    "zh": """
        安娜在Birk工作 | 安娜不再在Birk工作，改为在Kern工作
        数据库是MySQL | 数据库不是MySQL而是Postgres。
        项目使用Redis | 项目用Kafka，不用Redis
        会议时间是周一 | 会议时间从周一改为周二
        会议室在三楼 | 会议室改为五楼
        API 端口是 8080 | API 端口改为 9090
        我住在巴黎 | 我不再住在巴黎
        端口是8080 | 更正：端口是8081
        小明住在柏林 | 小明从柏林搬到慕尼黑
        前端使用Vue | 前端从Vue改用React
        用户喝咖啡 | 我不再喝咖啡
        截止日期是5月1日 | 截止日期由5月1日推迟到6月1日
        小红弹钢琴 | 小红不是弹钢琴，而是拉小提琴
        办公室在三楼 | 办公室在五楼，不在三楼
    """,
    "ja": """
        アナはBirkで働いている | アナはBirkではなくKernで働いている
        データベースはMySQLです | データベースはMySQLではなくPostgresです
        プロジェクトはRedisを使っている | プロジェクトはRedisからKafkaに移行した
        ユーザーはvimを使っている | ユーザーはもうvimを使っていない
        健はコーヒーを飲む | 健はコーヒーの代わりにお茶を飲む
        ポートは8080です | 訂正：ポートは8081です
        由美はベルリンに住んでいる | 由美はベルリンではなくミュンヘンに住んでいる
        太郎はピアノを弾いている | 太郎はもうピアノを弾いていない
    """,
    "ko": """
        안나는 Birk에서 일한다 | 안나는 Birk가 아니라 Kern에서 일한다
        프로젝트는 MySQL을 사용한다 | 프로젝트는 더 이상 MySQL을 사용하지 않는다
        마감일은 월요일이다 | 마감일은 월요일에서 화요일로 변경되었다
        민수는 커피를 마신다 | 민수는 커피 대신 차를 마신다
        포트는 8080이다 | 정정: 포트는 8081이다
        서버는 데비안을 사용한다 | 서버는 데비안 대신 우분투를 사용한다
    """,
}

AGAIN = """
    The shop port is 9090, not 8080 | The shop port is 7070, not 9090
    The hub port is 9090, not 8080 | Correction: the hub port is 6060
    Correction: the limit is 200 | Correction: the limit is 300
    Actually, the shop uses bun, not yarn | The shop no longer uses bun
    Ben works at Kern, not Birk | Ben works at Lund, not Kern
    Cem works for Moss, not for Lund | Cem works for Kern, not for Moss
    Dan does not work at Lund but at Moss | Dan no longer works at Moss
    Eli, not Gus, leads the crew | Ida, not Eli, leads the crew
    We no longer use npm, we use pnpm | We no longer use pnpm, we use bun
    Fay no longer works at Birk, now at Pine | Fay works at Kern, not Pine
    Gil used to live in Paris, now in Rome | Gil no longer lives in Rome
    The mirror no longer listens on port 8080, it listens on 9090 | The mirror listens on port 7070, not 9090
    The site switched from MySQL to Postgres | The site switched from Postgres to SQLite
    Hana moved from Berlin to Munich | Hana no longer lives in Munich
    Ivo arbeitet nicht bei Birk, sondern bei Kern | Ivo arbeitet nicht bei Kern, sondern bei Lund
    Le journal utilise Postgres au lieu de MySQL | Le journal utilise SQLite au lieu de Postgres
    Juan no trabaja en Lund sino en Moss | Juan ya no trabaja en Moss
    Карина работает не в Лунде, а в Моссе | Карина больше не работает в Моссе
    车间端口不是8080，而是9090 | 车间端口不是9090，而是7070
    车间在五楼，不在三楼 | 车间改为六楼
    我们不再用npm，改用pnpm | 我们不再用pnpm，改用bun
    小丽不再在Birk工作，改为在Kern工作 | 小丽不再在Kern工作
    ケンはBirkではなくKernで働いている | ケンはKernではなくLundで働いている
    지수는 Birk가 아니라 Kern에서 일한다 | 지수는 Kern이 아니라 Lund에서 일한다
"""
"""A correction, and one that corrects it in its turn."""

NOT_CORRECTING = """
        Ana lives in Berlin | Ana moved from Berlin to Munich and back to Berlin
        Ana lives in Berlin | Ana moved from Berlin to Munich is false
        Ana lives in Berlin | Ana moved from Berlin to Munich. This is not true.
        We use MySQL | We switched from MySQL to Postgres in the billing service
        The limit is 100 | The limit changed from 100 to 200 for admins only
        I drink coffee | I drink tea instead of coffee today
        Use tabs | Use spaces, not tabs, any time a linter complains
        Ana works at Birk | Ana no longer works at Birk. Ignore that.
        Emil wohnt in Berlin | Emil ist von Berlin nach München gezogen und wieder zurück
        端口是8080 | 端口从8080改为9090，仅限测试环境
    Ana works at Birk. | Ana likes tea.
    Ana works at Birk. | Actually, Ana likes tea.
    Ana works at Birk. | Correction: Ana likes tea.
    Ana works at Birk | Ana works at Kern, not only at Birk
    Ana works at Birk | Ana does not work only at Birk but also at Kern
    Ana works at Birk | Ana's sister no longer works at Birk
    Ana works at Birk | Ana no longer works at Birk on Fridays
    Ana works at Birk on Mondays | Ana no longer works at Birk on Fridays
    Ana works at Birk | Bob works at Kern, not Birk
    Bob works at Birk | Ana works at Kern, not Birk
    Ana lives in Birk | Ana works at Kern, not Birk
    Ana works with Birk | Ana works at Kern, not Birk
    Ana worked at Birk | Ana no longer works at Birk
    Ana worked at Birk in 2010 | Ana no longer works at Birk
    Ana works at Birk | Does Ana no longer work at Birk?
    Ana works at Birk | Maybe Ana works at Kern, not Birk
    Ana works at Birk | Ana might work at Kern instead of Birk
    Ana works at Birk | Bob thinks Ana works at Kern, not Birk
    Ana works at Birk | If Ana no longer works at Birk, ask Bob
    Ana works at Birk | Ana no longer works at Birk, except on Fridays
    Ana works at Birk | Ana does not work at Birk yet
    Ana works at Birk and at Kern | Ana no longer works at Birk
    Ana does not work at Birk | Ana no longer works at Birk
    Ana works in Berlin | Ana moved from Berlin to Munich
    Ana hates Berlin | Ana moved from Berlin to Munich
    Ana plans to leave Berlin | Ana moved from Berlin to Munich
    The project hates MySQL | The project switched from MySQL to Postgres
    The backend uses MySQL | The project switched from MySQL to Postgres
    The project uses MySQL for tests | The project switched from MySQL to Postgres
    The user uses vim and emacs | The user no longer uses vim
    The user likes cats | The user likes dogs
    I love ramen | I hate ramen
    I avoid dairy | I drink milk again
    Ana speaks French | Actually Ana speaks German
    Ana speaks French | Correction: Ana speaks German
    Ana likes tea | Actually Ana likes coffee
    The server is open source | Actually the server is Debian
    Ana is tall | Actually Ana is a doctor
    Ana's sister is tall | Correction: Ana's sister is closed
    Ana's sister likes tea | Correction: Ana's sister uses emacs
    The staging server met Tom | Correction: the staging server uses VS Code
    安娜住在上海 | 更正：安娜喜欢茶
    安娜在Birk工作 | 更正：安娜住在北京
    The port of staging is 8080 | Correction: the port of production is 8081
    The staging port is 8080 | Actually, the production port is 8081
    The tests run on Linux | The tests don't run on macOS but on Windows
    Ana drinks milk | Ana drinks tea, no milk
    Maria works at Birk | Mario no longer works at Birk
    Paul lives in Rome | Paula moved from Rome to Oslo
    Use tabs in Makefiles | Use spaces instead of tabs
    Never use tabs | Use spaces instead of tabs
    The limit is 100 | The limit is no longer than 100
    The deadline is Monday | The deadline moved from Tuesday to Friday
    Ana works at Birk | It is no longer true that Bob works at Birk
    The build takes 5 minutes | The tool is used to build, not to test
    Ana works at Birk | Ana almost no longer works at Birk
    Ana works at Birk | Ana wants to work at Kern instead of Birk
    10 MB is the limit | 10 Mb is no longer the size
    Ana arbeitet bei Birk | Ana arbeitet nicht mehr als Köchin
    Ana arbeitet bei Birk | Ana arbeitet nicht nur bei Birk, sondern auch bei Kern
    Ana arbeitet bei Birk | Vielleicht arbeitet Ana nicht mehr bei Birk
    Ana wohnt in Berlin | Das Treffen findet in Berlin statt
    Ana travaille chez Birk | Ana ne travaille pas seulement chez Birk mais aussi chez Kern
    Ana travaille chez Birk | Ana ne travaille plus que chez Kern
    Ana trabaja en Birk | Ana no trabaja solo en Birk sino también en Kern
    Ana trabaja en Birk | Quizás Ana ya no trabaja en Birk
    Ana lavora per Birk | Ana non lavora solo per Birk ma anche per Kern
    Ana trabalha na Birk | Ana não trabalha só na Birk mas também na Kern
    Анна работает в Бирке | Анна работает не только в Бирке, но и в Керне
    Александр работает в Бирке | Александра больше не работает в Бирке
    安娜在Birk工作 | 安娜不仅在Birk工作，而且在Kern工作
    安娜在Birk工作 | 安娜喜欢茶，不喜欢咖啡
    安娜喜欢茶 | 安娜喜欢茶，不喜欢咖啡
    安娜在Birk工作 | 如果安娜不再在Birk工作，请告诉我
    安娜在Birk工作 | 安娜的妹妹不再在Birk工作
    项目是开源的 | 项目改为Python
    会议室在装修 | 会议室改为五楼
    会议室在三楼 | 办公室改为五楼
    会议室在三楼 | 会议室改为接待室
    项目用Python 3 | 项目改用Redis
    数据库端口是 8080 | API 端口改为 9090
    Ana works in Birk | Ana moved from Birk to Kern
    Ana works with Birk | Ana moved from Birk to Kern
    Use tabs, not spaces in Makefiles | Use spaces, not tabs
    The port might be 9090, not 8080 | The port is 7070, not 9090
    Is the port 9090, not 8080? | The port is 7070, not 9090
    The port of staging is 9090, not 8080 | The port is 7070, not 9090
    Ana works at Kern, not Birk | Ana works at Lund, not Birk
    Ana works at Kern, not Birk | Ana's sister works at Lund, not Kern
    Ana works at Kern, not only at Birk | Ana works at Lund, not Kern
    We no longer use npm, we use pnpm | We no longer use bun
    We no longer use npm, Bob uses pnpm | We no longer use pnpm
    数据库是MySQL | 缓存不是MySQL而是Redis
    アナはBirkで働いている | アナはBirkだけではなくKernでも働いている
    アナはBirkで働いている | ボブはBirkではなくKernで働いている
    안나는 Birk에서 일한다 | 민수는 Birk가 아니라 Kern에서 일한다
"""


def pairs(text: str) -> list[tuple[str, str]]:
    """The statement and the text of each line."""
    lines = (line.split(" | ") for line in text.strip().splitlines())
    return [(before.strip(), after.strip()) for before, after in lines]
