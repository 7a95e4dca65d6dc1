"""Words that many texts have, so that sharing them says nothing."""

from typing import Final

COMMON: Final = frozenset(
    """
    able about above access according account action actual actually added adding address after again against agent agree ahead alert
    allow allows almost alone along already also although always among amount analysis another answer answers anyone anything apart
    appear application applies apply approach area args argument around array asked asking assistant async attempt author available avoid
    aware away back base based basic because become been before begin behind being believe below best better between beyond body both
    branch break bring build builds built button call called calls came cannot care case cases cause center certain chance change changed
    changes char check checked checks child choose class clean clear click client close code color column come comes command commands
    comment commit common company complete concise config configuration connection consider contain contains content context continue
    control copy core correct could count course cover create created creates current currently custom customer data database date days
    deal debug decide decided default define delete depend dependencies deploy deployed deployment describe design detail details develop
    developer development difference different directory display docs document documentation does doing done down draft during each early
    easy edit effect either else email empty enable endpoint english enough ensure entire entry error errors especially even event ever
    every everything exact exactly example examples except exist existing exists expect expected explain explicit export extra fact fail
    failed fails false family fast feature features feel field file files fill final finally find fine first fixed fixes follow following
    format forward found free friend from full function functions further future gave general generate gets give given gives goes going
    gone good great group guide hand handle happen happens hard have having head hello help here high hold home host hour hours house
    however human idea image implement import important improve include included includes including increase index info information input
    inside install instead interface internal into issue issues item items itself join just keep kept kind know known label language
    large last later latest least leave left length less letter level library life like likely limit line lines link list little live load
    local log logic login long longer look looking looks lost made main make makes making manage many match matter maybe mean means
    memory message messages method might mind minute minutes mode model modern module moment month months more morning most move much
    multiple must name named names near necessary need needed needs never next nice none normal note noted notes nothing number object
    offer office often older once only open option options order original other others otherwise output outside over overall package page
    part particular parts pass past path people perhaps person place plain plan plans please point points port possible practice prefer
    preference preferred prefers prepare present pretty prevent previous print private probably problem process production program
    project projects proper provide public pull push question questions quick quickly quite raise rather read readme ready real really
    reason receive recent recently record reduce refer related release remain remember remove replace reply repo report repository
    request require required requires resolve resource response rest result results return returns review right room root rule rules
    running runs safe said same save says script search second section secure security seem seems seen send sense separate server servers
    service services session set sets setting settings setup several shall share short should show shows side sign similar simple simply
    since single site size small some someone something sometimes soon sort source space special specific standard start started starts
    state status stay step steps still stop store string strong structure style such suggest support sure switch system table take takes
    talk target task tasks team tell term terms test tested testing tests text than thank thanks that their them then there therefore
    these they thing things think this those though thought three through time times title today together token told tomorrow tool tools
    topic total toward true trying turn twice type types under understand unless until update updated updates upon usage used useful user
    users uses using usually valid value values variable various version versions very view visit wait want wants warning ways week weekly
    weeks well were what when where whether which while whole whose will window with within without word words work worked working works
    world worry would write writes writing written wrong year years yesterday your yours
    aber alle allen alles auch beim benutzt bitte dann dass datei dein deine denn diese diesem diesen dieser dieses doch durch eine einem
    einen einer eines etwas gibt haben hier ihre immer jetzt kann kein keine mehr mein meine mich muss nach nicht noch nutzt oder ohne
    projekt schon sehr sein seine sich sind sollte soll test tests unser unsere unter verwendet wenn werden wird wurde zum zur zwischen
    avec alors aussi avoir bien cela celle ceci chez comme dans depuis deux donc elle elles encore entre être fait faire leur mais même
    moins notre nous parce pour plus projet quand quel quelle sans sera serveur sont sous sur toujours tous tout toute très trop une
    utilise utilisateur vers votre vous
    ahora algo antes aquí archivo como cuando cual desde donde ella ellos entonces entre esta este esto están hace hacer hasta mucho
    nuestra nuestro otro para pero porque proyecto puede quiere según sido siempre sobre solo también tiene todo todos usuario usamos
    arquivo ainda assim depois esse essa está isso mais mas muito nosso nossa onde pela pelo quando quem seja sempre também todos usa
    usamos usuário você
    была были было быть ваш весь вместо всегда всех для его если есть ещё как который можно надо наш него нужно она они очень под после
    потом при проект проекте пользователь сейчас так также тебя того тоже только уже файл что чтобы эта эти это этот
    all and any are but can don for get new not now one the two use yes you
    github gitlab google javascript linux macos node.js readme typescript vscode windows youtube
    api app cli css csv faq gui html http https json llm ok pdf sdk sql ssh todo tsv ui url usb utf xml yaml
    """.split()
)
"""In English, German, French, Spanish, Portuguese, Russian; case-folded.

A plain word of fewer than four letters is common without standing here; those that do are also written in capitals.
"""

COMMON_PAIRS: Final = frozenset(
    """
    用户 项目 使用 文件 代码 可以 需要 我们 这个 一个 没有 问题 时候 现在 如果 因为 所以 但是 进行 运行 测试 数据 服务
    系统 应该 已经 或者 以及 通过 喜欢 偏好 所有 其他 内容 信息 方法 方式 功能 支持 添加 修改 删除 更新 检查 首先 然后 最后
    建议 一些 这样 什么 怎么 不要 不会 不能 必须 总是 每次 请问 谢谢
    使用者 開発 確認 実行 設定 変更 追加 削除 必要 場合 利用 以下 内容 問題 方法 修正 作成 対応 処理 結果 今回 自分 時間
    사용 사용자 프로젝트 파일 코드 우리 합니 습니 있습 없습 필요 경우 테스트 데이터 설정 확인
    データ ファイル サーバー サーバ プロジェクト テスト コード ユーザー ユーザ エラー システム メモリ バージョン コマンド ツール
    """.split()
)
"""The same of what is written without spaces, in pieces."""

GRAMMAR: Final = frozenset(
    "的了是在和与或及就都也还又很把被给对从到向为于以着吗呢啊呀吧嘛我你您他她它咱这那谁哪几其所而但如若则并且之不没请"
)
"""Characters at which a run of Chinese is divided."""
