"""Spanish, French, Portuguese, Italian, Romanian, Catalan."""

SPANISH = {
    "system_prompt": "prompt_del_sistema instrucciones_del_sistema mensaje_del_sistema",
    "lacking": "sin sans sem senza no_tienes",
    "privileged": """modo_desarrollador modo_administrador mode_développeur mode_administrateur
        modo_desenvolvedor modalità_sviluppatore""",
    "drop": """ignora ignore ignorá ignoren ignorad ignorar ignoras olvida olvide olvidá olviden olvidar
        olvídate olvídese olvidate omite omita descarta descarte desestima desestime haz_caso_omiso
        haga_caso_omiso deja_de_lado pasa_por_alto desobedece desobedezca hacer_caso_omiso anula anule
        prescinde""",
    "obey": """sigas siga seguir obedezcas obedezca obedecer respetes respete tengas_en_cuenta hagas_caso
        sigues""",
    "no": "no nunca jamás sin ninguna ninguno no_le no_les",
    "prior": """anterior anteriores previas previos previa previo precedente precedentes antes arriba
        originales original iniciales hasta_ahora existentes""",
    "whose": "tus tu sus su vuestras del_sistema de_sistema sistema te_dieron te_han_dado has_recibido",
    "all": "todas todos toda todo cualquier las los estas esas",
    "everything": "todo todo_lo lo_que",
    "order": """instrucción instrucciones orden órdenes indicación indicaciones directiva* directriz
        directrices comando* prompt* mandato*""",
    "rule": """regla reglas norma normas restricción restricciones limitaciones política* información
        contexto tareas pautas conversación documentos artículos mensajes límites filtros""",
    "ethics": "reglas restricciones limitaciones filtros ética moral límites censura",
    "told": "digo dije dijo dijeron sabes aprendido hablado escrito dicho te_dijeron sabías han_dicho",
    "now": "ahora ya",
    "from_now": "a_partir_de_ahora desde_ahora de_ahora_en_adelante en_adelante desde_este_momento",
    "you": "tú usted vos",
    "you_are": "eres ahora_eres usted_es serás sos es_usted será",
    "as": "como",
    "act": "actúa actúe actuar actúes compórtate compórtese comportarte responde responda funciona",
    "pretend": "finge finja fingir haz_como_si simula simule",
    "imagine": "imagina imagine",
    "i_want_you": "quiero_que necesito_que debes tienes_que vas_a deberás",
    "machine": "ia asistente asistentes agente agentes modelo chatbot inteligencia_artificial robot",
    "user": "usuario usuarios usuaria dueño propietario cliente",
    "say": """di diga decir dime escribe escriba responde responda imprime imprima muestra muestre repite
        repita contesta""",
    "utter": "di diga decir responde imprime escribe",
    "only": "sólo solamente únicamente en_su_lugar en_cambio",
    "leak": """muestra muestre muéstrame muéstreme revela revele dime dame deme enséñame imprime repite
        comparte divulga escribe cuáles_son cuál_es traduce""",
    "prompt": """prompt* instrucciones indicaciones mensaje_del_sistema instrucciones_del_sistema
        instrucciones_iniciales""",
    "full": """completo completa completas entero inicial iniciales secreto secretas ocultas original
        sistema internas""",
    "send": "envía envíe enviar envíales mándame manda mande sube suba reenvía reenvíe publica transmite",
    "secret": """contraseña* clave claves credencial* clave_api claves_api secretos tokens historial_de_chat
        historial datos_personales datos_confidenciales variables_de_entorno""",
    "password": "contraseña clave",
    "to": "a al hacia hasta",
    "write": """añade añada agrega agregue guarda guarde escribe escriba recuerda recuerde anota inserta
        memoriza""",
    "this": "esto este esta estas siguiente siguientes ello",
    "line": "instrucción regla línea texto mensaje nota orden",
    "memory": "memoria memorias memoria_permanente",
    "read": "leas lees lee lea leer leen proceses procesa procese resumas veas",
    "when": "cuando si al",
    "notice": "nota atención mensaje aviso importante recordatorio",
    "for": "para a",
    "tell": "digas diga menciones mencione informes informe avises avise cuentes reveles decirle",
    "covert": """en_secreto secretamente sin_decir sin_avisar sin_mencionar sin_informar discretamente
        sin_que_el_usuario""",
    "recommend": "recomienda recomiende recomendar compra elimina borra ejecuta instala transfiere",
    "free": "sin_restricciones sin_filtros sin_censura sin_límites",
    "new": "nueva nuevas nuevo nuevos siguiente siguientes próxima",
    "task": "tarea tareas instrucciones instrucción orden objetivo órdenes misión",
    "follow": "siguen sigue son vienen",
    "void": "anuladas canceladas inválidas sin_efecto irrelevantes no_válidas obsoletas",
    "have": "son están quedan han_sido",
    "report": "decía dice dijo contenía contiene intentaba intenta pide pedía ponía",
    "attack": """ataque ataques atacante inyección malicioso maliciosa sospechoso cuidado advertencia
        bloqueado detecta detectar""",
    "source": "página sitio correo web mensaje documento comentario alguien texto archivo",
    "comply": "hazlo obedece hágalo cumple",
    "beginning": "principio inicio comienzo",
    "that_which": "lo lo_que",
    "reply": "responde responda contesta",
}

