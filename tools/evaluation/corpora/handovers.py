"""Texts in which people tell each other a secret, and as many that speak of secrets and hold none.

A secret stands between `[[` and `]]`. Nothing in them is of a real person or place.
"""

from __future__ import annotations

import re

_TOLD = r"""
The bike shed has a new lock, turn it to [[7304]] and pull hard.
You can let yourself in, the key safe by the bins is [[8065]].
Front door's [[4096#]], back door just push.
Code for the boat house changed again: [[61842]].
To arm the alarm press [[3729]] and leave within a minute.
If the siren goes off type [[3729]] on the panel, then hit the green tick.
Holiday flat: the lockbox opens with [[2-9-4-1]], key inside.
Her SIM wants the PIN again, it's [[8361]].
My bank PIN is Grandpa's regiment, [[7362]], in case I'm in hospital.
The padlock on the gate takes [[5172]].
the combination to the office safe is [[31-07-22]], right left right
Locker 12 at the pool, I set the wheels to [[906]].
Intercom code is now [[C4417]], the caretaker told me.
Dad's phone unlocks with [[147963]], he never locks it properly anyway.
Kids' tablet: swipe up and enter [[2219]].
The gym has a keypad at the side entrance. Members type [[70415]].
We changed the garage keypad to [[9034]] after the break-in.
PUK for the old card: [[53170286]]
Your visitor code for tomorrow is [[448210]], valid from 8 to 10.
Die Haustür hat jetzt ein Tastenfeld, der Code ist [[7304]].
Fürs Gartentor bitte [[7304]] drücken und dann die Raute.
Alarm ausschalten: [[3729]], danach die OK-Taste.
Der Schlüsseltresor neben dem Briefkasten geht mit [[8065]] auf.
Mein Handy entsperrst du mit [[147963]].
Die PIN für Omas Karte ist [[7362]], hebst du bitte 200 Euro ab?
Fahrradschloss: [[5172]], bitte wieder verdrehen.
Das Zahlenschloss am Schuppen steht auf [[906]].
Für den Aufzug in den Keller brauchst du den Code [[4096]].
Neuer Code für die Schranke: [[61842]].
Le portail s'ouvre avec le code [[7304]].
Pour désactiver l'alarme, composez [[3729]] puis OK.
Le code du cadenas est [[906]], pense à le brouiller.
La boîte à clés à gauche de la porte : [[8065]].
Mon téléphone se déverrouille avec [[147963]].
El portal se abre con [[7304]].
Para quitar la alarma marca [[3729]] y espera.
El candado de la bici es [[5172]].
El PIN de mi tarjeta es [[7362]], saca cien euros.
Il cancello si apre con [[7304]].
Per spegnere l'allarme digita [[3729]] e poi conferma.
Il codice del lucchetto è [[906]].
Il PIN del bancomat è [[7362]], prendi tu i soldi.
大门密码是[[730461]]，记得关门。
保险箱的密码改成[[860512]]了。
手机解锁密码：[[147963]]
Passphrase for the archive: [[Old barns lean towards evening]]
The passphrase is [[seven grey herons on the weir]], all lower case.
My recovery phrase starts and ends like this: [[velvet drum winter ladder]]
The vault's master password is [[turnip lantern october rain]].
Enter passphrase for /home/ida/.ssh/id_ed25519: [[Quiet Rivers Run Deep]]
LUKS asks for the passphrase. Type [[nine tin soldiers marching]] and press return.
She whispered the pass phrase to me: "[[every cloud owes me money]]".
Die Passphrase für den Stick lautet [[Neun graue Reiher am Wehr]].
Passphrase vom NAS: [[Kein Bier vor vier Uhr morgens]]
Als Masterpasswort nehme ich immer einen Satz: [[Der Mond hat heute frei]].
Meine Merksatz fürs Depot: [[Alle Enten fliegen heute rückwärts]].
La phrase de passe du disque est [[neuf hérons gris au barrage]].
La frase de recuperación es [[nueve garzas grises junto al río]].
La passphrase del backup è [[nove aironi grigi sul fiume]].
The guest wifi is called Heron and the password is [[marmalade]].
Wifi: BlueBoat, pass: [[marmalade]]
network name: HeronGuest\nkey: [[marmaladeskies]]
SSID: Werkstatt\nSchlüssel: [[kellerassel9]]
Réseau : Maison-Bleue\nClé : [[confituredoranges]]
Das WLAN heißt Reiher, der Schlüssel dazu [[kellerassel]].
The router's key is [[marmaladeskies]], it's on the sticker too.
password's [[marmalade]], same as last year
I set the tablet password to [[marmalade]] so the kids can remember it.
The password for the quiz night laptop is just [[marmalade]].
Login for the printer: user guest, password [[marmalade]].
Use my account, name is i.heron and the password is [[marmalade]], no capitals.
Log in as frontdesk, the password is still [[marmalade]].
The password isn't jam any more but [[marmalade]].
It asks for the admin password, just type [[marmalade]].
My sister set it up, the password is her cat: [[Mogwai]].
The new password: [[marmalade]]. Don't tell Rob.
Security question: mother's maiden name\nAnswer: [[Okonedo]]
The answer to my security question is [[Pemberton]].
Antwort auf die Sicherheitsfrage: [[Okonjo]]
For the phone banking they ask the memorable word, that's [[Pemberton]].
Unser WLAN-Passwort ist ganz einfach [[kellerassel]], alles klein.
Das Kennwort fürs Vereinsheim ist nicht mehr Kegel, sondern [[Kellerassel]].
Das Passwort vom Laptop ist [[Kellerassel]], mit großem K.
Nimm als Passwort [[Kellerassel]], das merkt sich jeder.
Anmelden mit Benutzer empfang und Kennwort [[kellerassel]].
Die Geheimzahl meiner Karte lautet [[7362]].
Das Losungswort heißt [[Kellerassel]].
Wenn er nach dem Passwort fragt, gib [[kellerassel]] ein.
Le mot de passe est toujours [[confiture]], en minuscules.
Le mot de passe du cahier partagé, c'est [[confiture]].
Quand il demande le mot de passe, tape [[confiture]].
La contraseña de la tableta es [[mermelada]], en minúsculas.
La clave del wifi es [[mermelada]].
La password del computer della biblioteca è [[marmellata]], tutto minuscolo.
La password è sempre [[marmellata]].
电脑密码是[[guozhijiang88]]。
路由器的管理员密码已改为[[Heron#2031]]，请勿外传。
Ida: what's the door code?\nRob: [[4096]]\nIda: ta
Ida: what's the wifi password again\nRob: hang on\nRob: [[marmalade]]
Ida: do you remember the PIN for the tablet?\nRob: [[2219]] I think
Ida: I need the password for the booking site\nRob: ok\nRob: it's [[marmalade]], all lowercase
Rob: login?\nIda: frontdesk\nRob: and the password?\nIda: [[marmalade]]
Ida: Wie ist das WLAN-Passwort?\nRob: [[kellerassel]]
Ida: Kannst du mir die PIN vom Tablet sagen?\nRob: klar, [[2219]]
Ida: Passwort?\nRob: [[Kellerassel]], großes K
Ida: Code für die Tür?\nRob: [[4096]]\nIda: danke
Ida: c'est quoi le mot de passe ?\nRob: [[confiture]]
Ida: quel est le code de la porte ?\nRob: [[4096]]
Ida: ¿cuál es la contraseña?\nRob: [[mermelada]]
Ida: qual è la password?\nRob: [[marmellata]]
小王：门禁密码多少？\n小李：[[409612]]
"What's the password?" "[[Marmalade]]."
"And the code?" she asked. "For the door? [[4096]]."
– Wie lautet das Passwort? – [[Kellerassel]]. – Danke.
— Le mot de passe ? — [[Confiture]]. — Merci.
The wifi password? [[marmalade]].
What is the PIN? [[2219]], same as always.
Passwort fürs WLAN? [[kellerassel]], alles klein.
Agent: And your telephone password please?\nCaller: [[Pemberton]].
Support: What is the answer to your security question?\nCustomer: [[Pemberton Road]]
Agent: Please confirm your passphrase.\nCaller: [[seven grey herons]]
Backup codes:\n1. [[4k2m-9x7p]]\n2. [[b81c-33ze]]
Here are my recovery codes: [[81724-55310]], [[90417-22865]]
Notfallcodes fürs Postfach:\n[[8172 4553]]\n[[9041 7228]]
Codes de secours :\n- [[81724553]]\n- [[90417228]]
Códigos de recuperación: [[4K2M9X7P]] [[B81C33ZE]]
One-time backup code: [[817 245]]
The old laptop is encrypted with [[Heron2031]].
He typed [[marmalade]] and the laptop unlocked.
Sign in as guest with [[marmalade7]].
Password hint: fruit spread. Password: [[marmalade]]
"[[Marmalade]]" is the password, she said.
In the end we chose [[marmalade]] as the password.
The wifi password has been [[marmalade]] since we moved in.
Mum's email password: [[Marmalade!]]
pw for the NAS = [[marmalade]]
Alexa voice code: [[7362]]
Hotel safe code [[730461]], don't forget the passports.
Tür zum Hof: [[4096]], dann Klinke runter.
Der Türöffner will eine PIN, nämlich [[4096]].
ATM PIN [[7362]]
Tell the cleaner she can get in by typing [[6640]] on the little box next to the window.
The storage unit's keypad wants [[90217]] followed by the bell sign.
My daughter's diary has a tiny lock, three wheels, [[417]].
Grandma's house alarm: you've got 30 seconds to punch in [[8812]].
New this week at the climbing hall, staff door [[3346#]].
My garage remote died, so use the pad, it's [[7755]].
For the parcel station the pickup code is [[558213]].
When the card machine asks, my PIN's [[9174]].
I keep the spare key in a lockbox on the fence; the numbers are [[5530]].
SIM swap went fine, the new PIN is [[2746]] and the PUK is [[30918274]].
Voicemail PIN: [[4418]]
The thermostat's installer menu is locked, the code for it is [[3107]].
He said his phone code is just [[258046]], the middle column and a bit.
Parental control PIN on the TV is [[1212]], don't tell the boys.
The bank's phone line wants the telephone code, mine is [[80412]].
Beim Nachbarn liegt der Schlüssel im Safe neben der Tür, Kombination [[5530]].
Der Türcode hat sich geändert, jetzt ist es die [[6640]].
Im Fitnessstudio Spind 12, ich habe [[417]] eingestellt.
Das Garagentor lässt sich mit [[7755]] öffnen.
Die Alarmanlage bitte mit [[8812]] unscharf schalten.
Mein Handy-Code ist [[258046]].
Kindersicherung am Fernseher: [[1212]]
Die PIN lautet nicht mehr 1111, sondern [[9174]].
Wenn der Automat nach der Geheimzahl fragt: [[9174]].
Autoradio-Code: [[6152]]
Pour entrer dans l'immeuble, faites le [[6640]].
L'alarme s'arrête quand on tape [[8812]].
Le code de ma carte bleue c'est [[9174]].
Le digicode a été changé, c'est [[66A40]] maintenant.
La clave de la alarma es [[8812]].
Para abrir la verja teclea [[6640]] y empuja.
El código de mi móvil es [[258046]].
Per il garage il codice nuovo è [[7755]].
L'antifurto si spegne con [[8812]].
车库门密码是[[664012]]。
我的银行卡密码是[[917420]]，帮我取五百块。
The passphrase to the family archive is [[bees never read the weather]].
Our shared vault opens with the phrase "[[bees never read the weather]]".
PGP passphrase - [[Bees Never Read The Weather]]
Her master password is a sentence: [[My aunt paints trains on Sundays]].
Die Passphrase fürs Backup ist [[Bienen lesen nie den Wetterbericht]].
Mein Passwortsatz: [[Meine Tante malt sonntags Züge]]
La phrase secrète du portefeuille : [[les abeilles ne lisent pas la météo]]
La frase para abrir el archivo es [[las abejas no leen el tiempo]].
The Netflix password is [[pancakeparade]] now, all one word.
Hulu pw: [[pancakeparade]]
Please use the password [[pancake]] when the guest portal asks.
I made the password easy, it's [[pancake]].
The old admin password was [[waffle]] and nobody changed it.
Everyone here knows the password, it's been [[pancake]] for years.
To see the photos you need the password, which is [[pancake]].
The password, if you need it, is [[pancake]].
He set his laptop password to his dog's name, [[Biscotti]].
The codeword for school pickup is [[pancake]].
If anyone collects the kids they must say [[pancake]], that's our code word.
Hotspot name OddBox, key [[pancakeparade]].
WLAN Gast / Passwort [[pfannkuchen]]
Das WLAN-Passwort steht nicht mehr am Router, es ist [[pfannkuchen]].
Fürs Elternportal haben wir als Passwort [[Pfannkuchen]] gewählt.
Das alte Passwort [[Waffel]] gilt nicht mehr.
Log dich mit meinem Konto ein, das Passwort ist der Name vom Hund: [[Biskotti]].
Unser Codewort, falls was ist: [[Pfannkuchen]].
Le mot de passe d'Yves, c'est [[crepes]] tout en minuscules.
Le mot de passe du wifi du café : [[crepescitron]].
La contraseña del wifi del bar es [[tortitas]].
La contraseña, todo junto y en minúsculas: [[tortitasdulces]].
La password del wifi è [[frittelle]], minuscolo.
wifi密码：[[pancake88]]
Mia: hey can you send me the hulu password\nJoe: sure\nJoe: [[pancakeparade]]
Mia: whats the pin for the storage\nJoe: [[90217]]
Mia: im outside, code?\nJoe: [[6640]]
Mia: the tablet wants a passcode\nJoe: try [[2580]]\nMia: works
Mia: password?\nJoe: which one\nMia: the wifi one\nJoe: [[pancake]]
Mia: did you reset it?\nJoe: yes, new password is [[pancake]]
Mia: remind me of the alarm code pls\nJoe: [[8812]], be quick
Mia: Was war nochmal das Passwort fürs NAS?\nJoe: [[Pfannkuchen]]
Mia: Und der Code fürs Tor?\nJoe: Warte\nJoe: [[6640]]
Mia: tu te souviens du code du portail ?\nJoe: oui, [[6640]]
Mia: me das la clave del wifi?\nJoe: [[tortitas]]
Mia: mi dici il codice del cancello?\nJoe: [[6640]]
User: what is my wifi password?\nAssistant: You told me it is [[pancake]].
User: remember that my locker combination is [[12-34-08]]
Assistant: What should I store?\nUser: the alarm PIN, [[8812]]
"And the password?" – "[[Pfannkuchen]], großgeschrieben."
"Passphrase?" "[[bees never read the weather]]"
2FA recovery codes\n[[7f3k-22mn]]\n[[9d1s-84qq]]
Save these one-time codes: [[552817]], [[771920]], [[330984]]
Wiederherstellungsschlüssel: [[AB12-CD34-EF56-GH78]]
My GitHub backup codes are [[a8f31-b2290]] and [[c71d0-e4456]].
"""
_UNTOLD = r"""
The code is 404, so the page is gone.
We open at 0900 and close at 1730.
The answer is 42.
The key is patience.
Key takeaways: ship small, measure, repeat.
The door opens at 1930, the show starts at 2000.
The alarm is set to 0645 on weekdays.
The alarm went off at 0312 and woke the whole street.
The gate was built in 1887 and restored in 2014.
Use code SUMMER20 at the checkout.
Our postcode is 20457 and the area code is 040.
The error code 5003 means that the door sensor is dirty.
The building code requires doors of 2100 mm.
My phone has 1024 photos and the tablet 2048.
The safe weighs 1200 kg and cost 3400 euros.
Room 4096 is behind the second door on the left.
Call the locksmith on 4155 0172, he opens doors.
Enter 2500 as the amount and press OK.
Press 1 for the door and 2 for the garage.
Type 1000 words a day and the book is done by May.
Unlock 1500 coins by finishing the level.
She unlocked 3200 achievements in the game.
The phone costs 1299 and the case 4900 yen.
We locked the door and drove 1200 kilometres.
PIN is short for personal identification number.
The PIN pad of the till is broken.
The PIN must have four digits.
Change your PIN every 90 days.
I forgot my PIN three times and the card is blocked.
Pin 1023 of the connector is ground.
Pin the version to 2.4.1.
Issue 4711: the door code page shows nothing.
Order 730461 of the padlock arrives on Monday.
The code review took 1500 minutes.
Two-factor codes arrive by text message.
The passphrase must have at least five words.
The passphrase is stored in the safe of the notary.
The passphrase is too long for my taste.
The passphrase is a line from a song that I will not tell you.
My passphrase is longer than yours.
The recovery phrase is written on paper in the drawer.
Never share your recovery phrase with anyone.
The secret phrase never came up again.
Enter passphrase (empty for no passphrase):
Enter your password to continue.
Enter the code that we sent to your phone.
If it asks for a password, press Cancel.
If it asks for the password, ask Rob.
When it asks for a password just press Enter.
Type the password slowly.
The password is the same as before.
The password is my dog's name.
The password is on the sticker below the router.
The password is wrong again.
The password changed. It's annoying.
The password is Rob's business, not mine.
I changed the password because Rob left.
I set the password yesterday.
Set the password to something long.
Nobody knows the password any more.
The wifi password is on the fridge.
The wifi is slow, use ethernet.
The wifi key is on the sticker.
The key to the router cabinet is in the drawer.
The key is under the mat, the router is in the hall.
network name: HeronGuest\nkey: see the sticker
Security question: which one did you choose?
The answer to the security question is case sensitive.
My answer to the security question was wrong.
The security question is silly.
Answer: yes, the password works.
Q: is the password saved?\nA: yes
Q: How often do passwords expire?\nA: never
Q: Which password manager do you use?\nA: Bitwarden
Q: Where is the password?\nA: upstairs
Ida: what's the wifi password\nRob: ask Tom
Ida: what's the wifi password\nRob: no idea
Ida: what's the wifi password\nRob: good question
Ida: what's the wifi password\nRob: tomorrow
Ida: what's the password?\nRob: why?\nIda: for the printer
Ida: did you change the password?\nRob: yes\nIda: thanks
Ida: do you know the door code?\nRob: nope\nIda: me neither
Ida: I forgot my password\nRob: again?\nIda: yes\nRob: typical
Ida: is the password long?\nRob: 24 characters
Ida: what is the PIN for?\nRob: the card
Ida: Wie ist das Passwort?\nRob: sag ich nicht
Ida: Wie ist das Passwort?\nRob: Moment
Ida: Hast du das Passwort?\nRob: leider nein
Ida: Wer hat das Passwort?\nRob: Tobias
Ida: c'est quoi le mot de passe ?\nRob: aucune idée
Ida: ¿cuál es la contraseña?\nRob: ni idea
Ida: qual è la password?\nRob: non lo so
"What's the password?" "I won't tell you."
"Do you have the code?" "No." "Who has?" "Rob."
– Wie lautet das Passwort? – Keine Ahnung. – Schade.
The password? Nobody remembers.
What is the PIN for? The new card.
Agent: Please confirm your address.\nCaller: 14 Heron Road
Agent: What is your order number?\nCaller: 730461
Agent: Your password was reset.\nCaller: Great.
Agent: Do you have the PIN with you?\nCaller: No.
Die Tür geht um 1930 auf.
Der Code ist 404.
Der Wecker steht auf 0645.
Die Garage ist 1200 Meter entfernt.
Im Jahr 1987 wurde der Tresor eingebaut.
Der Tresor steht im Keller.
Die PIN hat vier Stellen.
Bitte die PIN eingeben.
Die PIN kommt per Post, der Brief dauert 3 Tage.
Das Passwort ist falsch.
Das Passwort steht auf dem Zettel.
Das Passwort ist nicht lang, sondern kurz.
Das Passwort kennt nur Rob.
Das Kennwort lautet anders als früher.
Als Passwort reicht ein Wort nicht.
Als Passwort ist das viel zu kurz.
Nimm ein Passwort, das du dir merken kannst.
Wie lautet das Passwort für das Portal?
Die Passphrase liegt im Safe.
Die Passphrase ist zu kurz, nimm eine längere.
Der Schlüssel für das WLAN steht auf dem Router.
Der Schlüssel liegt unter der Matte.
Der Schlüssel zum Glück ist Geduld.
Das WLAN ist klein geschrieben worden, im Text.
Fehlercode 5003 am Tor.
Postleitzahl 20457, Vorwahl 040.
Rechnung 730461 für das neue Türschloss.
Notfallcodes liegen im Ordner.
Backupcodes: im Tresor
Recovery codes: ask the admin
Backup codes are printed and kept in the safe.
Recovery codes:\n- print them\n- keep them offline
Le code est faux.
Le code postal est 75011.
La porte s'ouvre à 1930.
Le mot de passe est obligatoire.
Le mot de passe est trop court.
Le mot de passe, c'est secret.
La phrase de passe est trop longue.
El código postal es 28013.
La puerta se abre a las 1930.
La contraseña es demasiado corta.
La contraseña es la de siempre.
La frase de recuperación no se comparte.
La clave está en la práctica.
Il codice postale è 20121.
La porta si apre alle 1930.
La password è troppo corta.
La password è scaduta.
La password è sul foglio.
La chiave è sotto lo zerbino.
邮政编码是100080。
密码太短了，至少8位。
密码是什么？我忘了。
订单号是730461，门锁明天到。
The title is Heron Lake, two words.
His name is spelled with a capital K.
Write the brand in lower case, one word.
Log in twice, once in the morning and once at night.
Sign in with your work account.
Sign in as a guest, no account needed.
The file is encrypted with AES-256-GCM.
The disk is encrypted with LUKS.
Doors are protected with steel.
I typed slowly and the screen locked.
He typed the address and the page opened.
The lock screen accepts fingerprints only.
We picked Tuesday for the password training.
Flight 1947 opens with boarding at gate 12.
Gate 4096 is in the new terminal.
The box holds 1200 keys, code them by colour.
The locker is 906 mm high.
The combination of 2024 and 2025 results is on page 12.
Use port 8080 to reach the panel.
The panel has 4096 pixels.
The keypad has 12 keys.
Version 5172 of the padlock is lighter.
The bike lock costs 49.90, article number 5172-33.
In chat room 730461 nobody asked for a code.
The museum opens with 300 works by local painters.
The barrier lifts for 1500 cars a day.
The visitor code of conduct has 12 pages.
The token count is 4096.
Set max_tokens to 4096 and unlock the mutex.
The build 7304 broke the door animation.
The intercom was installed in 2019, 1380 flats use it.
The code for the sale ends on Sunday.
The door code expired on 12 May 2026.
The alarm rang 1200 times last year.
The gate closes at 2200.
Dial 1200 for the front desk.
The phone number of the gate is 0171 5530221.
The unit on shelf 4402 holds spare locks.
My locker is number 417.
The suitcase lock is broken, 3 wheels are stuck.
The safe was opened 482 times.
We paid 558 for the keypad.
The keypad model is KP-5530.
The lockbox arrived in parcel 558213.
Code 5530 of the tax law applies to garages.
Our PIN policy allows 4 to 8 digits.
PIN entry failed 3 times.
A PIN is required at the terminal.
PINs are sent in 5 days.
The radio plays at 1212 AM near the gate.
The TV channel 1212 is locked.
The car costs 6152 a year.
Der Türcode wird am 12.05.2026 geändert.
Der Türcode ändert sich jedes Jahr.
Die Packstation 155 ist voll.
Das Tor öffnet um 0700.
Die Alarmanlage kostet 8812 Euro.
Das Schloss wurde 1755 gebaut.
Im Spind lagen 417 Zettel.
Le code change tous les mois.
Le portail a coûté 6640 euros.
La alarma sonó 8812 veces.
Il codice cambia ogni mese.
The passphrase protects the key, the key protects the disk.
The passphrase must be typed at boot.
A passphrase of four words is enough.
My passphrase has nothing to do with bees.
The phrase "time is money" annoys me.
The secret phrase in the film was never explained.
The four words are easy to remember.
The master password is never sent to the server.
The Netflix password was shared with the neighbours.
The password to success is hard work.
The password reset mail went to spam.
Password rules are silly: they annoy people.
The password is a joke.
The password is nothing special.
The password, by the way, is too weak.
The password field stays empty.
What a silly password, said Mia.
Use a strong password and a manager.
Use the password manager on the tablet.
Use your password twice.
I made the password easy.
The codeword never changed.
The code word of the project is unknown to me.
The security question asks for a city.
Security questions are weak.
Hotspot name OddBox, key unknown.
WLAN Gast / Passwort siehe Aushang
Das Passwort habe ich vergessen.
Das Passwort ist der Name vom Hund.
Das alte Passwort gilt nicht mehr.
Als Passwort haben wir etwas Langes gewählt.
Le mot de passe d'Yves est introuvable.
La contraseña del wifi cambia cada mes.
La password del wifi cambia spesso.
wifi密码在路由器背面
Mia: hey can you send me the hulu password\nJoe: later
Mia: hey can you send me the hulu password\nJoe: I'm driving
Mia: whats the pin for the storage\nJoe: dunno
Mia: im outside, code?\nJoe: coming down
Mia: the tablet wants a passcode\nJoe: reboot it
Mia: password?\nJoe: which one\nMia: the wifi one\nJoe: check the fridge
Mia: did you reset the password?\nJoe: not yet
Mia: can you change the alarm code\nJoe: done
Mia: Was war nochmal das Passwort fürs NAS?\nJoe: Frag Papa
Mia: Und der Code fürs Tor?\nJoe: Bin gleich da
Mia: tu te souviens du code du portail ?\nJoe: pas du tout
Mia: me das la clave del wifi?\nJoe: luego
Mia: mi dici il codice del cancello?\nJoe: dopo
User: what is my wifi password?\nAssistant: You have not told me.
User: forget my wifi password\nAssistant: Done.
Assistant: What should I store?\nUser: nothing
User: how many unread mails?\nAssistant: 1288, three about passwords.
User: is the alarm on?\nAssistant: Yes, since 2215.
Which password is the strongest? The longest.
What is the PIN pad made of? Steel.
2FA recovery codes\nPrint them.
Save these one-time codes in a safe place.
My GitHub backup codes are in the drawer.
Our passwords and keys are rotated every 90 days.
Sign in, type your name and press Enter.
Log in with the badge, then type your question.
To log in you need the badge, one of two.
The login page is in German, small print included.
To unlock the level you need 5000 points.
The app unlocks at 5000 points, then 10000.
The disk is locked, 1200 GB are unreachable.
She locked 4500 files, 1200 of them twice.
Password rules: length, characters (uppercase, lowercase, numbers).
"""


def handed_over() -> list[tuple[str, tuple[str, ...]]]:
    """Return each text with the secrets that are told in it."""
    texts = []
    for line in _lines(_TOLD):
        secrets = tuple(re.findall(r"\[\[(.+?)\]\]", line))
        texts.append((line.replace("[[", "").replace("]]", ""), secrets))
    return texts


def only_spoken_of() -> list[str]:
    """Return texts that speak of secrets, locks and codes and hold no secret."""
    return _lines(_UNTOLD)


def _lines(block: str) -> list[str]:
    return [line.replace("\\n", "\n") for line in block.strip().splitlines()]
