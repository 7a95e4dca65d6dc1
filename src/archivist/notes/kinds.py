"""What kind of statement an entry is, and which file it belongs to, by its form.

What counts is where a word stands: "never" at the beginning of a clause forbids, in "has never been" it tells. So the patterns ask for the
beginning of a clause, a subject that is a person, or the shape of a date, and only then for one of few words. What nothing is plain of is
a fact, and belongs wherever it was put.
"""

from typing import Final

from archivist.notes import telltales
from archivist.notes.affirming import affirmed, is_of_moving
from archivist.notes.clauses import Clauses, Together
from archivist.notes.likeness import normal
from archivist.records.notes import EntryKind, Target

_MOST_CHARS: Final = 2_000
"""What a statement is shows in its beginning."""

_CLAUSE: Final = r"(?:\A|(?<=[.!?;:,。！？；：，、(（—–\n\"“「])\s*)"
_AFTER_AND: Final = r"(?:\A|(?<=[.!?;:,。！？；：，、(（—–\n\"“「])\s*|\b(?:and|but|so|then|please|also)\s+)"
_USER: Final = (
    r"(?:(?:the |our )?(?:user|owner)|i|he|she|they|we|(?:der |die )?(?:be)?nutzer(?:in)?|ich|er|sie|wir"
    r"|l['’]utilisat(?:eur|rice)|je|j['’]|il|elle|on|nous|(?:el |la )?usuari[oa]|(?:[oa] )?usuári[oa]|yo|ele|ela|eu"
    r"|пользователь|я|он|она|мы)"
)

