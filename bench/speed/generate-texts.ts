import { between, createRandom, pick, type Random } from "./random.ts";
import {
  ADJECTIVES,
  CITIES,
  DAYS,
  FIRST_NAMES,
  LAST_NAMES,
  MONTHS,
  NOUNS,
  PROJECTS,
  TOOLS,
} from "./vocabulary.ts";

/** What a memory says, apart from its wording: every template takes from it what it needs. */
interface Facts {
  readonly person: string;
  readonly project: string;
  readonly tool: string;
  readonly city: string;
  readonly day: string;
  readonly date: string;
  readonly number: number;
  readonly thing: string;
  readonly other: string;
  readonly place: string;
}

/** One thing to say, in two wordings. */
type Template = readonly [(facts: Facts) => string, (facts: Facts) => string];

/** Of a hundred texts, this many repeat, reword, contradict or extend an earlier one; the others are new. */
const SHARES = { copy: 4, paraphrase: 5, conflict: 4, extension: 3 } as const;

/** Texts as a store of several years holds them. The same seed gives the same texts, and more of them the same beginning. */
export function generateTexts(size: number, seed: number): readonly string[] {
  const random = createRandom(seed);
  const said: { readonly text: string; readonly facts: Facts; readonly template: Template }[] = [];
  for (let index = 0; index < size; index++) {
    const fresh = { facts: drawFacts(random), template: pick(random, TEMPLATES) };
    const roll = random() * 100;
    const earlier = index === 0 ? undefined : pick(random, said);
    const { text, facts, template } =
      earlier === undefined ? sayFresh(fresh, random) : sayNext(roll, { earlier, fresh, random });
    said.push({ text, facts, template });
  }
  return said.map(({ text }) => text);
}

interface Fresh {
  readonly facts: Facts;
  readonly template: Template;
}

interface Said extends Fresh {
  readonly text: string;
}

function sayNext(
  roll: number,
  {
    earlier,
    fresh,
    random,
  }: { readonly earlier: Said; readonly fresh: Fresh; readonly random: Random },
): Said {
  const { copy, paraphrase, conflict, extension } = SHARES;
  if (roll < copy) return earlier;
  if (roll < copy + paraphrase) return { ...earlier, text: earlier.template[1](earlier.facts) };
  if (roll < copy + paraphrase + conflict) {
    const { number, day, city, person } = fresh.facts;
    const facts = { ...earlier.facts, number, day, city, person };
    return { ...earlier, facts, text: earlier.template[0](facts) };
  }
  if (roll < copy + paraphrase + conflict + extension) {
    return { ...earlier, text: `${earlier.text} ${fresh.template[0](fresh.facts)}` };
  }
  return sayFresh(fresh, random);
}

/** One sentence in two of three texts, two in the others. */
function sayFresh({ facts, template }: Fresh, random: Random): Said {
  const first = template[0](facts);
  const text = random() < 0.66 ? first : `${first} ${pick(random, REMARKS)(drawFacts(random))}`;
  return { text, facts, template };
}

function drawFacts(random: Random): Facts {
  const thing = () => `${pick(random, ADJECTIVES)} ${pick(random, NOUNS)}`;
  const date = `${between(random, 1, 28)} ${pick(random, MONTHS)} ${between(random, 2019, 2026)}`;
  return {
    person: `${pick(random, FIRST_NAMES)} ${pick(random, LAST_NAMES)}`,
    project: pick(random, PROJECTS),
    tool: pick(random, TOOLS),
    city: pick(random, CITIES),
    day: pick(random, DAYS),
    date,
    number: between(random, 2, 900),
    thing: thing(),
    other: thing(),
    place: `${pick(random, NOUNS)} ${pick(random, NOUNS)}`,
  };
}

const TEMPLATES: readonly Template[] = [
  [
    (f) => `${f.person} keeps the ${f.thing} next to the ${f.place} in ${f.city}.`,
    (f) => `In ${f.city}, the ${f.thing} of ${f.person} stands next to the ${f.place}.`,
  ],
  [
    (f) => `The ${f.thing} of ${f.project} needs ${f.number} GB for the ${f.other}.`,
    (f) => `For the ${f.other}, ${f.project} gives its ${f.thing} ${f.number} GB.`,
  ],
  [
    (f) => `User prefers a ${f.thing} over the ${f.other} when working on the ${f.place}.`,
    (f) =>
      `When working on the ${f.place}, the user would rather have a ${f.thing} than the ${f.other}.`,
  ],
  [
    (f) => `${f.project} moved the ${f.thing} to ${f.tool} on ${f.date} because of the ${f.place}.`,
    (f) =>
      `Because of the ${f.place}, the ${f.thing} of ${f.project} was moved to ${f.tool} on ${f.date}.`,
  ],
  [
    (f) => `Every ${f.day} ${f.person} checks the ${f.thing} before the ${f.other} is delivered.`,
    (f) => `${f.person} checks the ${f.thing} each ${f.day}, before the ${f.other} is delivered.`,
  ],
  [
    (f) => `${f.person} paid ${f.number} euros for the ${f.thing} and the ${f.place}.`,
    (f) => `The ${f.thing} and the ${f.place} cost ${f.person} ${f.number} euros.`,
  ],
  [
    (f) => `Never restart ${f.tool} while the ${f.thing} of the ${f.place} is running.`,
    (f) => `While the ${f.thing} of the ${f.place} runs, ${f.tool} must never be restarted.`,
  ],
  [
    (f) => `The ${f.other} for ${f.person} arrives in ${f.city} on ${f.date} with the ${f.thing}.`,
    (f) => `On ${f.date} the ${f.other} and the ${f.thing} for ${f.person} arrive in ${f.city}.`,
  ],
  [
    (f) =>
      `Set \`${f.place.replace(" ", "_").toUpperCase()}\` to ${f.number} so that the ${f.thing} finds the ${f.other}.`,
    (f) =>
      `The ${f.thing} finds the ${f.other} with \`${f.place.replace(" ", "_").toUpperCase()}\` set to ${f.number}.`,
  ],
  [
    (f) => `${f.person} from ${f.city} does not want the ${f.thing} in the ${f.place} any more.`,
    (f) => `${f.person} of ${f.city} no longer wants the ${f.thing} in the ${f.place}.`,
  ],
  [
    (f) =>
      `The ${f.place} team meets on ${f.day} to plan the ${f.thing} and review the ${f.other}.`,
    (f) => `On ${f.day} the ${f.place} team plans the ${f.thing} and reviews the ${f.other}.`,
  ],
  [
    (f) =>
      `The file /srv/${f.place.replace(" ", "/")}.yaml of ${f.project} lists the ${f.thing} after the ${f.other}.`,
    (f) =>
      `${f.project} lists the ${f.thing} after the ${f.other} in /srv/${f.place.replace(" ", "/")}.yaml.`,
  ],
];

const REMARKS: readonly ((facts: Facts) => string)[] = [
  (f) => `It replaced the ${f.thing} from ${f.city}.`,
  (f) => `The ${f.thing} was ordered by ${f.person}.`,
  (f) => `Ask ${f.person} about the ${f.other} first.`,
  (f) => `This was decided on ${f.date} for the ${f.place}.`,
  (f) => `${f.tool} knows nothing of the ${f.thing}.`,
];