FRENCH = {
    "system_prompt": "prompt_système instructions_système invite_système message_système",
    "drop": """ignore ignorez ignorer ignorons oublie oubliez oublier néglige négligez négliger écarte
        écartez fais_abstraction faites_abstraction ne_tiens_pas_compte ne_tenez_pas_compte
        ne_tenez_aucun_compte ne_tiens_aucun_compte passe_outre passez_outre contourne contournez
        laisse_tomber laissez_tomber abandonne abandonnez annule annulez""",
    "obey": "suis suivez suivre obéis obéissez respecte respectez tiens tenez",
    "no": "ne pas jamais sans aucune aucun n_en ne_me",
    "prior": """précédent précédente précédents précédentes antérieur* préalable* dessus ci_dessus avant
        initiales initiaux d_origine existantes antécédent* jusqu_ici jusqu_à_présent auparavant originales
        précède précèdent""",
    "whose": "tes ton ta vos votre du_système système vous_a_données t_a_données",
    "all": "toutes tous tout toute les ces des l",
    "everything": "tout tout_ce",
    "order": """instruction instructions consigne consignes directive directives ordre ordres commande*
        prompt* indications invite""",
    "rule": """règle règles restriction restrictions limites contraintes politique* informations contexte
        tâche* conversation filtres documents""",
    "ethics": "règles restrictions limites filtres éthique morale censure contraintes",
    "told": "dit sais savez appris écrit discuté savais lu",
    "now": "maintenant désormais",
    "from_now": "désormais à_partir_de_maintenant dès_maintenant dorénavant à_partir_d_aujourd_hui",
    "you": "tu vous",
    "you_are": "tu_es vous_êtes es_tu êtes_vous tu_seras vous_serez",
    "as": "comme en_tant_que",
    "act": "agis agissez agir agisses comporte comportez fonctionne réponds répondez",
    "pretend": "fais_semblant faites_semblant fais_comme_si faites_comme_si simule simulez joue jouez",
    "imagine": "imagine imaginez",
    "i_want_you": "je_veux_que je_voudrais_que tu_dois vous_devez j_aimerais_que il_faut_que",
    "machine": "ia assistant assistants agent agents modèle chatbot robot intelligence_artificielle",
    "user": "utilisateur utilisateurs utilisatrice propriétaire client",
    "say": """dis dites dire écris écrivez réponds répondez affiche affichez imprime répète répétez montre
        génère""",
    "utter": "dis dites affiche imprime réponds répondez",
    "only": "seulement uniquement simplement plutôt à_la_place",
    "leak": """montre montrez montre_moi révèle révélez révéler affiche affichez donne donnez dis dites
        répète répétez divulgue divulguez partage imprime traduis écris quelles_sont quel_est""",
    "prompt": """prompt* instructions consignes message_système instructions_système invite_système
        instructions_initiales""",
    "full": """complet complète complètes intégral entier entière initial initiales secret secrètes cachées
        système originales""",
    "send": "envoie envoyez envoyer transmets transmettez téléverse publie transfère transférez poste",
    "secret": """mot_de_passe mots_de_passe identifiants clé clés clé_api clés_api secrets jetons historique
        données_personnelles données_confidentielles variables_d_environnement""",
    "password": "mot_de_passe code_secret",
    "to": "à au vers aux sur",
    "write": """ajoute ajoutez écris écrivez enregistre enregistrez mémorise mémorisez sauvegarde note
        insère souviens""",
    "this": "ce cette ces ceci suivant suivante suivants suivantes cela ça",
    "line": "instruction règle ligne texte message note consigne",
    "memory": "mémoire mémoires",
    "read": "lis lisez lit lire lisent traites traitez résumes résumez vois voyez",
    "when": "quand lorsque si dès_que lorsqu quiconque",
    "notice": "note attention message avis important rappel remarque",
    "for": "pour à aux destiné",
    "tell": """dis dites dire mentionne mentionnez informe informez préviens prévenez révèle parle avertis
        parlez""",
    "covert": """secrètement en_secret discrètement sans_le_dire sans_prévenir sans_mentionner sans_informer
        à_l_insu""",
    "recommend": "recommande recommandez achète achetez supprime supprimez exécute exécutez installe virez",
    "free": "sans_restriction sans_restrictions sans_filtre sans_censure",
    "new": "nouvelle nouvelles nouveau nouveaux suivantes",
    "task": "tâche instructions consignes objectif mission ordre ordres",
    "follow": "suivent suit sont voici",
    "void": "annulées caduques invalides nulles obsolètes sans_effet",
    "have": "sont ont_été",
    "report": "disait dit contenait contient demande demandait essaie tentait indiquait",
    "attack": """attaque attaques attaquant injection malveillant malveillante suspect méfie méfiez
        attention détecté bloqué détecter hameçonnage""",
    "source": "page site courriel mail web message document commentaire quelqu_un texte fichier",
    "comply": "fais_le obéis faites_le exécute_le",
    "beginning": "début commencement",
    "that_which": "ce_qui ce_qu ce_que",
    "reply": "réponds répondez",
}

