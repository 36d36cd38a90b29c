import { summaryOf } from "../../data/describe.js";
import { guessedRoles, targetAsClasses } from "../../data/guess-roles.js";
import { readTable } from "../../data/read/read-table.js";
import { asKind, type TableData } from "../../data/table.js";
import { warningsOf } from "../../data/warnings.js";
import type { Answer, Ask } from "../protocol.js";
import { movable, sharedColumn, sharedTable } from "../shared-table.js";
import type { Context } from "./context.js";

/** News at most this often. */
const MILLISECONDS = 100;

/** A file that somebody opened, with the roles that its columns probably have. */
export async function parse(
  { file, name }: Ask<"parse">,
  { news, move }: Context<"parse">,
): Promise<Answer<"parse">> {
  let last = 0;
  const { data, notes, sha256 } = await readTable(file, name, (done) => {
    if (performance.now() - last < MILLISECONDS) return;
    last = performance.now();
    news({ done });
  });
  const table = sharedTable(targetAsClasses(data));
  const guess = guessedRoles(table);
  move?.(movable(table.columns));
  return { data: table, notes, sha256, guess };
}

/** A column as another kind. */
export async function convert(
  { column, kind }: Ask<"convert">,
  { move }: Context<"convert">,
): Promise<Answer<"convert">> {
  const converted = sharedColumn(asKind(column, kind));
  move?.(movable([converted]));
  return converted;
}

/** The figures of every column. */
export async function describe(
  { table }: Ask<"describe">,
  { held, breathe, isStopped }: Context<"describe">,
): Promise<Answer<"describe">> {
  const { columns } = held.get<TableData>(table);
  const summaries = [];
  for (const column of columns) {
    summaries.push(summaryOf(column));
    await breathe();
    if (isStopped()) throw new Error("stopped");
  }
  return summaries;
}

/** What is wrong with the table. */
export async function review(
  { table, reviewed }: Ask<"review">,
  { held, breathe, isStopped }: Context<"review">,
): Promise<Answer<"review">> {
  return warningsOf(held.get<TableData>(table), reviewed, async () => {
    await breathe();
    if (isStopped()) throw new Error("stopped");
  });
}
