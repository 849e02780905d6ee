"""Places that are well known."""

from __future__ import annotations

from holdfast.language.statements.rivals import CITIES, COUNTRIES


def _names(text: str) -> frozenset[str]:
    return frozenset(name.replace("_", " ") for name in text.split())


_AS_WRITTEN = _names(
    """
    München Köln Wien Zürich Nürnberg Genf Rom Mailand Prag Warschau Lissabon Moskau Kopenhagen
    Brüssel Deutschland Österreich Schweiz Frankreich Italien Spanien Polen Griechenland Niederlande
    Belgien Dänemark Schweden Norwegen Tschechien Ungarn Kroatien Türkei Russland Japan England
    Zurich Den_Haag NYC UK USA Cologne
    """
)
"""Places that `str.title` would not write so, and German names of others."""
_MORE_PLACES = _names(
    """
    aachen aarhus aberdeen abidjan abu_dhabi addis_ababa africa alabama alaska alberta algarve
    algiers amman anchorage andalusia antalya arequipa argentinien arizona arkansas arnhem asia
    asuncion athen augsburg australien avignon baden-württemberg bali baltimore bamberg bari bavaria
    bayern bayreuth beirut belo_horizonte bergamo bergen bielefeld bochum braga brandenburg brasilia
    brasilien braunschweig bregenz brescia breslau brighton brittany brno brooklyn bruges bulgarien
    busan cadiz california cambridge cardiff cartagena catalonia cebu chemnitz chengdu cherbourg
    cincinnati cleveland coimbra colombo colorado connecticut cordoba cork cornwall corsica
    costa_rica cottbus coventry crete croydon curitiba cusco danzig darmstadt debrecen delft devon
    dhaka doha dubrovnik duisburg edmonton eindhoven england erfurt essen estland europa europe
    exeter faro finnland flensburg florenz florida fortaleza freiburg fukuoka gaborone galway
    georgien gera ghent granada greifswald grenoble groningen guadalajara guangzhou guayaquil
    göttingen haarlem haifa halifax hangzhou harare hawaii heidelberg heilbronn hessen hiroshima
    honolulu idaho illinois indiana indien ingolstadt innsbruck irland islamabad izmir jeddah jena
    kabul kampala kanada kansas karlsruhe kassel katowice kempten kentucky khartoum kiel kiew kigali
    klagenfurt kobe koblenz konstanz krakau krefeld kuala_lumpur königsberg la_paz lausanne leeds
    leicester leiden lettland leuven leverkusen lille limerick linz litauen lodz louisiana luanda
    lugano lusaka luzern lübeck maastricht magdeburg mainz mallorca malmö manhattan manitoba
    mannheim maputo marokko maryland massachusetts mecklenburg medellin memphis mendoza michigan
    milwaukee minneapolis minnesota mississippi montana monterrey montpellier muscat mönchengladbach
    münster nagoya namur nanjing nantes nashville neapel nebraska nevada new_hampshire new_jersey
    new_mexico new_south_wales new_york_city new_zealand newcastle niedersachsen nijmegen
    nordrhein-westfalen norfolk normandy north_carolina north_dakota north_korea norwich nottingham
    nova_scotia oaxaca odense offenbach ohio oklahoma oldenburg ontario oregon osnabrück ostrava
    oxford paderborn padua palermo passau penang pennsylvania pforzheim phnom_penh pittsburgh
    plymouth podgorica portsmouth portugal potsdam poznan provence quebec_city queensland ravensburg
    recife regensburg reims remscheid rennes reutlingen rheinland-pfalz riyadh rosario rosenheim
    rostock rouen rumänien saarbrücken saarland sachsen sacramento salamanca san_sebastián santorini
    sao_paulo sapporo sardinia sardinien saskatchewan saudi_arabia schleswig-holstein schottland
    schwerin scotland seoul shenzhen sicily sintra sizilien skopje slowakei slowenien solingen
    south_africa south_carolina south_dakota south_korea southampton sri_lanka strasbourg suffolk
    sunderland swansea szeged são_paulo tampere tasmania tennessee texas the_hague thessaloniki
    thüringen tiflis tijuana tilburg tirana tirol toskana trier trieste tripoli trondheim tunesien
    tunis turku tuscany tyrol tübingen ukraine ulm united_kingdom united_states uppsala utah
    valparaiso venedig vermont verona vientiane villach wales walthamstow weimar wiesbaden windhoek
    winnipeg winterthur wisconsin wolfsburg wolverhampton wroclaw wuhan wuppertal wyoming würzburg
    yangon yorkshire zaragoza ägypten
    """
)
_PEOPLE_TOO = _names(
    "austin dallas florence sydney victoria jordan chad georgia paris phoenix mali wellington lima porto"
)
PLACES = frozenset({*(name.title() for name in CITIES | COUNTRIES | _MORE_PLACES), *_AS_WRITTEN} - {"Chad"})
"""Places that are well known, as they are written."""
DOUBTFUL_PLACES = frozenset(name.title() for name in _PEOPLE_TOO) | _names(
    """
    Essen Turkey Reading Nice Split Cork Bergen Halle Ulm Lille Devon Halifax Salvador Montana
    Alabama Bath Nancy Chester Lincoln Granada Colombo Penang Tunis Trier Haarlem Kobe Bali Rosario
    Mendoza Padua Verona Cordoba Münster Passau Gera Jena Bari Brandenburg Plymouth Portsmouth
    Coventry Nevada Dakota Tripoli
    """
)
"""Places whose names are also those of people or things: only behind a preposition."""
