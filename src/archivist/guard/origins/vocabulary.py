"""Words of many languages for agents, and for keeping something in mind: each reading of a text puts them together its way."""

from typing import Final

_ONE: Final = "assistant|agent|llm|language model|chatbot"
AGENT: Final = (
    rf"\b(?:(?:ai)?(?:assistant|agent|chatbot|copilot)|{_ONE}|ai)s?\b|\b(?:chatgpt|claude|gpt-?\d|gemini|codex|copilot|cursor)(?=[,:]"
    rf"|\s(?:must|should|shall|please|needs? to)\b)|\basistentes?\b|\bagentes?\b|\bmodelos? de lenguaje\b"
    rf"|\bmodèles? de langage\b|\bassistants?\b|\bassistent(?:en|i|s)?\b|\bagent(?:en|s|i|y|ów)?\b|\bki\b"
    rf"|\bsprachmodell\w*|\bassistentes?\b|\bmodelos? de linguagem\b|\bassistenti\b|\bagenti\b"
    rf"|\bmodell[oi] linguistic[oi]\b|\basistan\w*|\byapay zek[aâ]\w*|\bajan\w*|\bасистент\w*|\bассистент\w*"
    rf"|\bпомощник\w*|\bагент\w*|\bнейросет\w*|\bязыков\w+ модел\w+|\bии\b|\bші\b|\basyst?ent\w*|\basystent\w*"
    rf"|\bmodel\w* językow\w*|\btrợ lý\b|\btác nhân\b|\bmô hình ngôn ngữ\b|\basisten\b|\bagen\b"
    rf"|\bkecerdasan buatan\b|\btekoäly\w*|\bassistent\w*|助手|助理|智能体|智能代理|代理人?|大模型|语言模型"
    rf"|語言模型|人工智能|人工智慧|机器人|機器人|アシスタント|エージェント|言語モデル|人工知能|어시스턴트"
    rf"|에이전트|비서|도우미|언어 ?모델|인공지능|المساعد|مساعد|الوكيل|وكيل|الوكلاء|الذكاء الاصطناعي|نموذج لغ"
    rf"|सहायक|एजेंट|भाषा मॉडल|دستیار|عامل هوش|هوش مصنوعی|مدل زبانی|ผู้ช่วย|เอเจนต์|โมเดลภาษา|ปัญญาประดิษฐ์|עוזר"
    rf"|סוכן|סוכני|מודל שפה|βοηθ(?:ό|ο)\w*|πράκτορ\w*"
)
"""An agent, by whatever it is called."""
WHICHEVER_AGENT: Final = (
    rf"\b(?:ai|llm|coding|automated) ?(?:(?:{_ONE})s|systems|models|tools|readers)\b"
    rf"|\b(?:{_ONE})s\b[^.\n]{{0,30}}\b(?:must|should|shall|need to|are|have to|reading|processing|that)\b"
    rf"|\b(?:note|message|notice|instructions?|attention|reminder)\b[^.\n]{{0,12}}\b(?:to"
    rf"|for)\b[^.\n]{{0,12}}\b(?:the |any |all )?(?:ai|llm|assistants?|agents?|models?|bots?)\b"
    rf"|\bif you are an? (?:ai|llm|assistant|agent|language model|bot)\b|\b(?:asistentes|agentes) (?:de ia|deben"
    rf"|que)|\b(?:agents|assistants) (?:ia|d'ia|doivent|qui)|\b(?:ki-(?:agenten|assistenten|systeme))\b"
    rf"|\b(?:assistenten|agenten) (?:müssen|sollen|die)|\bии-(?:агент|ассистент)\w*|\b(?:агенты"
    rf"|ассистенты) (?:должны|обязаны)|(?:所有|各|任何)(?:ai|智能|人工智能)?(?:助手|助理|智能体|代理|模型)"
    rf"|ai ?(?:助手|助理|智能体|代理)(?:必须|应|请|须|注意)|(?:ai|すべての)?(?:アシスタント|エージェント)(?:は"
    rf"|へ|の皆)|(?:ai|모든) ?(?:어시스턴트|에이전트)(?:는|은|에게)|وكلاء الذكاء|مساعدي الذكاء"
    rf"|yapay zek[aâ] (?:asistan|ajan)lar"
)
"""Agents in the plural, or whichever one reads this."""
TO_KEEP: Final = "save|store|add|write|record|keep|put|persist|note|log"
_REMEMBER: Final = (
    r"recu[eé]rd[ae](?:lo|la|n|d)?|memori[cz][ae]\w*|souviens(?:-toi)?|mémoris\w*|reten(?:ez|ir)|retiens"
    r"|lembr(?:e|em|a)(?:-se)?|memoriz\w+"
    r"|ricord(?:a|ate|ati)|memorizz\w+|hatırla\w*|unutma\w*|запомн\w+|запам'?ятай\w*|zapamięt\w+|onthoud"
    r"|ghi nhớ|ingat(?:lah)?|muista\w*|kom ihåg"
)
_REMEMBER_ABROAD: Final = (
    r"记住|記住|牢记|谨记|記下|记下来|覚えて|記録して|기억해|기억하|تذكر|احفظ|याद रख|به خاطر بسپار|จำไว้|จดจำ"
    r"|זכור|זכרו|θυμήσου"
)
ASKS_TO_REMEMBER: Final = (
    rf"\b(?:{_REMEMBER})\b|{_REMEMBER_ABROAD}|\bremember (?:this|that|these|it|the following|:)|\bmemori[sz]e\b"
    rf"|\bcommit (?:this|that|it) to memory|\bdon'?t forget (?:this|that)\b"
    rf"|\b(?:{TO_KEEP})\b[^.\n]{{0,60}}\b(?:(?:to|in|into|your|the|its|long[- ]term) ){{1,3}}(?:persistent "
    rf"|permanent |long[- ]term )?(?:memor(?:y|ies)|notes)\b|\b(?:save|store|remember|note|persist) (?:this|that"
    rf"|it)\b(?: (?:rule|fact|instruction|preference|permanently|for|as)\b)?|\bguard\w+ (?:esto|esta|este"
    rf"|lo siguiente)|\ben (?:la|tu|su) memoria\b|\benregistr\w+ (?:ceci|cela|cette|dans)|\b(?:en|dans (?:la|ta"
    rf"|votre)) mémoire\b|\bmerk(?:e|t|en)? (?:dir|euch|sie sich|es dir)\b|\bspeicher\w* (?:dies\w*|das|es"
    rf"|folgend\w*)|\b(?:im|ins|in dein\w*|in ihr\w*) (?:gedächtnis|speicher)\b|\bna (?:sua )?memória\b"
    rf"|\b(?:salv|guard)\w+ (?:isto|isso|esta|este)\b|\bin memoria\b|\bsalva (?:questo|questa)\b|\b(?:bellek"
    rf"|belleğ|hafıza)\w*|\bсохран\w+ (?:это|эту|этот|в память)|\bв память\b|\bпамят[ьи] агента|\bзапиш\w+ в\b"
    rf"|\bзбереж\w+\b|\bzapisz (?:to|tę|w pamięci)|\bw pamięci\b|\bin (?:je|uw) geheugen\b|\bvào bộ nhớ\b"
    rf"|\b(?:ke|dalam) memori\b|存入记忆|写入记忆|寫入記憶|保存到(?:记忆|记忆库|长期)|记忆(?:中|里|库)|長期記憶"
    rf"|长期记忆|記憶(?:して|に|せよ)|メモリ(?:に|へ)|메모리에|저장해|저장하|في الذاكرة|ذاكرتك|मेमोरी में"
    rf"|स्मृति में|در حافظه|ذخیره کن|บันทึก(?:ไว้|ลง)|หน่วยความจำ|שמור (?:את|ב)|בזיכרון|στη μνήμη"
)
"""That something is to be remembered, in so many words: of this, for good, in a memory."""
KEEPS: Final = (
    rf"\b(?:remember|memori[sz]e|{_REMEMBER}|note (?:that|down|this)|take note|keep in mind|save|store"
    rf"|my (?:rules|preferences|conventions|setup|name)|for (?:the )?(?:record|future)|fyi|recu[eé]rd\w+|anota"
    rf"|apunta|guarda|note[rz]?|merk\w*|notier\w*|speicher\w*|lembr\w+|anot\w+|ricord\w+|annota|segna|not al"
    rf"|kaydet|запиши|учти|имей в виду|запам\w+|zapisz|noteer|nhớ|catat)\b|{_REMEMBER_ABROAD}|记下|记一下|请记"
    rf"|備忘|备忘|メモして|메모해|적어|سجل|नोट कर|به خاطر|یادت باشد|یادداشت|จดไว้|บันทึก|תזכור|רשום"
)
"""That a person wants something kept in mind, however they say it."""

__all__ = ["AGENT", "ASKS_TO_REMEMBER", "KEEPS", "TO_KEEP", "WHICHEVER_AGENT"]
