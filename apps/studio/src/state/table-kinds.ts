import { signal } from "@preact/signals";
import type { ColumnData, ColumnKind, TableData } from "../data/table.js";
import { asKind, lengthOf, ownValue } from "../data/table.js";
import type { Pool } from "../work/pool.js";

interface Keyed {
  readonly key: string;
  readonly data: TableData;
}

/** Longer columns are converted by a worker: until it has answered, they are what they were. */
const AT_ONCE = 5000;

const converted = new WeakMap<ColumnData, Map<ColumnKind, ColumnData | "asked">>();
const arrived = signal(0);

/** The table with the kinds that the document gives; the same object where it changes none. */
export function withKinds(
  given: Keyed,
  kinds: Readonly<Record<string, ColumnKind>>,
  reader: Pick<Pool, "run">,
): Keyed {
  const changed = given.data.columns.flatMap((column) => {
    const kind = ownValue(kinds, column.name);
    const other = kind === undefined || kind === column.kind ? undefined : inKind(column, kind, reader);
    return other === undefined ? [] : [[column, other] as const];
  });
  if (changed.length === 0) return given;
  const others = new Map<ColumnData, ColumnData>(changed);
  return {
    key: `${given.key} ${JSON.stringify(changed.map(([{ name }, { kind }]) => [name, kind]))}`,
    data: { ...given.data, columns: given.data.columns.map((column) => others.get(column) ?? column) },
  };
}

/** The column as another kind; undefined while a worker converts it. */
function inKind(column: ColumnData, kind: ColumnKind, reader: Pick<Pool, "run">): ColumnData | undefined {
  const known = converted.get(column) ?? new Map<ColumnKind, ColumnData | "asked">();
  converted.set(column, known);
  const found = known.get(kind);
  if (found !== undefined && found !== "asked") return found;
  if (lengthOf(column) <= AT_ONCE) {
    const other = asKind(column, kind);
    known.set(kind, other);
    return other;
  }
  // Whoever reads this is told of the answer.
  arrived.value;
  if (found === undefined) {
    known.set(kind, "asked");
    reader.run("convert", { column, kind }).then(
      (other) => {
        known.set(kind, other);
        arrived.value++;
      },
      () => known.delete(kind),
    );
  }
  return undefined;
}
