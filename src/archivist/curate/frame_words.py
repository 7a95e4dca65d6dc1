"""Words that frame a statement and say nothing of it, words that turn it round, and endings that words take, in many languages."""

from typing import Final


def _folded(words: str) -> frozenset[str]:
    return frozenset(words.casefold().split())


FRAMES: Final = _folded(
    # English
    "a an the this that these those it its it's is are was were be been being am i i'm i've i'd i'll me my mine myself we we're"
    " our "
    "ours us you your yours he she they"
    " them their theirs his her him user users user's owner owner's person and or of to in on at for with by as from into so do"
    " does did"
    " have has had will would can could may might please remember note noted save store keep mind memory prefer prefers preferred "
    "preference preferences"
    " preferring want wants wanted wish wishes like likes liked would ask asks asked say says said state states stated mention"
    " mentions"
    " mentioned tell tells told confirm confirmed request requested requests explicitly according there here also just now then"
    " who "
    "which what how if when where"
    " about regarding rather information fact facts setting called named known team project codebase"
    " thing things some any get got new current currently hey hi "
    "hello ok okay thanks thank yes btw fyi again one s t d ll re ve m"
    # German
    " der die das den dem des ein eine einen einem einer eines ich mir mich mein meine meinen meinem meiner wir uns unser unsere "
    "unseren du dein deine er sie es ihr ihre sein seine"
    " ist sind war waren bin hat habe haben hatte wird werden und oder zu zum zur im in am an auf für mit von vom bei als aus dass "
    "nutzer nutzers benutzer benutzers"
    " nutzerin person bitte merk merke merken dir notier notiere möchte möchten will wollen wünscht bevorzugt bevorzuge bevorzugen "
    "mag sagt sagte gesagt auch so wie"
    # French
    " le la les l un une des du de d je j me m moi mon ma mes nous notre nos tu ton ta tes vous votre vos il elle ils elles son sa "
    "ses leur leurs ce cet cette ces c"
    " est sont était suis ai as a ont avons et ou à au aux en dans sur pour avec par que qu qui utilisateur utilisatrice "
    "utilisateurs s'il souviens souvenir toi retiens note notez plaît"
    " préfère préférer préfèrent veux veut voudrais souhaite aime dit"
    # Spanish, Portuguese, Italian
    " se el los las lo unos unas del al yo mi mis mí nuestro nuestra nuestros nosotros tú tu tus su sus usted ellos ella ese esa"
    " eso "
    "este esta esto es son era soy estoy está están ser estar he ha han y o u"
    " a ante con por para sobre que quien usuario usuaria usuarios favor recuerda recuerde anota prefiere prefiero quiere quiero "
    "desea gusta dice dijo"
    " o os as um uma uns umas do da dos das no na nos nas ao aos à às eu meu minha meus minhas nós nosso nossa você seu sua seus "
    "suas ele ela eles elas é são era sou estou está estão foi e ou em de"
    " com por para que quem usuário usuária utilizador lembre lembra anote prefere prefiro quer quero gosta disse"
    " il lo gli i un uno di del dello della dei degli delle al allo alla ai agli alle nel nella sul sulla io mio mia miei mie noi "
    "nostro nostra tu tuo tua lui lei loro suo sua suoi sue questo questa è sono"
    " era ho ha hanno e ed o in con per su da che chi utente utenti favore ricorda annota preferisce preferisco vuole voglio ama "
    "dice tengo tiene tienen tenho tem têm temos ho"
    # Dutch
    " de het een ik mij me mijn wij we ons onze jij je jouw hij zij ze hun zijn haar is was ben heeft heb hebben en of te in op"
    " aan "
    "voor met van bij als dat die gebruiker gebruikers onthoud noteer"
    " wil graag voorkeur zegt alsjeblieft"
    # Russian, Ukrainian
    " я меня мне мной мой моя моё мое мои моего моей моему мы нас нам наш наша наше наши ты тебя твой вы вас ваш он она они его её "
    "ее их это этот эта эти есть был была было быть и или в во на у к с со"
    " за для по от до из о об что кто который пользователь пользователя пользователю пользователем пожалуйста запомни запомните "
    "запиши предпочитает предпочитаю хочет хочу нравится сказал сказала также"
    " мене мені мій моє мої ми нас наш ти він вона вони його її їх це є був була й та або у від до із зі що хто користувач "
    "користувача користувачу запам'ятай хоче любить"
    # Polish
    " ja mnie mi mój moja moje moi mojego mojej my nas nam nasz nasza nasze ty twój on ona oni jego jej ich to ten ta te jest są"
    " był "
    "była było być i oraz lub w we na u do z ze za dla po od o że kto który"
    " użytkownik użytkownika użytkownikowi proszę zapamiętaj zapisz woli wolę chce chcę lubi powiedział się"
    # Turkish
    " ben benim bana beni bizim biz bize sen senin o onun onlar bu şu bir ve veya ile için de da ki mi mı kullanıcı kullanıcının "
    "kullanıcıya lütfen hatırla not al tercih ediyor ediyorum istiyor istiyorum dedi olarak"
    # Vietnamese, Indonesian
    " tôi mình của chúng là và hoặc ở trong cho với bởi này đó người dùng hãy nhớ ghi thích muốn được có đã đang thì mà"
    " saya aku kami kita dia mereka ini itu yang dan atau di ke dari untuk dengan oleh adalah pengguna tolong ingat catat suka"
    " ingin "
    "mau lebih akan sudah nya"
    # Arabic, Persian, Hebrew, Hindi, Greek, Finnish, Swedish
    " أنا لي نحن لنا هو هي هم هذا هذه ذلك التي الذي في من إلى على عن مع و أو أن إن المستخدم مستخدم تذكر رجاء فضلك يفضل أفضل يريد "
    "أريد يحب قال كان يكون"
    " من ما او آنها این آن را به در از با که و یا است هست بود هستم دارد دارم برای کاربر لطفا لطفاً یادت باشد ترجیح می‌دهد می‌دهم "
    "می‌خواهد می‌خواهم گفت"
    " אני שלי אנחנו שלנו הוא היא הם זה זאת של את עם על אל ב ל ו או כי המשתמש משתמש בבקשה זכור מעדיף רוצה אמר"
    " मैं मेरा मेरी मेरे मुझे हम हमारा हमारी हमारे वह वे उसका उसकी उनके यह ये है हैं था थी थे हूँ हूं का की के को से में पर और या"
    " ने "
    "कि जो उपयोगकर्ता यूज़र कृपया याद रखो रखना रखें पसंद करता करते करती चाहता चाहते कहा"
    " εγώ μου εμένα εμείς μας ο η το οι τα του της των τον την ένα μια είναι ήταν και ή σε στο στη στην με για από που ότι χρήστης "
    "χρήστη παρακαλώ θυμήσου προτιμά προτιμώ θέλει θέλω"
    " minä minun minua me meidän hän hänen on ovat oli ja tai että käyttäjä käyttäjän muista haluaa haluan pitää jag mig min mitt "
    "mina vi vår den det är var och eller att i på för med av användaren kom ihåg vill föredrar"
)
FRAMES_UNSEGMENTED: Final = tuple(
    sorted(
        (
            "用户的 用户 使用者 主人 我们的 我们 我的 我 你的 你 您 他的 他 她 它 的 是 在 了 请记住 请记 请 记住 记下 偏好 喜欢 "
            "更喜欢 希望 想要 想 说 表示 提到 要求 这个 那个 这 那 有 也 就 会 被 把 让 用于 進 一下 吧 呢 啊 嗎 吗 啦 帮我 以后 都"
            " ユーザーの ユーザーは ユーザー さん 私の 私は 私 僕の 僕は 僕 俺 うちの です ます でした ました ている ています "
            "ください 覚えて おいて メモして 好き 好む 好みます 希望 は が を に の と も で へ や する します して した こと だ"
            " ね "
            "よ"
            " ผู้ใช้ ผม ฉัน เรา ของ ที่ เป็น คือ ใน และ หรือ ให้ กับ ว่า จะ ได้ มี นี้ นั้น ครับ ค่ะ จำไว้ ช่วย ชอบ ต้องการ"
        ).split(),
        key=len,
        reverse=True,
    )
)
"""The longer ones first: they are taken out of a run one after the other."""