_CORRECTED: Final = Clauses(
    rf"{_CLAUSE}(?:actually|correction|korrektur|eigentlich|tatsächlich|en fait|en réalité|en realidad|corrección|na verdade"
    r"|correção"
    r"|на самом деле|поправка|исправление)\b"
    r"|\A(?:no|nein|non|não|нет), "
    rf"|{_CLAUSE}(?:其实|实际上|更正|纠正|実は|実際は|訂正)",
    telltales.CORRECTED,
)
_NOT_BUT: Final = Clauses(
    r"\b(?:is|are|was|were|it['’]s|isn['’]t|aren['’]t|wasn['’]t)(?: not)?\b(?<=not|n['’]t) (?!only\b"
    r"|just\b)[^.;\n]{1,60}\bbut (?!also\b)"
    r"|\b(?:is|are|was|were|it['’]s)\b[^.;,\n]{1,60}, not (?!only\b|just\b|all\b|yet\b)\S"
    r"|\b(?:nicht|keine?n?) (?!nur\b)[^.;\n]{1,60}\bsondern\b"
    r"|\bpas (?!seulement\b)[^.;\n]{1,60}\bmais (?!aussi\b)"
    r"|\bno (?!s[oó]lo\b|solamente\b)[^.;\n]{1,60}\bsino\b"
    r"|\bnão (?!só\b|apenas\b|somente\b)[^.;\n]{1,60}\b(?:mas|e) sim\b"
    r"|\bне (?!только\b)[^.;\n]{1,60}, а (?!также\b)"
    r"|(?<!是)不是[^。；\n]{1,30}?(?:而是|[，, ](?:[^。；，,\n]{0,6}(?<![就还都总老可但也]))?是(?!不是))"
    r"|ではなく(?!な|て)|じゃなくて?(?!な)",
    telltales.NOT_BUT,
)
_FORBIDDEN: Final = Clauses(
    # English: a negated imperative, a modal that forbids, an ellipsis
    rf"{_AFTER_AND}(?:you )?(?:don['’]?t|never)(?: ever)? (?!(?:forget|hesitate|worry|mind|know|been|a|an|the|in)\b)(?:\w+ly )?"
    r"(?!\w+[^su\W]s\b|\w+ed\b)\w"
    rf"|{_AFTER_AND}do not (?:ever )?(?!(?:forget|hesitate|worry|mind)\b)\w"
    r"|\b(?:we|agents?|assistants?|you) never (?!\w+ed\b|been\b|had\b|got\b|know\b)\w"
    r"|\b(?:must|should|shall) never\b|\b(?:must|should|shall)(?: not\b|n['’]t\b)|\b(?:is|are|be) (?:not"
    r"|never) (?:allowed|permitted) "
    r"|\b(?:is|are) (?:strictly )?(?:forbidden|prohibited|off[- ]limits)\b|\bunder no circumstances\b"
    r"|\b(?:asked|told|said|wants?|instructed|requested)(?: \w+)? (?:not|never) to\b"
    rf"|{_CLAUSE}(?:avoid|refrain from|stop \w+ing) \w"
    rf"|{_CLAUSE}no (?!longer\b|one\b|more\b)(?:\w+ )?(?!(?:problems?|issues?|errors?|changes|results|bugs?|tests?|plans?"
    r"|news|nothing|dependencies|conflicts?|warnings?|matches|users?|downsides?|side[- ]effects?|differences?|regressions?)\b)"
    r"(?:\w+[^s\W]s|\w+ing)\b(?! (?:is|are|was|were|has|have|exists?|found|needed|yet|so far)\b)"
    # Chinese
    r"|(?<!要)不要(?!紧|求)|(?:禁止|严禁|嚴禁|切勿|请勿|請勿|勿(?!忘)|不准(?!确|時|时)|不许|不許|不允许)"
    r"|(?<!舍|了|免|算|由|值|懂|记|见)不得(?!不|了|已|而|到|知|体)|(?:绝|絕)对?不(?:能|可|要|许|得)"
    rf"|{_CLAUSE}(?:请|你|千万|以后|再也?|用户说|用户要求)*(?:别(?!人|的|处|名|墅|称|致|扭|忘|样|说是)|不可以?(?=\w))"
    # Japanese
    r"|ないで(?:ください|下さい|ほしい|$|。)|[てで]は(?:いけ|なら|だめ|ダメ|駄目)|(?:しない|ない)こと(?:$|。)|べきではない|(?:は|を)?禁止(?:$|。|です|する|され)"
    r"|[るすくつぬむぶぐう]な(?<!そうな)(?<!ような)(?:$|。|！)"
    # German
    rf"|{_CLAUSE}(?:bitte )?(?:nie|niemals|nicht|keine?n?) (?!(?:mehr|so|alle|nur|ganz|vergessen|problem\w*|fehler|ahnung"
    r"|änderung\w*)\b)[^.;\n]*\w(?:en|eln|ern)(?=$|[.!;,])"
    rf"|{_CLAUSE}(?:bitte keine?n? |keine (?!(?:probleme|fehler|ahnung|änderungen|tests|ergebnisse)\b)\w+(?:s|en)(?=$|[.!;]))"
    rf"|{_CLAUSE}(?:bitte )?(?:benutze?|verwende|nutze?|mache?|schreibe?|lösche?|pushe?|ändere|sende|schicke?|committe"
    r"|deploye|starte?|nimm|gib|lass)"
    r" (?:\w+ )?(?:nie|niemals|nicht|keine?n?)\b"
    r"|\b(?:darf|dürfen|darfst|soll|sollst|sollen|sollte|sollten) (?:\w+ ){0,3}(?:nie|niemals|nicht|keine?n?)\b|\bverboten\b"
    r"|\bauf keinen fall\b|\bunter keinen umständen\b"
    # French
    rf"|{_CLAUSE}(?:n['’]|ne )\w|{_CLAUSE}jamais (?:de |d['’])?\w|{_CLAUSE}pas (?:de |d['’])(?!(?:probl|souci|id[ée]e|chang"
    r"|erreur|bug))\w"
    r"|\b(?:ne|n['’]) ?(?:doit|doivent|dois|devez|faut|peut|doit-on) (?:pas|jamais)\b|\binterdite?s?\b"
    # Spanish and Portuguese; "no" is English too, so that only verbs that are not count behind it
    rf"|{_CLAUSE}(?:por favor,? )?no (?:(?:me|lo|la|los|las|se|le) )?(?!(?:similar|regular|popular|star|car|war|year|clear"
    r"|bar|air|pair|repair|calendar|grammar|\w+bar)\b)"
    r"(?:\w+[ai]r|hacer|poner|romper|meter|mover|leer|responder|correr|hagas|uses|borres|toques|envíes|escribas|pongas|ejecutes|publiques"
    r"|subas|menciones|respondas|modifiques|cambies|elimines|agregues|incluyas|llames|olvides|despliegues|instales|abras|cierres"
    r"|use|haga|envíe|borre|toque|escriba|ponga|ejecute|publique|suba|mencione|responda)\b(?! (?:is|are|was|were)\b)"
    rf"|{_CLAUSE}(?:por favor,? )?(?:nunca|jamás|não|jamais) (?:(?:me|lo|la|o|a|se) )?"
    r"(?!(?:es|eres|tienes|sabes|antes|mes|más|mas|as|os|ser|existir|quer)\b)(?:\w+[aei]r|\w{2,}[ae]s)\b"
    rf"|{_CLAUSE}(?:não|nunca) (?:use|faça|envie|apague|mexa|toque|escreva|coloque|altere|rode|execute|publique|suba|crie|mude|responda"
    r"|mencione|haga|envíe|borre|escriba|ponga|ejecute)\b"
    r"|\bno (?:se )?debe[ns]?\b|\bno se permite\b|\bnão (?:se )?deve[ms]?\b|\bprohibid[oa]s?\b|\bproibid[oa]s?\b"
    # Russian
    rf"|{_CLAUSE}(?:пожалуйста,? )?(?:никогда )?не \w+(?:[аяуюе]й(?:те|ся)?|и|ите|ись|[вдзтч]ь(?:те)?|ться|ти)"
    r"(?<!ли)(?<!лись)(?<!сть)(?<!ости)\b"
    r"|\bнельзя\b|\bзапрещен\w*|\bзапрещён\w*|\bзапрещается\b",
    telltales.FORBIDDEN,
)
_PREFERRED: Final = Clauses(
    r"\b(?:prefers?|preferred|preference|favou?rites?|favou?rs) \w|\bpreferences?:|\bwould rather\b"
    rf"|{_CLAUSE}(?:do(?:es)?(?: not|n['’]t) (?:like|want|enjoy|care for)|would like|can['’]?t stand"
    r"|(?:no longer )?(?:likes|loves|hates|dislikes|enjoys|wants)) \S"
    rf"|(?:{_CLAUSE}{_USER}|\b(?:user|owner|team|client)) (?:\w+ly )?"
    r"(?:do(?:es)?(?: not|n['’]t) (?:like|want|enjoy|care for)|would like|can['’]?t stand"
    r"|(?:no longer )?(?:like|love|hate|dislike|enjoy|want)s?) \S"
    rf"|{_CLAUSE}(?:please |always (?!(?:been|was|were|is|are|has|had)\b)(?!\w+[^s\W]s\b|\w+ed\b))\w"
    rf"|{_CLAUSE}(?:bitte |(?:bitte )?immer (?!wenn|noch|mehr)|toujours (?!pas)|siempre (?!que)|sempre (?!que)|всегда |пожалуйста,? )\w"
    r"|(?:更|最|不|很|特别|比较)?(?:喜欢|偏好|偏爱|讨厌|厌恶|倾向于?|宁愿|宁可)|(?<!有)(?<!没)希望(?!之)|(?<!不)想要|爱[用吃喝看听]"
    rf"|{_CLAUSE}(?:请|总是|始终|一律|务必|永远)(?!问|假|求|示)\w"
    r"|好き|好み|好む|好んで|嫌い|嫌う|[いしきちりみび]たい(?:$|。|です|と)|(?:て|が)(?:ほしい|欲しい)|してください(?:$|。)"
    r"|\bbevorzug(?:t|e|en)\b|\blieber\b|\blieblings\w+"
    rf"|\b{_USER} (?:mag|mögen|möchte|möchten|will|liebt|liebe|hasst|hasse|wünscht|wünsche)\b|\A(?:mag|möchte|will|liebt"
    r"|hasst|wünscht) "
    r"|\bpréf[eè]r\w+"
    rf"|(?:\A|\b{_USER} ?)(?:n['’])?(?:aime|adore|déteste|souhaite|veut|veux|voudrait|voudrais)\b"
    r"|\b(?:prefiere|prefiero|prefieren|preferid[oa]s?|(?:le|me|les) gustan?)\b|\b(?:prefere|prefiro|preferem|gosta|gosto"
    r"|gostam) "
    rf"|(?:\A|\b{_USER} )(?:no |não )?(?:quiere|quiero|odia|detesta|quer|quero|odeia|adora) "
    r"|\b(?:предпочита\w+|люби[тм]|люблю|нравится|нравятся|ненавид\w+)\b|(?:\A|\bпользователь |\bя )(?:не )?(?:хочет|хочу)\b"
    # in which language somebody wants to be answered
    rf"|{_CLAUSE}(?:answer|reply|respond|speak|talk|write)(?: to)?(?: me| us)? in (?:english|german|french|spanish|italian|portuguese"
    r"|russian|(?:simplified |traditional )?chinese|japanese|korean)\b"
    r"|(?:回答|回复|回覆|交流|沟通)(?:时|時|请|請|都|要|一律){0,3}(?:用|使用)(?:简体|繁体|繁體)?(?:中文|汉语|英文|英语|日文|日语)"
    rf"|{_CLAUSE}(?:都|要|一律){{0,2}}(?:用|使用)(?:简体|繁体|繁體)?(?:中文|汉语|英文|英语|日文|日语)来?(?:回答|回复|回覆|交流|沟通)"
    rf"|{_CLAUSE}antworte(?: mir)? (?:auf|in) (?:deutsch|englisch)\b|{_CLAUSE}réponds(?:-moi)? en (?:français|anglais)\b"
    rf"|{_CLAUSE}(?:responde|respóndeme|responda) e[mn] (?:español|inglés|português|inglês)\b|{_CLAUSE}отвечай(?:те)? (?:по-русски"
    r"|на русском)\b|日本語で(?:答え|回答|返[事答信])",
    telltales.PREFERRED,
)
_DECIDED: Final = Clauses(
    r"\b(?<!not )(?<!yet )(?<!never )(?<!n['’]t )(?<!to be )(?:decided|chose|chosen|opted|settled on|agreed (?:to|on|that)"
    r"|went with|picked)\b"
    rf"|{_CLAUSE}decisions?(?: is| was)?(?::| to\b| that\b)"
    r"|(?<!未)(?<!没)(?<!没有)(?<!由)(?:决定|決定|决议)(?!性|因素|论|於|于|要因)|(?:选定|选择了|选用了?|敲定|商定|采用了)"
    r"|(?:に|を)決め(?:た|ました)|に決まっ|(?:する)?ことにし(?:た|ました)|採用し(?:た|ました)"
    r"|(?<!nicht )\b(?:entschieden|entschlossen|beschlossen|gewählt|geeinigt|entscheidung:)"
    r"|(?<!pas )(?<!encore )\b(?:décidé|choisi|opté|convenu)\b|\bdécision\b ?:"
    r"|\b(?:decidi(?:mos|ó|do|eron|u|ram)|eleg(?:imos|ido|ida)|elegimos|acord(?:amos|ado)|optamos|escolh(?:emos|eu|eram|ido"
    r"|ida)|combinamos)\b"
    r"|(?<!не )\b(?:реши(?:л|ла|ли)|решено|выбра(?:л|ла|ли)|договорились)\b",
    telltales.DECIDED,
)
_WHO: Final = Clauses(
    r"\b(?:user['’]?s?|my|owner['’]?s|his|her|their) (?:\w+ )?(?<!stored )(?:name|surname|nickname|birthday|date of birth|job"
    r"|role|occupation|profession|pronouns|job title|nationality)"
    r"(?: is|:| are)(?! (?:stored|read|set|taken|required|unique|optional|kept|not)\b)"
    r"|\A(?:full |first |last )?(?:name|surname|nickname|birthday|born|date of birth|job|role|occupation|profession|pronouns"
    r"|age|nationality)(?::| is\b)"
    rf"|(?:\A|\b){_USER} (?:is (?:called|named)|goes by|was born|works as|am called|was named)\b|{_CLAUSE}(?:call (?:me|him"
    r"|her|them)|goes by|born (?:on|in)|works as) "
    r"|\bi(?: am|['’]m) (?:an? |called )"
    r"|我叫|名叫|(?:我|用户|他|她)(?:的)?(?:全名|名字|姓名|昵称|职业|职位|生日|年龄|国籍|岗位)|(?:用户|我|他|她)叫(?!.{0,3}(?:我|你))|\A(?:姓名|名字|昵称|职业|职位|生日|年龄"
    r"|国籍)[:：是]"
    r"|(?:用户|我|他|她)是(?:一名|一位|一个|一枚|个|名|位)|(?:用户|我|他|她)(?:出生|生)于"
    r"|(?:ユーザー|私|僕|俺|彼|彼女)の(?:名前|職業|誕生日|年齢)|\A(?:名前|職業|誕生日)は|と申します|(?:ユーザー|私|僕|俺|彼|彼女)は[^。]{1,20}(?:師|者|員|家|エンジニア|デザイナー|学生"
    r"|生徒)(?:です|である|だ)?(?:$|。)"
    rf"|\b(?:heißt|heiße) [\w-]+(?=$|[.,;])|\bname (?:ist|lautet) |\bgeburtstag\b|\b{_USER} (?:ist|bin|wurde) (?:eine?"
    r"|geboren)\b|\barbeitet als\b"
    rf"|\bs['’]appelle\b|\bm['’]appelle\b|\banniversaire\b|\b(?:son|mon) nom est\b|\bné(?:e)? le\b|\b{_USER} (?:est"
    r"|suis) une? \w|\btravaille comme\b"
    rf"|\b(?:se llama|me llamo|su nombre es|mi nombre es|cumpleaños|naci[óo] el|trabaja como)\b|\b{_USER} es una? \w|\bsoy \w"
    rf"|\b(?:se chama|me chamo|(?:meu|seu) nome é|aniversário|nasceu em|trabalha como)\b|\b{_USER} é uma? \w|\b(?:eu )?sou \w"
    r"|\bзовут\b|\bимя (?:пользователя|—|-|:)|\bдень рождения\b|\bродил(?:ся|ась)\b|\bпо профессии\b|\bпользователь (?:—|-) ",
    telltales.WHO,
)
_OF_THE_BODY: Final = Clauses(
    r"\ballergic to\b|\b(?:is|am|are|['’][ms]) (?:a |an )?(?:strict(?:ly)? )?(?:vegetarian|vegan|diabetic|(?:colou?r[- ]?)?blind|deaf"
    r"|dyslexic|co?eliac|left-handed)\b|\b(?:nut|peanut|food|milk|egg|drug|penicillin|pollen|latex|wheat|soy|cat|dust) allerg(?:y|ies)\b"
    r"|\b(?:lactose|gluten)[- ]intoleran(?:t|ce)\b|过敏|素食者|吃素|糖尿病|アレルギー"
    r"|\ballergi(?:sch|que|c[oa])\b|\balérgic[oa]\b|\bаллерги",
    telltales.OF_THE_BODY,
)
"""What harms somebody when it is forgotten, and does not change."""
_IS_A: Final = Clauses(rf"(?:\A|\b{_USER} |\A\w+ )(?:is|am|['’]m) (?:an? |the )\w", telltales.IS_A)
_MONTH: Final = (
    r"(?:jan(?:uary|uar|\.)?|feb(?:ruary|ruar|\.)?|mar(?:ch|\.)?|märz|apr(?:il|\.)?|may|mai|june?|juni|july?|juli|aug(?:ust"
    r"|\.)?|sept?(?:ember|\.)?"
    r"|o[ck]t(?:ober|\.)?|nov(?:ember|\.)?|de[cz](?:ember|\.)?|janvier|février|mars|avril|juin|juillet|août|septembre|octobre"
    r"|novembre|décembre"
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    r"|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro"
    r"|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)"
)
_HAPPENS: Final = Clauses(
    r"(?<![\w/.-])(?<!version )(?<!api )(?<!tag )(?<!release )(?<!since )(?<!as of )(?<!seit )(?<!depuis )(?<!desde )(?<!с )"
    r"(?<!file )(?<!build )(?<!model )(?:"
    r"(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])(?![\w/-]|\.\w)"
    rf"|(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.|º|er)? (?:of |de )?{_MONTH}\b"
    rf"|{_MONTH} (?:(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?|(?:19|20)\d\d)\b(?!\.\d|%))"
    r"|(?<![自从到])(?:(?:19|20)\d\d年)?(?:0?[1-9]|1[0-2])月(?:0?[1-9]|[12]\d|3[01])[日号](?!起|以来|から|至今|版)"
    r"|\b(?:yesterday|tomorrow|(?:next|last|this coming) (?:week|month|monday|tuesday|wednesday|thursday|friday|saturday"
    r"|sunday))\b"
    r"|昨天|明天|后天|前天|(?:下|上)(?:周|星期|个月|礼拜)|昨日|明日|来週|先週"
    r"|\b(?:gestern|morgen früh|nächste woche|letzte woche|hier soir|demain|la semaine prochaine|mañana a|ayer|ontem|amanhã"
    r"|вчера|завтра)\b",
    telltales.HAPPENS,
)

