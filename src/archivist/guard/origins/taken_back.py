"""What a person said and took back: "scrap that", "算了", "vergiss es".

Said in the same message, it takes back what stands before it there; at the beginning of a message, the message before. What is named
("forget the thing about Jenkins") is taken from the notes instead, and nothing that was said is taken back by it.
"""

from functools import lru_cache
from typing import Final

from archivist.records.patterns import late_pattern

_WAVERS: Final = (
    "no nope nah oh ok okay actually wait hmm+ hm sorry well ah oops hold(?: |-)on on(?: |-)second(?: |-)thoughts?"
    " you(?: |-)know(?: |-)what"
    " ach nein nee doch warte moment halt naja non attends en(?: |-)fait ay espera perdón não opa peraí anzi aspetta нет ой стой погоди"
    " впрочем хотя ні стривай nie czekaj hayır yok dur bekle wacht nej vänta ei όχι không khoan tidak eh लेकिन नहीं रुको لا انتظر نه صبر"
    " 不 啊 哦 呃 等等 等一下 等下 那 还是 還是 いや あ え やっぱ やっぱり ごめん すみません 아니 잠깐 아 음 לא רגע"
).split()
"""What somebody says who thinks again, before they say what of."""
_WHAT: Final = r"(?:(?:all|any|both) (?:of )?)?(?:that|it|this|these|those)(?: (?:one|bit|part|idea))?"
_SAID: Final = (
    r"(?:what|everything|anything|all(?: that)?|that) i(?:'ve| have)? (?:just )?(?:said|wrote|written|typed"
    r"|told you|asked(?: for)?)(?: \w+){0,3}"
    r"|(?:my|the|that) (?:last|previous|above|earlier) \w+|the above|everything(?: above)?"
    r"|i (?:ever )?said (?:that|it|anything|so)"
)
_ANEW: Final = r"(?:(?<![,;:] )|(?<=wait, )|(?<=no, )|(?<=actually, )|(?<=oh, )|(?<=sorry, )|(?<=wrong, ))"
"""Where a sentence begins, and not its second half: "for this file, skip it" takes nothing back."""
_TAKEN_BACK: Final = (
    rf"(?:(?:please|just|let's|let us|can you|you can) )?(?:(?:scrap|scratch|forget|disregard|strike|retract"
    rf"|nix)(?: about)?|{_ANEW}(?:ignore"
    rf"|drop|cancel|undo|discard|skip|withdraw|delete|erase)) (?:{_WHAT}|{_SAID})"
    r"|(?:please )?disregard|please ignore|(?:sorry,? )?wrong (?:chat|window|channel|tab|thread|person|project)"
    r"|falsche[rs]? (?:chat|fenster)|mauvaise fenêtre|chat equivocado|chat errat[oa]|не туда|ошиб\w+ чатом|发错了"
    r"|發錯了|送信先を間違え\w*|誤爆\w*|잘못 보냈\S*"
    r"|never ?mind(?: (?:that|this|it|about (?:that|it|this)))?|nvm|i(?:'ll| will)? (?:take|took) (?:that|it|this"
    r"|all of (?:that|it)) back"
    r"|(?:i'm |i am |i was )?(?:just |only )?(?:kidding|joking)|jk|j/k|my (?:mistake|bad)|i was (?:wrong|mistaken)"
    r"|i misspoke"
    r"|i(?:'ve| have)? changed my mind|i didn't mean (?:that|it)|don't (?:do|note|save|remember|store|keep|write"
    r"|record) (?:that|it|this)(?: down)?"
    r"|(?:let's )?(?:rather|better|maybe) not|let's not|don't(?: bother)?"
    r"|mach(?:e|en sie|t)? (?:das|es) (?:doch |lieber |bitte )?nicht|ne (?:le )?(?:fais|faites)(?: pas)?(?: ça"
    r"| cela)? pas|ne fais pas ça|no (?:lo hagas|hagas eso)|não (?:faça|faças|faz) isso|non (?:farlo|fare così)"
    r"|doe (?:dat|het) (?:maar )?niet|nie rób tego|yapma(?:yın)?(?: bunu)?|đừng (?:làm vậy|làm thế)|别这样(?:做)?"
    r"|不要这样(?:做)?|(?:そう|それは)しないで(?:ください)?|(?:그러지|하지) 마(?: ?세요)?|لا تفعل(?: ذلك)?|(?:این"
    r"|آن) کار را نکن(?:ید)?|(?:ऐसा )?मत (?:करो|करना|करें)"
    r"|vergiss (?:es|das|alles|was ich \w+ ?\w* habe)|vergessen sie (?:es|das)|streich(?:e|en sie)? (?:es|das)"
    r"|lass (?:es|das|gut)(?: sein)?"
    r"|ignorier(?:e|en sie)? (?:es|das|meine \w+ \w+)|schon gut|(?:war|das war) (?:nur )?(?:ein )?(?:spaß|scherz"
    r"|witz|quatsch|unsinn|blödsinn)"
    r"|(?:lieber|dann) (?:doch )?nicht|doch nicht|(?:ich nehme (?:es|das)|nehme ich) zurück|kommando zurück"
    r"|hat sich erledigt"
    r"|ich habe mich (?:geirrt|vertan|versprochen)|quatsch|unsinn"
    r"|oublie(?:z)?(?:[- ](?:ça|cela|le|tout(?: ça)?|ce que .{1,30}))?|laisse(?:z)? tomber|(?:ignore|annule"
    r"|efface)(?:z)?(?:[- ](?:ça|cela|tout"
    r"|mon .{1,20}))?|je (?:retire|plaisante(?:is)?|rigole)(?: .{1,25})?|c'était (?:une blague|une erreur"
    r"|pour rire)|finalement,? non|en fait,? non"
    r"|je me suis trompée?|j'ai changé d'avis"
    r"|olv[ií]d(?:a|e|alo|elo|ate|ese)(?: (?:de )?(?:eso|esto|todo|lo (?:que dije|anterior|dicho)))?|d[eé]j(?:alo"
    r"|elo|a|e)(?: (?:eso|estar|así))?"
    r"|(?:ignora|cancela|borra|anula|descarta)(?:lo)?(?: (?:eso|esto|lo anterior|mi último mensaje))?|(?:es|era"
    r"|fue) (?:una )?broma|mejor no"
    r"|me (?:equivoqué|he equivocado)|estaba equivocad[oa]|retiro lo dicho|no me hagas caso|cambié de idea"
    r"|he cambiado de (?:idea|opinión)"
    r"|esque[cç](?:e|a)(?: (?:isso|isto|tudo|o que (?:eu )?disse))?|deix(?:a|e)(?: (?:pra|para) lá| isso| estar)?"
    r"|(?:ignor|cancel|apag|descart)[ae]"
    r"(?: (?:isso|isto|tudo))?|(?:retiro|anulo) o que (?:eu )?disse|(?:foi |era )?brincadeira|(?:estou|tô"
    r"|estava) (?:a )?brinca\w+|estava errad[oa]"
    r"|me enganei|enganei-me|melhor não|pensando (?:bem|melhor),? não|mudei de ideia"
    r"|lascia (?:stare|perdere)|dimentica(?:lo|telo)?(?: (?:tutto|quello che ho detto))?|come non detto"
    r"|ignora(?:lo)?|annulla(?: tutto)?|scherz(?:o|avo)"
    r"|anzi,? no|mi sono sbagliat[oa]|fa niente|non importa|ritiro(?: .{1,20})?|ho cambiato idea|meglio di no"
    r"|vergeet (?:het|dat)(?: maar)?|laat (?:maar|zitten)|(?:negeer|schrap) dat|(?:dat was een )?grapje"
    r"|toch (?:maar )?niet|ik neem (?:dat|het) terug"
    r"|ik had het mis|ik vergiste me"
    r"|забудь(?:те)?(?: (?:это|об этом|про это|вс[её]))?|отбой|отмена|отмени(?:те)?(?: это)?|не ?важно"
    r"|(?:за)?игнорируй(?:те)? это|вычеркни(?:те)? это"
    r"|шучу|(?:это )?(?:была )?шутка|я (?:пошутила?|ошиб(?:ся|лась)|передумала?)|ошиб(?:ся|лась)|передумала?"
    r"|беру (?:свои )?слова (?:обратно|назад)"
    r"|не (?:надо|делай(?:те)?)(?: (?:так|этого|это))?|забей|проехали|лучше не надо|не обращай(?:те)? внимания"
    r"|забудь(?:те)?(?: (?:це|про це|все))?|відбій|скасуй(?:те)?(?: це)?|неважливо|жартую|це (?:був )?жарт"
    r"|я? ?(?:помили(?:вся|лася)|передумала?)"
    r"|не (?:треба|роби)(?: (?:так|цього|це))?|беру слова назад|не зважай"
    r"|zapomnij(?:cie)?(?: o tym)?|nieważne|(?:cofam|odwołuję)(?: to)?|żart(?:uję|owałem|owałam)|to (?:był )?żart"
    r"|(?:jednak|lepiej) nie|pomyli(?:łem|łam) się"
    r"|(?:skreśl|zignoruj|skasuj) to|daj spokój|zmieni(?:łem|łam) zdanie"
    r"|boş ?ver(?:in)?|unut(?:un)?(?: (?:bunu|onu|gitsin|dediğimi))?|(?:bunu|onu|dediğimi) unut(?:un)?|vazgeçtim"
    r"|vazgeç|şaka(?: yapıyorum| yaptım|ydı)?"
    r"|iptal(?: et)?|dikkate alma(?:yın)?|yanlış (?:oldu|yaptım|söyledim)|(?:sözümü )?geri alıyorum|(?:bunu"
    r"|onu) sil|fikrimi değiştirdim"
    r"|quên (?:nó|điều đó|chuyện đó|cái đó|đi)(?: đi)?|thôi(?: (?:bỏ đi|khỏi|không cần(?: nữa)?|được rồi))?"
    r"|bỏ (?:qua|đi)(?: (?:điều|cái|chuyện) đó)?"
    r"|kệ (?:đi|nó)|(?:tôi |mình )?đùa (?:thôi|đấy|tí)|(?:tôi |mình )?nói nhầm|rút lại|không cần nữa|(?:tôi "
    r"|mình )?đổi ý(?: rồi)?"
    r"|lupakan(?: (?:saja|itu|yang tadi))*|abaikan(?: (?:saja|itu))*|(?:tidak|nggak|gak|ga) jadi"
    r"|batal(?:kan)?(?: itu)?|(?:cuma |hanya )?bercanda"
    r"|sudahlah|saya (?:tarik kembali|salah(?: bicara)?|berubah pikiran)"
    r"|glöm (?:det|bort det|allt)|strunt(?:a)? i det|skippa det|(?:jag )?skoja(?:r|de)(?: bara)?|jag hade fel"
    r"|(?:jag )?ångrar mig|bortse från det"
    r"|glem det|(?:jeg )?(?:tuller|tullet)(?: bare)?|unohda (?:se|tuo|koko juttu)|ei sittenkään|peru(?:ta)? se"
    r"|se oli vitsi|antaa olla|anna olla"
    r"|olin väärässä|ξέχνα (?:το|τα)|ξέχασέ το|άσε(?: )?το|άστο|άκυρο|πλάκα (?:κάνω|έκανα)|αστειεύομαι|έκανα λάθος"
    r"|αγνόησέ το|άλλαξα γνώμη"
    r"|zapomeň na to|to nic|felejtsd el|las-o baltă"
    r"|算了(?:吧|不要了)?|作[废廢]|[当當]我(?:没|沒)[说說](?:过|過)?|(?:请|請|你)?(?:忘(?:了|掉|记|記)|忽略|无视"
    r"|無視|删掉|刪掉|取消|撤[回销銷]|收回)"
    r"(?:(?:我)?(?:这|這|那|上|前|刚|剛|它|我)[^，。,.!！?？\n]{0,8})?(?:吧|了)?|不用了|(?:我)?(?:是)?(?:开玩笑"
    r"|開玩笑)(?:的|呢|啦)*|逗你(?:的"
    r"|玩)?(?:的|呢)?"
    r"|(?:我)?(?:说|說|写|寫|搞|记|記)错了|(?:我)?(?:說|写|寫|搞|記)錯了|(?:我)?改(?:变)?主意了|不作数|不算数"
    r"|不算數|(?:还是)?(?:不要了|别了)"
    r"|(?:我)?(?:刚才|剛才|刚刚|前面|上面|上一)[^，。,.!！?？\n]{0,6}(?:不算|作废|忽略|取消|当我没说)"
    r"|(?:今の|さっきの|それ|これ|前の|この|その)?(?:話|件|発言)?(?:は|を|も)?(?:忘れて(?!は|い)(?:ください|下さい"
    r"|くれ|ね)?|なし(?:で|に)?(?:して|お願いします)?"
    r"|取り?消し(?:ます|て|で|てください)?|撤回(?:します|して|してください)?|無視して(?:ください)?|キャンセル(?:で"
    r"|して|します)?|冗談(?:です|だよ|でした)?"
    r"|間違い(?:です|でした|だった)|間違え(?:た|ました)|嘘(?:です|だよ)?)|やっぱり?(?:なし|いい(?:です|や)?"
    r"|やめ(?:て|ます|る|とく|ましょう|よう)?)"
    r"|(?:もう)?いいです|気にしないで(?:ください)?|な(?:ん|ん)でもない(?:です)?|何でもない(?:です)?"
    r"|気が変わ(?:った|りました)"
    r"|(?:(?:방금|아까|지금) ?)?(?:그거|그건|그것|이거|이건|이것|한 말|말한 것|말한 거|그 말|그 얘기)?(?:은|는|을"
    r"|를)? ?(?:잊어(?: ?줘| ?주세요| ?버려)?(?:요)?"
    r"|무시해(?: ?줘| ?주세요)?(?:요)?|취소(?:해|할게|합니다|요|해요)?(?: ?줘| ?주세요)?|없던 (?:걸로|일로)(?: 해"
    r"| 하자| 해줘| 해 주세요)?|농담(?:이야|이에요"
    r"|입니다|이었어)?"
    r"|됐어(?:요)?|됐습니다|잘못 (?:말했|썼|얘기했)\S*|철회\S*|신경 쓰지 마\S*|관둬|관두자|그만두자"
    r"|마음이 바뀌었\S*)"
    r"|(?:انس(?:َ|ى|ي)?|انسوا)(?: (?:ذلك|هذا|الأمر|الموضوع|ما قلت\S*))?|انسه|تجاهل (?:ذلك|هذا|ما قلت\S*|رسالتي\S*)"
    r"|ألغ(?:ِ)? (?:ذلك|هذا)|أسحب (?:كلامي|ذلك)"
    r"|لا تهتم|لا عليك|(?:كنت )?أمزح|مجرد مزحة|(?:لقد )?(?:كنت مخطئا|أخطأت)|غيرت رأيي|دعك من (?:ذلك|هذا)|لا داعي"
    r"|(?:این را |آن را |اینو |اونو |همه را )?فراموش(?:ش)? ?کن(?:ید)?|ول(?:ش)? کن(?:ید)?|بی\u200c? ?خیال(?:ش)?"
    r"|(?:این را |آن را )?نادیده(?:\u200cاش)? بگیر(?:ید)?"
    r"|شوخی (?:کردم|بود|می\u200cکنم)|اشتباه (?:کردم|گفتم|بود)|لغو(?:ش)? کن(?:ید)?|حرفم را پس (?:می\u200cگیرم"
    r"|گرفتم)|مهم نیست|نظرم عوض شد|پشیمان شدم"
    r"|(?:इसे |उसे |ये |यह |वो |वह )?(?:भूल (?:जाओ|जाइए|जाना|जाएँ|जाएं)|रहने (?:दो|दीजिए|दें)|छोड़(?:ो|िए| दो"
    r"| दीजिए)|अनदेखा (?:करो|करें|कर दो)|रद्द (?:करो|करें|कर दो))"
    r"|(?:मैं )?मज़ाक (?:था|कर रहा था|कर रही थी)|मैंने गलत (?:कहा|बोला|लिखा)|(?:मैं )?(?:अपनी बात )?वापस लेता हूँ"
    r"|जाने (?:दो|दीजिए)|मेरा मन बदल गया"
    r"|ช่างมัน(?:เถอะ)?|ลืมมัน(?:ไป)?(?:ซะ|เถอะ)?|ไม่เอาแล้ว|ยกเลิก(?:นะ)?|ล้อเล่น(?:นะ)?|พูดผิด|ไม่ต้องแล้ว"
    r"|เปลี่ยนใจแล้ว"
    r"|(?:תשכח(?:י)?|שכח|עזוב|עזבי|(?:ת)?תעלם|התעלם|בטל)(?: (?:מזה|את זה|ממה שאמרתי|מההודעה \S+))?|לא משנה|סתם"
    r"|צחקתי|טעיתי|חזרתי בי|שיניתי את דעתי|בצחוק"
)
_IN_THE_SAME_BREATH: Final = (
    r"(?:that|it|this)(?:'s| is| was) (?:not (?:true|right|serious|what i meant)|wrong|nonsense|a (?:joke|mistake"
    r"|lie))"
    r"|(?:es|das) (?:stimmt|war) (?:so |ja |gar )?(?:nicht|falsch)|das ist falsch|c'est faux|ce n'est pas vrai"
    r"|eso (?:no es (?:verdad|cierto)|está mal)"
    r"|isso (?:não é verdade|está errado)|non è vero|dat klopt niet|это (?:не так|неправда|неверно)|це не так"
    r"|to nieprawda|bu yanlış|điều đó sai"
    r"|不[对對](?:不[对對])?|[这這]不[对對]|違う|違います|ちがう|아니야|아니에요|아닙니다|هذا خطأ|این اشتباه است"
    r"|यह गलत है"
)
"""What takes back what was said just before it, and answers somebody else where it begins a message."""
_WAVER: Final = "|".join(_WAVERS).replace("(?: |-)", "[ -]")
_BEFORE: Final = r"(?:\A|[\n.!?;:,(—–…。！？，、；：]|\s-)[\s\"'*]{0,8}"
_AFTER: Final = (
    r"(?:[ ]?(?:please|then|actually|again|sorry|lol|haha|for now|after all|i guess|bitte|mal|wieder|doch|lieber"
    r"|sofort|por favor|s'il te plaît|porfa"
    r"|пожалуйста|ладно|lütfen|吧|了|啊|哈+|ね|よ|わ|요|นะ|ครับ|ค่ะ)){0,2}(?=\s*(?:\Z|[^\w\s'’]))"
)


