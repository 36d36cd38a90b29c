import { structureOf, type Transform } from "argmax/structure";
import type { Estimator } from "./estimators.js";

/** A fitted step before the last. */
export interface Transformer {
  transform(x: unknown): unknown;
  inverseTransform?(x: unknown): unknown;
  featureNames?(given: readonly string[]): readonly string[];
}

/** The last step of a prepared estimator, and what it learns from: steps of its fit can be looked at one by one. */
export interface Unwrapped {
  readonly last: Estimator;
  readonly x: unknown;
  readonly y: readonly (string | number)[] | undefined;
  readonly before: readonly Transformer[];
  /** Whether `y` is the target scaled to unit variance. */
  readonly isScaledTarget: boolean;
  /** What the steps before the last make of rows. */
  transform(rows: unknown): unknown;
  /** The way back, for columns of numbers; undefined where there is none. */
  readonly inverse: ((rows: number[][]) => number[][]) | undefined;
  /** A prediction of the last step as a value of the target. */
  value(predicted: number): number;
}

interface Wrapped {
  readonly steps?: readonly Estimator[] | unknown;
  readonly params?: { readonly regressor?: Estimator; readonly transformer?: Estimator | null };
}

export function unwrapped(
  prepared: Estimator,
  x: unknown,
  y: readonly (string | number)[] | undefined,
): Unwrapped {
  const { steps } = prepared as Wrapped;
  const all = Array.isArray(steps) ? (steps as readonly Estimator[]) : [prepared];
  const before: Transformer[] = [];
  let rows = x;
  for (const step of all.slice(0, -1)) {
    const fitted = step.fit(rows, y) as unknown as Transformer;
    before.push(fitted);
    rows = fitted.transform(rows);
  }
  const wrapped = all.at(-1)!;
  const { regressor, transformer } = (wrapped as Wrapped).params ?? {};
  const inner = transformer?.id === "StandardScaler" ? regressor : undefined;
  const scale = inner === undefined || y === undefined ? undefined : standardised(y as readonly number[]);
  return {
    last: inner ?? wrapped,
    x: rows,
    y: scale?.y ?? y,
    before,
    isScaledTarget: scale !== undefined,
    transform: (given) => before.reduce((result: unknown, step) => step.transform(result), given),
    inverse: inverseOf(before),
    value: (predicted) => (scale === undefined ? predicted : scale.mean + scale.deviation * predicted),
  };
}

/** Imputers leave whole rows as they are; scalers have a way back; tables of categories have none. */
function inverseOf(before: readonly Transformer[]): Unwrapped["inverse"] {
  const isAffine = (step: Transformer) => consistsOf(step, ({ kind }) => kind === "affine");
  const isImputer = (step: Transformer) =>
    consistsOf(step, (part) => part.kind === "impute" && part.indicators.length === 0);
  if (!before.every((step) => isAffine(step) || isImputer(step))) return undefined;
  const scalers = before.filter(isAffine);
  return (rows) =>
    scalers.reduceRight<number[][]>((points, scaler) => {
      const { data, cols } = scaler.inverseTransform!(points) as { data: Float64Array; cols: number };
      return points.map((_, i) => [...data.subarray(i * cols, (i + 1) * cols)]);
    }, rows);
}

function consistsOf(step: Transformer, isKind: (part: Transform) => boolean): boolean {
  const structure = structureOf(step);
  return structure.kind === "transformer" && structure.steps.every(isKind);
}

function standardised(y: readonly number[]): { y: number[]; mean: number; deviation: number } {
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  const deviation = Math.sqrt(y.reduce((sum, value) => sum + (value - mean) ** 2, 0) / y.length) || 1;
  return { y: y.map((value) => (value - mean) / deviation), mean, deviation };
}
