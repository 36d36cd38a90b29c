import type { InputSchema } from "../model/input-schema.js";
import { checkRowCount, isObject, RequestProblem } from "./request-problem.js";

/** What a body of JSON asks for. */
export interface GivenRows {
  readonly rows: readonly unknown[];
  /** The other entries of `{ "rows": […] }`. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * The rows of a body: `{ "rows": […] }`, a list of rows, or one row. A list of cells is one row; for models of text, a list of
 * texts is one row per text.
 */
export function rowsOfBody(body: unknown, schema: InputSchema, maxRows: number): GivenRows {
  const given = wrapped(body) ?? { rows: bareRows(body, schema), settings: {} };
  checkRowCount(given.rows.length, maxRows);
  return given;
}

/** An entry of a row is never an array, so that a field called "rows" is not a contradiction. */
function wrapped(body: unknown): GivenRows | undefined {
  if (!isObject(body) || !Object.hasOwn(body, "rows") || !Array.isArray(body["rows"])) return undefined;
  const { rows, ...settings } = body;
  return { rows: rows as readonly unknown[], settings };
}

function bareRows(body: unknown, { form }: InputSchema): readonly unknown[] {
  if (!Array.isArray(body)) return [body];
  const first: unknown = body[0];
  if (body.length === 0 || (typeof first === "object" && first !== null)) return body;
  return form === "text" ? body : [body];
}

/** Throws on settings that the request does not have. */
export function checkSettings(settings: GivenRows["settings"], known: readonly string[]): void {
  const unknown = Object.keys(settings).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const list = ["rows", ...known].join(", ");
  throw new RequestProblem(422, `${JSON.stringify(unknown)} is unknown beside "rows". Known: ${list}.`);
}
