import { transformer } from "../../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { firstAtLeast } from "../../core/numbers/bisection.js";
import { normalCdf, normalQuantile } from "../../core/numbers/normal-distribution.js";
import { choice, integer, type ParamValues } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import { type KnownFeatures, readColumns } from "../../data/feature-names-in.js";
import type { Matrix } from "../../data/matrix.js";
import { TransformerEstimator, TransformerModel } from "../../fitted/transformers.js";
import { evenLists, joinedLists } from "../lists.js";
import { quantileOf, type Ranked } from "./quantiles.js";
import { changedEntries } from "./scaled-columns.js";

export const quantileTransformerParams = {
  nQuantiles: integer({
    atLeast: 2,
    default: 1000,
    doc: "How many quantiles of a column are stored; at most as many as there are rows.",
  }),
  outputDistribution: choice(["uniform", "normal"], {
    default: "uniform",
    doc: "Distribution of the outputs.",
  }),
};
type QuantileParams = typeof quantileTransformerParams;

/**
 * The fraction of a column's values below a number, between 0 and 1, or the normal number with that share below it:
 *
 *   uniform:  z = F(x),     normal:  z = Φ⁻¹(F(x)),  within ±5.2,     F interpolated between quantiles of the column
 *
 * Any column becomes uniform or normal; outliers lose their distance. Numbers beyond those of fit become the outermost outputs.
 * Parity: scikit-learn's QuantileTransformer, which learns from 10,000 drawn rows; here from all of them.
 */
export class QuantileTransformer extends TransformerEstimator<QuantileParams> {
  static readonly id = "QuantileTransformer";
  static readonly table = quantileTransformerParams;
  static readonly capabilities = transformer({ invertible: true });

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedQuantileTransformer {
    const known = this.unweighted(x, y, options, { sparse: false });
    const rows = known.x;
    const quantiles = Array.from({ length: rows.cols }, (_, j) =>
      spacedQuantiles(this.params, rows.column(j).sort()),
    );
    return new FittedQuantileTransformer(this.params, known, quantiles);
  }

  static restore(state: ModelState): FittedQuantileTransformer {
    const { reader, params } = restoring(quantileTransformerParams, state);
    const columns = readColumns(reader);
    const flat = reader.finite("quantiles", [columns.nFeatures, -1]);
    const count = flat.length / columns.nFeatures;
    if (!(count >= 1)) reader.fail("quantiles", "one or more per column", "none");
    return new FittedQuantileTransformer(params, columns, evenLists(flat, columns.nFeatures));
  }
}

/** Quantiles of a column at equal distances from its smallest number to its largest. */
export function spacedQuantiles(
  { nQuantiles }: Pick<ParamValues<QuantileParams>, "nQuantiles">,
  column: Ranked,
): Float64Array {
  const count = Math.max(1, Math.min(nQuantiles, column.length));
  let least = -Infinity;
  // Rounding in the interpolation must not make them descend.
  return Float64Array.from({ length: count }, (_, q) => {
    least = Math.max(least, quantileOf(column, shareOf(q, count)));
    return least;
  });
}

/** The fraction of rows below quantile q. */
const shareOf = (q: number, count: number): number => (count === 1 ? 0 : q / (count - 1));

/** Numbers that are this near to the end of a column or of [0, 1] count as the end: scikit-learn's constant. */
const NEAR = 1e-7;
/** Outputs of the normal distribution are cut off here, ±5.1993… */
const LOWEST = normalQuantile(NEAR - 2 ** -52);
const HIGHEST = normalQuantile(1 - (NEAR - 2 ** -52));

export class FittedQuantileTransformer extends TransformerModel<ParamValues<QuantileParams>> {
  protected readonly id = QuantileTransformer.id;

  constructor(
    params: ParamValues<QuantileParams>,
    columns: KnownFeatures,
    /** Quantiles of each column, ascending, at equal distances between the smallest and the largest value. */
    readonly quantiles: readonly Float64Array[],
  ) {
    super(params, columns);
  }

  [structure](): Structure {
    const normal = this.params.outputDistribution === "normal";
    return transformerStructure(this, { kind: "quantiles", quantiles: this.quantiles, normal });
  }

  transform(x: MatrixLike): Matrix {
    return this.#changed("transform", x, (value, quantiles, isNormal, near) => {
      const share =
        value - near < quantiles[0]! || value === quantiles[0]
          ? 0
          : value + near > quantiles.at(-1)! || value === quantiles.at(-1)
            ? 1
            : shareBelow(value, quantiles);
      return isNormal ? Math.min(Math.max(normalQuantile(share), LOWEST), HIGHEST) : share;
    });
  }

  /** The numbers of the columns that have these shares below them. */
  inverseTransform(z: MatrixLike): Matrix {
    return this.#changed("inverseTransform", z, (value, quantiles, isNormal, near) => {
      const share = isNormal ? normalCdf(value) : value;
      if (share - near <= 0) return quantiles[0]!;
      if (share + near >= 1) return quantiles.at(-1)!;
      return quantileOf(quantiles, share);
    });
  }

  #changed(
    method: string,
    x: MatrixLike,
    of: (value: number, quantiles: Float64Array, isNormal: boolean, near: number) => number,
  ): Matrix {
    const rows = this.read(this.where(method), x, { sparse: false });
    const isNormal = this.params.outputDistribution === "normal";
    const near = isNormal ? NEAR : 0;
    return changedEntries(rows, this.nFeatures, (value, j) => of(value, this.quantiles[j]!, isNormal, near));
  }

  override toState(): ModelState {
    const { nFeatures, quantiles } = this;
    const data = joinedLists(quantiles);
    return stateOf(this.id, this, {
      nFeatures,
      quantiles: { shape: [nFeatures, quantiles[0]!.length], data },
    });
  }
}

/** The share below a number, between those of the quantiles around it; in the middle of a run of equal quantiles. */
function shareBelow(value: number, quantiles: Float64Array): number {
  const count = quantiles.length;
  const first = firstAtLeast(quantiles, value, count - 1);
  if (quantiles[first] !== value) {
    const [low, high] = [quantiles[first - 1]!, quantiles[first]!];
    return (
      shareOf(first - 1, count) +
      ((value - low) / (high - low)) * (shareOf(first, count) - shareOf(first - 1, count))
    );
  }
  let last = first;
  while (last + 1 < count && quantiles[last + 1] === value) last++;
  return (shareOf(first, count) + shareOf(last, count)) / 2;
}
