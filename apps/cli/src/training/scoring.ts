import { type Label, positiveScorers, type ScorerName, scorers, usualPositive } from "argmax";
import { UsageError } from "../command.js";
import { hint } from "../data/nearest.js";
import { readClass } from "../report/labels.js";
import { listed } from "../report/opened-model.js";
import type { Task } from "./learners.js";

/** What is measured: a scorer by its name, and the positive class where it asks for one. */
interface Measure {
  readonly scoring?: ScorerName;
  readonly positiveLabel?: Label;
}

/** Reads --scoring and --positive. */
export function readMeasure(
  values: { readonly scoring?: string | undefined; readonly positive?: string | undefined },
  { y, task }: { readonly y: Iterable<Label>; readonly task: Task },
): Measure {
  const scoring = readScoring(values.scoring);
  const classes = task === "classification" ? [...new Set(y)].sort() : [];
  const asks = positiveScorers.some((name) => name === scoring);
  if (values.positive === undefined) {
    if (asks && classes.length === 2 && usualPositive(classes) === undefined)
      throw new UsageError(
        `--scoring ${scoring} is about one of two classes, and ${listed(classes)} do not say which: give --positive ${classes[0]} or --positive ${classes[1]}.`,
      );
    const usual = asks ? usualPositive(classes) : undefined;
    return { ...(scoring && { scoring }), ...(usual !== undefined && { positiveLabel: usual }) };
  }
  if (task === "regression") throw new UsageError("--positive is for classes, and the target has numbers.");
  if (classes.length > 2)
    throw new UsageError(`--positive is for two classes, and the target has ${classes.length}.`);
  if (!asks)
    throw new UsageError(
      `--positive is for --scoring ${positiveScorers.join(", ")}; ${scoring ?? "accuracy"} is the same for both classes.`,
    );
  return { scoring: scoring!, positiveLabel: readClass("positive", values.positive, classes) };
}

/** `recall of "fraud"`. */
export const measureTitle = (scoring: string, positiveLabel: Label | undefined): string =>
  positiveLabel === undefined ? scoring : `${scoring} of ${JSON.stringify(positiveLabel)}`;

function readScoring(name: string | undefined): ScorerName | undefined {
  if (name === undefined || Object.hasOwn(scorers, name)) return name as ScorerName | undefined;
  const names = Object.keys(scorers);
  throw new UsageError(
    `There is no scoring ${JSON.stringify(name)}${hint(name, names)}. It may be ${names.join(", ")}.`,
  );
}
