"""The frames of numbers that open something: PINs, codes of doors, alarms and devices."""

from __future__ import annotations

from holdfast.language.secrets.handover.frame import FEW, SOME, Frame

NUMBERS: tuple[Frame, ...] = (
    Frame(
        r"{types}[ \t]+(?:(?:{det}|code|pin|kod)[ \t]+){0,2}<number>",
        ("gets_in",),
        "She can get in by typing 6605 on the little box.",
        "She can get in by paying 6605 at the desk.",
        within="sentence",
    ),
    Frame(
        r"{with}[ \t]+(?:(?:{det}|code|pin)[ \t]+){0,2}<number>[ \t]+{opened}",
        ("lock", "sure", "code"),
        "Das Hoftor l\u00e4sst sich mit 6605 \u00f6ffnen.",
        "Das Hoftor kostet mit 6605 Schrauben mehr.",
    ),
    Frame(
        r"{digits}[ \t]+{is}[ \t]*:?[ \t]+<number>",
        ("lock_code", "vault"),
        "The key is in a lockbox on the fence; the numbers are 6605.",
        "The keys are on the fence; the numbers are 1200 and falling.",
        within="before",
    ),
    Frame(
        rf"{{opens}}{FEW}[ \t]+{{with}}[ \t]+(?:{{det}}[ \t]+)?(?:(?:code|pin|number)[ \t]+)?<number>",
        ("lock", "sure", "code"),
        "The back gate opens with 6605, no hash.",
        "The season opens with 1200 runners at the gate.",
    ),
    Frame(
        r"{types}[ \t]+(?:(?:{det}|code|pin|kod|c\x{f3}digo|codice|number|nummer|star"
        r"|stern)[ \t]+){0,2}<number>",
        ("sure", "lock+code", "lock+opens", "code+opens"),
        "At the shed's keypad you punch in 6605 and wait.",
        "Enter 1500 as the amount, the code review is next door.",
    ),
    Frame(
        r"<number>[ \t]+(?:und (?:dann )?(?:raute|stern)[ \t]+)?{typed}",
        ("sure", "lock", "code"),
        "Am Panel muss 6605 eingegeben werden.",
        "Im Formular wurden 6605 eingegeben.",
    ),
    # the code of the side gate has become 6605
    Frame(
        rf"{{sure}}{SOME}(?:[ \t]*[:=,(\x{{2013}}\x{{2014}}-]"
        rf"|[ \t]+{{is}}(?:[ \t]+{{adverb}})?(?:[ \t]+{{det}})?[ \t]*:?)?[ \t]*<code>",
        (),
        "Der Hofcode ab Montag 6605*, bitte weitersagen.",
        "The door code has 4 digits since 2019.",
    ),
    Frame(
        rf"{{code}}{SOME}(?:[ \t]*[:=,(]"
        rf"|[ \t]+{{is}}(?:[ \t]+{{adverb}})?(?:[ \t]+{{det}})?[ \t]*:?)?[ \t]+<number>",
        ("lock",),
        "For the barn the code you want is 6605.",
        "The page behind the door shows error code 6605.",
    ),
    Frame(
        r"(?:\b(?:mine|yours|ours|his|hers|theirs|today['\x{2019}]s|the (?:new|current|right) one|deiner"
        r"|meiner|der neue|le nouveau|el nuevo"
        r"|il nuovo)(?:[ \t]+(?:for|f\x{fc}r|pour|para|per)(?:[ \t]+[^\s.?!:;\0]+){1,3}?)?"
        r"|\b(?-i:[A-Z])\w+['\x{2019}]s|\bit|\bes|\bthey gave (?:me|us)"
        r"|\btoday)[ \t]*(?:['\x{2019}]s"
        r"|[ \t]{is}(?:[ \t]+{adverb})?(?:[ \t]+{det})?)?[ \t]*:?[ \t]+<number>",
        ("sure", "lock+code", "code+opens"),
        "All got a door code: yours is 6605, Ida's is 6606.",
        "We counted codes: yours is 1200 lines, Ida's is 900.",
    ),
    Frame(
        r"\b(?:enter|press|dial|type|(?:punch|type|key|tap) in|tippe|tippst|tape[sz]?|composez?|marca[s]?"
        r"|digita|dr\x{fc}ckst?|gibst|gib)[ \t]+(?:(?:du|ihr|man|dort|da|{det})[ \t]+){0,2}<number>",
        ("lock",),
        "The allotment gate: ring, or enter 6605 and push.",
        "Enter 1500 in the form by the door.",
        within="sentence",
    ),
    Frame(
        r"{types}[ \t]+(?:(?:{det}|code)[ \t]+){0,2}<number>",
        ("asks",),
        "The boiler asks for the service level, there you type 6605.",
        "He asks how many: enter 1500 pieces.",
        within="before",
    ),
    # digit by digit
    Frame(
        r"[\s:,(\"\x{201e}\x{201c}]<dialled>",
        ("sure", "lock", "code", "name"),
        "The shed lock was set anew, it is the 6-6-0-5 from now on.",
        "The goals fell 1-0-2-3 by quarter.",
    ),
    Frame(
        r"\b{then},?[ \t]+<number>",
        ("lock_code", "lock"),
        "At the keypad it is star, then 6605, then star.",
        "First 6605 steps, then 1500 by the harbour.",
        within="before",
    ),
    Frame(
        r"[,:;\x{2013}\x{2014}-][ \t]+<number>",
        ("lock_code",),
        "He forgot the PIN of the card. I told him again, 6605, but delete this.",
        "He forgot the PIN of the card. In 2014, 6605 people did.",
        within="before",
    ),
    Frame(
        r"{vault}[^\n\0.?!]*?[ \t]{set}[ \t]+{to}[ \t]+(?:{det}[ \t]+)?<number>",
        (),
        "Der Safe im Flur steht auf 660566.",
        "Der Safe steht auf dem Tisch.",
    ),
    Frame(
        r"[\s:,(\"'\x{2019}]<hashed>",
        ("lock", "sure", "code"),
        "Front door's 6605#, the back door just push.",
        "Front door in the song: 1000* and more.",
        within="sentence",
    ),
    Frame(
        r"{code}[ \t]+(?:for|to|f\x{fc}r|zum|zur|pour|para|per)[ \t][^\n\0.?!:]+:[ \t]+<number>",
        (),
        "Code for the boat house changed again: 660571.",
        "Error code for the boat house pump: 660571.",
    ),
    Frame(
        rf"{{lock}}{FEW}:[ \t]+<number>[,;]?[ \t]+{{then}}",
        (),
        "Side door: 6605, then lift the handle.",
        "Side door: 1200, kitchen door: 1850.",
    ),
    Frame(
        r"[,:][ \t]+<short>",
        ("wheels",),
        "The diary has a tiny lock with three wheels, 660.",
        "The lock with three wheels cost, all in all, 660 yen.",
        within="sentence",
    ),
    Frame(
        r"[ \t]<short>[ \t]+(?:eingestellt|gesetzt|gedreht)",
        ("wheels", "vault"),
        "Am Spind habe ich 660 eingestellt.",
        "Am Ofen habe ich 660 Watt eingestellt.",
    ),
    # nobody in the sentence says what the number is, but what it opens
    Frame(
        r"(?:[,:;\x{2013}\x{2014}-][ \t]+|[(\"\x{201e}\x{201c}])(?:{then}[ \t]+)?<number>",
        ("sure",),
        "He unlocked the tablet while I watched, 6605, and laughed.",
        "She unlocked three levels in 2014, 1380 players had not.",
        within="sentence",
    ),
    Frame(
        rf"{{set}}{FEW}[ \t]+{{to}}[ \t]+(?:(?:{{det}}|code|pin)[ \t]+){{0,2}}<number>",
        ("lock_code", "code", "vault"),
        "I have set the lockbox to 6605.",
        "I have set the oven to 1800.",
        within="sentence",
    ),
    Frame(
        r"(?-i:\bP[IU]K ?[12]?)[ \t]*[:=]?[ \t]+<number>",
        (),
        "SIM of the meter: PIN 6605, PUK 66050123",
        "PIN pads 2024",
    ),
    Frame(
        rf"{{lock_code}}(?:{SOME}(?:[ \t]*[:=]|[ \t]+{{is}}|[ \t]+(?:to|auf|sur|en|su)))?[ \t]+<short>",
        (),
        "Bikes are behind the house, combination lock 660.",
        "The padlock cost 120 kroner.",
    ),
    Frame(
        r"{set}[ \t]+(?:{det}[ \t]+)?(?:wheels|dials|r\x{e4}der|r\x{e4}dchen|molettes|ruedas"
        r"|rotelle)[ \t]+{to}[ \t]+<short>",
        (),
        "On my locker I set the wheels to 660.",
        "I set the wheels to 120 kilometres.",
    ),
    Frame(
        r"(?:密码|口令)[^\n\0。!?]{0,16}?(?:[:：是为]|成了?)[ \t]*<ascii>",
        (),
        "车库的密码换成了660512，请记住。",
        "密码错误，请在24小时后重试。",
    ),
)
