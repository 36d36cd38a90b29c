import type { Label } from "../core/labels.js";
import type { StateReader } from "../core/state.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { Matrix } from "../data/matrix.js";

/** A tensor without NaN and ±∞. */
export function readFinite(reader: StateReader, name: string, shape: readonly number[]): Float64Array {
  const data = reader.floats(name, shape);
  if (!data.every(Number.isFinite)) reader.fail(name, "finite", "±∞");
  return data;
}

/** Classes, priors, means and column names, as every discriminant stores them. */
export function readClassStatistics(reader: StateReader): {
  readonly classes: readonly Label[];
  readonly priors: Float64Array;
  readonly means: Matrix;
  readonly featureNamesIn: readonly string[] | undefined;
} {
  const classes = reader.labels("classes", 2);
  const K = classes.length;
  const priors = readFinite(reader, "priors", [K]);
  if (!priors.every((p) => p > 0)) reader.fail("priors", "positive", "something else");
  const means = readFinite(reader, "means", [K, -1]);
  const d = means.length / K;
  return { classes, priors, means: new Matrix(means, K, d), featureNamesIn: readFeatureNames(reader, d) };
}
