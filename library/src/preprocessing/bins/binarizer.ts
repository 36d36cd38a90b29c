import { transformer } from "../../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { DataError, show } from "../../core/errors.js";
import { type ParamValues, real } from "../../core/params/params.js";
import { restoring } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { readColumns } from "../../data/feature-names-in.js";
import type { Design } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { type Scaled, ScalerEstimator, TransformerModel } from "../../fitted/transformers.js";

export const binarizerParams = {
  threshold: real({
    default: 0,
    doc: "Entries above this become 1, all others 0. Sparse X requires a threshold ≥ 0.",
  }),
};

/** 1 where x > threshold, else 0. Parity: scikit-learn's Binarizer. */
export class Binarizer extends ScalerEstimator<typeof binarizerParams> {
  static readonly id = "Binarizer";
  static readonly table = binarizerParams;
  static readonly capabilities = transformer({ sparse: true });

  /** Zeros that are not stored stay zeros only below the threshold. */
  get capabilities(): Capabilities {
    return { ...Binarizer.capabilities, sparse: this.params.threshold >= 0 };
  }

  /** Learns only the number of columns. */
  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedBinarizer {
    const known = this.unweighted(x, y, options, { sparse: true });
    refuseSparse(known.where, known.x, this.params.threshold);
    return new FittedBinarizer(this.params, known);
  }

  static restore(state: ModelState): FittedBinarizer {
    const { reader, params } = restoring(binarizerParams, state);
    return new FittedBinarizer(params, readColumns(reader));
  }
}

export class FittedBinarizer extends TransformerModel<ParamValues<typeof binarizerParams>> {
  protected readonly id = Binarizer.id;

  [structure](): Structure {
    return transformerStructure(this, { kind: "binarize", threshold: this.params.threshold });
  }

  transform<X extends MatrixLike>(x: X): Scaled<X> {
    const where = this.where("transform");
    const design = this.read(where, x, { sparse: true });
    const { threshold } = this.params;
    refuseSparse(where, design, threshold);
    if (design instanceof Matrix) {
      const { data, rows } = design;
      const out = new Float64Array(data.length);
      for (let e = 0; e < data.length; e++) out[e] = data[e]! > threshold ? 1 : 0;
      return new Matrix(out, rows, this.nFeatures) as Scaled<X>;
    }
    return kept(design, threshold) as Scaled<X>;
  }
}

/** The entries above the threshold, as ones; the others are no longer stored. */
function kept({ rows, cols, indptr, indices, values }: CsrMatrix, threshold: number): CsrMatrix {
  const ends = new Int32Array(rows + 1);
  const columns = new Int32Array(values.length);
  let o = 0;
  for (let i = 0; i < rows; i++) {
    for (let e = indptr[i]!; e < indptr[i + 1]!; e++) if (values[e]! > threshold) columns[o++] = indices[e]!;
    ends[i + 1] = o;
  }
  return new CsrMatrix({
    rows,
    cols,
    indptr: ends,
    indices: columns.slice(0, o),
    values: new Float64Array(o).fill(1),
  });
}

function refuseSparse(where: string, design: Design, threshold: number): void {
  if (design instanceof Matrix || threshold >= 0) return;
  const expected = `dense, since zeros are above the threshold ${show(threshold)}`;
  throw new DataError(where, "X", expected, "a sparse matrix");
}
