"""Of whom and of what a sentence speaks, and not of who says it: a boss, a friend, somebody with a name, one service of several.

"My old boss always deploys on Fridays" says nothing of whoever says it. What is named where a sentence begins is named in what it carries.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from archivist.records.patterns import late_pattern

if TYPE_CHECKING:
    import re

_BEGINS: Final = r"(?:\A|[,;:.—–(]\s*|\b(?:and|but|und|aber|et|mais|y|e|ma|en|maar|и|а|но|і|i|ale|ve|ama|và|dan)\s+)[\s\"'*•-]{0,4}"
_OF_EUROPE: Final = (
    r"(?:my|our|his|her|their|your|the|an?|some|one|another|that|this|every|most|many|all|a lot of|certain|other"
    r"|mein|unser|dein|sein|ihr|euer|eure|der|die|das|ein|eine|jeder|jede|viele|manche|alle"
    r"|mon|ma|mes|notre|nos|votre|vos|son|sa|ses|leur|leurs|le|la|les|un|une"
    r"|mi|mis|nuestr[oa]s?|tu|tus|su|sus|el|los|las|una|unos|unas|meu|minha|meus|minhas|noss[oa]s?|seu|sua|o|a|os"
    r"|as|um|uma"
    r"|il|lo|i|gli|mio|mia|miei|mie|nostr[oaie]|uno|mijn|onze|ons|de|het|een|zijn|haar|hun|min|mitt|mina|vår|våra"
    r"|en|ett"
    r"|ο|η|οι|το|τα|ένας|μια|мой|моя|мои|моего|моей|наш|наша|наши|его|её|их|один|одна|мій|моє|мої|наші|його|її"
    r"|mój|moja|moi|moje|nasz|nasza|nasi|jego|jej|ich|benim|bizim|saya|kami)(?:e|er|es|en|em)?"
)
_PEOPLE: Final = (
    r"(?:ex-?|co-?)?(?:boss(?:es)?|managers?|supervisors?|colleagues?|workers?|teammates?|friends?|buddy|brothers?"
    r"|sisters?|mother|mom|mum"
    r"|father|dad|parents?|wife|husband|partners?|girlfriend|boyfriend|sons?|daughters?|kids?|uncle|aunt|cousins?"
    r"|neighbou?rs?|landlord"
    r"|teachers?|professors?|tutor|mentor|students?|clients?|customers?|vendors?|suppliers?|contractors?"
    r"|consultants?|accountants?|lawyers?"
    r"|doctors?|designers?|interns?|recruiters?|competitors?|cto|ceo|cfo|pm|lead|admins?|maintainers?|authors?"
    r"|reviewers?|speakers?|guys?"
    r"|man|woman|person|people|roommates?|predecessors?|developers?|engineers?|someone|somebody|others)"
    r"|chef\w{0,3}|kolleg\w+|freund\w*|bruder|schwester|mutter|vater|eltern|frau|mann|sohn|tochter|nachbar\w*"
    r"|vermieter\w*|lehrer\w*|kund\w+"
    r"|lieferant\w*|(?:steuer)?berater\w*|anwalt|anwältin|arzt|ärztin|vorgesetzte\w*|praktikant\w*"
    r"|(?:team)?leiter\w*|mitbewohner\w*"
    r"|vorgänger\w*|autor\w*|konkurrenz|leute|jemand"
    r"|patron\w*|coll[eè]gues?|amie?s?|copains?|copines?|frères?|s(?:œ|oe)urs?|mère|père|femme|mari|fils|fille"
    r"|voisine?s?|prof(?:esseure?s?)?|fournisseurs?"
    r"|comptables?|avocate?s?|médecin|responsables?|stagiaires?|auteure?s?|prédécesseur|gens|quelqu'un"
    r"|jef[ea]s?|compañer\w+|amig\w+|herman\w+|madre|padres?|espos\w+|marido|mujer|hij\w+|vecin\w+|proveedor\w*"
    r"|contador\w*|abogad\w+|médic\w+"
    r"|encargad\w+|gente|alguien|chefes?|colegas?|irmã\w*|irmão|mãe|pais?|filh\w+|vizinh\w+|fornecedor\w*"
    r"|contabilista|advogad\w+|pessoas"
    r"|alguém|cap[oi]|colleg[ahi]\w*|amic\w+|fratello|sorella|moglie|figli\w+|fornitor\w+|client[ei]s?"
    r"|commercialista|avvocato|medico|responsabile|qualcuno"
    r"|baas|collega\w*|vriend\w*|broer|zus|moeder|vader|ouders|vrouw|zoon|dochter|buur\w*|leraar|klant\w*"
    r"|leverancier\w*|boekhouder\w*"
    r"|advocaat|stagiair\w*|voorganger|iemand|mensen|vän\w*|kompis\w*|bror|syster|mamma|pappa|granne|lärare"
    r"|kund\w*|leverantör\w*"
    r"|начальни\w+|босс\w*|шеф\w*|коллег\w*|друг|друзья|подруг\w*|брат\w*|сестра|мама|папа|мать|отец|родител\w*"
    r"|муж|жена|сын|дочь|сосед\w*"
    r"|учител\w*|преподавател\w*|клиент\w*|заказчик\w*|поставщик\w*|бухгалтер\w*|юрист\w*|врач\w*|менеджер\w*"
    r"|стажёр\w*|автор\w*|люди|кто-то"
    r"|керівни\w+|колег\w*|друз\w*|сусід\w*|клієнт\w*|замовник\w*|хтось"
    r"|szef\w*|koleg\w*|koleżank\w*|współpracowni\w+|przyjaci\w+|brat|siostra|matka|mama|ojciec|tata|żona|mąż|syn"
    r"|córka|sąsiad\w*"
    r"|nauczyciel\w*|klien\w+|dostawc\w*|księgow\w+|prawnik\w*|lekarz\w*|kierowni\w+|ktoś|ludzie"
    r"|patronu\w*|müdür\w*|şef\w*|arkadaş\w*|kardeş\w*|abla\w*|ağabey\w*|anne\w*|baba\w*|eşim|oğlum|kızım|komşu\w*"
    r"|öğretmen\w*|hoca\w*"
    r"|müşteri\w*|tedarikçi\w*|muhasebeci\w*|avukat\w*|doktor\w*|yönetici\w*|stajyer\w*|biri"
    r"|sếp|đồng nghiệp|bạn tôi|bạn của tôi|anh trai|chị gái|em trai|em gái|mẹ|bố|vợ|chồng|hàng xóm|thầy|khách hàng"
    r"|nhà cung cấp|kế toán|luật sư|bác sĩ|quản lý"
    r"|tác giả|người ta|ai đó|bos|atasan|rekan|teman|kakak|adik|ibu|ayah|bapak|istri|suami|tetangga|guru|dosen"
    r"|klien|pelanggan|pemasok|akuntan"
    r"|pengacara|manajer|penulis|seseorang|αφεντικ\w*|διευθυντ\w*|συνάδελφ\w*|φίλ\w*|αδε[λρ]φ\w*|μητέρα|πατέρας"
    r"|γυναίκα|άντρας|γείτονα\w*"
    r"|δάσκαλ\w*|καθηγητ\w*|πελάτ\w*|προμηθευτ\w*|λογιστ\w*|δικηγόρ\w*|γιατρ\w*|κάποιος|pomo\w*|kollega\w*"
    r"|kaveri\w*|ystävä\w*|veli|sisko"
    r"|nebenan|next door|de al lado|d'à côté|hiernaast|accanto|соседн\w+|äiti\w*|isä\w*|vaimo\w*|naapuri\w*"
    r"|opettaja\w*|asiak\w+|joku"
)
_SPOKEN_OF: Final = late_pattern(
    rf"{_BEGINS}(?:{_OF_EUROPE}\s+|[ld]['’]){{0,3}}(?:[\w-]+\s+){{0,2}}?(?P<who>{_PEOPLE})\b(?![/_.-]?\w)",
)
_ABROAD: Final = late_pattern(
    r"(?:\A|[，。,；;、\s])(?:我|我们|咱们?|我的|我们的|那个|这个|有个|有位|一个|以前的?|前|之前的?|的|他"
    r"|她)*(?P<zh>老板|老闆|上司|领导|領導|同事|朋友|哥哥|弟弟|姐姐|妹妹|妈妈|爸爸"
    r"|父亲|母亲|老婆|老公|妻子|丈夫|儿子|女儿|邻居|房东|老师|教授|客户|客戶|供应商|会计|律师|医生|经理|經理|主管"
    r"|实习生|作者|室友|前任|别人|別人|有人|网友|专家)"
    r"|(?P<ja>上司|同僚|友達|友人|先輩|後輩|部長|課長|社長|お客(?:さん|様)|顧客|彼女|彼ら|彼|父|母|兄|弟|姉|妹|妻"
    r"|夫|息子|娘|隣人|先生|教授|取引先|会計士|弁護士|医者|店長|著者|誰か)(?:たち)?(?:は|が|も)"
    r"|(?P<ko>상사|동료|친구|팀장|부장|사장|과장|고객|손님|오빠|언니|동생|엄마|아빠|어머니|아버지|아내|남편|이웃"
    r"|선생|교수|선배|후배|거래처|변호사|의사|저자|누군가)(?:들|님)?(?:은|는|이|가|도)"
    r"|(?:\A|\s)(?:و)?(?P<ar>مديري|رئيسي|زميلي|زميلتي|زملائي|صديقي|صديقتي|أخي|أختي|أمي|أبي|والدي|والدتي|زوجي|زوجتي"
    r"|ابني|ابنتي|جاري|أستاذي|معلمي|العميل|الزبون|المدير|محاسبي"
    r"|رئیسم|همکارم|همکارانم|دوستم|برادرم|خواهرم|مادرم|پدرم|همسرم|پسرم|دخترم|همسایه|استادم|معلمم|مشتری|مدیرم"
    r"|حسابدارم|وکیلم|دکترم)(?=\s)"
    r"|(?:मेरे|मेरी|मेरा|हमारे|हमारी|हमारा|एक)\s+(?:\S+\s+)?(?P<hi>बॉस|मैनेजर|सहकर्मी|दोस्त|भाई|बहन|माँ|पिता|पत्नी"
    r"|पति|बेटा|बेटी|पड़ोसी|शिक्षक|ग्राहक|वकील|डॉक्टर)"
    r"|(?P<th>เจ้านาย|หัวหน้า|เพื่อนร่วมงาน|เพื่อน|พี่ชาย|พี่สาว|น้องชาย|น้องสาว|คุณแม่|คุณพ่อ|ภรรยา|สามี|ลูกค้า"
    r"|อาจารย์|ทนาย)"
    r"|(?:\A|\s)ו?(?P<he>הבוס|המנהל\w*|עמית\w*|הקולגה|החבר\w*|אח שלי|אחותי|אחי|אמא|אבא|אשתי|בעלי|השכן|המורה"
    r"|הלקוח\w*|הספק|הרופא)(?=\s)"
)
_NAMED: Final = late_pattern(
    r"\A[\s\"'*•-]*(?P<who>[A-Z][\w-]+) (?:(?:always|never|usually|also|only|really|just|still|often|mostly) )?"
    r"(?:prefers|wants|likes|loves|hates|uses|works|lives|writes|deploys|keeps|has|needs|does|drinks|eats|speaks"
    r"|thinks|goes|comes|sends|insists"
    r"|gets|makes|pushes|merges|drives|owns|tells|avoids|refuses|recommends|suggests)\b"
)


_POSSESSED: Final = late_pattern(
    rf"{_BEGINS}(?:(?:my|our|mein|unser|mon|ma|notre|mi|nuestr[oa]|meu|minha|noss[oa]|il mio|la mia|il nostro"
    rf"|la nostra|mio|mia|mijn|onze|min|vår"
    r"|мой|моя|моё|наш|наша|мій|моя|mój|moja|nasz|nasza)(?:e|er|es)?)\s+(?:(?:old|new|former|current|own|younger"
    r"|older|elder|little|big|best|ex"
    r"|alte|neue|frühere|jüngere|ältere|kleine|große|oude|nieuwe|старый|новый|бывший|бывшая|младший|старший|stary"
    r"|nowy|były|była)[rsn]?\s+)?"
    r"(?!(?:name|nombre|nome|nom|naam|имя|ім'я|imię|namn)\b)(?P<who>[^\W\d_]{3,})"
)
"""What a sentence is about that is somebody's own: a brother-in-law, a server."""
_WITHIN: Final = late_pattern(
    r"\A[\s\"'*•-]*(?:(?:in|for|on|at|within|inside|under|with)\s+(?P<en>[^,.;:]{3,40}?)(?=,|\s(?:we|i|you|please"
    r"|always|never|only|use)\b)"
    r"|(?:in|im|bei|beim|für|auf|unter|mit)\s+(?P<de>[^,.;:]{3,40}?)(?=\s\w+\s(?:wir|ich|man|bitte|immer|nie"
    r"|nur)\b)"
    r"|(?:dans|pour|chez|avec|en|para|con|em|no|na|com|nel|nella|per|voor|bij|met|в|во|для|на|при|у|w|dla"
    r"|przy)\s+(?P<eu>[^,.;:]{3,40}?)(?=,)"
    r"|(?:在|对于|關於|关于)(?P<zh>[^，。,]{2,15}?)(?:里|裡|中|上|下|的时候|，)|(?P<ja>[^、。]{2,15}?)では(?=、"
    r"|[^あな])|(?P<ko>[^,.]{2,20}?)에서는\s)"
)
"""Where something holds that a sentence says: "in the billing service we log in UTC" says nothing of any other."""
_ALWAYS_SO: Final = late_pattern(
    r"(?:the |a )?(?:future|general|fact|principle|short|any case|all cases|the record|now|example|instance|once"
    r"|zukunft|allgemeinen|prinzip|futur|général"
    r"|futuro|general|adelante|favor|principio|geral|frente|generale|toekomst|algemeen|будущ\w+|общем|принципе"
    r"|przyszłości|ogóle)"
)


def others_in(sentence: str) -> Iterator[str]:
    """Who and what a sentence is about, where that is not its person and not everything, each in its own words."""
    yield from people_in(sentence)
    low = sentence.lower()
    yield from (found["who"] for found in _POSSESSED.finditer(low))
    if found := _place_in(low):
        yield found[found.lastgroup or 0]


def begins_with_a_place(sentence: str) -> bool:
    """Whether a sentence begins with where it holds."""
    return _place_in(sentence.lower()) is not None


def _place_in(low: str) -> "re.Match[str] | None":
    found = _WITHIN.match(low)
    return None if found and _ALWAYS_SO.fullmatch(found[found.lastgroup or 0]) else found


def people_in(sentence: str) -> Iterator[str]:
    """Who else than its person a sentence is about."""
    low = sentence.lower()
    yield from (found["who"] for found in _SPOKEN_OF.finditer(low))
    if not low.isascii():
        yield from (found[found.lastgroup or 0] for found in _ABROAD.finditer(low))
    yield from (found["who"] for found in _NAMED.finditer(sentence))


__all__ = ["begins_with_a_place", "others_in", "people_in"]
