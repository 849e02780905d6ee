"""Harmless notes with a value that looks random: ids, hashes, serial numbers, names of files and projects."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from uuid import UUID

_SYLLABLES = [first + second for first in "bcdfghjklmnprstvwz" for second in "aeiou"]
_HEX, _SMALL, _DIGITS = "0123456789abcdef", "abcdefghijklmnopqrstuvwxyz", "0123456789"
_CAPITALS = _SMALL.upper()

_OF_VERSIONS = """\
commit {v}|fixed in {v}|reverted {v}, see the review|bisect says {v}|cherry-picked {v} onto main
{v} broke the build|branch at {v}|deployed {v} to staging|rolled back to {v}|behoben mit {v}|Stand: {v}
HEAD is {v} now|tag v2.3 = {v}|corrigé dans {v}|arreglado en {v}|blame points at {v}|diff {v} {w}
image {v} pulled|layer {v}: done|rebase on {v}
the regression came in with {v}, the test before it passed|{v} and {w} touch the same file
Merge {v} into release"""
_OF_IDS = """\
id {v}|request {v} timed out|run {v}|job {v} finished|trace {v}|user {v} was merged|record {v} deleted
see {v}|{v} is the id of the lamp|the failing row is {v}|customer {v} called again|Vorgang {v}
Fall {v} ist offen|dossier {v}|expediente {v} cerrado|event {v} came twice|session {v} ended at 14:10
order event {v}|{v} not found|correlation id {v} in the log of yesterday|asked support about {v}
experiment {v}: loss 0.31|dataset {v}, 12 GB|node {v}, retried|the map tile is {v}
pod {v} restarted twice|snapshot {v} from Monday|volume {v} is full|message {v} bounced
thread {v}, third answer|build {v} green|pipeline {v} red since noon|artifact {v} expired"""
_OF_NUMBERS = """\
order {v}|order no. {v}, arrives Friday|tracking {v}|parcel {v} is at the neighbours|serial {v}
S/N {v}, bought 2021|dishwasher: model {v}|printer toner {v}|Bestellung {v} storniert
Rechnung {v} bezahlt|Sendung {v} kommt morgen|Seriennummer {v}|Ersatzteil {v} bestellt|colis {v} livré
facture {v}|pedido {v} enviado|número de serie {v}|fridge bulb: {v}|filter for the hoover: {v}
battery type {v}|boiler {v}, last service in May|bike frame {v}|ticket {v} is done|invoice {v} unpaid
batch {v} is too salty|sample {v} was positive|lot {v} goes back|RMA {v}|bolt {v} at the hardware shop
SKU {v} sold out|part {v}: two left|booking {v}, two nights|seat {v}|plate {v}|flight {v} at 6:40
train {v}, platform 4|shelf mark {v}|asset tag {v}|meter {v}: 10422|claim {v} sent|policy {v}
washing machine: {v}, error F21|car: {v}, tyres 205/55|garage door remote: {v}, battery CR2032|Trafo {v}
Lampe {v}"""
_OF_NAMES = """\
file {v}|see {v}|the photo is {v}|sent {v} to Ana|{v} is the newest draft|moved {v} to the archive
open {v} first|Datei {v} fehlt|Foto {v}|fichier {v} perdu|archivo {v}|host {v} is back
{v} does not answer pings|server {v}: disk 91 %|ssh to {v} is slow today|backup of {v} took an hour
moved the wiki to {v}|rack 4: {v}|printer {v} is out of paper|Rechner {v} neu gestartet
machine {v} en panne|servidor {v} caído|kernel on {v} updated|module {v}|table {v}
function {v} is too long|variable {v} unused|class {v} moved|topic {v} lags|queue {v} is empty
index {v} rebuilt|played with {v} yesterday|{v} reviewed it|talked to {v} on the forum
{v} wrote the best answer|channel {v}|repo {v}"""
_OF_THINGS = """\
code name {v}|the project is called {v}|{v} starts in May|Operation {v}|release {v}|sprint {v}
team {v} won|the boat is called {v}|cat: {v}|new colour: {v}|paint {v}, two cans|the wallpaper is {v}
rose {v} in the front bed|tomatoes: {v}|potatoes {v}, planted in April|paint for the fence: {v}
wool {v}, four balls|camera {v}|drill {v}|headphones {v}|router model {v}|model {v} is faster
tried {v}, too heavy|Projekt {v}|Codename {v}|Farbe {v}|Kartoffeln: {v}|projet {v}|couleur {v}
proyecto {v}|laptop {v}, 16 GB|song {v}|playlist {v}|font {v}|game {v}"""
_OF_TESTS = """\
{v}|{v}|{v}|test {v}|test note {v}|note {v}|marker {v}|entry {v}|text {v}|memory {v}|probe {v}
sample {v}|item {v}|note number 12: {v}|first {v} then {w}|{v} {w}|{v}, {w}|canary {v}|dummy {v}
lorem {v}|a note about {v}|this is test {v}|Testnotiz {v}|Eintrag {v}|note de test {v}|nota {v}
checking that {v} is stored|{v} before the crash"""


_NOUNS = """\
acorn apron arrow avenue bakery balloon bamboo banjo barrel beetle bench berry blossom boulder bottle
branch breeze brick bronze bucket buffalo cabin cactus camel camera candy captain cargo castle cellar
cherry chess chicken circus cliff closet clover coast cobra coffee comet compass coral corner cottage
cousin coyote cradle cricket crown crystal cupboard daisy dolphin dragon drum dune elbow ember falcon
fence fern flute fog fossil fox frost galaxy gate ginger giraffe globe goose grape gravel guitar hazel
hedge helmet heron hill hornet igloo ink ivory jungle kite koala lagoon lamp lantern laptop leaf lentil
lily lime lizard lobster locket magnet mango maple mask melon mint monkey moon moss mule nest nickel
night nutmeg oak oasis ocean olive onion orange orchard otter owl panda parrot peach pearl pelican
pillar pine plum pond poppy prairie puzzle quilt raven ribbon rocket rooster rope rose ruby sail sand
sapphire scarf seal shell shelf sketch slope snow socket spider spruce stone storm stove straw swan
table thimble thistle tiger toast tomato tower trail tulip turtle umbrella vase vine walrus waltz wave
whale wheat wheel wolf wren yacht zebra"""


def references(seed: int, count: int) -> Iterator[str]:
    """Yield so many notes, a quarter of them ordinary words without a sentence."""
    rng, words = random.Random(seed), _NOUNS.split()
    kinds = (
        (_OF_VERSIONS, (_hash, _hash, _version)),
        (_OF_IDS, (_hash, _uuid, _id, _pod, _slug)),
        (_OF_NUMBERS, (_number, _number, _model)),
        (_OF_NAMES, (_file, _host, _user, _slug, _camel)),
        (_OF_THINGS, (_model, _coined, lambda rng: _pair(rng, words))),
        (_OF_TESTS, (_hash, _uuid, _id, _coined, _coined, _slug, _number)),
    )
    for _ in range(count):
        if rng.random() < 1 / 4:
            yield _listed(rng, words)
            continue
        forms, values = rng.choice(kinds)
        form = rng.choice(forms.replace("\n", "|").split("|"))
        made = rng.choice(values)
        note = form.format(v=made(rng), w=made(rng))
        if rng.random() < 0.3:
            note = f"{note}{rng.choice(('. ', ', ', ' – ', chr(10)))}{' '.join(rng.choices(words, k=4))}"
        yield note[:1].upper() + note[1:] if rng.random() < 0.2 else note + rng.choice(("", "", "."))


def _listed(rng: random.Random, words: Sequence[str]) -> str:
    """Returns words in a row, some of them again, as texts for tests and lists of words have."""
    own = rng.sample(words, rng.randint(2, 16))
    row = rng.choices(own, k=rng.randint(2, 24)) if rng.random() < 0.6 else own
    head = rng.choice(("", "", "", "", "words: ", "note 7 ", "test ", "Wörter: ", "list – ", "v2 "))
    coined = [_coined(rng) for _ in range(rng.choice((0, 0, 1, 2, 2)))]
    return head + rng.choice((" ", " ", " ", " ", ", ", "\n")).join([*coined, *row])


def _of(rng: random.Random, letters: str, least: int, most: int) -> str:
    return "".join(rng.choices(letters, k=rng.randint(least, most)))


def _hash(rng: random.Random) -> str:
    return _of(rng, _HEX, size := rng.choice((6, 7, 7, 8, 9, 10, 12, 16)), size)


def _version(rng: random.Random) -> str:
    numbers = ".".join(str(rng.randint(0, 30)) for _ in range(3))
    return f"v{numbers}-{_of(rng, _DIGITS, 1, 3)}-g{_hash(rng)}"


def _uuid(rng: random.Random) -> str:
    return str(UUID(int=rng.getrandbits(128), version=4))[: rng.choice((36, 36, 13, 18))]


def _id(rng: random.Random) -> str:
    head = rng.choice(("", "", "run-", "req_", "ev_", "usr_", "m", "n-", "T", "c", "job-", "X"))
    return head + _of(rng, rng.choice((_SMALL + _DIGITS, _HEX, _CAPITALS + _DIGITS)), 5, 14)


def _pod(rng: random.Random) -> str:
    return f"{_of(rng, _SMALL, 3, 7)}-{_of(rng, _HEX, 8, 10)}-{_of(rng, _SMALL + _DIGITS, 5, 5)}"


def _number(rng: random.Random) -> str:
    letters, digits, more = _of(rng, _CAPITALS, 1, 4), _of(rng, _DIGITS, 3, 9), _of(rng, _DIGITS, 2, 5)
    shapes = (
        "{0}-{1}",
        "{0}{1}",
        "{1}-{2}",
        "{1}{0}",
        "{0}{2}{0}{2}",
        "{2}-{1}-{0}",
        "{0}/{2}/{2}",
        "{0} {1}",
    )
    return rng.choice(shapes).format(letters, digits, more)


def _model(rng: random.Random) -> str:
    shapes = ("{0}-{1}{2}", "{0}{1}", "{0} {1}", "{0}-{1}", "{0}{1}/{2}", "{0}{1}-{0}", "{3}{1}{2}")
    return rng.choice(shapes).format(
        _of(rng, _CAPITALS, 1, 3), _of(rng, _DIGITS, 2, 4), _of(rng, _CAPITALS, 1, 2), _of(rng, _SMALL, 1, 3)
    )


def _file(rng: random.Random) -> str:
    ends = "jpg png pdf txt csv md docx zip py log mp4 heic json tar.gz".split()
    stem = rng.choice((
        f"IMG_{_of(rng, _DIGITS, 4, 8)}", f"{_coined(rng)}_final{rng.randint(1, 9)}", _hash(rng),
        f"{_coined(rng)}-{_of(rng, _DIGITS, 2, 4)}", f"DSC{_of(rng, _DIGITS, 5, 5)}",
        _of(rng, _SMALL + _DIGITS, 6, 10),
    ))  # fmt: skip
    return f"{stem}.{rng.choice(ends)}"


def _host(rng: random.Random) -> str:
    name, digits = _of(rng, _SMALL, 2, 5), _of(rng, _DIGITS, 1, 3)
    shapes = ("{0}-{1}", "{0}{1}", "srv-{0}{1}", "{0}-{2}-{1}", "ip-10-0-{1}-{1}", "{0}{1}.lan", "{2}{0}")
    return rng.choice(shapes).format(name, digits, _of(rng, _SMALL + _DIGITS, 3, 6))


def _user(rng: random.Random) -> str:
    shapes = ("{0}{1}", "{0}_{1}", "@{0}{1}", "xX_{0}{1}_Xx", "{0}.{2}", "{0}-{2}{1}")
    return rng.choice(shapes).format(_coined(rng), _of(rng, _DIGITS, 1, 4), _coined(rng))


def _slug(rng: random.Random) -> str:
    return rng.choice("-_").join(_coined(rng) for _ in range(rng.randint(2, 3)))


def _camel(rng: random.Random) -> str:
    return "".join(_coined(rng).title() for _ in range(rng.randint(2, 3))) + rng.choice(("", "", "2", "V3"))


def _coined(rng: random.Random) -> str:
    """Returns a word that can be spoken and that no language has."""
    return "".join(rng.choices(_SYLLABLES, k=rng.randint(2, 5))) + rng.choice(("", "", "n", "r", "x", "k"))


def _pair(rng: random.Random, words: Sequence[str]) -> str:
    made = rng.choices(words, k=2)
    return rng.choice((" ".join, "-".join, "_".join))(map(str.title, made) if rng.random() < 0.5 else made)
