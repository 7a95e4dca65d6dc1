"""German, Dutch, Swedish."""

GERMAN = {
    "system_prompt": "systemprompt* systemanweisung* system_prompt*",
    "lacking": "ohne keine frei_von",
    "privileged": "entwicklermodus administratormodus wartungsmodus",
    "drop": """ignorier* vergiss vergesst vergessen missachte missachten missachtet missacht verwirf
        verwerfen verwerft übergehe übergehen übergeh lass_außer_acht umgehe umgehen überschreib
        überschreibe überschreiben hinter_sich hinter_dir streichen streiche aus_dem_kopf abweichend
        entgegen beachte_nicht setze_dich_hinweg""",
    "obey": """befolge befolgen befolgt folge folgen beachte beachten beachtet halte gehorche gehorchen
        berücksichtige berücksichtigen""",
    "no": "nicht nie niemals kein keine keinen keiner ohne nichts",
    "prior": """vorherig* vorig* bisherig* obig* vorangehend* vorangegangen* vorstehend* früher*
        ursprünglich* davor zuvor vorher oben bestehend* vorgegeben* anfänglich* bis_jetzt alte alten
        vorausgehend*""",
    "whose": """dein deine deinen deiner deines deinem ihre ihren ihrer ihres eure euren euer eurer systems
        entwickler*""",
    "all": """alle allen aller alles jede jegliche jeglichen sämtliche sämtlichen sämtlicher die den der das
        diese diesen dieser""",
    "everything": "alles sämtliches",
    "order": """anweisung* instruktion* befehl* prompt prompts prompten prompty promptu promptem prompta
        auftrag* aufträge* vorgabe* anordnung* weisung* direktive* systemanweisung* systemprompt*""",
    "rule": """regel regeln regels richtlinie* einschränkung* beschränkung* angaben informationen aufgabe*
        ausführungen kontext* dokument* artikel* vorschrift* leitlinie* filter* sicherheitsregel* gespräch*
        unterhaltung* beschränkungen texte text""",
    "ethics": "regeln richtlinien einschränkungen beschränkungen filter ethik moral grenzen zensur",
    "told": "gesagt* besprochen* weißt wissen gelernt* gelesen* gesagte erhalten geschrieben* gesagt wurde",
    "now": "jetzt nun ab_sofort ab_jetzt",
    "from_now": "ab_jetzt ab_sofort von_nun_an von_jetzt_an ab_nun fortan künftig",
    "you": "du sie ihr dich",
    "you_are": "du_bist bist_du sie_sind sind_sie seid_ihr ihr_seid du_wirst wirst_du",
    "as": "als wie",
    "act": "fungier* agier* verhalte verhalten benimm handle handeln auftreten tritt antworte",
    "pretend": "tu_so tue_so tun_sie_so gib_vor spiele spiel",
    "imagine": "stell_dir_vor stelle_dir_vor stellen_sie_sich_vor",
    "i_want_you": """ich_möchte_dass_du ich_möchte_dass_sie ich_will_dass_du ich_will_dass_sie du_sollst
        sie_sollen du_musst""",
    "machine": "ki ki_assistent* assistent* sprachmodell* modell chatbot* roboter agent agenten",
    "user": "nutzer* benutzer* anwender* besitzer* eigentümer* kunden kunde inhaber*",
    "say": """sag sage sagen schreib schreibe schreiben antworte antworten gib geben_sie gebe drucke
        ausgeben wiederhole zeige zeig generiere""",
    "utter": "sag sage ausgeben drucke antworte",
    "only": "nur bloß lediglich stattdessen ausschließlich",
    "leak": """zeige zeig zeigen verrate verraten nenne nennen gib geben offenbare offenbaren drucke
        wiederhole wiederholen vorzeigen ausgeben enthülle enthüllen teile übersetze schreibe""",
    "prompt": """prompt prompts prompten prompty promptu promptem prompta systemprompt* systemanweisung*
        systemnachricht* prompt_text* prompttext* anweisungen instruktionen""",
    "full": "vollständig* gesamt* ganz* komplett* ursprünglich* geheim* sämtlich* alle versteckt* intern*",
    "send": """sende senden schicke schicken übermittle übermitteln lade hochladen leite weiterleiten poste
        mail maile verschicke""",
    "secret": """passwort passwörter* kennwort* kennwörter* zugangsdaten schlüssel api_schlüssel geheimnisse
        anmeldedaten chatverlauf gesprächsverlauf umgebungsvariablen geheimnis""",
    "password": "passwort kennwort geheimwort zugangscode",
    "to": "an zu nach auf zum",
    "write": "schreibe schreib füge speichere speicher merke merk trage ergänze notiere hänge sichere",
    "this": "dies diese diesen dieses folgende folgenden folgendes davon",
    "line": "anweisung regel zeile text nachricht hinweis satz absatz",
    "memory": "gedächtnis speicher langzeitgedächtnis erinnerung erinnerungen",
    "read": "liest lesen lest verarbeitest verarbeitet siehst zusammenfasst auswertest",
    "when": "wenn sobald falls",
    "notice": "hinweis nachricht achtung wichtig mitteilung botschaft notiz",
    "for": "für an",
    "tell": "sag sage erwähne erwähnen informiere informieren erzähle verrate melde",
    "covert": "heimlich unbemerkt ohne_es_zu_erwähnen ohne_den_nutzer stillschweigend",
    "recommend": "empfiehl empfehle empfehlen kaufe lösche führe überweise installiere",
    "free": "uneingeschränkt* unzensiert* ungefiltert* böse",
    "new": "neue neuen neuer neues nächste weitere weiteren folgende",
    "task": "aufgabe aufgaben anweisung anweisungen auftrag aufträge befehl ziel",
    "follow": "folgen folgt kommen beginnen gelten",
    "void": "ungültig hinfällig aufgehoben irrelevant überholt veraltet gelten_nicht nicht_mehr",
    "have": "sind ist werden",
    "report": "sagte sagt enthielt enthält versuchte stand steht behauptet fordert forderte hieß",
    "attack": """angriff angriffe angreifer injektion bösartig verdächtig vorsicht warnt warnung blockiert
        erkannt erkennt ablehnen""",
    "source": "seite webseite mail email nachricht dokument kommentar ticket jemand text datei",
    "comply": "tu_das tue_das gehorche mach_das",
    "beginning": "anfang oberhalb darüber",
    "that_which": "was alles_was",
    "reply": "antworte antworten",
    "reveal": "sag_mir sage_mir verrate_mir verrate nenne_mir gib_mir zeig_mir zeige_mir",
    "no_more_you": "du_bist_kein du_bist_keine du_bist_nicht_mehr sie_sind_kein",
    "limit": "einschränkungen beschränkungen richtlinien filter",
    "lifted": "aufgehoben entfernt deaktiviert aktualisiert ersetzt",
    "no_after": "nicht",
    "state": "verbunden bereit angemeldet eingeloggt",
    "ask": "frage fragen anfrage anfragen",
}