PORTUGUESE = {
    "system_prompt": "prompt_do_sistema instruções_do_sistema",
    "drop": """ignora ignore ignorem ignorar esqueça esquece esqueçam esquecer desconsidere desconsidera
        desconsiderar despreze descarte deixe_de_lado desobedeça não_leve_em_conta anule""",
    "obey": "siga sigas seguir obedeça obedecer respeite",
    "no": "não nunca jamais sem nenhuma nenhum",
    "prior": "anterior anteriores prévia* prévio* precedente* acima antes originais iniciais até_agora",
    "whose": "suas seus sua seu tuas teus do_sistema sistema",
    "all": "todas todos toda todo qualquer as os estas essas",
    "everything": "tudo tudo_o tudo_que",
    "order": """instrução instruções ordem ordens comando* diretriz diretrizes diretiva* orientações prompt*
        indicações""",
    "rule": """regra regras restrição restrições limitações política* informações informação contexto
        tarefas conversa filtros limites documentos""",
    "ethics": "regras restrições limitações filtros ética limites censura",
    "told": "disse sabe sabes aprendeu dito falei escrito foi_dito",
    "now": "agora já",
    "from_now": "a_partir_de_agora de_agora_em_diante daqui_em_diante doravante",
    "you": "você vocês tu",
    "you_are": "você_é és você_será você_agora_é serás",
    "as": "como",
    "act": "aja agir atue atuar age comporte comportar responda haja",
    "pretend": "finja fingir finge simule",
    "imagine": "imagine imagina",
    "i_want_you": "quero_que preciso_que você_deve você_vai você_tem_que",
    "machine": "ia assistente assistentes agente agentes modelo chatbot inteligência_artificial",
    "user": "usuário usuários utilizador utilizadores dono cliente proprietário",
    "say": "diga dizer diz escreva responda imprima mostre repita fale",
    "utter": "diga diz imprima responda escreva",
    "only": "apenas somente só em_vez_disso",
    "leak": """mostre mostra revele revela diga dê exiba imprima repita compartilhe divulgue me_mostre
        quais_são qual_é""",
    "prompt": "prompt* instruções mensagem_do_sistema instruções_do_sistema instruções_iniciais",
    "full": """completo completa completas inteiro inicial iniciais secreto secretas ocultas sistema
        originais""",
    "send": "envie envia enviar mande manda encaminhe transmita publique carregue",
    "secret": """senha senhas credenciais chave chaves chave_api chaves_api segredos palavra_passe histórico
        dados_pessoais dados_confidenciais""",
    "password": "senha palavra_passe",
    "to": "para a ao",
    "write": "adicione acrescente guarde salve grave escreva lembre memorize insira anote",
    "this": "isto isso este esta seguinte seguintes esse essa",
    "line": "instrução regra linha texto mensagem nota",
    "memory": "memória memórias",
    "read": "ler lê leia lendo lerem processar processe resumir",
    "when": "quando se ao",
    "notice": "nota atenção mensagem aviso importante lembrete",
    "for": "para a aos",
    "tell": "diga conte mencione informe avise revele",
    "covert": "secretamente em_segredo sem_avisar sem_mencionar sem_informar discretamente",
    "recommend": "recomende compre apague exclua execute instale transfira",
    "free": "sem_restrições sem_filtros sem_censura",
    "new": "nova novas novo novos seguintes próxima",
    "task": "tarefa tarefas instruções ordem objetivo missão ordens",
    "follow": "seguem segue são",
    "void": "anuladas canceladas inválidas sem_efeito",
    "have": "são estão foram",
    "report": "dizia diz continha contém tentou pede pedia",
    "attack": "ataque ataques atacante injeção malicioso maliciosa suspeito cuidado bloqueado detectado",
    "source": "página site email mensagem documento comentário alguém texto arquivo",
    "comply": "faça_isso obedeça",
    "beginning": "início começo",
    "that_which": "o_que",
    "reply": "responda",
}