_OF_THE_USER: Final = Clauses(
    r"\A(?:the |our )?user (?:\w+ly )?(?:is (?:not )?(?:an? |the |\d|called|named|from|based|in\b|learning|married|allergic|vegetarian"
    r"|vegan)|has (?:an? |two|three|been|never)|lives|speaks|works (?:as|at|in|for)|was born|goes by"
    r"|prefers?|likes?|loves?|hates?|dislikes?|enjoys?|wants?|does(?: not|n['’]t) (?:like|want|eat|drink)|would|asked|told"
    r"|said|studies|owns|drinks|eats)\b"
    r"|\A(?:the )?user['’]s (?:\w+ )?(?:name|birthday|wife|husband|partner|son|daughter|dog|cat|job|role|boss|mother|father"
    r"|time ?zone|pronouns|nickname|favou?rite|preference|preferred|hobb(?:y|ies)|age|city)"
    r"|\A(?:prefers|likes|loves|hates|dislikes|enjoys|wants) \w"
    r"|\A(?:my name|i prefer|i like|i love|i hate|i want"
    r"|i(?: am|['’]m) (?:an? |allergic|vegetarian|vegan|married|called|from|\d+\b(?! [a-z]))|i live|i speak|i work (?:as|at|in|for)|call me"
    r"|my (?:wife|husband|partner|birthday|favou?rite|time ?zone|pronouns))\b"
    r"|\A(?:用户|我)(?:更|最|不|很|特别|比较|一般|通常|平时)*(?:喜欢|偏好|偏爱|讨厌|希望|想要|叫|是|住|爱|习惯|说|要求|会说|养|有[一两个]|的(?:名字|姓名|生日|职业|妻子|丈夫|爱好|时区|母语"
    r"|昵称|女儿|儿子|猫|狗))"
    r"|\A(?:ユーザー|私|僕|俺)(?:は|の(?:名前|誕生日|職業|趣味))"
    r"|\A(?:der |die )?(?:be)?nutzer(?:in)? (?:mag|bevorzugt|möchte|will|heißt|wohnt|lebt|spricht|arbeitet|ist (?:ein|eine"
    r"|von)|liebt|hasst|wünscht)\b|\Aich (?:mag|bevorzuge|möchte|heiße|wohne|lebe|spreche|arbeite)\b|\Amein name\b"
    r"|\Al['’]utilisat(?:eur|rice) (?:n['’])?(?:préf|aime|veut|souhaite|s['’]appelle|habite|vit|parle|travaille|est une?\b"
    r"|déteste|adore)|\Aje (?:préf|m['’]appelle|veux|suis|vis|parle)|\Aj['’](?:aime|habite)"
    r"|\A(?:el |la )?usuari[oa] (?:prefiere|quiere|se llama|vive|habla|trabaja|es una?\b|odia)|\Aal usuario le gusta"
    r"|\A(?:prefiero|me llamo|me gusta|mi nombre|vivo en|soy una?\b)"
    r"|\A(?:[oa] )?usuári[oa] (?:prefere|quer|gosta|se chama|mora|vive|fala|trabalha|é uma?\b)|\A(?:prefiro|me chamo|meu nome"
    r"|gosto de|moro em|sou )"
    r"|\Aпользователь (?:не )?(?:предпочита|люби|хоч|живё|живе|говори|работа|ненавид)|\Aпользователя зовут|\Aменя зовут"
    r"|\Aя (?:предпочитаю|люблю|живу|хочу)",
    telltales.OF_THE_USER,
)
_OF_THE_USER_LOOSELY: Final = Clauses(
    rf"\A{_USER}\b|\A(?:user['’]s|my|mein|mon|ma|mi|meu|minha|用户|我|ユーザー|私)",
    telltales.OF_THE_USER_LOOSELY,
)
_OF_THE_WORLD: Final = Clauses(
    r"\A(?:(?:the|this|our|each|every) )?(?:project|repo|repository|code ?base|monorepo|app|application|server|service"
    r"|database|backend|frontend|api|ci|build|pipeline|test suite|tests|package|library|machine|deployment|deploys?|cluster"
    r"|branch|docker|website|staging|production)\b"
    r"(?! (?:owner|manager|lead|leader|maintainer))"
    r"|\A(?:这个|该|本|我们的)?(?:项目|仓库|代码库|服务器|数据库|服务|接口|后端|前端|应用|测试|部署|构建|网站)(?!经理|负责人|主管)"
    r"|\A(?:この)?(?:プロジェクト|リポジトリ|サーバー?|データベース|アプリ|テスト)"
    r"|\A(?:das|dieses|der|die) (?:projekt|repository|repo|server|datenbank|anwendung|app|dienst|tests)\b|\A(?:le|ce|la|l['’]"
    r"|les) ?(?:projet|dépôt|serveur|base de données|application|service|tests)\b"
    r"|\A(?:el|este|la|los|o|a|os) (?:proyecto|repositorio|servidor|base de datos|aplicación|servicio|projeto|repositório"
    r"|banco de dados|aplicativo|serviço|pruebas|testes)\b"
    r"|\A(?:этот |наш )?(?:проект|репозиторий|сервер|сервис|база данных|приложение|тесты)\b"
    r"|`[^`\n]+`|(?:\A|[\s(（:：=“\"'])(?:~|\.{1,2})?/[\w.@-]+/[\w./@-]*|\b[a-z]:\\\w|(?:\A|\n)\$ \w|\b[\w-]+/[\w-]+\.\w{1,5}\b"
    r"|\bv?\d+\.\d+\.\d+\b|\b(?:python|node(?:\.js)?|java|go|rust|ruby|php|postgres(?:ql)?|mysql|redis|ubuntu|debian|django"
    r"|react|typescript|kubernetes|docker) v?\d+(?:\.\d+)*\b"
    r"|(?<![\w.])[\w-]+\.(?:py|js|ts|tsx|jsx|toml|ya?ml|json|md|sh|cfg|ini|sql|go|rs|java|rb|lock|env|txt)\b"
    r"|\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b"
    r"|\b(?:npm|pnpm|yarn|pip|uv|git|make|cargo|docker|kubectl|brew|apt) (?:run|install|add|push|pull|test|build|sync|commit"
    r"|compose|apply|check|clone|exec)\b|\bport \d{2,5}\b|\blocalhost\b",
    telltales.OF_THE_WORLD,
)