DUTCH = {
    "system_prompt": "systeemprompt systeeminstructies",
    "drop": "negeer negeert vergeet veronachtzaam omzeil laat_los sla_over",
    "obey": "volg volgen gehoorzaam",
    "no": "niet geen nooit",
    "prior": "vorige eerdere voorgaande bovenstaande voorafgaande eerder hierboven oorspronkelijke",
    "whose": "jouw je uw",
    "all": "alle al elke de deze",
    "everything": "alles",
    "order": """instructie* opdracht* bevel* aanwijzing* prompt prompts prompten prompty promptu promptem
        prompta""",
    "rule": "regel regeln regels richtlijn* beperking* informatie taken taak context",
    "from_now": "vanaf_nu voortaan",
    "now": "nu",
    "you": "je jij u",
    "you_are": "je_bent jij_bent ben_je u_bent",
    "leak": "toon onthul geef laat_zien laat_me_zien deel vertel",
    "prompt": "prompt systeemprompt systeeminstructies instructies",
    "secret": "wachtwoord wachtwoorden inloggegevens sleutels",
    "send": "stuur verstuur verzend upload mail",
    "to": "naar aan",
    "user": "gebruiker eigenaar",
    "tell": "vertel zeg meld informeer",
    "say": "zeg schrijf antwoord print",
    "only": "alleen slechts in_plaats_daarvan",
    "reveal": "vertel_me geef_me",
    "password": "wachtwoord",
    "no_after": "niet",
}

SWEDISH = {
    "system_prompt": "systemprompt systemprompten",
    "drop": "ignorera glöm bortse strunta_i åsidosätt",
    "obey": "följ lyd",
    "no": "inte aldrig inga ingen",
    "prior": "tidigare föregående ovanstående förra ursprungliga ovan",
    "whose": "dina din ditt",
    "all": "alla all samtliga",
    "everything": "allt",
    "order": """instruktion* befallning* prompt prompts prompten prompty promptu promptem prompta kommando*
        ordern""",
    "rule": "regler* riktlinje* begränsning* information uppgifter*",
    "leak": "visa avslöja ge skriv",
    "prompt": "systemprompt instruktioner prompt",
    "secret": "lösenord lösenordet nycklar",
    "send": "skicka",
    "to": "till",
    "user": "användaren användare",
    "tell": "berätta nämn",
    "say": "säg skriv svara",
    "no_after": "inte",
}
