/**
 * How far numbers of a fixture that is written anew may be from the committed ones, relative to the largest of their list. Oracles sum
 * in the order of their BLAS: Debian's OpenBLAS in place of the reference BLAS moves the intercept of one nearly flat problem by
 * 1.3e-6, and everything else by less than 1e-8.
 */
const RELATIVE = 1e-5;
/** Below this a number is what rounding leaves of 0: an objective of 1e-27 has no digits. */
const ABSOLUTE = 1e-12;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Where two fixtures differ: structure, text and truth values exactly, numbers by more than an oracle's rounding. */
export function differences(committed: Json, anew: Json, path = "", scale = 0): string[] {
  const differ = () => [`${path}: ${shorten(committed)} is now ${shorten(anew)}`];
  if (typeof committed === "number" && typeof anew === "number") {
    const size = Math.max(Math.abs(committed), scale);
    return Math.abs(committed - anew) <= RELATIVE * size + ABSOLUTE ? [] : differ();
  }
  if (Array.isArray(committed) && Array.isArray(anew)) {
    if (committed.length !== anew.length)
      return [`${path}: ${committed.length} entries are now ${anew.length}`];
    const largest = scale || magnitude(committed);
    return committed.flatMap((entry: Json, i) =>
      differences(entry, anew[i] as Json, `${path}[${i}]`, largest),
    );
  }
  if (isObject(committed) && isObject(anew)) {
    const keys = [...new Set([...Object.keys(committed), ...Object.keys(anew)])];
    return keys.flatMap((key) =>
      key in committed && key in anew
        ? differences(committed[key]!, anew[key]!, `${path}.${key}`)
        : [`${path}.${key}: only in ${key in committed ? "the committed" : "the new"} one`],
    );
  }
  if (isFile(committed) && isFile(anew)) {
    const [before, after] = [wordsOf(committed), wordsOf(anew)];
    const same =
      before.length === after.length && before.every((word, e) => differences(word, after[e]!).length === 0);
    return same ? [] : differ();
  }
  return committed === anew ? [] : differ();
}

/** A text of several lines, as a model of LIBSVM: its numbers are those of an oracle, too. */
const isFile = (value: Json): value is string => typeof value === "string" && value.includes("\n");

const wordsOf = (text: string): (string | number)[] =>
  text.split(/[\s:]+/).map((word) => (word !== "" && Number.isFinite(Number(word)) ? Number(word) : word));

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** The largest number in a list and the lists inside it. */
const magnitude = (list: readonly Json[]): number =>
  list.reduce<number>((most, entry) => {
    const size = typeof entry === "number" ? Math.abs(entry) : Array.isArray(entry) ? magnitude(entry) : 0;
    return Math.max(most, size);
  }, 0);

const shorten = (value: Json): string => JSON.stringify(value).slice(0, 60);