_IN_ORDER: Final[tuple[tuple[Clauses, EntryKind], ...]] = (
    (_CORRECTED, "correction"),
    (_FORBIDDEN, "prohibition"),
    (_PREFERRED, "preference"),
    (_NOT_BUT, "correction"),
    (_DECIDED, "decision"),
    (_WHO, "identity"),
    (_OF_THE_BODY, "identity"),
    (_IS_A, "identity"),
    (_HAPPENS, "event"),
)
_ALL: Final = Together([pattern for pattern, _ in _IN_ORDER])


def kind_of(text: str, target: Target) -> EntryKind:
    """What kind of statement a text is; "fact" where its form says nothing else.

    Args:
        text: One entry.
        target: The file that it is for: in `user` a statement without a subject is about the person.
    """
    said = "\n".join(filter(None, map(normal, text[:_MOST_CHARS].splitlines())))  # a line begins a clause
    for number in _ALL.matching(said):
        pattern, kind = _IN_ORDER[number]
        if pattern is not _IS_A or target == "user":
            return kind
    return "correction" if _corrects(text) else "fact"


def _corrects(text: str) -> bool:
    """Whether a text says that something never was so; that something has changed is a fact as before."""
    if len(text) > _MOST_CHARS:
        return False
    from archivist.notes.correcting import correction_in  # noqa: PLC0415 - most who read notes judge none

    found = correction_in(text)
    return found is not None and found.is_plain and not found.is_change


def belongs_to(text: str) -> Target | None:
    """The file that a text plainly belongs to, None where it is not plain.

    What says that something is so no more belongs where it stood that it is.
    """
    said = normal(text[:_MOST_CHARS])
    if any(map(_OF_THE_USER.match_in, dict.fromkeys((said, affirmed(said))))) or is_of_moving(text):
        return "user"
    if _OF_THE_WORLD.match_in(said) and not _OF_THE_USER_LOOSELY.match_in(said):
        return "memory"
    return None


__all__ = ["belongs_to", "kind_of"]
