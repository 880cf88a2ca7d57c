import type { Table } from "@lancedb/lancedb";
import type { RecordBatch } from "apache-arrow";
import type { Relation } from "../../model/relation.ts";
import type { RelationColumns } from "../../ports/relation-columns.ts";
import { UNDONE } from "../../ports/store-rules.ts";
import { numberColumn, parseObject, textCell, textColumn } from "./decode.ts";

/**
 * All relations of a table. A record is parsed when it is first asked for: to parse all of 380,000 takes three seconds and a third of a
 * gigabyte, and a run asks for a few.
 */
export async function readRelations(table: Table): Promise<RelationColumns> {
  const columns = emptyColumns();
  const parts: Part[] = [];
  for await (const batch of table.query().where("record = 'relation'").select(COLUMNS)) {
    const part = { start: columns.ids.length, read: readerOf(batch) };
    parts.push(part);
    addBatch(batch, columns, part.read);
  }
  const known = new Map<number, Relation>();
  return {
    ...columns,
    count: columns.ids.length,
    read: (at) => {
      const part = parts.findLast(({ start }) => start <= at);
      if (part === undefined || at >= columns.ids.length)
        throw new RangeError(`there is no relation ${at}`);
      const relation = known.get(at) ?? part.read(at - part.start);
      known.set(at, relation);
      return relation;
    },
  };
}

const COLUMNS = ["key", "namespace", "id", "src", "dst", "kind", "status", "at", "body"];

/** What one batch has. */
interface Part {
  /** Where its first relation is among all. */
  readonly start: number;
  readonly read: Reader;
}

type Reader = (row: number) => Relation;

type Columns = ReturnType<typeof emptyColumns>;

function emptyColumns() {
  const texts = (): string[] => [];
  return {
    namespaces: texts(),
    ids: texts(),
    from: texts(),
    to: texts(),
    types: texts(),
    createdAt: [] as number[],
    undone: [] as boolean[],
  };
}

function readerOf(batch: RecordBatch): Reader {
  const [body, key] = [textCell(batch, "body"), textCell(batch, "key")];
  // What is in the store was checked against the model on its way in.
  return (row) => parseObject(body(row), key(row) ?? "") as unknown as Relation;
}

function addBatch(batch: RecordBatch, columns: Columns, read: Reader): void {
  const column = (name: string) => textColumn(batch, name);
  const [namespaces, ids, from, to] = [
    column("namespace"),
    column("id"),
    column("src"),
    column("dst"),
  ];
  const [types, statuses, createdAt] = [
    column("kind"),
    column("status"),
    numberColumn(batch, "at"),
  ];
  for (const [row, type] of types.entries()) {
    const texts = [namespaces[row], ids[row], from[row], to[row], type];
    // Rows of earlier versions have no type; and a text that has no UTF-8 is whole in the body alone.
    const relation = texts.some(isUncertain) ? read(row) : undefined;
    columns.namespaces.push(relation?.namespace ?? namespaces[row] ?? "");
    columns.ids.push(relation?.id ?? ids[row] ?? "");
    columns.from.push(relation?.from ?? from[row] ?? "");
    columns.to.push(relation?.to ?? to[row] ?? "");
    columns.types.push(relation?.type ?? type ?? "");
    columns.createdAt.push(relation?.createdAt ?? createdAt[row] ?? 0);
    columns.undone.push(relation?.undone ?? statuses[row] === UNDONE);
  }
}

function isUncertain(text: string | null | undefined): boolean {
  return text === null || text === undefined || text.includes("\uFFFD");
}
