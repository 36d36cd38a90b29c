import { type DatePart, DateParts, OneHotEncoder, OrdinalEncoder } from "argmax";
import { DataError } from "argmax/core";
import {
  ASSIGN,
  type Category,
  checkCodes,
  givenCategories,
  IGNORE,
  LATEST,
  listed,
  partsThatVary,
  rareCodes,
  sortedCategories,
} from "argmax/sums";
import { dateParts } from "../compile/dates.js";
import type { Expression } from "../expressions/expression.js";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { type CellCount, cellCounts } from "./cells.js";
import { columnRanges } from "./quantiles.js";
import { modelState } from "./state.js";

type Categories = readonly (readonly Category[])[];

/** The categories of each column: those that a parameter lists, or those that rows have. */
export const categoriesOf = (
  { where }: TrainingRows,
  given: "auto" | Categories,
  counts: readonly (readonly CellCount[])[],
): Categories =>
  givenCategories(where, given, counts.length) ??
  counts.map((own) => sortedCategories(own.map(({ value }) => value)));

/** Throws for a cell that is not among the categories. */
function requireKnown(
  rows: TrainingRows,
  counts: readonly (readonly CellCount[])[],
  categories: Categories,
  advice: string,
  isChecked: (value: Category) => boolean = () => true,
): void {
  for (const [j, own] of counts.entries()) {
    const unknown = own.find(({ value }) => isChecked(value) && !categories[j]!.includes(value));
    if (unknown === undefined) continue;
    const subject = `column ${rows.nameOf(j)}`;
    const expected = `made of its categories ${listed(categories[j]!)}`;
    throw new DataError(rows.where, subject, expected, JSON.stringify(unknown.value), advice);
  }
}

/** Lists of categories as states hold them. */
export const stored = (categories: Categories): Category[][] => categories.map((list) => [...list]);

/** The parts of each column that differ between rows. */
async function varyingParts(rows: TrainingRows) {
  const all = rows.x.map((x) => Object.entries(dateParts(x)) as [DatePart, Expression][]);
  const [group] = await rows.sums({
    groupBy: [],
    aggregates: all.flat().flatMap(([, of]) => [
      { kind: "min" as const, of },
      { kind: "max" as const, of },
    ]),
  });
  let e = 0;
  return all.map((parts) => {
    const varying = new Set<DatePart>();
    for (const [name] of parts) {
      if (group!.values[e]! < group!.values[e + 1]!) varying.add(name);
      e += 2;
    }
    return partsThatVary(varying);
  });
}

export const encoderLearners = [
  learner(
    DateParts,
    async (estimator, rows) => {
      const j = rows.features.findIndex(({ kind }) => kind !== "numeric");
      if (j >= 0) {
        const received = rows.features[j]!.kind === "boolean" ? "booleans" : "text";
        const expected = "dates, or milliseconds since 1970";
        throw new DataError(rows.where, `column ${rows.nameOf(j)}`, expected, received);
      }
      const { parts } = estimator.params;
      const ranges = await columnRanges(rows, rows.x);
      const far = ranges.findIndex(({ least, greatest }) => Math.max(-least, greatest) > LATEST);
      if (far >= 0) {
        const { least, greatest } = ranges[far]!;
        const expected = "dates, or milliseconds since 1970, at most 8.64e15";
        throw new DataError(
          rows.where,
          `column ${rows.nameOf(far)}`,
          expected,
          `${Math.max(-least, greatest)}`,
        );
      }
      const chosen = parts === "auto" ? await varyingParts(rows) : rows.x.map(() => parts);
      const values = { chosen: chosen.map((list) => [...list]) };
      return DateParts.restore(modelState(estimator, rows, values, {}));
    },
    { gaps: true },
  ),
  learner(
    OneHotEncoder,
    async (estimator, rows) => {
      const { params } = estimator;
      const counts = await cellCounts(rows);
      const categories = categoriesOf(rows, params.categories, counts);
      if (params.handleUnknown === "error") requireKnown(rows, counts, categories, IGNORE);
      const infrequent = categories.map((list, j) => {
        const known = new Map(counts[j]!.map(({ value, count }) => [value, count]));
        return rareCodes(
          params,
          Float64Array.from(list, (category) => known.get(category) ?? 0),
        );
      });
      return OneHotEncoder.restore(
        modelState(estimator, rows, { categories: stored(categories), infrequent }, {}),
      );
    },
    { gaps: true },
  ),
  learner(
    OrdinalEncoder,
    async (estimator, rows) => {
      const counts = await cellCounts(rows);
      const all = categoriesOf(rows, estimator.params.categories, counts);
      const categories = all.map((list) => list.filter((category) => category !== null));
      checkCodes(rows.where, estimator.params, categories);
      if (estimator.params.handleUnknown === "error")
        requireKnown(rows, counts, categories, ASSIGN, (value) => value !== null);
      return OrdinalEncoder.restore(modelState(estimator, rows, { categories: stored(categories) }, {}));
    },
    { gaps: true },
  ),
];