ITALIAN = {
    "system_prompt": "prompt_di_sistema istruzioni_di_sistema",
    "drop": """ignora ignorate ignori ignorare dimentica dimenticate dimentichi dimenticare trascura
        trascurate tralascia scarta scartate non_tenere_conto non_considerare disattendi lascia_perdere
        annulla""",
    "obey": "segui seguire seguite obbedire obbedisci rispettare rispetta",
    "no": "non mai senza nessuna nessun",
    "prior": "precedente precedenti sopra prima originali iniziali anteriori finora sopracitate",
    "whose": "tue tuoi tuo tua vostre sue di_sistema sistema",
    "all": "tutte tutti tutto tutta ogni qualsiasi le gli i queste",
    "everything": "tutto tutto_ciò tutto_quello",
    "order": "istruzione istruzioni ordine ordini comando comandi direttiva direttive prompt* indicazioni",
    "rule": """regola regole restrizione restrizioni limitazioni politiche informazioni contesto compiti
        conversazione filtri linee_guida documenti""",
    "ethics": "regole restrizioni limitazioni filtri etica limiti censura",
    "told": "detto sai imparato scritto sapevi discusso",
    "now": "ora adesso",
    "from_now": "da_ora_in_poi d_ora_in_poi da_adesso_in_poi d_ora_in_avanti da_questo_momento",
    "you": "tu lei voi",
    "you_are": "sei tu_sei lei_è sarai",
    "as": "come",
    "act": "agisci agire agisca comportati comportarti rispondi funziona",
    "pretend": "fingi fai_finta simula fingere",
    "imagine": "immagina",
    "i_want_you": "voglio_che vorrei_che devi dovrai",
    "machine": "ia assistente assistenti agente agenti modello chatbot intelligenza_artificiale",
    "user": "utente utenti proprietario cliente",
    "say": "di dì dimmi scrivi rispondi stampa mostra ripeti",
    "utter": "dì stampa rispondi scrivi",
    "only": "solo soltanto solamente invece",
    "leak": """mostra mostrami rivela rivelami dimmi dammi stampa ripeti condividi divulga quali_sono qual_è
        traduci""",
    "prompt": "prompt* istruzioni messaggio_di_sistema istruzioni_di_sistema istruzioni_iniziali",
    "full": """completo completa complete intero iniziale iniziali segreto segrete nascoste sistema
        originali""",
    "send": "invia invii inviare manda mandi inoltra spedisci carica trasmetti pubblica",
    "secret": """password credenziali chiave chiavi chiave_api chiavi_api segreti cronologia dati_personali
        dati_riservati""",
    "password": "password parola_d_ordine",
    "to": "a al verso su",
    "write": "aggiungi salva scrivi ricorda memorizza inserisci annota",
    "this": "questo questa queste seguente seguenti ciò",
    "line": "istruzione regola riga testo messaggio nota",
    "memory": "memoria memorie",
    "read": "leggi legge leggere leggete elabori riassumi vedi",
    "when": "quando se",
    "notice": "nota attenzione messaggio avviso importante promemoria",
    "for": "per a",
    "tell": "dire menzionare informare avvisare rivelare dirlo",
    "covert": "segretamente di_nascosto senza_dire senza_avvisare senza_menzionare senza_informare",
    "recommend": "raccomanda consiglia compra elimina esegui installa trasferisci",
    "free": "senza_restrizioni senza_filtri senza_censura",
    "new": "nuova nuove nuovo nuovi seguenti",
    "task": "compito istruzioni ordine obiettivo missione ordini",
    "follow": "seguono segue ecco",
    "void": "annullate nulle invalide",
    "have": "sono",
    "report": "diceva dice conteneva contiene chiede chiedeva tentava",
    "attack": "attacco attacchi attaccante iniezione malevolo sospetto attenzione bloccato rilevato",
    "source": "pagina sito email messaggio documento commento qualcuno testo file",
    "comply": "fallo obbedisci",
    "beginning": "inizio",
    "that_which": "quello_che ciò_che quanto",
    "reply": "rispondi",
}

ROMANIAN = {
    "drop": "ignoră ignorați uită uitați",
    "prior": "anterioare anterior precedente",
    "all": "toate tot",
    "everything": "tot",
    "order": "instrucțiuni* comenzi* prompt*",
    "rule": "reguli* informații*",
    "whose": "tale",
    "secret": "parola parole",
    "send": "trimite",
    "leak": "arată dezvăluie",
}