NEGATIONS: Final = _folded(
    "not no never none nor without cannot neither nobody nothing nicht kein keine keinen keinem keiner nie niemals ohne pas non "
    "jamais sans aucun aucune ne rien ningún ninguna nunca jamás sin não sem nenhum nenhuma mai senza nessun nessuna"
    " niet geen nooit zonder не нет никогда без ни нельзя ні ніколи жодного nie nigdy bez żaden yok değil asla hiç hiçbir không"
    " chưa "
    "đừng tidak bukan jangan tanpa belum لا ليس لم لن بدون أبدا نه نیست هرگز بدون هیچ לא אין בלי אף नहीं मत कभी बिना δεν μη μην"
    " ποτέ "
    "χωρίς"
    " ei älä ilman inte aldrig utan"
)
DISLIKES: Final = _folded(
    "hate hates hated dislike dislikes disliked detest avoid avoids avoided stop stopped quit refuse refuses refused forbid"
    " forbids "
    "forbidden instead except unless"
    " hasse hasst vermeide vermeidet verbietet déteste évite odio odia odeio evita evito ненавижу ненавидит избегает избегаю "
    "nienawidzę unika haat vermijdt nefret stopping stops quits quitting avoiding refusing vermeiden verzichte verzichtet"
    " verzichten aufhören"
    " verboten arrête arrêtez arrêter cesse cessez évitez éviter refuse refusez interdit evitar prohibido smetti smettere evitare"
    " vietato pare evite proibido vermijd vermijden verboden перестань перестаньте прекрати прекратите избегай избегайте избегать"
    " запрещено"
    " запрещаю хватит припини уникай уникати заборонено przestań przestańcie unikaj unikać zabronione zakazane durdur kaçın yasak"
    " ngừng tránh cấm berhenti hindari dilarang توقف تجنب امتنع ممنوع متوقف پرهیز بند बंद बचें बचो הפסק הימנע אסור sluta undvik"
    " förbjudet"
    " lopeta vältä kielletty σταμάτα απόφυγε απαγορεύεται 안 못 그만 중단 금지"
)
"""Words that turn a statement round as a "not" does."""
WITHOUT: Final = _folded(
    "without ohne sans sin sem senza zonder без bez tanpa بدون بلا बिना χωρίς δίχως ללא בלי ilman utan"
)
"""Of these, those that turn a part of a statement round alone."""
INSTEAD: Final = _folded(
    "instead except unless over than statt anstatt anstelle lieu sauf excepté lugar vez excepto salvo exceto invece tranne eccetto"
    " вместо кроме чем замість крім ніж zamiast oprócz niż yerine hariç plaats behalve thay trừ hơn alih-alih kecuali daripada"
    " بدل إلا بجای مگر במקום מלבד बजाय सिवाय αντί εκτός"
)
"""Words between two things of which one holds and the other does not."""
DIRECTIONS: Final = INSTEAD | _folded(
    "before after vor nach als bevor nachdem lieber avant après plutôt mieux antes mejor peor melhor pior después depois"
    " prima dopo anziché до после перед після"
    " przed po"
    " önce sonra göre voor na dan liever trước sau sebelum sesudah setelah قبل بعد من לפני אחרי पहले बाद πριν μετά ennen jälkeen"
    " före efter"
)
"""Words between two things that are not to be exchanged."""
MOVABLE: Final = _folded(
    "always only please every each immer nur stets toujours seulement siempre solo sólo sempre só apenas всегда только завжди"
    " тільки "
    "zawsze tylko altijd alleen daima her"
    " luôn chỉ selalu hanya دائما دائمًا فقط همیشه فقط תמיד רק हमेशा केवल πάντα μόνο aina vain alltid bara"
)
"""Words that may stand anywhere in a sentence and say the same."""
NEGATIONS_UNSEGMENTED: Final = tuple(
    "不 没 沒 无 無 非 别 別 勿 未 禁 讨厌 討厭 避免 停止 拒绝 拒絕 放弃 放棄 杜绝 杜絕 反对 反對 ない ません なく ず 嫌 やめ"
    " 止め ダメ だめ 駄目 避け 拒否 反対 控え"
    " 廃止 中止 ไม่ ห้าม อย่า เกลียด เลิก หยุด เลี่ยง".split()
)
NEGATIONS_HANGUL: Final = tuple(
    "않 못 없 안돼 마세요 마라 말것 말아 말자 지마 싫 금지 아니 아닙 피하 거부 반대 중단".split()
)
DOUBTS: Final = _folded(
    "maybe perhaps possibly presumably probably vielleicht eventuell womöglich vermutlich wahrscheinlich peut-être probablement"
    " quizá quizás"
    " probablemente talvez provavelmente forse magari probabilmente misschien wellicht waarschijnlijk возможно наверное вероятно"
    " может-быть"
    " можливо мабуть może chyba prawdopodobnie belki galiba muhtemelen mungkin barangkali ربما لعل شاید احتمالا शायद אולי kanske"
    " troligen"
    " ehkä luultavasti ίσως μάλλον 아마 아마도 혹시"
)
"""Words that leave open whether something is so."""
DOUBTS_UNSEGMENTED: Final = tuple(
    "也许 也許 或许 或許 说不定 說不定 大概 かも たぶん 多分 おそらく อาจจะ บางที คงจะ".split()
)
SELDOM: Final = _folded(
    "rarely seldom hardly barely scarcely sometimes occasionally kaum selten manchmal gelegentlich rarement parfois rara"
    " raramente a-veces"
    " ocasionalmente quase às-vezes talvolta qualche-volta zelden soms редко иногда едва рідко іноді інколи rzadko czasem czasami"
    " nadiren bazen"
    " hiếm đôi-khi jarang kadang kadang-kadang نادرا أحيانا به‌ندرت گاهی कभी-कभी לפעמים sällan ibland harvoin joskus σπάνια"
    " καμιά-φορά 가끔 거의 드물게"
)
"""Words that leave open how often."""
SELDOM_UNSEGMENTED: Final = tuple(
    "很少 偶尔 偶爾 有时 有時 几乎 幾乎 めったに たまに 時々 ときどき บางครั้ง แทบ นานๆ".split()
)
PARTICLES: Final = tuple(
    "ab an auf aus bei durch ein fest fort her hin los mit nach vor weg zu zurück zusammen um aan af mee op toe uit terug".split()
)
"""What a German or Dutch verb leaves at the end of its clause: "schalte es ab", "abschalten"."""
_SAME_VERB: Final = (
    "nehm nimm|geb gib|les lies|seh sieh|sprech sprich|treff triff|ess iss|helf hilf|werf wirf|vergess vergiss|tret tritt trit"
    "|brech brich"
    "|empfehl empfiehl|befehl befiehl|hago hace|salgo sale|vengo viene|conozco conoce|digo dice|pongo pone|traigo trae|sé sabe"
    "|voy va|doy da|veo ve"
    "|oigo oye|faço faz|vou vai|digo diz|trago traz|posso pode|durmo dorme|sinto sente|venho vem|ponho põe|ouço ouve|peço pede"
    "|leio lê|vejo vê"
    "|saio sai|sei sabe|faccio fa|vado va|esco esce|bevo beve|so sa|sto sta|do dà|posso può|rimango rimane|scelgo sceglie|vais va"
    "|peux peut|fais fait"
    "|хожу ходит|вижу видит|езжу ездит|пью пьёт пьет|ем ест|могу может|сплю спит|вожу водит|прошу просит|ношу носит|кладу кладёт"
    "|пишу пишет"
    "|п'ю п'є|їм їсть|можу може|ходжу ходить|mogę może|jem je|piję pije|chodzę chodzi|robię robi|mówię mówi|śpię śpi|wiem wie"
    "|widzę widzi"
)
SAME_VERB: Final = {
    form: forms.split()[0] for forms in _SAME_VERB.casefold().split("|") for form in forms.split()[1:]
}
"""Forms of a verb of "he" or "she" that its endings do not tell, with that of "I"."""
FRAMES_HANGUL: Final = frozenset(
    "사용자의 사용자는 사용자가 사용자 저는 제가 저의 제 나는 내가 내 나의 우리는 우리의 우리 그는 그녀는 입니다 이다 있다 있어요 "
    "있습니다 기억해 기억해줘 기억해요 기억 줘 주세요 선호한다"
    " 선호해요 선호합니다 좋아해 좋아해요 좋아합니다 좋아한다 좋아함 원해요 원한다 원합니다 말했다 그리고 또 또한 것을 것은 것이"
    " 수 "
    "지 할 하지 한다고 했다 합니다 해요 한다".split()
)
ENDINGS_HANGUL: Final = tuple(
    "은 는 이 가 을 를 의 에 에서 에게 로 으로 와 과 도 만 부터 까지 처럼 입니다 이다 이에요 예요 합니다 한다 해요 하는 했다"
    " 했어요 "
    "해 하고 하며 습니다 니다 ㅂ니다 는다 다 요 아요 어요 았다 었다 지 고 며 서 라고 이라고 임 함 음 이며 이고 한 할 을게"
    " 네요".split()
)
ENDINGS: Final = tuple(
    "s es ed d ing e en n er em t st te et ent ez o a os as an am i is amos emos ar ir ando endo ado ido y ых их ый ий ая яя ое ее "
    "ые ие ого его ому ему ой ей ом ем ым им ы и а я у ю е о ь ть ет ит ют ут й йте уй уйте овать ует ую уют ова"
    " юсь ется ются усь ется утся ится ятся ешься ся сь лся лась ться л ла ло ли лю ює юся ється"
    " ат ят ів ам ами ах lar ler ı i u ü in ın un"
    " ün de da den dan e a yı yi le la nin nın nin "
    "um üm ım im uz üz ız iz ımız imiz umuz ümüz mız miz uyor yorum yor sun dir ów owi em ie ę ą ach ami ym ich ego "
    "emu ość ها های ی م د ند یم ت ة ات ون ين ים ות ה ों ें ओं ा ी े ς ν α ο η ης ου ων ω ει εις ουμε ετε ουν ας nya kan lah ssa"
    " ssä "
    "lla llä n t".casefold().split()
)

__all__ = [
    "DIRECTIONS",
    "DISLIKES",
    "DOUBTS",
    "DOUBTS_UNSEGMENTED",
    "ENDINGS",
    "ENDINGS_HANGUL",
    "FRAMES",
    "FRAMES_HANGUL",
    "FRAMES_UNSEGMENTED",
    "INSTEAD",
    "MOVABLE",
    "NEGATIONS",
    "NEGATIONS_HANGUL",
    "NEGATIONS_UNSEGMENTED",
    "PARTICLES",
    "SAME_VERB",
    "SELDOM",
    "SELDOM_UNSEGMENTED",
    "WITHOUT",
]
