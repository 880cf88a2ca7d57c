import type { Span } from "../spans.ts";
import type { Conflict } from "./conflict.ts";
import { readWords } from "./words.ts";

/** Turns of a conversation said by someone else: "Ann: Bye, Bo!", "Bo: Bye, Ann!". Takes whole texts. */
export function findSpeakerConflicts(a: string, b: string): readonly Conflict[] {
  const turnsA = readTurns(a);
  const turnsB = readTurns(b);
  // A name in what was said changes with the speaker, so it says nothing about likeness.
  const speakers = new Set([...turnsA, ...turnsB].map((turn) => turn.speaker));
  for (const turn of turnsA) {
    const twins = turnsB.filter((other) =>
      areAlike(wordsOf(turn, speakers), wordsOf(other, speakers)),
    );
    const twin = twins.find((other) => other.speaker !== turn.speaker);
    if (twin !== undefined && !twins.some((other) => other.speaker === turn.speaker))
      return [claim(turn, twin)];
  }
  return [];
}

interface Turn extends Span {
  readonly speaker: string;
  readonly said: string;
}

const TURN =
  /(?:^|\n|(?<=[.!?]\s))[ \t]*(?:\[[^\]\n]*\]\s*)?(?<speaker>\p{Lu}[\p{L}\p{N}.'-]*(?:\s\p{Lu}[\p{L}\p{N}.'-]*){0,2}):\s+(?<said>[^\n]*?)(?=\n|$|(?<=[.!?])\s+\p{Lu}[\p{L}\p{N}.'-]*:\s)/gu;
/** Labels that head a line without speaking it. */
const NOT_SPEAKERS =
  /^(?:Note|Notes|Todo|Summary|Update|Warning|Example|Status|Name|Title|Date|Time|Decision|Fact|Context|Source|Tags?|Result|Action|Reminder|Error|Info)$/iu;

function readTurns(text: string): Turn[] {
  return Array.from(text.matchAll(TURN), (match) => {
    const { speaker = "", said = "" } = match.groups ?? {};
    const start = match.index + match[0].indexOf(speaker);
    const end = match.index + match[0].length;
    return { speaker: speaker.toLowerCase(), said, text: text.slice(start, end), start, end };
  }).filter((turn) => !NOT_SPEAKERS.test(turn.speaker));
}

function wordsOf({ said }: Turn, speakers: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(
    readWords(said)
      .filter((word) => !speakers.has(word.fold))
      .map((word) => word.meaning),
  );
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word)).length;
  const total = a.size + b.size - shared;
  return total > 0 && shared / total >= ALIKE;
}

const ALIKE = 0.6;

function claim(a: Turn, b: Turn): Conflict {
  const spanOf = ({ text, start, end }: Turn): Span => ({ text, start, end });
  return {
    kind: "speaker_swap",
    a: spanOf(a),
    b: spanOf(b),
    confidence: 0.7,
    reason: `"${a.speaker}" and "${b.speaker}" say the same`,
  };
}
