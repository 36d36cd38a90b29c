import { RequestProblem, textOf } from "./request-problem.js";

/** Lists and objects of a request besides its rows. */
const OTHER_CONTAINERS = 1000;

/**
 * The JSON of a body of at most `maxRows` rows, each of at most `perRow` lists and objects. A key "__proto__" becomes an ordinary
 * property.
 */
export function jsonOf(body: Uint8Array, maxRows: number, perRow = 2): unknown {
  const text = textOf(body);
  if (text === "") throw new RequestProblem(400, "The body is empty; it must be JSON.");
  checkJsonShape(text, OTHER_CONTAINERS + perRow * maxRows);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RequestProblem(400, `The body is not JSON: ${(error as Error).message}.`);
  }
}

/** Rows in `{ "rows": […] }` are nested three deep, tensors of eight axes eleven deep. */
const DEEPEST = 32;

const QUOTE = 34;
const BACKSLASH = 92;
/** `[` and `{`, which differ from `]` and `}` by two. */
const LIST = 91;
const OBJECT = 123;

/**
 * Throws on JSON that would take far more memory than its text: a list or object takes up to 200 bytes for one of text, so that
 * both their depth and their number are counted before anything is parsed. Whether the text is JSON is not checked.
 */
export function checkJsonShape(text: string, mostContainers: number): void {
  let depth = 0;
  let containers = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === LIST || code === OBJECT) {
      if (++depth > DEEPEST)
        throw new RequestProblem(422, `The body is nested more than ${DEEPEST} levels deep.`);
      if (++containers > mostContainers)
        throw new RequestProblem(
          413,
          `The body has more than ${mostContainers} lists and objects. Send several requests, or a stream of NDJSON.`,
        );
    } else if (code === LIST + 2 || code === OBJECT + 2) depth--;
  }
}

/** Where the text in quotes that begins at `at` ends. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
