import { transformer } from "../core/capabilities.js";
import type { FitOptions, FittedTransformer, MatrixLike, Unlabelled } from "../core/contract.js";
import { Model } from "../core/model.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState, StateReader } from "../core/state/state.js";
import { readPositive } from "../core/state/state-lists.js";
import { type Structure, structure, type TfidfTransform, transformerStructure } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { featureNamesOf, readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { type Scaled, ScalerEstimator } from "../fitted/transformers.js";
import { tfidfParams } from "./params.js";
import { documentFrequency, inverseFrequency, type TfidfParams, weighInto } from "./tfidf.js";

/**
 * Counts of terms into tf-idf weights, which are larger for terms of few documents:
 *
 *   w = tf · idf,    idf = log((n + 1) / (df + 1)) + 1,    then every row divided by its norm,
 *
 * tf the count (sublinear: 1 + log(count)), n the documents of `fit`, df those with the term; without smoothing n / df.
 * Parity: scikit-learn's TfidfTransformer. Dense input returns a dense matrix.
 */
export class TfidfTransformer extends ScalerEstimator<typeof tfidfParams> {
  static readonly id = "TfidfTransformer";
  static readonly table = tfidfParams;
  static readonly capabilities = transformer({ sparse: true });

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedTfidfTransformer {
    const { where, x: design } = this.unweighted(x, y, options, { sparse: true });
    if (!this.params.useIdf)
      return new FittedTfidfTransformer(this.params, design.cols, undefined, featureNamesOf(x));
    const idf = inverseFrequency(where, documentFrequency(design), design.rows, this.params.smoothIdf);
    return new FittedTfidfTransformer(this.params, design.cols, idf, featureNamesOf(x));
  }

  static restore(state: ModelState): FittedTfidfTransformer {
    const { reader, params } = restoring(tfidfParams, state);
    const width = reader.count("nFeatures");
    const idf = restoreIdf(reader, params, width);
    return new FittedTfidfTransformer(params, width, idf, readFeatureNames(reader, width));
  }
}

export type { Scaled as Weighed } from "../fitted/transformers.js";

export class FittedTfidfTransformer extends Model implements FittedTransformer {
  constructor(
    readonly params: TfidfParams,
    readonly nFeatures: number,
    /** Weight of each column; absent when `useIdf` is false. */
    readonly idf: Float64Array | undefined,
    readonly featureNamesIn?: readonly string[] | undefined,
  ) {
    super();
  }

  transform<X extends MatrixLike>(x: X): Scaled<X> {
    const where = "FittedTfidfTransformer.transform";
    const design = readMatrix(where, x, { sparse: true, like: this });
    const out =
      design instanceof CsrMatrix
        ? new CsrMatrix({ ...design, values: design.values.slice() })
        : new Matrix(Float64Array.from(design.data), design.rows, this.nFeatures);
    weighInto(where, this.params, this.idf, out);
    return out as Scaled<X>;
  }

  [structure](): Structure {
    return transformerStructure(this, weightingOf(this.params, this.idf));
  }

  toState(): ModelState {
    return stateOf(TfidfTransformer.id, this, ["nFeatures", "idf"]);
  }
}

/** The saved idf, if the parameters ask for one. */
export function restoreIdf(
  reader: StateReader,
  { useIdf }: TfidfParams,
  width: number,
): Float64Array | undefined {
  if (!useIdf) return undefined;
  return readPositive(reader, "idf", [width]);
}

/** Weights of counts, as a structure has them. */
export const weightingOf = (
  { sublinearTf, norm }: TfidfParams,
  idf: Float64Array | undefined,
): TfidfTransform => ({ kind: "tfidf", sublinear: sublinearTf, idf: idf ?? null, norm });
