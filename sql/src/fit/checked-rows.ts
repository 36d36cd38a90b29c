import { DataError, type Label, ParameterError } from "argmax/core";
import { capabilitiesOf, isSupervised, requireTwoClasses } from "argmax/sums";
import { InputCells } from "../compile/cells.js";
import type { SourceColumn } from "../engines/engine.js";
import { choose, compare, type Expression, isNull, number, when } from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import { type ChosenColumns, column } from "../rows/columns.js";
import type { AnyEstimator } from "../rows/learner.js";
import type { Passes } from "../rows/passes.js";
import { placeOf, type Target, TrainingRows } from "../rows/training-rows.js";

/** The rows as an estimator needs them: its target coded, weights checked. */
export async function trainingRows(
  where: string,
  estimator: AnyEstimator,
  passes: Passes,
  { features, target, weight }: ChosenColumns,
): Promise<TrainingRows> {
  const sampleWeight = weight && column(weight.name, weight.type)("number");
  const cells = features.map(({ name, type }) => new InputCells(column(name, type) as never, type));
  const namesIn = features.map(({ name }) => name);
  const plain = new TrainingRows({
    where,
    passes,
    features: cells,
    namesIn,
    target: undefined,
    sampleWeight,
  });
  if (passes.rows === 0) throw new DataError(where, "the source", "at least one row", "none");
  const facts = capabilitiesOf(estimator);
  if (weight && facts?.sampleWeight === false)
    throw new ParameterError(
      where,
      "sampleWeight",
      "absent, since nothing here depends on weights",
      "weights",
    );
  if (!target && facts && isSupervised(facts))
    throw new ParameterError(where, "target", "the column to predict", "none");
  requireNumber(where, "sampleWeight", weight);
  if (facts?.task === "regression") requireNumber(where, "target", target);
  const [, own] = await Promise.all([
    sampleWeight && checkWeights(plain, weight.name, sampleWeight),
    target && targetOf(plain, target, isOfClasses(facts?.task, target)),
  ]);
  return own ? plain.for(where, own) : plain;
}

/** Text would become a number where it reads like one; booleans are no numbers in memory either. */
function requireNumber(where: string, subject: string, column: SourceColumn | undefined): void {
  if (column?.type !== "text" && column?.type !== "boolean") return;
  const received = { text: "text", boolean: "booleans" }[column.type];
  const advice = "Cast it in the query.";
  throw new DataError(where, `${subject} ${JSON.stringify(column.name)}`, "numbers", received, advice);
}

/** Whether labels are predicted; what is no model by itself, as an encoder, takes numbers for numbers. */
const isOfClasses = (task: string | undefined, { type }: SourceColumn): boolean =>
  task === "classification" || (task !== "regression" && (type === "text" || type === "boolean"));

async function checkWeights(rows: TrainingRows, name: string, w: Expression): Promise<void> {
  const bad = choose(
    [
      {
        test: compare(w, ">=", number(0)),
        value: when(compare(w, "<", number(Infinity)), number(0), number(1)),
      },
    ],
    number(1),
  );
  const [groups] = await rows.passes.sums([{ groupBy: [], aggregates: [sumOf(bad), sumOf(w)] }]);
  const { values = [0, 0] } = groups![0] ?? {};
  if (values[0]! > 0)
    throw new DataError(
      rows.where,
      `sampleWeight ${JSON.stringify(name)}`,
      "finite numbers ≥ 0",
      `other values in ${values[0]} rows`,
    );
  if (values[1] === 0)
    throw new DataError(
      rows.where,
      `sampleWeight ${JSON.stringify(name)}`,
      "positive somewhere",
      "all zeros",
    );
}

async function targetOf(rows: TrainingRows, { name, type }: SourceColumn, isClass: boolean): Promise<Target> {
  const y = column(name, type);
  const subject = `target ${JSON.stringify(name)}`;
  if (!isClass) {
    const value = y("number");
    const gaps = when(isNull(value), number(1), number(0));
    const far = choose(
      [
        {
          test: compare(value, ">", number(-Infinity)),
          value: when(compare(value, "<", number(Infinity)), number(0), number(1)),
        },
      ],
      number(1),
    );
    const [group] = await rows.sums({ groupBy: [], aggregates: [sumOf(gaps), sumOf(far)] });
    const wrong = group!.values.reduce((most, count) => Math.max(most, count), 0);
    if (wrong > 0)
      throw new DataError(
        rows.where,
        subject,
        "finite numbers in all rows",
        `a gap or ±Infinity in ${wrong} of them`,
        "Leave these rows out in the query.",
      );
    return { name, value, classes: [] };
  }
  const keyType = type === "boolean" ? "boolean" : type === "text" ? "text" : "number";
  // A boolean is a key as it is: a number would be another label.
  const of = keyType === "text" ? y("text") : keyType === "boolean" ? y("any") : y("number");
  const groups = await rows.sums({ groupBy: [{ of, type: keyType }], aggregates: [] });
  const found = groups.map(({ keys }) => keys[0] ?? null);
  if (found.includes(null))
    throw new DataError(
      rows.where,
      subject,
      "a label in every row",
      "a gap",
      "Leave these rows out in the query.",
    );
  const large = found.find((label) => Number.isInteger(label) && !Number.isSafeInteger(label));
  if (large !== undefined)
    throw new DataError(
      rows.where,
      subject,
      "labels that doubles tell apart (whole numbers up to 2⁵³)",
      String(large),
      "Cast it to text in the query.",
    );
  const classes = Object.freeze([...(found as Label[])].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  requireTwoClasses(rows.where, classes);
  return { name, value: placeOf(y, classes), classes };
}
