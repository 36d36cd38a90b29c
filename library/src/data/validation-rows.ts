import type { MatrixLike } from "../core/contract.js";
import { ParameterError, ShapeError, show } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { codeLabels, readTargets, readWeights } from "../core/labels.js";
import { option } from "../core/params/options.js";
import type { Design } from "./input.js";
import { presentRows, select } from "./training-set.js";

/** Rows that early stopping is decided on, instead of held-out training rows. */
export interface ValidationRows<X = MatrixLike> {
  readonly X: X;
  /** Labels of the classes of the training rows, or numbers. */
  readonly y: Labels<Label>;
  /** Weights of these rows; all 1 unless given. Class weights do not apply to them. */
  readonly sampleWeight?: NumberArray | undefined;
}

const names = new Set(["X", "y", "sampleWeight"]);

const isLabelledRows = (value: unknown): boolean =>
  value !== null &&
  typeof value === "object" &&
  "X" in value &&
  "y" in value &&
  Object.keys(value).every((name) => names.has(name));

/** The option of `fit` that holds them. */
export const validation = option<ValidationRows<never>>(
  "rows",
  "Rows that early stopping is decided on, instead of held-out training rows.",
  "labelled rows { X, y, sampleWeight? }",
  isLabelledRows,
);

/** Where an error in these rows is: they have names of their own beside the training rows'. */
export const inValidation = (where: string): string => `${where}, validation`;

/** Rows that would decide nothing are an error. */
export function requireEarlyStopping(where: string, earlyStopping: unknown): void {
  if (earlyStopping !== false) return;
  const expected = "true with validation rows, which decide when to stop";
  throw new ParameterError(where, "earlyStopping", expected, show(earlyStopping));
}

/** Labelled rows without those of weight 0. */
interface LabelledDesign {
  readonly x: Design;
  readonly weights: Float64Array | undefined;
}

/** The rows of a classifier, whose labels are coded by the classes of the training rows. */
export function validationClasses<L extends Label>(
  where: string,
  given: ValidationRows,
  classes: readonly L[],
  read: (where: string, x: MatrixLike) => Design,
): LabelledDesign & { readonly codes: Int32Array } {
  const place = inValidation(where);
  const x = readRows(place, given, read);
  const codes = codeLabels(place, given.y as Labels<L>, x.rows, classes);
  const weights = readWeights(place, given.sampleWeight, x.rows);
  const kept = presentRows(weights);
  if (kept === undefined) return { x, codes, weights };
  return { x: x.selectRows(kept), codes: kept.map((i) => codes[i]!), weights: select(weights!, kept) };
}

/** The rows of a regressor. */
export function validationTargets(
  where: string,
  given: ValidationRows,
  read: (where: string, x: MatrixLike) => Design,
): LabelledDesign & { readonly y: Float64Array } {
  const place = inValidation(where);
  const x = readRows(place, given, read);
  const y = readTargets(place, given.y as NumberArray, x.rows);
  const weights = readWeights(place, given.sampleWeight, x.rows);
  const kept = presentRows(weights);
  if (kept === undefined) return { x, y, weights };
  return { x: x.selectRows(kept), y: select(y, kept), weights: select(weights!, kept) };
}

function readRows(
  place: string,
  given: ValidationRows,
  read: (where: string, x: MatrixLike) => Design,
): Design {
  const x = read(place, given.X);
  if (x.rows > 0) return x;
  throw new ShapeError(place, "X", "at least one row", "0 rows");
}
