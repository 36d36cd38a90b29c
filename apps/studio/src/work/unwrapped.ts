import type { MatrixLike } from "argmax/core";
import { type AffineTransform, structureOf, type Transform } from "argmax/structure";
import type { Estimator, Model } from "./estimators.js";

/** A fitted step before the last. */
export interface Transformer {
  transform(x: MatrixLike): MatrixLike & { readonly data: Float64Array };
  inverseTransform?(x: MatrixLike): { readonly data: Float64Array; readonly cols: number };
  featureNames?(given: readonly string[]): readonly string[];
}

/** The last step of a prepared estimator, and what it learns from: steps of its fit can be looked at one by one. */
export interface Unwrapped {
  readonly last: Estimator;
  readonly x: MatrixLike;
  readonly y: readonly (string | number)[] | undefined;
  readonly before: readonly Transformer[];
  /** Whether `y` is the target shifted and scaled. */
  readonly isScaledTarget: boolean;
  /** What the steps before the last make of rows. */
  transform(rows: MatrixLike): MatrixLike;
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
  x: MatrixLike,
  y: readonly (string | number)[] | undefined,
): Unwrapped {
  const { steps } = prepared as Wrapped;
  const all = Array.isArray(steps) ? (steps as readonly Estimator[]) : [prepared];
  const before: Transformer[] = [];
  let rows: MatrixLike = x;
  for (const step of all.slice(0, -1)) {
    const fitted = step.fit(rows, y) as Transformer & Model;
    before.push(fitted);
    rows = fitted.transform(rows);
  }
  const wrapped = all.at(-1)!;
  const { regressor, transformer } = (wrapped as Wrapped).params ?? {};
  const scale =
    transformer == null || y === undefined ? undefined : scaled(transformer, y as readonly number[]);
  return {
    last: scale === undefined ? wrapped : regressor!,
    x: rows,
    y: scale?.y ?? y,
    before,
    isScaledTarget: scale !== undefined,
    transform: (given) => before.reduce<MatrixLike>((result, step) => step.transform(result), given),
    inverse: inverseOf(before),
    value: scale?.value ?? ((predicted) => predicted),
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
      const { data, cols } = scaler.inverseTransform!(points);
      return points.map((_, i) => [...data.subarray(i * cols, (i + 1) * cols)]);
    }, rows);
}

function consistsOf(step: Transformer, isKind: (part: Transform) => boolean): boolean {
  const structure = structureOf(step);
  return structure.kind === "transformer" && structure.steps.every(isKind);
}

/** The target as a transformer of it shifts and scales it, and the way back; undefined for other transformers. */
function scaled(
  transformer: Estimator,
  y: readonly number[],
): { readonly y: number[]; readonly value: (predicted: number) => number } | undefined {
  const column = y.map((value) => [value]);
  const fitted = transformer.fit(column) as Transformer & Model;
  const structure = structureOf(fitted);
  const [first, ...others] = structure.kind === "transformer" ? structure.steps : [];
  if (first?.kind !== "affine" || others.length > 0) return undefined;
  return { y: [...fitted.transform(column).data], value: inverseOfAffine(first) };
}

function inverseOfAffine({ shift, scale, factor, offset }: AffineTransform): (value: number) => number {
  const [start, unit] = [shift?.[0] ?? 0, (scale?.[0] ?? 1) / factor];
  return (value) => start + unit * (value - offset);
}
