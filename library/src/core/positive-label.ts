import { DataError, show } from "./errors.js";
import type { Label } from "./labels.js";
import { isArrayLike } from "./numbers/typed-arrays.js";
import { invalid, type ParamSpec } from "./params/params.js";

/** Pairs of which the second label means that something is there, in lower case. */
const PAIRS: readonly (readonly [negative: string, positive: string])[] = [
  ["0", "1"],
  ["-1", "1"],
  ["-1", "+1"],
  ["-", "+"],
  ["false", "true"],
  ["f", "t"],
  ["no", "yes"],
  ["n", "y"],
  ["negative", "positive"],
  ["neg", "pos"],
  ["off", "on"],
  ["absent", "present"],
];

/** "not spam", "non-smoker", "no_show". */
const NEGATION = /^(?:not|non|no)[\s_-]+/;

/**
 * The one of two labels that is positive by its own meaning: 1 of 0 and 1 or of −1 and 1, true of false and true, "yes" of "no" and
 * "yes" and the like, "spam" of "not spam" and "spam". Undefined for all others: which of "fraud" and "legit" is to be found does not
 * follow from their order.
 */
export function usualPositive<L extends Label>(classes: readonly L[]): L | undefined {
  if (!isArrayLike(classes))
    throw new DataError("usualPositive", "classes", "an array of labels", show(classes));
  if (classes.length !== 2) return undefined;
  const [a, b] = classes as readonly [L, L];
  if (isPositiveOf(b, a)) return b;
  return isPositiveOf(a, b) ? a : undefined;
}

function isPositiveOf(label: Label, other: Label): boolean {
  if (typeof label !== typeof other) return false;
  const [positive, negative] = [label, other].map((one) => String(one).trim().toLowerCase());
  return (
    PAIRS.some(([no, yes]) => positive === yes && negative === no) ||
    (NEGATION.test(negative!) && negative!.replace(NEGATION, "") === positive)
  );
}

/** Index of the positive one of two classes: the given one, or the one that is positive by its meaning. */
export function positiveIndex(
  where: string,
  classes: readonly Label[],
  given: Label | null | undefined,
): number {
  const label = given ?? usualPositive(classes);
  const found = label === undefined ? -1 : classes.indexOf(label);
  if (found >= 0) return found;
  throw positiveError(where, classes, given);
}

/** The error of a positive label that is missing, or that no row has. */
export function positiveError(
  where: string,
  classes: readonly Label[],
  given: Label | null | undefined,
): DataError {
  const shown = `${classes.slice(0, 8).map(show).join(", ")}${classes.length > 8 ? ", …" : ""}`;
  const isGiven = given !== undefined && given !== null;
  return new DataError({
    where,
    subject: "positiveLabel",
    expected: `${isGiven ? "" : "given as "}one of the labels (${shown})`,
    received: isGiven ? show(given) : "nothing",
    advice: isGiven
      ? ""
      : `The order of labels does not say which one is to be found: pass { positiveLabel: ${show(classes[0])} } if it is ${show(classes[0])}.`,
  });
}

const isLabel = (value: unknown): value is Label =>
  typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

/** The positive class as a parameter; null for the one that is positive by its meaning. */
export const positiveLabelParam = (of: string): ParamSpec<Label | null> => ({
  kind: "label",
  default: null,
  doc: `${of} null: 1, true, "yes" and the like; of other labels it must be given.`,
  expected: "a label, or null",
  read: (value) => (value === null || isLabel(value) ? value : invalid),
});
