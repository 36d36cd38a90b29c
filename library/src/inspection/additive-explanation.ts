import type { Scores, Structure } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import { linearScoresOf } from "../structure/linear-scores.js";
import type { ShapValues } from "./shap-values.js";

/** What column j adds to every score if its value is x. */
type Terms = (j: number, x: number, out: Float64Array) => void;

/** Scores that are constants plus one function per column. */
export interface AdditiveScores {
  readonly constant: Float64Array;
  readonly termsInto: Terms;
}

/**
 * Scores of a model as sums over its columns: linear ones of columns that are mapped one by one, densities of independent columns, tables
 * of log-probabilities, and sums of these. Undefined for all others.
 */
export function additiveScores(model: Structure): AdditiveScores | undefined {
  if (model.kind === "undescribed" || model.kind === "transformer") return undefined;
  // Scores of pairs are not scores of classes.
  if (model.kind === "classifier" && model.decision.kind === "pairs") return undefined;
  const own = additive(model.scores);
  return model.steps.reduce<AdditiveScores | undefined>((scores, step) => {
    if (scores === undefined || step.kind !== "binarize") return undefined;
    const { constant, termsInto } = scores;
    return { constant, termsInto: (j, x, out) => termsInto(j, x > step.threshold ? 1 : 0, out) };
  }, own);
}

function additive(scores: Scores): AdditiveScores | undefined {
  switch (scores.kind) {
    case "linear": {
      const { coef, intercept: constant, origin } = scores;
      return {
        constant,
        termsInto: (j, x, out) => {
          const value = x - (origin?.[j] ?? 0);
          for (let k = 0; k < out.length; k++) out[k]! += coef.data[k * coef.cols + j]! * value;
        },
      };
    }
    case "gaussians": {
      const { components, groups } = scores;
      const isNaive =
        components.length === groups &&
        components.every(({ mean, whitening }) => whitening.length === mean.length);
      if (!isNaive) return undefined;
      return {
        constant: Float64Array.from(components, ({ constant }) => constant),
        termsInto: (j, x, out) => {
          for (const { mean, whitening, group } of components) {
            const z = (x - mean[j]!) * whitening[j]!;
            out[group]! -= 0.5 * z * z;
          }
        },
      };
    }
    case "tables": {
      const { constant, tables } = scores;
      return {
        constant,
        termsInto: (j, x, out) => {
          const { data, rows, cols } = tables[j]!;
          const place = x >= 0 && x < rows - 1 ? Math.floor(x) : rows - 1;
          for (let k = 0; k < cols; k++) out[k]! += data[place * cols + k]!;
        },
      };
    }
    case "kernel": {
      const linear = linearScoresOf(scores);
      return linear && additive(linear);
    }
    case "composite":
      return scores.rule.kind === "sum" ? summed(scores.members, scores.rule.constant) : undefined;
    default:
      return undefined;
  }
}

/** Sums of members, each of columns of its own. */
function summed(
  members: readonly { structure: Structure; columns: ArrayLike<number> | null }[],
  constant: Float64Array,
): AdditiveScores | undefined {
  const places = new Map<number, { readonly terms: Terms; readonly place: number }>();
  const all = constant.slice();
  for (const { structure, columns } of members) {
    const own = additiveScores(structure);
    if (own === undefined || columns === null) return undefined;
    for (let k = 0; k < all.length; k++) all[k]! += own.constant[k]!;
    for (let place = 0; place < columns.length; place++)
      places.set(columns[place]!, { terms: own.termsInto, place });
  }
  return {
    constant: all,
    termsInto: (j, x, out) => {
      const own = places.get(j);
      own?.terms(own.place, x, out);
    },
  };
}

/** φ_kj = the term of column j less its mean over the background: exact, since the scores are sums. */
export function explainAdditive(
  { constant, termsInto }: AdditiveScores,
  x: Design,
  background: Design,
): ShapValues {
  const K = constant.length;
  const d = x.cols;
  const termsOf = (row: ArrayLike<number>): Float64Array => {
    const terms = new Float64Array(d * K);
    for (let j = 0; j < d; j++) termsInto(j, row[j]!, terms.subarray(j * K, (j + 1) * K));
    return terms;
  };
  const dense = (rows: Design, i: number) =>
    rows instanceof CsrMatrix ? rows.selectRows(Int32Array.of(i)).toDense().data : rows.row(i);
  const means = new Float64Array(d * K);
  for (let b = 0; b < background.rows; b++)
    termsOf(dense(background, b)).forEach((term, e) => {
      means[e]! += term / background.rows;
    });
  const baseValues = constant.slice();
  for (let e = 0; e < means.length; e++) baseValues[e % K]! += means[e]!;
  const values = new Float64Array(x.rows * K * d);
  for (let i = 0; i < x.rows; i++) {
    const terms = termsOf(dense(x, i));
    for (let j = 0; j < d; j++)
      for (let k = 0; k < K; k++) values[(i * K + k) * d + j] = terms[j * K + k]! - means[j * K + k]!;
  }
  return { baseValues, values };
}
