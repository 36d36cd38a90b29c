import type { Label } from "argmax";
import { Failure, UsageError } from "../command.js";
import { listed } from "./opened-model.js";

/** The class that a word of the command line names. */
export function readClass(option: string, word: string, classes: readonly Label[]): Label {
  const found = classes.find((label) => String(label) === word);
  if (found !== undefined) return found;
  if (classes.length === 0)
    throw new UsageError(`--${option} is for classifiers, and this model predicts numbers.`);
  throw new UsageError(
    `--${option} must be a class of the model (${listed(classes)}), got ${JSON.stringify(word)}.`,
  );
}

/** Labels as the model writes them, and the rows that have one. */
interface KnownLabels {
  readonly y: readonly Label[];
  /** Numbers of the rows with a label that the model knows. */
  readonly rows: readonly number[];
  readonly unknown: readonly Label[];
}

/**
 * Reads the labels of a file as classes of the model. A file may hold 1 where the model has "1": labels that are equal as text are equal. Labels
 * that the model has never seen are left out; if there is no other, the target is the wrong column.
 */
export function knownLabels(given: readonly Label[], classes: readonly Label[], target: string): KnownLabels {
  const byText = new Map(classes.map((label) => [String(label), label]));
  const labels = given.map((label) => byText.get(String(label)));
  const rows = [...labels.keys()].filter((i) => labels[i] !== undefined);
  const unknown = [...new Set(given.filter((_, i) => labels[i] === undefined))];
  if (rows.length === 0)
    throw new Failure(
      `No label of ${JSON.stringify(target)} is a class of the model: the data has ${listed(unknown)}, the model ${listed(classes)}. ` +
        "Is --target the column that the model predicts?",
    );
  return { y: rows.map((i) => labels[i]!), rows, unknown };
}
