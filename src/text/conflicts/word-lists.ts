import { lemma } from "../lemma.ts";

/**
 * Lists of things of which a sentence usually holds one: two texts that differ in one member of a list differ in what
 * they say. Members are folded; a word may stand in several lists.
 */
export function listsOf(word: string): readonly string[] {
  return LISTS_BY_WORD.get(word) ?? [];
}

export function shareAList(a: string, b: string): boolean {
  const lists = listsOf(b);
  return a !== b && listsOf(a).some((list) => lists.includes(list));
}

const LISTS: Readonly<Record<string, string>> = {
  color:
    "beige black blue brown gold golden gray green grey maroon navy orange pink purple red silver tan teal turquoise violet white yellow",
  language:
    "american arabic australian bengali brazilian british bulgarian canadian catalan chinese croatian czech danish dutch egyptian english estonian finnish french german greek hebrew hindi hungarian icelandic indian indonesian irish italian japanese korean latin malay mandarin mexican norwegian persian polish portuguese romanian russian scottish serbian spanish swahili swedish tamil telugu thai turkish ukrainian urdu vietnamese welsh",
  country:
    "afghanistan algeria argentina australia austria bangladesh belgium bolivia brazil britain bulgaria cambodia canada chile china colombia croatia cuba denmark ecuador egypt england estonia ethiopia finland france germany ghana greece hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan kenya korea latvia lebanon libya lithuania malaysia mexico mongolia morocco nepal netherlands nigeria norway pakistan panama peru philippines poland portugal romania russia scotland senegal serbia singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania thailand tunisia turkey uganda uk ukraine us usa venezuela vietnam wales yemen zambia zimbabwe",
  city: "amsterdam antwerp athens atlanta austin baghdad bangalore bangkok barcelona beijing belgrade berlin bern boston bristol brussels bucharest budapest cairo chicago cologne copenhagen dallas delhi denver dubai dublin edinburgh florence frankfurt geneva glasgow hamburg hanoi helsinki houston istanbul jakarta johannesburg karachi kiev kyiv krakow kraków lagos leeds lima lisbon liverpool london lyon madrid manchester manila marseille melbourne miami milan montreal moscow mumbai munich nairobi naples osaka oslo ottawa paris philadelphia phoenix porto portland prague rome rotterdam santiago seattle seoul seville shanghai singapore sofia stockholm stuttgart sydney taipei tallinn tehran tokyo toronto turin vancouver venice vienna warsaw wellington zagreb zurich zürich",
  continent: "africa antarctica asia europe oceania",
  planet: "earth jupiter mars mercury neptune pluto saturn uranus venus",
  season: "autumn fall spring summer winter",
  daypart: "afternoon evening midday midnight morning night noon dawn dusk breakfast lunch dinner",
  direction: "east north south west eastern northern southern western",
  database:
    "bigquery cassandra clickhouse cockroachdb couchdb duckdb dynamodb elasticsearch firestore influxdb lancedb mariadb mongodb mssql mysql neo4j oracle pinecone postgres postgresql qdrant redis snowflake sqlite weaviate",
  programming:
    "c c# c++ clojure cobol dart elixir erlang f# fortran go golang haskell java javascript julia kotlin lua matlab ocaml perl php python r ruby rust scala swift typescript zig",
  framework:
    "actix angular astro django echo ember express fastapi fastify fiber flask gin hono koa laravel nest nestjs next.js nuxt nuxt.js phoenix qwik rails react remix solid spring starlette svelte symfony vue",
  packages: "bun cargo conda npm pip pipenv pnpm poetry uv yarn",
  tests:
    "ava cypress jasmine jest karma mocha nunit phpunit playwright pytest rspec selenium testcafe unittest vitest xunit",
  build: "bazel cmake esbuild gradle make maven parcel rollup rspack swc turbopack vite webpack",
  cloud: "aws azure cloudflare digitalocean fly gcp heroku hetzner linode netlify render vercel",
  editor: "cursor emacs helix intellij neovim notepad nano pycharm sublime vim vscode webstorm zed",
  hosting: "bitbucket codeberg gitea github gitlab",
  ci: "circleci jenkins travis buildkite teamcity",
  os: "alpine android arch centos debian fedora freebsd ios linux macos ubuntu windows",
  shell: "bash fish powershell zsh",
  browser: "brave chrome edge firefox opera safari",
  chat: "discord email mattermost signal skype slack sms telegram whatsapp zoom",
  model: "claude gemini gpt llama mistral qwen deepseek",
  queue: "kafka nats pulsar rabbitmq sqs",
  orchestration: "docker kubernetes nomad podman swarm",
  api: "graphql grpc rest soap websocket websockets",
  environment: "dev development prod production qa staging",
  branch: "develop main master trunk",
  casing: "camelcase kebab-case pascalcase snake_case snake camel kebab pascal",
  indent: "spaces tabs",
  theme: "dark light",
  format: "avro csv json markdown parquet pdf protobuf toml xml yaml",
  transport:
    "airplane bicycle bike boat bus canoe car ferry foot helicopter jeep metro moped motorbike motorcycle plane scooter ship subway taxi tractor train tram truck van",
  instrument:
    "accordion banjo bass bassoon cello clarinet cymbals drum drums flute guitar harmonica harp keyboard mandolin oboe organ piano saxophone tambourine trombone trumpet tuba ukulele viola violin xylophone",
  drink:
    "beer champagne cider cocoa coffee cola espresso gin juice kombucha lemonade milk rum soda tea tequila vodka water whiskey whisky wine",
  food: "apple bacon banana beef bread burger cake carrot cheese chicken chocolate corn cucumber egg fish garlic grape hamburger lamb lemon lettuce meat mango melon mushroom noodles onion orange pasta peach peanuts pear pepper pizza pork potato pumpkin rice salad salmon sandwich sausage shellfish shrimp soup spinach steak strawberry sushi tofu tomato tuna turkey",
  diet: "omnivore pescatarian vegan vegetarian carnivore",
  price: "cheap expensive moderate",
  grade: "average high low",
  size: "big huge large medium small tiny",
  room: "attic balcony basement bathroom bedroom cellar garage garden hallway kitchen lounge office terrace",
  venue:
    "airport bar beach cafe church cinema club desert forest gym hospital hotel house lake library mall market mountain museum office park pool pub restaurant river riverside school shop stadium station supermarket theater theatre university warehouse zoo",
  material:
    "brick bronze clay concrete copper cotton glass leather linen metal nylon paper plastic silk steel stone velvet wood wooden wool",
  sport:
    "badminton baseball basketball boxing cricket cycling football golf handball hiking hockey judo karate rugby running skateboarding skating skiing snowboarding soccer surfing swimming tennis volleyball wrestling yoga",
  family:
    "aunt brother cousin dad daughter father grandfather grandmother husband mother mom nephew niece sister son uncle wife partner boyfriend girlfriend fiancé fiancée boss colleague friend neighbor neighbour",
  fuel: "diesel electric gasoline hybrid hydrogen petrol solar",
  marital: "divorced engaged married single widowed",
  level: "advanced beginner expert intermediate junior novice senior",
  status:
    "approved blocked cancelled canceled closed completed done draft failed merged open paused pending postponed rejected resolved running scheduled started stopped",
  priority: "critical high low medium urgent",
  degree: "bachelor bachelor's doctorate master master's mba phd",
  religion: "atheist buddhist christian hindu jewish muslim",
};

const LISTS_BY_WORD: ReadonlyMap<string, readonly string[]> = indexLists();

function indexLists(): Map<string, readonly string[]> {
  const index = new Map<string, readonly string[]>();
  for (const [list, members] of Object.entries(LISTS)) {
    const words = new Set(members.split(" ").flatMap((member) => [member, lemma(member)]));
    for (const word of words) index.set(word, [...(index.get(word) ?? []), list]);
  }
  return index;
}
