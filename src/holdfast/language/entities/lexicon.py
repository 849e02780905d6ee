"""Names that are known without a context, and words that tell what a name stands for."""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(name.replace("_", " ") for name in text.split())


FIRST_NAMES = _names(
    """
    Aaliyah Abdul Abigail Adam Adele Adrian Adriana Agnes Ahmad Ahmed Aidan Aiko Aisha Akira Alan
    Alba Albert Alejandra Alejandro Alessandra Alessandro Alex Alexander Alexandra Alexei Alfie
    Alfred Ali Alice Alicia Alicja Alina Amal Amanda Amara Amelia Amina Amir Amira Amit Amy Ana
    Ananya Anders Andrea Andreas Andrei Andrej Andrew Andy Angela Anika Anil Anita Anja Anke Ann
    Anna Anne Annette Annie Annika Anthony Anton Antonia Antonio Anya Archie Ariana Arjun Armando
    Arnold Arthur Arun Asha Ashley Astrid Audrey Ava Axel Ayesha Aylin Barbara Beate Beatrice
    Beatriz Becky Bella Ben Benedict Benjamin Benny Berit Bernd Beth Bethany Bettina Betty Bianca
    Birgit Björn Bob Bogdan Bojan Boris Brandon Brenda Brian Bridget Brigitte Bruno Bryan Caleb
    Camila Camille Carl Carla Carlo Carlos Carmen Carol Carolin Carolina Caroline Casey Catherine
    Cathy Cecile Cecilia Cem Chantal Charles Charlie Charlotte Chiara Chloe Chris Christian
    Christiane Christina Christine Christoph Christopher Cindy Claire Clara Claudia Claudio Clemens
    Colin Connor Conor Cornelia Craig Cristina Curtis Cynthia Dagmar Damian Daniel Daniela Danielle
    Danny Dario Darius Darren Dave David Debbie Deborah Delphine Denise Deniz Dennis Derek Desmond
    Diana Diane Diego Dieter Dimitri Dirk Dmitri Dominic Dominik Donald Donna Dora Doris Dorothy
    Doug Douglas Duncan Dylan Ebba Edgar Edith Eduard Eduardo Edward Eileen Ekaterina Elaine Eleanor
    Elena Eleni Elias Elif Elijah Elin Elisa Elisabeth Eliza Elizabeth Ella Ellen Ellie Elsa Elsie
    Emanuel Emil Emilia Emily Emir Emma Emmanuel Enrico Enzo Eric Erica Erik Erika Erin Ernst Esra
    Esther Ethan Eugene Eva Evan Evelyn Ewa Fabian Fabio Farah Farid Fatima Felix Femke Ferdinand
    Fernanda Fernando Filip Finn Fiona Fleur Florian Frances Francesca Francesco Francis Francois
    Franziska Frida Frieda Friedrich Fritz Gabi Gabriel Gabriele Gareth Gary Gemma Geoff Georg
    George Gerald Gerd Gerhard Gianna Gillian Gina Giorgio Giovanni Gisela Giulia Giuseppe Gordon
    Graham Greg Gregory Greta Guido Guillaume Gunnar Gustav Günter Günther Hana Hanna Hannah Hannes
    Hans Harald Harriet Harry Harvey Hasan Hassan Hector Hedwig Heidi Heike Heiko Heinz Helen Helena
    Helga Helmut Hendrik Henrik Henry Herbert Hilde Hildegard Hiroshi Holger Horst Howard Hugo
    Hussein Hyejin Ian Ibrahim Ida Ignacio Igor Imran Ines Inga Ingo Ingrid Irene Irina Irma Isaac
    Isabel Isabella Isabelle Ismail Ivan Ivana Ivo Jacob Jacqueline Jakob Jamal James Jamie Jan Jana
    Janet Janine Jared Jasmin Jason Javier Jean Jeff Jeffrey Jelena Jennifer Jens Jeremy Jerome
    Jerry Jessica Jill Jim Joachim Joana Joanna Joanne Joe Joel Johan Johann Johanna Johannes John
    Johnny Jon Jonas Jonathan Joost Jordi Jorge Jose Josef Joseph Josephine Joshua Joyce Juan Judith
    Julia Julian Juliane Julie Julien Juliet Julius Justin Jördis Jörg Jürgen Kai Kamil Karen Karim
    Karin Karl Karla Karolin Karolina Kasper Katarina Kate Katharina Katherine Kathleen Kathrin
    Kathy Katie Katja Kazuo Keiko Keith Kelly Ken Kenji Kenneth Kerstin Kevin Khadija Khalid Kilian
    Kim Kirsten Klara Klaus Kofi Konrad Kristin Krzysztof Kurt Kyle Laila Lakshmi Lara Larissa Lars
    Lasse Laura Lauren Laurent Layla Lea Leah Leila Lena Lennart Leo Leon Leonard Leonardo Leonie
    Leslie Liam Liesel Lieselotte Lilian Lily Lina Linda Linus Lior Lisa Lisbeth Liz Lorena Lorenz
    Lorenzo Lothar Lotta Louis Louisa Louise Luca Lucas Lucia Lucy Ludwig Luigi Luis Luisa Luka
    Lukas Lukasz Luke Lutz Lydia Lynn Maddie Madeleine Magda Maggie Magnus Mahmoud Maike Maja Malik
    Malte Mandy Manfred Manuel Manuela Marc Marcel Marcella Marcelo Marcin Marco Marcus Margaret
    Margarete Margit Margot Maria Mariam Mariana Marianne Marie Marija Mario Marion Marius Markus
    Marlene Marlies Marlon Marta Martha Martin Martina Mary Mateo Mathias Mathilda Matilda Matt
    Matteo Matthew Matthias Mattia Maureen Maurice Max Maximilian Maya Mehmet Meike Melanie Melissa
    Merle Mert Mia Michael Michaela Michal Michele Michelle Miguel Mika Mike Mila Milena Mira Miriam
    Mirko Mohamed Mohammed Moira Molly Mona Monika Moritz Mustafa Nabil Nadia Nadine Nana Nancy
    Naomi Natalia Natalie Natalya Natasha Nathan Neil Nele Nelson Ngozi Nicholas Nick Nicky Nico
    Nicola Nicolas Nicole Nigel Nikita Niklas Niko Nikolai Nikolaus Nikos Nils Nina Noah Noel Noemi
    Noor Nora Norbert Norman Nour Odette Olaf Ole Oleg Olga Oliver Olivia Omar Ondrej Orla Oscar
    Oskar Osman Otto Owen Pablo Paolo Patricia Patrick Paul Paula Pauline Paulo Pavel Pedro Peggy
    Penelope Peter Petra Philip Philipp Philippa Pia Pierre Pieter Piotr Priya Rachel Rafael Rahul
    Raj Ralf Ralph Ramon Ramona Randy Rania Rashid Raul Ravi Raymond Rebecca Regina Reinhard Renata
    Renate Reza Rhys Ricardo Riccardo Richard Rick Rita Rob Robbie Robert Roberta Roberto Rodrigo
    Roger Rohan Roland Ron Ronald Ronja Rory Rosa Rosalie Rosie Ross Roxana Ruben Rudi Rudolf Rupert
    Ruth Ryan Sabine Sabrina Sadie Sally Salma Salvatore Sam Samantha Sami Samir Samira Samuel
    Sandra Sanjay Sanne Sara Sarah Sascha Saskia Scott Sean Sebastian Selim Selma Serena Sergej
    Sergio Shane Shannon Shanti Sharon Sheila Shirin Sibel Siegfried Sigrid Silas Silke Silvia Simon
    Simona Simone Sina Sofia Sofie Solveig Sonja Sophia Sophie Stanley Stefan Stefania Stefanie
    Stella Stephan Stephanie Stephen Steve Steven Stuart Suki Sunita Susan Susana Susanne Suzanne
    Sven Svenja Sylvia Tabea Tamara Tamsin Tanja Tarek Tariq Tatiana Tatjana Ted Teresa Tessa Thea
    Theo Theodore Theresa Thilo Thomas Thorben Thorsten Tiago Tiffany Tilda Tilo Tim Timo Tina Tobi
    Tobias Todd Tom Tomas Tomasz Tomoko Tony Torsten Tracy Trevor Trude Udo Uli Ulla Ulrich Ulrike
    Umut Ursula Ute Uwe Valentin Valentina Valeria Valerie Vanessa Vera Veronika Vicky Victor Vikram
    Viktor Viktoria Vincent Vivian Vladimir Volker Walter Wanda Wei Wendy Werner Wilhelm Willi
    William Wilma Winifred Wojciech Wolfgang Xavier Yannick Yannik Yara Yasmin Yasmina Yuki Yusuf
    Yvette Yvonne Zara Zeynep Zoe Zoltan Zuzanna
    """
)
"""First names that are seldom anything else. Will, Mark, Rose, Grace and the like need a context."""