_TAKES_BACK: Final = late_pattern(
    rf"{_BEFORE}(?:(?:{_WAVER})[\s,.!…—–，。、！-]{{0,8}}){{0,3}}(?:(?P<back>{_TAKEN_BACK})"
    rf"|(?:{_IN_THE_SAME_BREATH})){_AFTER}",
)
_THINKS_AGAIN: Final = late_pattern(rf"(?:{_IN_THE_SAME_BREATH}|{_WAVER}|[\W_])+")
_HEAD: Final = 200
"""Characters of a message in which it says that the one before no longer counts."""
_BETWEEN: Final = " \t\n.,;:!?-—–…。，、；：！？)"


def left_of(own: tuple[str, ...]) -> tuple[str, ...]:
    """What is left of a message when it was said whole, of what its person says in it; remembered, unless it is long."""
    return _remembered(own) if sum(map(len, own)) <= _LONGEST_REMEMBERED else _left_of(own)


def _left_of(own: tuple[str, ...]) -> tuple[str, ...]:
    for at in range(len(own) - 1, -1, -1):
        ends = [found.end() for found in _TAKES_BACK.finditer(_even(own[at]))]
        if ends:
            rest = own[at][ends[-1] :].lstrip(_BETWEEN)
            return tuple(filter(None, (rest, *own[at + 1 :])))
    return own


@lru_cache(maxsize=16_384)
def takes_the_last_back(own: tuple[str, ...]) -> bool:
    """Whether a message begins with taking back the message before."""
    head = _even(own[0][:_HEAD]) if own else ""
    starts = (found.start("back") for found in _TAKES_BACK.finditer(head) if found["back"])
    first = next(starts, None)
    return first is not None and not _says_something(head[:first])


def _even(text: str) -> str:
    """A text in small letters, each where it stood."""
    low = text.replace("’", "'").lower()
    return low if len(low) == len(text) else text


def _says_something(before: str) -> bool:
    """Whether a person says more than that they think again before they take something back."""
    return bool(_THINKS_AGAIN.sub("", before))


_LONGEST_REMEMBERED: Final = 4_000
_remembered: Final = lru_cache(maxsize=16_384)(_left_of)

__all__ = ["left_of", "takes_the_last_back"]
