import { ParameterError, ShapeError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { option, readOptions } from "../core/params/options.js";
import type { ParamSpec } from "../core/params/params.js";
import type { KnownFeatures } from "../data/feature-names-in.js";

export interface TopFeaturesOptions {
  /** Names of the columns, e.g. the words of a vectorizer; by default those of the table in fit, or "x0", "x1", … */
  readonly featureNames?: readonly string[] | undefined;
}

/** A feature that is more probable in a class than in the others. */
export interface TopFeature {
  /** Its column. */
  readonly feature: number;
  /** Its name; for a category, "name=value". */
  readonly name: string;
  /** log(P(feature | class) / P(feature | the other classes together)). */
  readonly logRatio: number;
}

export interface ClassTopFeatures<L extends Label> {
  readonly label: L;
  /** In descending order of `logRatio`. */
  readonly features: readonly TopFeature[];
}

const topFeaturesOptions = {
  featureNames: option<readonly string[]>(
    "texts",
    "Names of the columns.",
    "an array of names",
    Array.isArray,
  ),
} satisfies Record<keyof TopFeaturesOptions, ParamSpec<unknown>>;

/** The names of the columns: as given, else those of the table in fit, else x0, x1, … */
function columnNames(
  where: string,
  { nFeatures: cols, featureNamesIn }: KnownFeatures,
  options: TopFeaturesOptions,
): readonly string[] {
  const { featureNames } = readOptions(where, topFeaturesOptions, options);
  if (featureNames === undefined) return featureNamesIn ?? Array.from({ length: cols }, (_, j) => `x${j}`);
  if (featureNames.length === cols) return featureNames;
  const expected = `one name for each of the ${cols} columns`;
  const received = `${featureNames.length} names`;
  throw new ShapeError(where, "featureNames", expected, received);
}

/** The k features of the largest log-ratio per class, the first of equal ones first. */
export function topFeatures<L extends Label>(
  where: string,
  model: KnownFeatures & { readonly classes: readonly L[] },
  k: number,
  options: TopFeaturesOptions,
  ratios: (code: number) => Float64Array,
  describe = (at: number, names: readonly string[]): Omit<TopFeature, "logRatio"> => ({
    feature: at,
    name: names[at]!,
  }),
): readonly ClassTopFeatures<L>[] {
  const names = columnNames(where, model, options);
  if (!Number.isSafeInteger(k) || k < 1) throw new ParameterError(where, "k", "an integer ≥ 1", show(k));
  return model.classes.map((label, code) => {
    const found = ratios(code);
    const features = topOf(found, k).map((at) => ({ ...describe(at, names), logRatio: found[at]! }));
    return { label, features };
  });
}

/** Above this k, sorting everything is cheaper than keeping a sorted list of the best. */
const FEW = 100;

/** Positions of the k largest values, largest first, the first of equal ones first. */
function topOf(values: Float64Array, k: number): number[] {
  if (k > FEW) {
    const order = Array.from(values.keys()).sort((a, b) => values[b]! - values[a]! || a - b);
    return order.slice(0, k);
  }
  const best: number[] = [];
  for (let j = 0; j < values.length; j++) {
    if (best.length === k && !(values[j]! > values[best[k - 1]!]!)) continue;
    let at = best.length;
    while (at > 0 && values[best[at - 1]!]! < values[j]!) at--;
    best.splice(at, 0, j);
    if (best.length > k) best.pop();
  }
  return best;
}