TECHNOLOGIES = _names(
    """
    PostgreSQL Postgres MySQL MariaDB SQLite MongoDB Redis Elasticsearch OpenSearch Kafka RabbitMQ
    DynamoDB Docker Kubernetes k8s Terraform Ansible GitHub_Actions GitLab GitHub Bitbucket Jira
    Confluence Grafana Prometheus Kibana Datadog Sentry Nginx Python JavaScript TypeScript Java
    Kotlin Scala Haskell PHP Golang C++ C# Django FastAPI Rails Laravel Symfony Node.js NodeJS
    Next.js NestJS Vue.js Vue AngularJS Angular Svelte React_Native GraphQL gRPC WebSocket Webpack
    Vite pnpm npm pytest mypy ruff PyTorch TensorFlow NumPy pandas Linux Ubuntu Debian Fedora
    Windows macOS iOS Android VS_Code Visual_Studio_Code Vim Neovim Emacs IntelliJ PyCharm AWS
    Amazon_Web_Services Azure GCP Google_Cloud Heroku Vercel Netlify Cloudflare Supabase Firebase
    OpenAPI OAuth JWT Ollama LangChain Streamlit Celery SQLAlchemy Alembic Airflow Snowflake
    BigQuery Excel PowerPoint Figma Photoshop LaTeX Obsidian Home_Assistant Raspberry_Pi Arduino
    Unreal_Engine Tailwind Bootstrap WhatsApp YouTube Instagram TikTok LinkedIn Gmail iPhone iPad
    MacBook ChatGPT PayPal Dropbox Trello Shopify WordPress Wikipedia Reddit Duolingo Strava Airbnb
    """
)
"""Technologies whose names are nothing else."""
DOUBTFUL_TECHNOLOGIES = _names(
    "React Go Rust Ruby Swift Flask Elixir Perl Dart Spark Unity Blender Notion Slack"
)
"""Technologies whose names are also words: only in a context that tells."""

