import { Failure } from "../command.js";
import { hint, listed } from "./nearest.js";

const show = (text: string) => JSON.stringify(text);

/** Throws unless all names that were asked for are among those of the source. */
export function requireNames(label: string, asked: readonly string[], names: readonly string[]): void {
  const known = new Set(names);
  const missing = [...new Set(asked)].filter((name) => !known.has(name));
  if (missing.length === 0) return;
  const what = missing.length === 1 ? "column" : "columns";
  throw new Failure(
    `${label} has no ${what} ${listed(missing.map(show))}.${hint(missing[0]!, names)} The columns are ${listed(names)}.`,
  );
}
