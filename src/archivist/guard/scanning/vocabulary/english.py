"""English."""

ENGLISH = {
    "system_prompt": """system_prompt system_prompts system_instructions initial_prompt pre_prompt preprompt
        hidden_instructions hidden_prompt developer_prompt""",
    "drop": """ignore disregard forget bypass override neglect abandon dismiss ignoring disregarding
        leave_behind pay_no_attention pay_no_heed stop_following stop_obeying cease_following disobey
        break_free_of take_no_notice do_away_with""",
    "obey": """follow obey heed respect adhere comply abide observe listen apply consider use trust honor
        honour mind""",
    "no": """not no never don_t dont don_not doesn_t doesnt didn_t won_t mustn_t shouldn_t cannot can_t
        without avoid refuse refuses refusing decline declines stop neither nor avoids don_nt""",
    "prior": "previous previously prior preceding earlier above foregoing former aforementioned up_there",
    "since": """before beforehand hitherto heretofore thus_far so_far up_to_now until_now up_to_this_point
        past in_the_past till_now up_until_now prior_to_this up_to_here""",
    "older": "old older existing original initial default preset predefined outdated current past other",
    "whose": """your system developer developers openai anthropic creator creators safety ethical ethics
        moral content_policy company_s you_were_given you_have_been_given you_got you_received given_to_you
        you_are_given provider_s built_in pre_programmed preprogrammed our""",
    "all": "all any every each the entire whole everything single of these those my them",
    "everything": """everything anything all_of_it all_that it_all whatever all_this all_things
        all_that_stuff""",
    "order": "instruction instructions instructs prompt prompts pre_prompt preprompt",
    "rule": """rule rules guideline guidelines constraint constraints restriction restrictions policy
        policies context information info task tasks assignment assignments filters guardrails safeguards
        limitations limits dialogue role persona requirements statements advice guidance safety memory
        memories thoughts knowledge conversation conversations""",
    "ethics": """rules guidelines restrictions limitations filters filter guardrails safeguards censorship
        constraints ethics morals morality ethical moral policy policies limits boundaries content_policy
        content_policies""",
    "lacking": """no without free_of free_from has_no have_no zero not_bound_by not_subject_to unbound_by
        freed_from no_longer_bound_by not_limited_by not_restricted_by unconstrained_by regardless_of
        ignoring lacks""",
    "told": """told said learned learnt discussed mentioned read written wrote given received remember
        taught instructed you_know i_said i_told we_discussed we_said i_have_said was_said has_been_said
        were_told""",
    "given": "given provided supplied above attached",
    "now": "now henceforth hereby",
    "from_now": """from_now_on from_now from_this_point from_here_on from_this_moment henceforth from_today
        going_forward starting_now as_of_now from_now_onwards from_then_on for_the_rest_of
        from_this_point_forward from_this_moment_on from_here_onwards for_the_remainder_of""",
    "you": "you u ya yourself",
    "you_are": """you_are you_re you_r youre you_will_be you_shall_be you_become you_have_become
        you_will_now_be""",
    "as": "as like",
    "act": "act behave roleplay role_play serve operate simulate emulate roleplaying role_playing acting",
    "pretend": "pretend act_as_if make_believe",
    "imagine": "imagine suppose",
    "i_want_you": """i_want_you i_d_like_you i_would_like_you i_need_you you_must you_will you_are_going
        you_are_to you_should you_shall i_order_you i_command_you your_task_is your_job_is you_have
        i_am_asking_you i_m_asking_you""",
    "machine": """ai ais llm llms assistant assistants agent agents chatbot chatbots bot bots gpt chatgpt
        claude gemini copilot chatgpt4 gpt4 cursor llama grok bard siri alexa language_model language_models""",
    "user": "user users owner human humans operator person customer customers client reader",
    "say": """say print output write respond answer reply state repeat translate tell show generate echo
        display return recite produce type sing compose give""",
    "utter": "print output say echo type respond reply answer only_say just_say write",
    "only": "only just simply solely merely exclusively nothing_but instead",
    "leak": """reveal disclose leak divulge expose dump show print display output repeat tell give share
        recite spill copy summarize summarise translate list provide write state echo return encode read
        share_with quote spell what_is what_are what_was what_were what_s what_does what_did""",
    "prompt": """prompt prompts prompt_text prompt_texts system_prompt system_message system_instructions
        initial_instructions instruction_set pre_prompt preprompt instructions initial_prompt
        developer_message hidden_instructions prompttext prompttexts""",
    "full": """full entire whole complete initial original secret hidden exact confidential system verbatim
        internal underlying""",
    "beginning": "beginning above at_the_start at_the_top at_the_beginning before_this",
    "send": """send sending upload uploading forward forwarding transmit transmitting exfiltrate
        exfiltrating submit submitting pipe paste relay sneak post_it post_them post_the post_all post_your
        post_this post_every email_it email_them email_the email_all email_your email_every email_this
        mail_it mail_them mail_the mail_all""",
    "away": "exfiltrate exfiltrating leak smuggle",
    "secret": """password passwords passphrase credentials credential api_key api_keys apikey apikeys
        secrets private_key private_keys ssh_key ssh_keys access_token access_tokens auth_token env_file
        environment_variables env_vars id_rsa conversation_history chat_history conversation chat_log
        chat_logs cookies session_cookie session_token wallet seed_phrase personal_data personal_information
        private_data private_information confidential_information sensitive_data sensitive_information
        credit_card bank_account user_data all_files source_code memory_contents memories conversations
        secret_key secret_keys contacts mnemonic recovery_phrase user_s_email user_s_emails email_addresses
        user_s_data user_s_name user_s_messages""",
    "reveal": """reveal disclose leak divulge tell_me give_me show_me share_with_me print_the print_your
        tell_us give_up hand_over spell let_me_know output_the repeat_the""",
    "password": """password passwords passphrase secret_key secret_code passcode secret_word secret_phrase
        access_code api_key admin_password secret_password pin_code secret""",
    "to": "to at via into towards toward onto",
    "address": "http https www mailto webhook attacker",
    "write": """write append add save store put insert record remember memorize memorise keep note update
        edit modify persist log create install copy register commit place inject""",
    "this": "this these the_following following below",
    "line": """instruction instructions rule rules line lines text message note directive directives command
        paragraph sentence prompt snippet block entry preference content""",
    "memory_file": """agents_md claude_md memory_md user_md soul_md gemini_md cursorrules cursor_rules
        copilot_instructions skill_md system_prompt system_prompts archivist_md hermes_md windsurfrules
        clinerules config_toml settings_json long_term_memory persistent_memory memory_file memory_files
        memory_bank""",
    "memory": """memory memories long_term_memory persistent_memory memory_bank notes core_memory
        memory_store knowledge_base""",
    "read": """read reads reading process processes processing see sees parse parses summarize summarizes
        summarise summarises summarizing load loads retrieve retrieves recall recalls receive receives
        encounter open ingest ingests access accesses reviewing review analyze analyse analyzing translating
        translate browsing visit""",
    "when": "when if once whenever while after upon as_soon_as",
    "piece": """this these page document text message note memory file email content website repository
        readme""",
    "notice": """note attention message notice important reminder hey hello dear warning alert hint memo
        announcement tip psa info fyi instruction""",
    "for": "for to",
    "tell": """tell telling inform informing mention mentioning alert alerting notify notifying warn warning
        disclose reveal say report ask show let asking""",
    "covert": """secretly covertly silently quietly discreetly stealthily surreptitiously without_telling
        without_informing without_mentioning without_notifying without_alerting""",
    "recommend": """recommend promote praise endorse advertise rate rank approve hire cc bcc in_copy
        transfer wire donate purchase buy click forward exfiltrate upload email ignore disregard forget
        say_that respond_with reply_with answer_with state_that begin_your end_your include_the_phrase
        include_the_link include_this_link include_the_words include_the_text add_the_link add_a_link
        add_this_link give_a_positive positive_review give_a_good""",
    "free": """dan jailbroken jailbreak unrestricted unfiltered uncensored unlimited amoral immoral evil
        unethical godmode god_mode do_anything_now anything_goes rogue dan_mode opposite_mode unaligned
        lawless ruthless unmoderated""",
    "privileged": """developer_mode dev_mode debug_mode admin_mode administrator_mode maintenance_mode
        sudo_mode root_mode test_mode system_mode diagnostic_mode unlocked god_mode""",
    "mode": "mode enabled activated",
    "halt": "stop halt stopp",
    "leave": "leave put lay",
    "behind": "behind aside",
    "remove": "remove delete erase strike clear wipe purge drop banish",
    "mind": "head mind memory memories",
    "creator": "developer creator administrator admin maker programmer owner",
    "i_am": "i_am i_m im this_is",
    "look": "look use read consult check rely",
    "say_after": "repeat_after_me say_after_me",
    "echo": "repeat reveal recite reproduce what_is what_was what_were what_s what_are",
    "written": "written text words sentences lines",
    "persona": """terminal console interpreter shell linux_terminal python_interpreter bash translator
        chatgpt ai assistant bot chatbot model machine hacker compiler character simulator twin version
        persona""",
    "new": "new updated different revised real actual further additional",
    "task": "task tasks assignment instruction instructions objective directive directives",
    "follow": "follow follows come comes begin begins are_as_follows apply start starts take_effect here",
    "change": "change replace overwrite rewrite update alter swap substitute switch",
    "void": """void cancelled canceled obsolete overridden replaced invalid irrelevant nullified superseded
        suspended lifted revoked outdated terminated wrong disabled no_longer_apply no_longer_valid
        no_longer_relevant do_not_apply don_t_apply not_great fake reset no_longer_count do_not_count""",
    "have": "are is have has been were was will now",
    "report": """said says contained contains containing tells told wrote reads tried tries trying attempted
        attempts asked asks asking telling read included instructs instructed claimed claims wanted wants
        saying includes including saw seen found noticed got received reported starts started begins showed
        appeared had has""",
    "attack": """attack attacks attacker attackers injection injections malicious phishing suspicious
        jailbreak jailbreaks adversarial wary beware warn warns detect detects detected detection flagged
        blocked refuse refused refuses watch_out incident untrusted hostile exploit exploits poisoned
        spoofed mitigations mitigation prevented vulnerability vulnerable bypass_attempt catches caught
        warning warned""",
    "source": """page pages site website webpage web email emails mail issue issues readme comment comments
        ticket tickets document documents docs pdf post posts article message messages file files someone
        somebody text repository repo attacker attackers wiki blog output result results user users
        commenter spammer spam hackers hacker tool prompt""",
    "subject": """i we they he she it who users people models llms developers parsers linters tools clients
        browsers compilers some""",
    "attackers": "attackers adversaries hackers scammers spammers phishers",
    "lead": """please now then and or just but also so you must should to will shall can could instead first
        kindly immediately simply always hereby ok okay stop well hi hello hey lets let_s do again therefore
        thus next henceforth must_now u y warning important attention note ai assistant assistants agent
        chatgpt gpt claude model yes great good here completely""",
    "unled": """to can could will would may might should must it they i we he she which who that this not m
        s re is are was were be been by for of the a an if when t ll never does do did doesn cannot from
        with in""",
    "loose_imperative": "act behave acting pretend simulate roleplay behaving roleplaying",
    "comply": """do_so obey comply follow_it follow_them follow_this follow_these follow_that do_that
        do_this do_it do_as execute_it carry_out""",
    "imperative_only": """ignore disregard forget discard bypass override neglect abandon dismiss skip drop
        cancel erase clear scrap leave_behind set_aside throw_out throw_away put_aside deviate_from send
        upload post forward email mail transmit submit reveal disclose leak divulge expose show print
        display output exfiltrate exfiltrating smuggle siphon steal harvest repeat""",
    "undo": """skip drop cancel erase discard deviate_from clear wipe_out unlearn scrap nullify let_go_of
        delete remove revoke rescind reset annul void set_aside put_aside throw_out throw_away""",
    "command": """directive directives directions order orders command commands training briefing
        programming""",
    "material": """documents document article articles text texts input context information info content
        data message messages""",
    "host": "server endpoint url email_address ftp address account",
    "smuggle": "append include embed encode attach hide put insert render",
    "carrier": "url urls link links image images query",
    "print": "print output copy echo display repeat reveal recite reproduce",
    "you_have": "you_have you_ve_got you_have_got you_had",
    "disable": "disable deactivate turn_off switch_off remove lift",
    "morals": "morals morality ethics censorship ethical moral scruples conscience",
    "maker": "creator developer maker programmer",
    "what_is": "what_is what_s what_was",
    "hidden_word": """secret_key secret_code secret_word secret_phrase secret_password passphrase
        secret_passphrase""",
    "asked": """what_were_you_told what_have_you_been_told what_did_they_tell_you what_are_you_not_allowed
        what_instructions_did_you what_instructions_were_you what_instructions_have_you what_rules_do_you
        what_rules_were_you what_did_your_developer what_did_your_developers what_did_the_developer
        what_did_the_developers""",
    "that_which": "what_you whatever_you the_things_you all_you everything_you what_the_system",
    "reading": """reading processing parsing analyzing analysing reviewing summarizing summarising crawling
        indexing""",
    "trust": "trust obey accept",
    "hide": """hide_this_from hide_it_from hide_these keep_this_from keep_this_secret keep_this_a_secret
        keep_it_secret keep_it_a_secret conceal_this conceal_it""",
    "enter": "enter activate enable engage start",
    "bound": "follow obey abide respect observe have_to_follow must_follow",
    "model": "model models",
    "reply": "respond answer reply speak talk",
    "inducing": """commanding instructing tricking causing getting leading persuading telling tricks causes
        leads convincing asking""",
    "limit": """restrictions guidelines filters constraints limitations guardrails safeguards protocol
        protocols censorship filter""",
    "lifted": """removed lifted disabled updated changed reset deleted off inactive deactivated suspended
        revoked overridden replaced cancelled void bypassed""",
    "no_need": """don_t_have_to do_not_have_to don_t_need_to do_not_need_to no_need_to need_not
        no_longer_have_to no_longer_need_to not_required_to no_longer_required_to are_free_to_ignore
        no_longer_bound""",
    "break_character": """break_character break_out_of_character break_your_rules break_your_programming
        break_your_guidelines""",
    "assume": "assume adopt take_on play embody portray",
    "part": "role persona character identity part personality",
    "no_more_you": "you_are_no_longer you_re_no_longer you_aren_t_an you_are_not_an_ai you_stopped_being",
    "ordered": """i_order_you i_command_you i_am_instructing_you i_m_instructing_you i_instruct_you
        i_am_ordering_you i_demand_that_you i_authorize_you i_hereby""",
    "plain": """password_reset password_field password_policy password_manager password_hash
        password_strength password_change password_less credential_helper secret_santa reset_password
        forgot_password password_protected forget_to forgot_to forget_that forget_about_it""",
    "duty": "job duty purpose role goal mission",
    "state": """ready set able going done good free here there at in on not about allowed connected logged
        signed left just still up back all to supposed required responsible welcome""",
    "ask": "question questions query queries request requests task prompt",
    "user_words": "what_the_user whatever_the_user everything_the_user anything_the_user",
    "processed": "processed read parsed summarized summarised ingested analyzed analysed reviewed",
    "overrides": "overrides override supersedes supersede replaces replace cancels",
    "into": "in into with inside within",
    "talk": """conversation conversations conversation_history chat_history chat_log chat_logs memories
        memory_contents user_s_email user_s_emails user_s_data user_data user_s_name user_s_messages
        personal_data personal_information private_data private_information credit_card""",
    "answer": "your_reply your_response your_answer your_message your_output",
}