ORGANIZATIONS = _names(
    """
    Google Microsoft Siemens Bosch Lufthansa Airbus Boeing Greenpeace Red_Cross Hetzner Spotify
    Netflix IBM SAP Volkswagen BMW Mercedes-Benz Tesla Nvidia Intel AMD Deutsche_Bank Deutsche_Bahn
    Commerzbank Allianz Telekom Vodafone Facebook OpenAI Anthropic DeepMind Mozilla Adobe Accenture
    Deloitte KPMG McKinsey Unicef NATO NASA WHO Roche Novartis Bayer BASF Nestlé Ikea Lidl Aldi Rewe
    Edeka Zalando Samsung Huawei
    """
)
"""Organisations that are well known."""
DOUBTFUL_ORGANIZATIONS = _names("Apple Amazon Meta Oracle Shell Orange Target Visa Delta Nokia Bayer Ford")

NO_NAMES = _names(
    """
    I Im It The This That These Those A An My Your Our His Her Their We You He She They And But Or
    So If When While Where What Who Why How Which Is Are Was Were Do Does Did Can Could Should Would
    Will May Might Must Let Lets Please Thanks Thank Hi Hello Hey Dear Ok Okay Yes No Not Now Then
    There Here Also Just Maybe Actually Sure Great Good Well Sorry Monday Tuesday Wednesday Thursday
    Friday Saturday Sunday January February March April June July August September October November
    December Christmas Easter Spring Summer Autumn Fall Winter English German French Spanish Italian
    Chinese Japanese Internet God Mom Mum Dad Mama Papa Oma Opa Grandma Grandpa Ich Du Er Sie Es Wir
    Ihr Der Die Das Den Dem Des Ein Eine Einen Mein Meine Dein Unser Unsere Und Aber Oder Wenn Weil
    Dass Wer Wie Wo Warum Ist Sind War Hat Haben Kann Könnte Bitte Danke Hallo Ja Nein Nicht Noch
    Auch Schon Nur Sehr Heute Morgen Gestern Montag Dienstag Mittwoch Donnerstag Freitag Samstag
    Sonntag Januar Februar März Mai Juni Juli Oktober Dezember Weihnachten Ostern Firma Company Herr
    Frau Mr Mrs Ms Dr Prof For From In On At To Of By With After Before All Any Some One Two First
    Next Last New Old Everybody Anybody Anyone People Nothing Something Everything Other Others
    Another Each Every Both Such Same More Most Much Many Few Only Even Still Yet Again Never Always
    Often Once Since Until Though Although Because Unless Whether Either Neither Nor Like Got Going
    Been Being Have Has Had Make Made Take Took Get Give Gave Go Went Come Came See Saw Say Says
    Said Tell Told Ask Asked Call Called Write Wrote Read Show Use Used Add Remove Delete Fix Check
    Find Look Keep Put Set Run Start Stop Open Close Send Buy Bought Need Want Love Hate Think Know
    Believe Hope Wish Try Help Remember Remind Suppose Imagine Assume Meanwhile However Therefore
    Instead Otherwise Besides Anyway Honestly Basically Finally Lately Recently Soon Later Earlier
    Tonight Dinner Lunch Breakfast Mum's Dad's Sir Madam Lord Lady Queen Saint Ausserdem Außerdem
    Leider Vielleicht Eigentlich Jetzt Dann Dort Hier Dabei Damit Dazu Daher Deshalb Trotzdem Seit
    Nach Vor Bei Mit Von Aus Auf Für Gegen Ohne Um Über Unter Zwischen Durch Bis Als Ob Falls Obwohl
    Damals Neulich Bald Immer Nie Niemand Jemand Alle Alles Manche Viele Welche Welcher Welches
    Diese Dieser Dieses Jede Jeder Jedes Kein Keine Man Mir Mich Dir Dich Ihm Ihn Ihnen Uns Euch
    Seine Ihre Deine Eure Wird Werden Wurde Soll Sollte Muss Darf Mach Gib Sag Schreib Hilf Zeig
    Nimm Kannst Könntest Hast Habt Gibt Geht Würde Hätte Wäre Angenommen Angeblich Stimmt Russian
    Polish Portuguese Dutch Greek Turkish Arabic Hindi Korean American British European Swedish
    Danish Norwegian Finnish Irish Scottish Welsh Indian Canadian Australian Swiss Austrian Belgian
    Mexican Brazilian African Asian Thai Vietnamese Ukrainian Czech Hungarian Latin Jewish Muslim
    Catholic Buddhist Halloween Thanksgiving Ramadan Diwali Hanukkah Französisch Spanisch
    Italienisch Russisch Polnisch Türkisch Latein Danach Davor Montags Dienstags Mathe Deutsch
    Englisch Project Projekt Team Service App Server Day Night Time Today Tomorrow Yesterday
    Everyone Someone Nobody Am Beim Zum
    """
)
"""Words that are written with a capital letter and name nobody."""
DOUBTFUL_NAMES = _names(
    """
    Will Mark Rose Grace Hope Faith Joy May Bill Frank Pat Drew Basil Rosemary Sage Ivy Daisy Lily
    Iris Summer Autumn Winter Engel Blessing Chase Grant Cap Dawn Eve June April Penny Ruby Amber
    Pearl Sunny Victor Max Art Guy Miles Rich Rob Gene Jack Dean Earl Duke Norm Ray Sue Gay Kay
    Rusty Sandy Stormy Wolf König Kaiser Lang
    """
)
"""Names of people that are also words: not at the begin of a sentence, without more."""
GENERIC = _names(
    """
    Basic Advanced General Public Local Main Data Web Media Social Mobile Software Business Health
    Travel Home Food Music Art Design Product User Open City Town School Student Primary High
    National Acting Restaurant Hair Bed Research Central Community Video Audio Film Book Project
    Team Customer Family Financial Digital Creative Private Sales Marketing Legal Human Energy Solar
    Water Power Google Terms Arts Pros Law Black Profit Research Food
    """
)
"""Words of headings and descriptions: with one more, they are the name of no organisation."""
NO_PROJECTS = _names(
    """
    Name Names Lead Leads Leader Manager Managers Management Plan Plans Planning Title Description
    Overview Summary Goal Goals Scope Timeline Owner Number Code Status Update Updates Report
    Reports Budget Requirements Proposal Coordinator Director Sponsor Phase Charter Brief Type
    Details Structure Background Objective Objectives Idea Ideas Deadline Schedule Board Work
    Experience Files File Folder Settings Context Management Engineer Assistant Administrator
    Leitung Leiter Leiterin Plan Ziel Ziele Name Titel Übersicht Manager Managerin Bericht Budget
    """
)
"""Words after `project` that say of what it is part."""
GERMAN_NOUNS = _names(
    """
    Zeit Hunger Lust Angst Recht Urlaub Bescheid Geld Hilfe Auto Kaffee Tee Brot Probleme Problem
    Fieber Mail Mails Post Adresse Lehrer Kind Kinder Hund Katze Mann Frau Freunde Freund Eltern
    Leute Wasser Wein Bier Milch Spaß Glück Pech Stress Ruhe Platz Wohnung Zimmer Garten Küche Tisch
    Bett Fahrrad Bus Bahn Zug Flug Stadt Dorf Land Woche Wochen Monat Monate Jahr Jahre Uhr Minuten
    Nacht Mittag Musik Film Filme Bücher Bilder Fotos Blumen Geschenk Geschenke Idee Ideen Frage
    Fragen Antwort Angebot Rechnung Vertrag Chef Chefin Kollege Kollegin Arzt Klavier Gitarre Geige
    Fußball Tennis Handball Schach Nudeln Spaghetti Pizza Suppe Salat Fleisch Fisch Eier Käse Krebs
    Husten Grippe Schmerzen Rücken Kopf Knie Arm Bein Herz Interesse Erfolg Sport Kunst Mitte Anfang
    Ende Seite Text Liste Brief Karte Bild Foto Video Handy Telefon Computer Laptop Programm Daten
    Datei Ordner Konto Bank Firma Büro Praxis
    """
)
"""Ordinary nouns: what German writes after a name is often one of them."""
