import { DataError, show } from "../../core/errors.js";
import { encodeLabels, type Label, type Labels, requireDiscrete } from "../../core/labels.js";
import { approximateMode } from "../../core/numbers/approximate-mode.js";
import type { Random } from "../../core/numbers/random.js";
import { either, integer, optional, real } from "../../core/params/params.js";

const count = integer({ atLeast: 1, default: 1, doc: "" });
/** A fraction of the rows in (0, 1), or their number. */
export const sizeOf = (doc: string) => either(real({ above: 0, below: 1, default: 0.25, doc }), count);

export const sizes = {
  testSize: optional(sizeOf("Test rows: a share or a number. Unset: what trainSize leaves, or a quarter.")),
  trainSize: optional(sizeOf("Training rows: a share or a number. Unset: what testSize leaves.")),
};

export const rounded = (size: number, n: number, round: (x: number) => number): number =>
  size < 1 ? round(size * n) : size;

/** Training and test rows of n: what is not given is the rest of the other, or the default share. */
export function partSizes(
  given: { readonly testSize: number | null; readonly trainSize: number | null },
  n: number,
  share: number,
): { readonly train: number; readonly test: number } {
  const asked = given.testSize ?? (given.trainSize === null ? share : null);
  const test = asked === null ? null : rounded(asked, n, Math.ceil);
  const train = given.trainSize === null ? n - test! : rounded(given.trainSize, n, Math.floor);
  return { train, test: test ?? n - train };
}

export type PartSizes = Readonly<Record<string, number>>;

export function checkSizes(where: string, sizes: PartSizes, n: number, unit = "row"): void {
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  if (Object.values(sizes).every((size) => size > 0) && total <= n) return;
  throw new DataError({
    where,
    subject: `the parts of ${n} ${unit}s`,
    expected: `one ${unit} or more each, and no more ${unit}s together than there are`,
    received: Object.entries(sizes)
      .map(([name, size]) => `${name} ${size}`)
      .join(", "),
  });
}

/** Consecutive pieces of the given lengths. */
export function cut(order: Int32Array, counts: readonly number[]): Int32Array[] {
  let at = 0;
  return counts.map((size) => {
    at += size;
    return order.slice(at - size, at);
  });
}

/** Random parts with the same class proportions. */
export function drawStratified(
  where: string,
  labels: Labels<Label>,
  n: number,
  sizes: PartSizes,
  random: Random,
): Int32Array[] {
  const { classes, codes, counts } = encodeLabels(where, labels, n);
  requireDiscrete(where, classes);
  checkClasses(where, classes, counts, sizes);
  const members: number[][] = classes.map(() => []);
  for (const i of random.permutation(n)) members[codes[i]!]!.push(i);
  const left = Float64Array.from(counts);
  return Object.values(sizes).map((size) => {
    const rows = new Int32Array(size);
    let at = 0;
    for (const [k, count] of approximateMode(left, size, random).entries()) {
      left[k]! -= count;
      for (let r = 0; r < count; r++) rows[at++] = members[k]!.pop()!;
    }
    return random.shuffleInto(rows);
  });
}

function checkClasses(
  where: string,
  classes: readonly Label[],
  counts: Float64Array,
  sizes: PartSizes,
): void {
  const parts = Object.keys(sizes).length;
  const rare = counts.findIndex((count) => count < parts);
  if (rare >= 0) {
    throw new DataError({
      where,
      subject: `class ${show(classes[rare])}`,
      expected: `in ${parts} rows or more, to be in all parts`,
      received: `${counts[rare]}`,
      advice: "Leave the class out, or do not stratify.",
    });
  }
  const small = Object.entries(sizes).find(([, size]) => size < classes.length);
  if (small === undefined) return;
  const expected = `${classes.length} rows or more, one for each class`;
  throw new DataError(where, `the ${small[0]} part`, expected, `${small[1]}`);
}
