/**
 * Whether a statement's predicate takes many values at once, so that another value adds to it: one may be allergic to
 * peanuts and to shellfish. A word that says "one at a time" ("favourite", "only", "default") overrules it.
 */
export function takesManyValues(text: string): boolean {
  return MANY.test(text) && !takesOneValue(text);
}

/** Whether the predicate holds for one value at a time, so that two subjects or two values cannot share it. */
export function takesOneValue(text: string): boolean {
  return ONE.test(text);
}

const MANY =
  /\b(?:allergic to|allergy|afraid of|scared of|likes?|loves?|enjoys?|hates?|dislikes?|wants? to|wants? an?|would like|speaks?|visited|has been to|went to|travel(?:l?ed|s) to|knows?|plays?|interested in|fan of|member of|bought|ordered|has read|reads?|reading|can|owns?|has an?|have an?|has (?:two|three|four|five)|watch(?:es|ed)?|met|studied|learning|supports?|includes?|contains?|uses .+ for|used for|good at|friends? with)\b/iu;

const ONE =
  /\b(?:favou?rite|only|primary|main|default|current(?:ly)?|name is|named|called|birthday|born|lives? in|resides?|married|spouse|wife|husband|(?:tech |team )?lead|leads|manager|manages|boss|ceo|cto|cfo|president|owner|capital|headquarter(?:s|ed)|located|works? (?:at|for|as)|employed|most|best|least|deadline|due|status|is set to|version)\b/iu;
