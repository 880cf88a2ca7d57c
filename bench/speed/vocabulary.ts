/** The words that generated memories are made of: many enough that two memories are alike only where the generator means it. */

const words = (list: string): readonly string[] => list.split(" ");

export const FIRST_NAMES = words(
  "Ada Amir Anika Bela Bruno Carla Chen Dana Diego Elif Emeka Erik Farah Felix Gita Hana Hugo Ines Ivan Jonas Jun Kira Lars Leila Lucas Maya Mehmet Mina Nadia Nils Olga Omar Paula Pedro Priya Quinn Rafael Rosa Sami Sara Sven Tara Theo Uma Viktor Wanda Xavier Yara Yusuf Zoe",
);
export const LAST_NAMES = words(
  "Abe Almeida Baker Berg Castro Cohen Costa Dahl Das Diaz Evans Fischer Fontaine Garcia Grant Haddad Hansen Ito Jansen Kaya Keller Khan Kim Kovacs Lang Larsen Lopez Mbeki Meyer Moreau Murphy Nakamura Novak Okafor Olsen Park Patel Peters Quist Rao Rossi Sato Schmidt Silva Singh Sokolov Tanaka Torres Vogel Weber",
);
export const PROJECTS = words(
  "Albatross Beacon Cinder Dolomite Ember Falcon Glacier Harbor Iris Juniper Kestrel Lantern Meridian Nimbus Orchid Pelican Quarry Raven Saffron Tundra Umbra Vertex Willow Xenon Yarrow Zephyr Aurora Basalt Cobalt Drift Echo Flint Grove Helix Indigo Jasper Krill Lotus Mosaic Nectar",
);
export const TOOLS = words(
  "Postgres Redis Kafka Docker Kubernetes Terraform Grafana Prometheus Jenkins Webpack Vite Playwright Django FastAPI React Svelte Ansible Nginx RabbitMQ Elasticsearch ClickHouse DuckDB Snowflake Airflow Sentry Vault Consul Istio Helm Pulumi",
);
export const CITIES = words(
  "Oslo Lisbon Nairobi Kyoto Toronto Lima Vienna Dublin Seoul Austin Berlin Madrid Prague Hanoi Cairo Melbourne Zurich Helsinki Warsaw Athens Denver Glasgow Porto Lyon Milan",
);
export const DAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday");
export const MONTHS = words(
  "January February March April May June July August September October November December",
);
export const NOUNS = words(
  "anchor archive balcony bandwidth battery bicycle billing bookshelf bridge browser budget cabin calendar camera canvas carpet catalogue ceiling certificate charger checklist choir clinic compiler concert contract cookbook courier crane credential curtain customs dashboard deadline debugger delivery dentist diagram dictionary directory drawer drone easel elevator embassy encoder engine escrow exhibit factory ferry festival filter firewall flashlight forecast fountain freezer furnace gallery garage garden generator glossary greenhouse guitar handbook hangar harvest headset hinge hospital hostel index insurance interview inventory invoice island jacket journal kernel kettle keyboard kitchen ladder lamp landlord laptop lecture ledger lens library licence locker logger lottery magazine mailbox manual market mattress medicine meeting membership menu microphone mirror monitor mortgage motor museum nursery oven packet painting parcel parser passport pasture patent pavement payroll pension permit pharmacy piano pillow pipeline planner podcast pottery printer prototype proxy pump puzzle quota radiator recipe refund registry rehearsal reservation robot roof router sandbox scanner schedule scheduler schema scholarship scooter sculpture seminar sensor server shelter shuttle skylight socket spreadsheet stadium statue storage studio subsidy subscription survey syllabus tablet telescope temple tenant terminal theatre thermostat ticket timetable toolbox tractor treaty tunnel turbine tutorial umbrella upgrade vaccine vehicle vendor vineyard violin voucher wallet warehouse warranty webinar wheelchair whiteboard widget windmill workshop yacht zipper",
);
export const ADJECTIVES = words(
  "annual antique automatic blue broken brief cheap circular coastal compact cracked curved daily damp deep digital dusty early eastern electric empty encrypted external fragile frozen golden green heavy hidden hollow hourly internal leased legacy light local loud manual mobile modern monthly narrow noisy northern official old orange outdoor overdue paper portable printed private public quarterly quiet rare red remote rented rural rusty secondary shared sharp silent silver simple slow small soft southern spare square stolen striped sturdy tall temporary tiny urban used vacant velvet vintage virtual warm weekly western white wide wireless wooden yellow",
);
