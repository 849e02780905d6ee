"""Set phrases with names and values in them: "Braga has been home since May", "Momo is our hamster".

They are read wherever they stand in a sentence that is the author's own, also after a request: "suggest a
film, but musicals are not for me". In messages without capitals a name is any word that is no verb and no
usual one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from holdfast.core.claims import CURRENT, PAST, PLAN, Claim
from holdfast.language.claims.attributes import FREQUENT, TODAY
from holdfast.language.claims.clause import ADVERBS, AUX, END_WORDS, OPENERS, THIRD
from holdfast.language.claims.kin import STOP
from holdfast.language.claims.lexicon import class_of_word, head_of
from holdfast.language.claims.making import claim_at, tidy
from holdfast.language.claims.prefilter import Prefilter
from holdfast.language.claims.verbs import english, german
from holdfast.language.places import PLACES

_NAME = r"(?-i:[A-ZÄÖÜ])[\w'&-]*[\w](?: (?:& )?(?-i:[A-ZÄÖÜ])[\w&-]+)?"
_LOW_NAME = r"[^\W\d_][\w'&-]*\w"
_KIN = (
    r"(?:(?:little|big|older|younger|elder|eldest|youngest|twin|half|step|kleine\w*|große\w*|ältere\w*|jüngere\w*) ?)*"
    r"(?:sister|brother|son|daughter|wife|husband|girlfriend|boyfriend|partner|fiancée?|spouse|mother|mum|mom|father"
    r"|dad|kid|child|baby|twin|cousin|niece|nephew|aunt|uncle|grandson|granddaughter|dog|cat|kitten|puppy|hamster"
    r"|parrot|rabbit|horse|pony|budgie|guinea pig|eldest|youngest|schwester|bruder|sohn|tochter|frau|mann|freundin|freund"
    r"|partnerin|verlobter?|mutter|vater|kind|zwilling|cousine?|nichte|neffe|tante|onkel|enkel\w*|hund|katze|kater"
    r"|welpe|hündin|papagei|kaninchen|pferd|wellensittich|meerschweinchen|jüngste[rn]?|älteste[rn]?)"
)
_MINE = r"(?:my|our|mein\w*|unser\w*)"
_END = r"(?=\s*(?:[,.;:!?)\n–—]|$)|\s(?:and|but|so|because|since|as|und|aber|weil|seit|in|im|for|now|btw|lately)\b)"
_V = r"(?!(?:it|that|this|them|these|those|you|es|das|dies|sie|dich|dir|but|because|since|and|aber|weil|denn|und)\b)[\w'’äöü -]{2,60}?"
_LEAD = r"(?:^|[,;:.–—]\s*|\b(?:but|because|since|and|aber|weil|denn|und) )"
_MOST = r"(?:really |just |so |totally |exactly |definitely |genau |total |einfach |absolut |voll )?"
_ROWS: tuple[tuple[str, str, str], ...] = (
    ("employer", "", r"\b(?P<v>{N}) (?:has |have )?(?:just |recently |finally )?(?:hired|recruited|employs|took) me\b(?! (?:to|for|back|a|out)\b)"),
    ("employer", "", r"\b(?P<v>{N}) hat mich (?:\w+ )?(?:eingestellt|angestellt|übernommen)\b"),
    ("employer", "", r"\b(?:do|doing|work|working|schiebe|mache) (?:the )?(?:night |early |late |day )?(?:shifts|nights|nachtschichten|schichten|frühschichten) (?:at|for|bei|für) (?P<v>{N})"),
    ("employer", "", r"\bmy (?:new |current )?(?:boss|job|manager|shift|team|desk) at (?P<v>{N})"),
    ("employer", "", r"\b(?:mein (?:neuer |jetziger )?arbeitgeber (?:ist|heißt)|meine? (?:neue[rn]? |jetzige[rn]? )?(?:job|stelle|chef|chefin|team) bei) (?P<v>{N})"),
    ("employer", "past", r"\b(?P<v>{N}) (?:has |have )?(?:just )?(?:let me go|laid me off|fired me|sacked me|made me redundant)\b"),
    ("employer", "past", r"\b(?P<v>{N}) hat mich (?:\w+ )?(?:entlassen|gefeuert|rausgeworfen|gekündigt)\b|\bmir (?:hat )?(?P<w>{N}) (?:\w+ )?gekündigt\b"),
    ("employer", "past", r"\b(?:contract|time|job|years?|chapter|career) (?:with|at) (?P<v>{N}) (?:has |have |is |are |was |were |came )?(?:just )?(?:ended|over|ran out|expired|not renewed|to an end|finished)\b"),
    ("employer", "past", r"\b(?:vertrag|zeit|job|stelle|jahre) bei (?P<v>{N}) (?:ist|sind|wurde|läuft|lief)\b[^,.;]{0,20}\b(?:vorbei|ausgelaufen|aus|zu ende|um|beendet|verlängert)\b"),
    ("employer", "past", r"\b(?:handed in my notice|gave (?:my )?notice|got (?:laid off|fired|let go|sacked)) (?:at|from|by) (?P<v>{N})|\bkündigung bei (?P<w>{N})"),
    ("employer", "past", r"\bbei (?P<v>{N}) (?:bin ich (?:raus|weg|nicht mehr)|habe? ich (?:[\w.]+ ){0,3}(?:aufgehört|gekündigt))"),
    ("unemployed", "", r"\b(?:ich (?:wurde|bin)|mir wurde|man hat mir|man hat mich|wurde)(?! [^.;!?]*\b(?:wohnung|vertrag|konto|krankenhaus|klinik|reha|abo|handy|haft)\w*\b) (?:[\w.]+ ){0,3}?(?P<v>(?:entlassen|gekündigt|gefeuert|rausgeschmissen|freigestellt))\b"),
    ("left", "past", r"\bi(?:'ve| have|'m| am)? (?:just |finally |already )?(?P<v>(?:handed|gave|put|turned|given|handing|giving|putting) in (?:my|a) (?:\w+ )?(?:notice|resignation)|(?:gave|given) (?:my )?notice(?! (?:to|on|for|that)\b)|resigned(?! myself)(?: from [^,.;!?]{3,30})?)"),
    ("left", "past", r"\b(?:ich habe?|hab) (?:[\w.]+ ){0,3}?(?P<v>(?:meine |die )?kündigung (?:eingereicht|abgegeben))\b|\bich (?:höre|hör) (?:[\w.]+ ){0,3}?(?P<w>(?:bei|in) (?:der |dem )?[A-ZÄÖÜ][\w-]+ auf)\b"),
    ("marital_status", "past", r"\b(?:ich habe?|wir haben|hab|haben) (?:[\w.]+ ){0,4}?(?P<v>schluss gemacht)\b|\b(?P<w>(?:it's|it is) over between us|we're not together any ?more|we are not together any ?more)\b"),
    ("moved_out", "past", r"\b(?P<v>(?:ausgezogen|weggezogen))(?=[.,;!?]|$)"),
    ("housing", "as said", r"\b(?:i'm|im|i am|we're|we are|i live|we live) (?P<v>on the (?:\w+ )?(?:ground|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top|\d+(?:st|nd|rd|th)) floor(?: with(?:out)? [\w ]{3,20})?)(?=\W|$)"),
    ("lives_in", "", r"\b(?:i'm|im|i am|we're|we are) (?:up|down|out|over|based) in (?P<v>{N}){E}(?! (?:for|this|until|now)\b)"),
    ("works_as", "", r"\bi(?:'ve| have) been (?:his|her|their|the|our) (?P<v>[\w-]+(?: [\w-]+)?) (?:here )?(?:for (?:\w+ )?(?:years|decades|months)|since)\b"),
    ("plan_study", "plan", r"\bi(?:'m| am)? (?:take|taking|sit|sitting) (?P<v>(?:the|my|an?) (?:[\w-]+ ){0,2}(?:exam|test|finals|mocks) (?:in|on|next) \w+)"),
    ("plan_move", "plan", r"\bich ziehe? (?:\w+ )?(?:zum|am|ab) [\w. ]{2,15}? (?P<v>nach {N})"),
    ("partner", "as said", r"\bwir sind (?:schon )?(?P<v>seit [\w ]{1,20} (?:jahren?|monaten?) (?:ein paar|zusammen))\b"),
    ("birthday", "", r"\bich (?:habe|hab)(?: \w+)? am (?P<v>\d{1,2}\. ?(?:\d{1,2}\.|[a-zä]{3,9})) (?:(?!kein)\w+ )?geburtstag\b"),
    ("age", "", r"\b(?:ich )?werde? (?:[\w.]+ ){0,3}?(?P<v>[1-9]\d)(?= jahre? alt\b|[.,;!?]|$)"),
    ("works_as", "", r"\b(?:make|making|earn|earning) (?:my|our|a) (?:living|money|keep|bread) (?:as|by being) (?:an? )?(?P<v>{V}){E}"),
    ("works_as", "", r"(?:^|[.,;:] ?)as an? (?P<v>(?:[\w-]+ ){0,2}[\w-]+),? i(?:'m|'ve)?\b(?! (?:want|should|can|expect|wish)\b)|(?<!habe )(?<!hab )(?<!war )(?<!hatte )\bich als (?P<w>[\w-]+)\b|(?:^|[.,;:] ?)als (?P<x>[\w-]+) (?:hab|habe|bin|muss|kann|arbeite|weiß|sehe|brauche|kenne) ich\b"),
    ("sleep", "", r"\bi (?:usually |always |normally |mostly )?(?P<v>go to bed (?:at|around|before|after|by) (?:\d[\d:.]*(?: ?[ap]m)?|\w+|half \w+ \w+))(?=[,.;!?\n]|$| (?:and|but|so|every|most|because)\b)|\bich gehe? (?:meist(?:ens)? |immer |abends )?(?P<w>um [\w:.]+(?: uhr)? (?:ins|zu) bett)\b"),
    ("works_as", "", r"\b(?:working|work|arbeite) (?:full|part)[- ]?time as an? (?P<v>(?:[\w-]+ ){0,2}?[\w-]+)(?=[,.;!?\n]|$| (?:and|plus|with|but|at|in|so)\b)"),
    ("employer", "", r"\bi (?:drive|deliver|ride|cycle) for (?P<v>{N})|\bi(?:'ve| have) been (?:with|at) (?P<w>the [\w-]+(?: [\w-]+)?) (?:since|for)\b"),
    ("condition", "as said", r"\bmy (?P<v>(?:eyesight|hearing|sight|memory|balance) (?:is|has been) (?:\w+ )?(?:poor|bad|going|failing|weak|gone|terrible))\b"),
    ("works_as", "", r"\bverdiene? (?:ich )?(?:mir )?mein\w* (?:geld|lebensunterhalt|brötchen) als (?P<v>[\w-]+)|\b(?:auf|zum|zur) (?P<w>[\w-]+) umgeschult\b"),
    ("lives_in", "", r"(?:^|[.,;!] ?|\bbut |\bso )(?P<v>{N}) (?:has been|has become|is now|became) (?:my |our )?(?:new )?home\b(?! (?:to|of)\b)|\bhome is (?:now )?(?P<w>{N})"),
    ("lives_in", "", r"\b(?:it's|it is) (?P<v>{N}) where (?:i|we) (?:live|are)\b|\b(?P<w>{N}) is where (?:i|we) live\b"),
    ("lives_in", "", r"\b(?:got|have|picked up) the keys (?:to|for) (?:my|our) (?:new )?(?:place|flat|house|home|apartment) in (?P<v>{N})"),
    ("lives_in", "", r"(?:^|[.,;] ?)(?:my |our )?new address(?: since \w+)?(?: is|:) (?:in )?(?P<v>{N}){E}"),
    ("lives_in", "", r"\b(?:moved|relocated) (?:away )?from (?!(?:the|my)\b)\w+ to (?P<v>{N})|\bvon \w+ nach (?P<w>{N}) (?:um)?gezogen\b"),
    ("lives_in", "", r"\b(?:hab\w*|haben) (?:jetzt )?(?:ne|'ne|eine|ein|nen) (?:neue |kleine )?(?:bude|wohnung|haus|zimmer|wg) in (?P<v>{N})"),
    ("lives_in", "", r"\bnach (?P<v>{N}) verschlagen\b|\bmein\w* (?:neues )?(?:zuhause|wohnort) ist (?:jetzt |nun )?(?P<w>{N})"),
    ("lives_in", "", r"\b(?:my|our|mein\w*|unser\w*) (?:new |old |little |neue\w* |kleine\w* )?(?:flat|apartment|house|place|wohnung|haus|bude|wg) (?:is )?in (?P<v>{N})"),
    ("from", "", r"\b(?:spent|had) (?:most of )?my (?:childhood|youth) in (?P<v>{N})|\b(?:kindheit|jugend) (?:habe? ich |hab ich |war )?in (?P<w>{N})"),
    ("from", "", r"\b(?:i'm|i am|im) (?:an? )(?P<v>{N}) (?:kid|boy|girl|native|lad|lass)\b|\bfrom (?P<w>{N}) originally\b"),
    ("from", "", r"\b(?:ich|wir) (?:stammen?|kommen?|komm) (?:ursprünglich |eigentlich )?aus (?P<v>{N})|\bfamilie und ich kommen aus (?P<w>{N})"),
    ("from", "", r"\b(?:my|mein\w*) (?:home ?town|heimat\w*|geburtsort) (?:is|ist) (?P<v>{N})"),
    ("kin", "", r"(?<![\w'] and )\b(?P<n>{N}) (?:is|'s|ist) {M} (?P<k>{K})(?=\W|$)"),
    ("kin", "", r"\b{M} (?P<k>{K})(?:'s name is| is called| is named|s name ist| heißt) (?P<n>{N})"),
    ("kin", "", r"(?:^|[,.;:] ?|\b(?:for|with|to|für|mit|auf|an) )(?P<n>{N}), {M} (?P<k>{K})(?=\W|$)"),
    ("partner", "", r"(?:^|[,.;:] ?|\b(?:for|with|to|für|mit) )(?P<v>{N}), (?:my|meine) (?:other|better|bessere) (?:half|hälfte)\b"),
    ("child", "", r"\b(?:i'm|i am|im|bin) (?P<v>{N})'s (?:mum|mom|mother|dad|father|papa|mama)\b|\b(?:die|der) (?:mama|mutter|papa|vater) von (?P<w>{N})"),
    ("pet", "", r"\b(?:adopted|rescued|got|have) (?P<v>{N}), (?:an?|our|my) (?:\w+ ){0,2}(?:dog|cat|kitten|puppy|rabbit|hamster|horse|greyhound)\b"),
    ("pet", "", r"\bhaben? (?P<v>{N}) (?:adoptiert|aufgenommen|aus dem tierheim)\b"),
    ("partner", "", r"\b(?:i've|i have|ive) been (?:together )?with (?P<v>{N}) (?:for|since|a)\b"),
    ("partner", "", r"\b(?:bin|sind) (?:\w+ ){0,3}mit (?P<v>{N}) (?:zusammen|verheiratet|verlobt|liiert)\b"),
    ("partner", "", r"\b(?P<v>{N}) (?:and (?:i|me)|und ich) (?:are|got|have been|sind|haben) (?:frisch |newly |now |jetzt )?(?:engaged|married|dating|together|a couple|verlobt|verheiratet|geheiratet|ein paar|zusammen)\b"),
    ("partner", "", r"\bme and (?P<v>{N}) (?:are|got|have been) (?:now )?(?:engaged|married|dating|together|a couple)\b"),
    ("partner", "past", r"\b(?P<v>{N}) (?:and (?:i|me)|und ich) (?:are no longer|aren't|are not|sind nicht(?: mehr)?) (?:together|a couple|zusammen|ein paar)\b"),
    ("partner", "past", r"\b(?P<v>{N}) (?:and (?:i|me)|und ich) (?:have |haben )?(?:just )?(?:split up|broken? up|broke up|separated|got divorced|divorced|uns getrennt|uns scheiden lassen)\b|\bme and (?P<w>{N}) (?:have )?(?:split up|broke up|separated|got divorced)\b"),
    ("partner", "past", r"\b(?:broke up|split up|broken up|separated|divorced|no longer|not together|getrennt|geschieden) (?:with|from|von) (?P<v>{N})|\bvon (?P<w>{N}) (?:getrennt|geschieden|scheiden)\b"),
    ("partner", "past", r"\b(?P<v>{N}) (?:has )?(?:left|dumped) me\b(?! (?:a|the|alone|with|an?|some|in|on|his|her)\b)|\b(?P<w>{N}) (?:hat mich verlassen|mich verlassen hat|hat schluss gemacht)\b"),
    ("partner", "past", r"\bover between (?P<v>{N}) and me\b|\bmit (?P<w>{N}) (?:ist (?:es )?(?:schluss|aus|vorbei)|bin ich nicht mehr zusammen)\b"),
    ("pet", "past", r"\b(?P<v>{N}) (?:had to be put (?:down|to sleep)|was put (?:down|to sleep)|crossed the rainbow bridge|musste eingeschläfert werden|ist über die regenbogenbrücke)\b"),
    ("pet", "past", r"\b(?:had to|have to|decided to) (?:give|rehome|put) (?P<v>{N}) (?:away|down|up|to sleep)\b|\brehomed (?P<w>{N})\b|\b(?:mussten|musste|muss|müssen) (?P<x>{N}) (?:abgeben|einschläfern)\b"),
    ("pet", "past", r"\b(?:lost|buried) (?:my|our) (?:dog|cat|rabbit|hamster|horse|parrot) (?P<v>{N})|\b(?:hund|katze|kater|kaninchen|pferd|hamster) (?P<w>{N}) (?:verloren|begraben|ist tot|ist gestorben|lebt nicht mehr)"),
    ("pet", "past", r"\b(?P<v>{N}) in gute hände gegeben\b|\b(?:my|our) (?:dog|cat|rabbit|hamster|horse|parrot) (?P<w>{N}) (?:died|passed away|is gone|had died)\b"),
    ("takes_medicine", "", r"\b(?:switched|changed|moved|swapped) (?:me |my \w+ )?(?:over )?(?:from [\w-]+(?: \d+ ?mg)? )?to (?P<v>[\w-]+(?: \d+ ?mg)?)|\b(?:put|started) me on (?P<w>[\w-]+(?: \d+ ?mg)?)"),
    ("takes_medicine", "", r"\bauf (?P<v>[\w-]+(?: \d+ ?mg)?) (?:umgestellt|eingestellt|gewechselt|umgestiegen)\b|\b(?:mir|mich) (?:[\w.]+ ){0,4}?(?P<w>[\w-]+(?: \d+ ?mg)?) verschrieben\b"),
    ("takes_medicine", "past", r"\b(?:switched|changed|moved|swapped) (?:me )?(?:over )?from (?P<v>[\w-]+)(?: \d+ ?mg)? to\b|\bvon (?P<w>[\w-]+)(?: \d+ ?mg)? auf [\w-]+(?: \d+ ?mg)? (?:umgestellt|gewechselt|umgestiegen)\b"),
    ("allergy", "", r"(?:^|[.,;:\n] ?)(?:(?:my|mein\w*) )?(?:food )?(?:allergy|allergies|allergie|allergien)(?:: ?| are:? | sind:? )(?P<v>[^.;!?\n]{2,120})(?=[.;!?\n]|$)"),
    ("intolerance", "", r"(?:^|[,.;:] ?|\b(?:weil|aber|denn|und) )(?P<v>[\w-]{3,30}) vertrage ich (?:leider |gar |überhaupt )?nicht\b"),
    ("condition", "", r"\bif you have (?P<v>{V}),? (?:as i do|like i do|like me)\b|\bwenn man (?P<w>{V}) hat,? (?:so )?wie ich\b"),
    ("diet", "past", r"\b(?:the|my|our|die|meine) (?P<v>[\w-]+)[ -](?:phase|days|zeit|years) (?:is|are|ist|sind) (?:over|behind me|done|vorbei)\b|\bphase mit (?P<w>[\w-]+) ist vorbei\b"),
    ("diet", "past", r"\b(?:gave up|stopped|quit|given up|done with) being (?:an? )?(?P<v>[\w-]+)|\baufgehört, (?P<w>[\w-]+) zu (?:essen|leben)\b"),
    ("diet", "past", r"\b(?P<v>[\w-]+) (?:mach(?:e)? ich nicht mehr|habe? ich aufgegeben)\b"),
    ("diet", "", r"\b(?:lebe?|ernähre mich|esse?) (?:[\w.]+ ){0,3}(?P<v>[\w-]+)(?=[,.;!?\n]|$)|(?:^|[,.;:?] ?|\bit )(?P<w>[\w-]+), (?:that's|that is) how i eat\b"),
    ("likes", "", r"{L}(?P<v>{V}) (?:is|are|ist|sind) {MOST}(?:my thing|my jam|mein ding|my happy place)\b"),
    ("likes", "", r"(?:^|[,.;:] ?)(?P<v>{V}) ?>> ?(?:everything|anything|all)\b|\bnothing beats (?P<w>{V}){E}"),
    ("likes", "", r"\b(?:ich )?finde? (?P<v>{V}) (?:mega|klasse|super|geil|großartig|richtig gut)(?=[,.;!?\n]|$| und)"),
    ("likes", "", r"\bfür (?P<v>{V}) (?:kann ich mich (?:\w+ )?begeistern|schwärme ich)\b|\bkann mich (?:\w+ )?für (?P<w>{V}) begeistern\b"),
    ("dislikes", "", r"{L}(?P<v>{V}) (?:is|are|ist|sind) (?:really |just |definitely |einfach |absolut )?(?:not|nicht|nichts) (?:really )?(?:for me|für mich|my thing|mein ding)\b"),
    ("dislikes", "", r"{L}(?P<v>[\w-]{3,30}) (?:langweilen|langweilt|ekeln|ekelt|widern|bores?|bored) (?:mich|me)\b"),
    ("dislikes", "", r"\b(?:pet hate|pet peeve|bugbear|hassthema) (?:is|ist) (?P<v>{V}){E}"),
    ("dislikes", "", r"\bmit (?P<v>{V}) (?:nicht viel|nichts|wenig) anfangen\b|\bmit (?P<w>{V}) kann ich (?:gar |einfach )?(?:nichts|nicht viel|wenig) anfangen\b"),
    ("sport", "", r"\b(?:ich )?(?:mach(?:e)?|betreibe|gehe?|geh) (?:[\w.]+ ){0,4}(?P<v>[\w-]+)(?=[,.;!?\n]|$| (?:und|weil|aber)\b)"),
    ("sport", "", r"\b(?:bin|beim|zum) (?:\w+ ){0,4}(?:beim|zum|im) (?P<v>[\w-]+)(?=[,.;!?\n]|$| (?:und|weil|aber)\b)"),
    ("sport", "", r"\b(?:i )?(?:do|started|took up|got into|taken up) (?:some |a lot of |a bit of )?(?P<v>[\w-]+)(?=[,.;!?\n]|$| (?:recently|lately|in|and|n|last|three|twice|every|on)\b)"),
    ("sport", "", r"{L}(?P<v>[\w-]+) (?:once|twice|three|four|five|\dx|\w+ evenings|\w+ mornings|\w+mal)(?: times| evenings| mornings)? (?:a|per|die|pro) (?:week|woche)\b"),
    ("speaks", "", r"\b(?:hold a conversation|get by|chat) in (?P<v>[\w-]+)|\bi (?:can )?(?:also )?(?:read|speak|write) (?P<w>[\w-]+)(?=[,.;!?\n]|$| (?:too|2|as well|and|but|at)\b)"),
    ("speaks", "", r"\bmich auf (?P<v>[\w-]+) (?:unterhalten|verständigen)\b|\bich (?:kann (?:auch )?|lese |spreche )(?P<w>[\w-]+)(?=[,.;!?\n]|$| (?:lesen|sprechen|und|aber)\b)"),
    ("speaks", "", r"\b(?:my|mein) (?P<v>[\w-]+) (?:is|ist|reicht|was) (?:good enough|gut genug|für|fluent|rusty|okay|ok)\b"),
    ("studies", "", r"\b(?:(?:my|the|im) )?(?:last|final|first|second|third|letzten|ersten|zweiten|dritten) (?:year|semester|jahr) (?:of|von) (?P<v>(?!(?:the|my|our|a|school|this)\b)[\w-]+(?: science| studies)?){E}"),
    ("studies", "", r"\b(?:mein|my) (?:studienfach|major|subject|studiengang) (?:is|ist) (?P<v>{V}){E}|\b(?:bachelor|master|degree|abschluss|studium) in (?P<w>{V}){E}"),
    ("degree", "", r"\bin (?P<v>{V}) promoviert\b|\bpromoviert in (?P<w>{V}){E}"),
    ("instruction", "", r"\b(?:rule|regel)s? (?:for|für) (?:all|every|alle|jede\w*) (?:our |your |unsere |deine )?(?:chats?|answers?|conversations?|antworten|gespräche): ?(?P<v>[^.;!?\n]+)"),
    ("instruction", "", r"\b(?:i'd|i would) like you to (?P<v>[^.;!?\n]+? from (?:today|now|here)(?: on)?)\b|\b(?:i'd|i would) like you to (?P<w>[^.;!?\n]+?),? (?:every time|in (?:the )?future)\b"),
    ("instruction", "", r"\bi(?:'d| would) (?:rather|prefer)(?: to)? (?:have |get |see )?(?P<v>(?:[\w-]+ ){1,3}(?:answers|replies|responses|explanations|summaries))(?=[,.;!?\n]|$| (?:please|from you|in|without|with)\b)"),
    ("instruction", "", r"\bich (?:möchte|will|hätte gern),? dass du (?P<v>(?:ab (?:heute|jetzt|sofort)|künftig|in zukunft|immer|nie) [^.;!?\n]+)|\bmir (?:ist|wäre) (?:es )?lieber,? wenn du (?P<w>[^.;!?\n]+)"),
    ("instruction", "", r"\b(?:merk dir|denk dran|denk daran),? dass du (?P<v>[^.;!?\n]+ (?:sollst|solltest))\b"),
    ("age", "", r"\b(?:had|have|celebrated) my (?P<v>[1-9]\d)(?:st|nd|rd|th) birthday\b|\bmeinen (?P<w>[1-9]\d)\. geburtstag (?:hinter|gefeiert)\b"),
    ("age", "", r"\b(?:i'm|im|i am|bin|me|i|ich) ?\(?(?P<v>[1-9]\d) ?(?:f|m|w|nb|yo|y/o)\b(?! (?:away|tall|high|long|deep|wide|above|below|under|from|to|weg|entfernt|hoch|tief|lang|über|unter|vom|von)\b)|(?:^|[.,;] ?)(?P<w>[1-9]\d)(?:f|m|nb|yo)(?= here\b|,)"),
    ("age", "", r"(?:^|[,.;] ?)at (?P<v>[1-9]\d)(?: years old)?,? i\b"),
    ("name", "", r"(?:^|[.!?\n] ?)(?:name|vorname|first name): ?(?P<v>{N})(?=[.,;!?\n]|$)|\bthat's me, (?P<w>{N})(?=[.,;!?\n]|$)"),
    ("name", "", r"\b(?:my|mein) name (?:is|ist) (?P<v>{N})(?=[.,;!?\n]|$| and| und)|(?:^|[.,] ?)(?P<w>{N}) mein name\b"),
    ("called", "", r"\b(?:everyone|everybody|friends|people|they|alle|freunde) (?:calls?|nennen|nennt) (?:me|mich) (?P<v>{N})(?=[.,;!?\n]|$)|\bi go by (?P<w>{N})"),
    ("plan", "plan", r"\b(?:mein|unser) (?:plan|ziel|traum) ist(?: es)?,? (?P<v>[^.;!?\n]{3,60}?\b(?:zu \w+e?n|\w+zu\w+en))\b"),
    ("plan", "plan", r"\b(?:ich|wir) (?:plane?n?|hoffe?n?|beabsichtige?n?|habe?n? (?:fest |schon )?vor|habe?n? beschlossen|habe? mir vorgenommen),? (?P<v>[^.;!?\n]{3,60}?\b(?:zu \w+e?n|\w+zu\w+en))\b"),
    ("plan", "plan", r"\b(?:ich|wir) (?:will|wollen|möchten?|werden?) (?:nächste\w* (?:jahr|sommer|winter|monat)|im \w+|bald|irgendwann) (?P<v>(?!nicht\b)[^,.;!?\n]{3,50}?\w+e?n)(?=[,.;!?\n]|$)"),
    ("plan", "plan", r"(?:^|[.!?,;] ?)(?:will|möchte|gonna|going to) (?P<v>(?:bald|soon|irgendwann) [^,.;!?\n]{3,50}|[^,.;!?\n]{3,50}? soon)(?=[,.;!?\n]|$)"),
    ("plan", "past", r"\b(?:given up on|gave up on|dropped|scrapped|cancelled|canceled|abandoned|called off|shelved|ditched|buried) (?:my|our|the) (?:plans?|idea|dream)s? (?:to|of) (?P<v>{V}){E}"),
    ("plan", "past", r"\b(?:the|my|our) (?:plan|dream|idea) (?:to|of) (?P<v>{V}) (?:fell through|is off|is dead|is cancelled|didn't work out|came to nothing)\b|\bplan to (?P<w>{V}): (?:cancelled|canceled|off|dropped)\b"),
    ("plan", "past", r"\b(?:i|we)(?:'ve| have)? decided (?:not to|against) (?P<v>{V}){E}|\b(?:not|n't) (?:going to|gonna) (?P<w>{V}) (?:after all|any ?more)\b|\bnot (?:going to|gonna) (?P<x>{V}) any ?more\b"),
    ("plan", "past", r"\b(?:i|we) (?:no longer (?:want|plan|intend)|don't (?:want|plan|intend)) to (?P<v>{V})(?: any ?more\b|, what\b|{E})(?<=more|what)|\b(?:i|we) no longer (?:want|plan|intend) to (?P<w>{V}){E}"),
    ("plan", "past", r"\b(?:i|we) wanted to (?P<v>{V}),? but (?:that's|it's|that is|that) (?:off|not happening|over|no longer|fell)\b|\b(?:forget|scratch) [^,.;]{3,30}, (?:i|we) won't (?P<w>{V}){E}"),
    ("plan", "past", r"\b(?:will|wollen|möchte|wollte) (?:doch )?nicht (?:mehr|länger) (?P<v>{V})(?=[,.;!?\n]|$)|\bnicht mehr (?P<w>{V}) (?:will|möchte|wollen)\b"),
    ("plan", "past", r"\b(?:idee|plan|vorhaben|traum) (?:verworfen|aufgegeben|begraben|fallen gelassen),? (?P<v>{V})(?=[,.;!?\n]|$)|\b(?:plan|traum|vorhaben), (?P<w>{V}), (?:ist|wird)\b"),
    ("plan", "past", r"\b(?:entschieden|beschlossen),? nicht (?P<v>{V} zu \w+|{V}\w+zu\w+en)\b|\b(?:wollten?) (?P<w>{V}),? aber (?:das|daraus|es) (?:hat sich erledigt|wird nichts|ist vom tisch)"),
    ("plan", "past", r"\b(?:i'm|im|i am|we're|we are|aren't|ain't)(?: not)? (?!(?:going|feeling|doing|looking|getting|being|talking|asking) )(?<=not |n't )\w+ing (?:to |for |in |into )?(?P<v>{V}) after all\b"),
    ("plan", "past", r"\b(?:(?:i|we)(?:'ve| have)?|had to) (?:just |now )?(?:cancel(?:l?ed)?|call(?:ed)? off|scrap(?:ped)?) (?:(?:our|the|my) )?(?:(?:trip|flights?|holiday|visit|move|plans?) (?:to|for|in) )?(?P<v>{N})(?: trip)?{E}"),
    ("plan", "past", r"{L}(?:(?:the|our|my) (?:trip|flight|move|holiday|visit|plan) to )?(?P<v>{N}) (?:is off|is cancelled|is canceled|has been cancelled|was cancelled|fell through|isn't happening|is not happening|won't happen){E}"),
    ("plan", "past", r"\bchanged (?:my|our) minds? about (?P<v>{V}){E}"),
    ("plan", "past", r"\b(?:ich|wir) \w+ (?:(?:jetzt|nun|dann|leider) )?doch nicht (?:mehr )?(?:nach|in|an|auf|zu) (?P<v>{N})|\b(?:ich|wir) \w+ (?P<w>(?:den|die|das|nach|ein\w*) {V}) doch nicht(?: mehr)?{E}"),
    ("plan", "past", r"{L}(?:(?:die|der|unsere?|meine?) (?:reise|flug|urlaub|umzug|ausflug) nach )?(?P<v>{N}) (?:fällt|fiel) (?:leider )?(?:aus|flach|ins wasser)\b|\baus (?P<w>{N}) wird (?:leider |doch )?nichts\b|\b(?:haben|habe|hab) (?:(?:wir|ich|leider) )*(?:(?:die|den|unsere?n?|meine?n?) (?:reise|flug|urlaub|umzug) nach )?(?P<x>{N}) (?:abgesagt|storniert|gecancelt)\b"),
    ("plan", "done", r"(?:^|[.!?,;:] ?|\b(?:i'm|im|i am|we're|we are|got|came|just|get|flew|safely|finally) )(?:back|home|returned) from (?:(?:our|my|the) )?(?:(?:trip|holiday|visit|week|weekend) (?:to|in) )?(?P<v>{N})(?: trip)?{E}"),
    ("plan", "done", r"\b(?:zurück|wieder da|wieder daheim|wieder zu hause|wieder zuhause|heimgekommen) (?:aus|von) (?:(?:der reise nach|dem urlaub in|unserer reise nach) )?(?P<v>{N}){E}"),
    ("plan", "visited", r"{L}(?P<v>{N}) (?:was|war) (?:(?:so|really|just|absolutely|truly|very|echt|richtig|total|einfach|wirklich|sehr) )?(?:great|wonderful|amazing|lovely|fantastic|brilliant|gorgeous|beautiful|awesome|magical|fun|super|toll|schön|wunderschön|wunderbar|klasse|großartig|herrlich|traumhaft){E}"),
    ("plan", "past", r"\b(?:vergiss \w+|doch nicht),? (?:ich|wir) werden? nicht (?P<v>{V})(?=[,.;!?\n]|$)|(?:^|[.,;] ?)(?P<w>{V}): (?:abgesagt|gestrichen)\b"),
)  # fmt: skip
"""Attribute, mode and expression of each phrase. The mode is `past`, `plan`, `as said` for a value that no table has to
know, or empty."""
_ONLY_LOW: tuple[tuple[str, str, str], ...] = (
    ("kin", "", r"\b{M} (?P<k>{K}) (?P<n>{N})(?=(?:'s)?(?: (?:is|was|has|and|wants?|needs?|says|can|cannot|can't|won't|wont|starts?|turns|ist|war|hat|kommt|will|braucht|schläft|wird|und|kann|geht)\b|[,.;!?\n]|$))"),
    ("from", "", r"\b(?:originally from|grew up in|born in|raised in|aufgewachsen in|geboren in|aus) (?P<v>{N})(?: originally|(?=[,.;!?\n]|$))"),
)  # fmt: skip
"""Phrases that other rules read where names have capitals."""
_DISMISSED = re.compile(
    r"(?:^|(?<=[.!\n])|(?<=[.!,] ))(?P<v>[^\W\d_][\w' -]{2,30})\? (?:hard pass|no,? thanks|no thank you|nee,? danke|nein,? danke|never\b|not for me|pass\b|nicht mit mir|bäh)",
    re.IGNORECASE,
)
"""Matches what somebody wants nothing of, over two sentences: "Karaoke? Hard pass"."""
_OVER = frozenset({"left", "moved_out", "marital_status"})
"""Attributes that say themselves that something has ended."""
_CLASS_OF_VALUE = {
    "diet": "diet",
    "sport": "sport",
    "speaks": "lang",
    "takes_medicine": "med",
    "works_as": "job",
}
"""Attributes of which a phrase is only believed with a known value."""
_NO_NAME = (
    STOP
    | ADVERBS
    | OPENERS
    | AUX
    | THIRD
    | frozenset(
        "me my her his its their your our what there here now today home work one ones all some more other same new old"
        " good bad little favourite favorite mich mir uns hier heute jetzt alles viel mehr neu anderer only every any"
        " bed school town order charge person place time days rest best first last next again away back out up down"
        " love hate thing things stuff life".split()
    )
)
_TASKS = re.compile(
    r"\b(?:dir|dich|texte?|mail|brief|code|funktion|skript|tabelle|liste|verstehen|wissen|lösen|this|it|that|das|heute|morgen|today|tomorrow|apologise|mention|you)\b",
    re.IGNORECASE,
)
"""Words for what belongs to the matter at hand and is no plan of a life."""
_VALUE_OF_KIN = re.compile(r"^(?:pet|baby)$", re.IGNORECASE)


def phrases_in(text: str) -> Iterator[Claim]:
    """Yields what set phrases in a sentence say."""
    is_low = _HAS_CAPITAL.search(text) is None
    rows, expressions, prefilter = _compiled(is_low)
    for number in prefilter.candidates(text):
        match = expressions[number].search(text)
        if match is not None:
            yield from _claim(rows[number], match, is_low=is_low)


def dismissed(plain: str) -> Iterator[Claim]:
    """Yields what is asked of and dismissed at once in a message: "Karaoke? Hard pass"."""
    for match in _DISMISSED.finditer(plain):
        if len(match["v"].split()) <= 3 and not _NO_NAME & {match["v"].split()[0].lower()}:
            yield claim_at("dislikes", match["v"], match.start(), match.end(), positive=False)


_OPTIONAL = re.compile(r"\{0,\d*\}\??")
_REPEATED = re.compile(r"\{\d+,\d*\}\??")
"""Counted repetitions, for which RE2 takes much memory."""
_HAS_CAPITAL = re.compile(r"[A-ZÄÖÜ]")


@cache
def _compiled(is_low: bool) -> tuple[tuple[tuple[str, str, str], ...], list[re.Pattern[str]], Prefilter]:
    """Returns the rows of the table, their patterns, and the filter that tells which can match."""
    rows = (*_ROWS, *_ONLY_LOW) if is_low else _ROWS
    parts = {"{N}": _LOW_NAME if is_low else _NAME, "{K}": _KIN, "{M}": _MINE, "{MOST}": _MOST}
    parts |= {"{E}": _END, "{V}": _V, "{L}": _LEAD}
    texts = []
    for _, _, text in rows:
        for part, expression in parts.items():
            text = text.replace(part, expression)
        texts.append(text)
    return (
        rows,
        [re.compile(text, re.IGNORECASE) for text in texts],
        Prefilter([_REPEATED.sub("+", _OPTIONAL.sub("*", text)) for text in texts]),
    )


def _claim(row: tuple[str, str, str], match: re.Match[str], *, is_low: bool) -> Iterator[Claim]:
    """Yields the claims that a match of a row makes."""
    attribute, mode, expression = row
    groups = match.groupdict()
    if attribute == "kin":
        name, noun = groups["n"], groups["k"].strip()
        kind = class_of_word(noun.split()[-1])
        if kind is None or _is_no_name(name, is_low) or _VALUE_OF_KIN.match(noun):
            return
        yield claim_at(kind, f"{noun} {name}", match.start(), match.end(), certainty=0.8)
        return
    value = tidy(END_WORDS.sub("", next(filter(None, (groups.get(key) for key in "vwx")), "")))
    if attribute == "sport" and TODAY.search(match.string) and not FREQUENT.search(match.string):
        return
    required_class = _CLASS_OF_VALUE.get(attribute)
    if required_class is not None:
        head = head_of(value)
        if head is None or head[0] != required_class:
            return
    if "{N}" in expression and _is_no_name(value, is_low):
        return
    if not value:
        return
    if attribute == "plan" and _TASKS.search(value):
        return
    if (
        attribute == "condition"
        and mode != "as said"
        and (head_of(value) or ("",))[0] not in ("ill", "healthadj")
    ):
        return
    is_done = mode in ("done", "visited")
    if mode == "visited" and value not in PLACES:
        return
    is_over = mode == "past" or is_done
    yield claim_at(
        "does_regularly" if attribute == "sport" else attribute,
        value,
        match.start(),
        match.end(),
        positive=attribute in _OVER or is_done or not (is_over or attribute == "dislikes"),
        status=PAST if is_over else PLAN if mode == "plan" else CURRENT,
        changes=is_over,
        wording=match[0].strip(_AROUND) if is_done else "",
    )


_AROUND = " ,;:.!?"


def _is_no_name(name: str, is_low: bool) -> bool:
    """Returns whether a word in the place of a name is an ordinary one."""
    low = name.lower()
    if low in _NO_NAME or class_of_word(low) is not None:
        return True
    return is_low and (low in english() or low in german())
