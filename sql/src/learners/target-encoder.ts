import { type FittedTargetEncoder, structureOf, TargetEncoder } from "argmax";
import type { Label } from "argmax/core";
import { type Category, encodingsOfSums } from "argmax/sums";
import { numbers } from "../compile/cells.js";
import { transformedCells } from "../compile/compile-model.js";
import {
  call,
  choose,
  compare,
  divide,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
  when,
} from "../expressions/expression.js";
import { type SumGroup, sumOf } from "../expressions/sums.js";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { requireNoInfinities } from "./cells.js";
import { categoriesOf, stored } from "./encoders.js";
import { withOutputs } from "./outputs.js";
import { modelState } from "./state.js";
import { classTarget, numericTarget } from "./targets.js";

/** y as lists of numbers: itself, or 1 for the rows of a class and 0 for others. */
interface Targets {
  readonly of: readonly Expression[];
  readonly classes: readonly Label[] | undefined;
}

async function targetsOf({ params }: TargetEncoder, rows: TrainingRows): Promise<Targets> {
  const { classes } = rows.target!;
  const isNumbers = classes.length === 0 || typeof classes[0] === "number";
  if (params.targetType === "continuous" || (params.targetType === "auto" && isNumbers))
    return { of: [numericTarget(rows)], classes: undefined };
  const { value, classes: own } = await classTarget(rows);
  const shown = own.length > 2 ? own.map((_, k) => k) : [own.length - 1];
  return {
    of: shown.map((k) => shared(when(compare(value, "=", number(k)), number(1), number(0)))),
    classes: own,
  };
}

/** Rows with Σ (t − c) and Σ (t − c)² of each target around a centre. */
interface TargetSums {
  count: number;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

const none = (targets: number): TargetSums => ({
  count: 0,
  first: new Float64Array(targets),
  second: new Float64Array(targets),
});

function addInto(values: Float64Array, count: number, out: TargetSums): void {
  const T = out.first.length;
  out.count += count;
  for (let t = 0; t < T; t++) {
    out.first[t]! += values[t]!;
    out.second[t]! += values[T + t]!;
  }
}

/** Encodings of one column and target from the sums of each category, and the mean of all. */
function encoded(
  byCategory: readonly TargetSums[],
  all: TargetSums,
  t: number,
  centre: number,
  smooth: number | "auto",
): { readonly mean: number; readonly encodings: Float64Array } {
  const shift = all.first[t]! / all.count;
  const variance = Math.max(0, all.second[t]! / all.count - shift * shift);
  const counts = Float64Array.from(byCategory, ({ count }) => count);
  // Around the centre, which is added afterwards: encodings are means of means.
  const sums = Float64Array.from(byCategory, ({ first }) => first[t]!);
  const squares = Float64Array.from(byCategory, ({ first, second, count }) =>
    count === 0 ? 0 : Math.max(0, second[t]! - (first[t]! * first[t]!) / count),
  );
  const encodings = encodingsOfSums({ counts, sums, squares }, { mean: shift, variance }, smooth);
  return { mean: centre + shift, encodings: encodings.map((value) => centre + value) };
}

/** The fold of a row, which depends on nothing but its cells: rows have no order. */
function foldOf({ passes }: TrainingRows, folds: number): Expression {
  const cells = passes.columns.flatMap(({ name, type }) =>
    type === undefined ? [] : [{ kind: "column", name, type, as: "text" } as const],
  );
  const hash: Expression = shared({ kind: "hash", of: cells });
  return shared(subtract(hash, multiply(number(folds), call("floor", divide(hash, number(folds))))));
}

export const targetEncoderLearners = [
  learner(
    TargetEncoder,
    async (estimator, rows) => {
      const { params } = estimator;
      const targets = await targetsOf(estimator, rows);
      const centres = await rows.centres(targets.of);
      const apart = targets.of.map((t, e) => shared(subtract(t, number(centres[e]!))));
      const fold = foldOf(rows, params.cv);
      await requireNoInfinities(rows);
      const answers = await rows.several(
        rows.features.map(({ key }) => ({
          groupBy: [key, { of: fold, type: "number" }],
          aggregates: [...apart.map(sumOf), ...apart.map((t) => sumOf(multiply(t, t)))],
        })),
      );
      const counts = answers.map((groups) =>
        groups.map(({ keys, count, values }) => ({ value: keys[0]!, count, values })),
      );
      const categories = categoriesOf(
        rows,
        params.categories,
        counts.map((own) => [...new Map(own.map((cell) => [cell.value, cell])).values()]),
      );
      const modelWithout = (left: number | undefined) => {
        const known = (group: SumGroup) => left === undefined || Number(group.keys[1]) !== left;
        const all = none(targets.of.length);
        for (const { count, values } of answers[0]!.filter(known)) addInto(values, count, all);
        const flat: Float64Array[] = [];
        const means = new Float64Array(targets.of.length);
        categories.forEach((list, j) => {
          const places = new Map(list.map((category, c) => [category, c]));
          const sums = list.map(() => none(targets.of.length));
          for (const { keys, count, values } of answers[j]!.filter(known)) {
            const c = places.get(keys[0] as Category);
            if (c !== undefined) addInto(values, count, sums[c]!);
          }
          targets.of.forEach((_, t) => {
            const { mean, encodings } = encoded(sums, all, t, centres[t]!, params.smooth);
            means[t] = mean;
            flat.push(encodings);
          });
        });
        const values = {
          categories: stored(categories),
          ...(targets.classes && { classes: [...targets.classes] }),
        };
        return TargetEncoder.restore(
          modelState(estimator, rows, values, {
            means,
            encodings: Float64Array.from(flat.flatMap((list) => [...list])),
          }),
        );
      };
      const model = modelWithout(undefined);
      return withOutputs(model, {
        features: acrossFolds(rows, fold, params.cv, modelWithout),
        namesIn: undefined,
        isSparse: false,
      });
    },
    { gaps: true },
  ),
];

/** Each row encoded by the targets of other folds: its own is not in its encoding, which a model would memorise. */
function acrossFolds(
  rows: TrainingRows,
  fold: Expression,
  folds: number,
  modelWithout: (fold: number) => FittedTargetEncoder,
) {
  const made = Array.from({ length: folds }, (_, f) =>
    transformedCells(structureOf(modelWithout(f)), rows.features),
  );
  return made[0]!.map((_, e) =>
    numbers(
      shared(
        choose(made.map((cells, f) => ({ test: compare(fold, "=", number(f)), value: cells[e]!.number }))),
      ),
    ),
  );
}
