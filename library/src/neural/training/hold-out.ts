import { DataError } from "../../core/errors.js";
import { approximateMode } from "../../core/numbers/approximate-mode.js";
import type { Random } from "../../core/numbers/random.js";
import type { Targets } from "./losses.js";
import type { TrainingRows } from "./task.js";

/** Splits off a fraction of the rows for early stopping, with the class proportions kept; both parts stay in the order of the rows. */
export function holdOut(
  where: string,
  rows: TrainingRows,
  fraction: number,
  random: Random,
): { readonly rows: TrainingRows; readonly validation: TrainingRows } {
  const n = rows.x.rows;
  const held = Math.ceil(fraction * n);
  // R² needs a spread.
  const least = rows.targets.kind === "numbers" ? 2 : 1;
  if (held < least || held >= n) {
    const expected = `a share that holds out at least ${least} of ${n} rows and leaves some to learn from`;
    throw new DataError(where, "validationFraction", expected, `${fraction}`);
  }
  const chosen = new Uint8Array(n);
  for (const group of groupsOf(rows.targets, n, held, random)) {
    const order = random.shuffleInto(group.members);
    for (let e = 0; e < group.held; e++) chosen[order[e]!] = 1;
  }
  const numbers = (wanted: number) => Int32Array.from(chosen.keys()).filter((i) => chosen[i] === wanted);
  return { rows: partOf(rows, numbers(0)), validation: partOf(rows, numbers(1)) };
}

/** The rows of each class with the number to hold out; all rows are one group where targets are numbers. */
function groupsOf(targets: Targets, n: number, held: number, random: Random) {
  const classes = targets.kind === "classes" ? targets.classes : 1;
  const members: number[][] = Array.from({ length: classes }, () => []);
  for (let i = 0; i < n; i++) members[targets.kind === "classes" ? targets.codes[i]! : 0]!.push(i);
  const counts = members.map((list) => list.length);
  const taken = approximateMode(counts, held, random);
  return members.map((list, k) => ({ members: Int32Array.from(list), held: taken[k]! }));
}

function partOf({ x, targets, weights }: TrainingRows, rows: Int32Array): TrainingRows {
  const own: Targets =
    targets.kind === "classes"
      ? { ...targets, codes: rows.map((i) => targets.codes[i]!) }
      : { ...targets, values: Float64Array.from(rows, (i) => targets.values[i]!) };
  return {
    x: x.selectRows(rows),
    targets: own,
    weights: weights && Float64Array.from(rows, (i) => weights[i]!),
  };
}
