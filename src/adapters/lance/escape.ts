/** A string literal of LanceDB's SQL. Doubling the quote is all the escaping there is; there are no bind parameters. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * `column IN (…)`. Never a chain of ORs: LanceDB 0.31 ends the process with a segmentation fault from about 700 terms, while lists of
 * ten thousand are fine.
 */
export function isIn(column: string, values: readonly string[]): string {
  return values.length === 0 ? "false" : `${column} IN (${values.map(quote).join(", ")})`;
}

/** Lists longer than this are not worth their SQL: scan, and filter the rows. Ten thousand keys among 500,000 rows take 0.2 s, a scan in here 0.3. */
export const LONGEST_LIST = 10_000;
