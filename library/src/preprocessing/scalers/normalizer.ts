import { transformer } from "../../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { choice, type ParamValues } from "../../core/params/params.js";
import { restoring } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { readColumns } from "../../data/feature-names-in.js";
import { Matrix } from "../../data/matrix.js";
import { type Scaled, ScalerEstimator, TransformerModel } from "../../fitted/transformers.js";

export const normalizerParams = {
  norm: choice(["l2", "l1", "max"], {
    default: "l2",
    doc: "Norm of each row that becomes 1: √Σx², Σ|x| or max |x|.",
  }),
};

/** Each row divided by its norm. Rows of zeros stay unchanged. Parity: scikit-learn's Normalizer. */
export class Normalizer extends ScalerEstimator<typeof normalizerParams> {
  static readonly id = "Normalizer";
  static readonly table = normalizerParams;
  static readonly capabilities = transformer({ sparse: true });

  /** Learns only the number of columns. */
  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedNormalizer {
    return new FittedNormalizer(this.params, this.unweighted(x, y, options, { sparse: true }));
  }

  static restore(state: ModelState): FittedNormalizer {
    const { reader, params } = restoring(normalizerParams, state);
    return new FittedNormalizer(params, readColumns(reader));
  }
}

export class FittedNormalizer extends TransformerModel<ParamValues<typeof normalizerParams>> {
  protected readonly id = Normalizer.id;

  [structure](): Structure {
    return transformerStructure(this, { kind: "normalize", norm: this.params.norm });
  }

  transform<X extends MatrixLike>(x: X): Scaled<X> {
    const design = this.read(this.where("transform"), x, { sparse: true });
    const { norm } = this.params;
    if (design instanceof CsrMatrix) {
      const values = design.values.slice();
      for (let i = 0; i < design.rows; i++) scaleInto(norm, design.indptr[i]!, design.indptr[i + 1]!, values);
      return new CsrMatrix({ ...design, values }) as Scaled<X>;
    }
    const out = design.data.slice();
    for (let i = 0; i < design.rows; i++) scaleInto(norm, i * design.cols, (i + 1) * design.cols, out);
    return new Matrix(out, design.rows, this.nFeatures) as Scaled<X>;
  }
}

/** Beyond these bounds squares overflow or underflow: such rows are scaled by their largest entry first. */
const TINY = 1e-140;
const HUGE = 1e140;

function scaleInto(norm: "l2" | "l1" | "max", from: number, to: number, out: Float64Array): void {
  let largest = 0;
  for (let e = from; e < to; e++) largest = Math.max(largest, Math.abs(out[e]!));
  if (largest === 0) return;
  if (norm !== "max" && (largest < TINY || largest > HUGE)) {
    for (let e = from; e < to; e++) out[e]! /= largest;
    largest = 1;
  }
  let length = largest;
  if (norm === "l1") {
    length = 0;
    for (let e = from; e < to; e++) length += Math.abs(out[e]!);
  } else if (norm === "l2") {
    let sum = 0;
    for (let e = from; e < to; e++) sum += out[e]! * out[e]!;
    length = Math.sqrt(sum);
  }
  for (let e = from; e < to; e++) out[e]! /= length;
}
