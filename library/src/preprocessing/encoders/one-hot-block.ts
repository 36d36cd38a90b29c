import { DataError, show } from "../../core/errors.js";
import { invalid, type ParamSpec } from "../../core/params/params.js";
import { type Category, isCategory } from "./categories.js";

type Drop = null | "first" | "ifBinary" | readonly Category[];

export const dropParam: ParamSpec<Drop> = {
  kind: "union",
  default: null,
  doc: 'Which category of a column is dropped: none, the "first", the first of two ("ifBinary"), or one given per column.',
  expected: 'null, "first", "ifBinary", or one category per column',
  choices: [null, "first", "ifBinary"],
  read: (value) => {
    if (value === null || value === "first" || value === "ifBinary") return value;
    return Array.isArray(value) && value.length > 0 && value.every(isCategory)
      ? Object.freeze([...value])
      : invalid;
  },
};

/** The outputs of one column. */
export interface Block {
  /** Output of every category within the block, −1 for the dropped one. */
  readonly outputs: Int32Array;
  /** The category of each output, or the common name of the infrequent ones. */
  readonly kept: readonly Category[];
  /** Output of the infrequent categories: −1 if there are none or they are dropped. */
  readonly rare: number;
  /** The category that all zeros encode: the dropped one, or undefined. */
  readonly dropped: { readonly category: Category } | undefined;
}

/** Frequent categories in order, then the infrequent ones as one; without the dropped one. */
export function blockOf(
  where: string,
  categories: readonly Category[],
  infrequent: readonly number[],
  drop: Drop,
  j: number,
  columns: number,
): Block {
  const isRare = new Set(infrequent);
  const all = categories.filter((_, code) => !isRare.has(code));
  if (infrequent.length > 0) all.push(infrequentName(categories));
  const gone = droppedOutput(where, all, categories, isRare, drop, j, columns);
  const shifted = (output: number) =>
    output === gone ? -1 : gone >= 0 && output > gone ? output - 1 : output;
  const outputs = new Int32Array(categories.length);
  let next = 0;
  for (let code = 0; code < categories.length; code++)
    outputs[code] = shifted(isRare.has(code) ? all.length - 1 : next++);
  return {
    outputs,
    kept: all.filter((_, output) => output !== gone),
    rare: infrequent.length > 0 ? shifted(all.length - 1) : -1,
    dropped: gone < 0 ? undefined : { category: all[gone]! },
  };
}

function droppedOutput(
  where: string,
  all: readonly Category[],
  categories: readonly Category[],
  isRare: ReadonlySet<number>,
  drop: Drop,
  j: number,
  columns: number,
): number {
  if (drop === null) return -1;
  if (drop === "first") return 0;
  if (drop === "ifBinary") return all.length === 2 ? 0 : -1;
  if (drop.length !== columns) {
    const expected = `one category for each of the ${columns} columns`;
    throw new DataError(where, "drop", expected, `${drop.length} categories`);
  }
  const code = categories.indexOf(drop[j]!);
  if (code >= 0 && !isRare.has(code)) return all.indexOf(drop[j]!);
  const expected = code < 0 ? `a category of column ${j}` : "a frequent category";
  throw new DataError(where, `drop[${j}]`, expected, show(drop[j]));
}

/** A name that no category has. Parity: scikit-learn uses infrequent_sklearn even if a category has that name. */
function infrequentName(categories: readonly Category[]): string {
  let name = "infrequent";
  while (categories.includes(name)) name += "_";
  return name;
}
