import type { MatrixLike } from "../../core/contract.js";
import { DataError, show } from "../../core/errors.js";
import { largestPositive } from "../../core/numbers/scores.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { readMatrix, requireWidth } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { TransformerModel } from "../../fitted/transformers.js";

/** How bins are encoded. */
export type BinEncoding = "onehot" | "onehot-dense" | "ordinal";
export const binEncodings = ["onehot", "onehot-dense", "ordinal"] as const;
/** Sparse only for "onehot". */
export type Binned<E extends BinEncoding> = E extends "onehot" ? CsrMatrix : Matrix;

/** The number of cuts that are ≤ value: cuts ascend. */
function binOf(cuts: Float64Array, value: number): number {
  let from = 0;
  let to = cuts.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (cuts[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Bins by column: cuts[j] are the inner edges of column j, so it has cuts[j].length + 1 bins. */
export class ColumnBins {
  /** First output of every column in one-hot form. */
  readonly #starts: Int32Array;

  constructor(
    readonly cuts: readonly Float64Array[],
    readonly encode: BinEncoding,
  ) {
    this.#starts = new Int32Array(cuts.length + 1);
    cuts.forEach((list, j) => {
      this.#starts[j + 1] = this.#starts[j]! + list.length + 1;
    });
  }

  get nOutputs(): number {
    return this.encode === "ordinal" ? this.cuts.length : this.#starts[this.cuts.length]!;
  }

  encoded({ data, rows, cols }: Matrix): Matrix | CsrMatrix {
    const { cuts, encode } = this;
    const codes = new Float64Array(rows * cols);
    for (let i = 0, e = 0; i < rows; i++)
      for (let j = 0; j < cols; j++, e++) codes[e] = binOf(cuts[j]!, data[e]!);
    if (encode === "ordinal") return new Matrix(codes, rows, cuts.length);
    const starts = this.#starts;
    if (encode === "onehot-dense") {
      const out = Matrix.zeros(rows, this.nOutputs);
      for (let i = 0, e = 0; i < rows; i++)
        for (let j = 0; j < cols; j++, e++) out.data[i * out.cols + starts[j]! + codes[e]!] = 1;
      return out;
    }
    const indices = new Int32Array(rows * cols);
    for (let i = 0, e = 0; i < rows; i++)
      for (let j = 0; j < cols; j++, e++) indices[e] = starts[j]! + codes[e]!;
    const indptr = Int32Array.from({ length: rows + 1 }, (_, i) => i * cols);
    const values = new Float64Array(indices.length).fill(1);
    return new CsrMatrix({ rows, cols: this.nOutputs, indptr, indices, values });
  }

  /** The bin of every row and column, decoded. */
  decoded(where: string, z: MatrixLike): Matrix {
    const { cuts, encode } = this;
    const design = readMatrix(where, z, { sparse: encode === "onehot" });
    requireWidth(where, design.cols, this.nOutputs);
    const out = Matrix.zeros(design.rows, cuts.length);
    for (let i = 0, e = 0; i < design.rows; i++) {
      const row = design.row(i);
      for (let j = 0; j < cuts.length; j++, e++) {
        const bins = cuts[j]!.length + 1;
        const code = encode === "ordinal" ? row[j]! : largestPositive(row, this.#starts[j]!, bins);
        if (!(Number.isInteger(code) && code >= 0 && code < bins)) this.#refuseCode(where, code, i, j);
        out.data[e] = code;
      }
    }
    return out;
  }

  #refuseCode(where: string, code: number, i: number, j: number): never {
    const [subject, expected, received] =
      this.encode === "ordinal"
        ? [`X[${i}][${j}]`, `a bin from 0 to ${this.cuts[j]!.length}`, show(code)]
        : [`row ${i} of X`, `a 1 among the bins of column ${j}`, "zeros"];
    throw new DataError(where, subject, expected, received);
  }

  /** `x0`, or `x0_0`, `x0_1`, … in one-hot form. */
  names(input: readonly string[]): string[] {
    if (this.encode === "ordinal") return [...input];
    return this.cuts.flatMap((list, j) =>
      Array.from({ length: list.length + 1 }, (_, bin) => `${input[j]}_${bin}`),
    );
  }
}

/** A fitted transformer of numbers to bins. */
export abstract class BinsModel<
  P extends { readonly encode: BinEncoding },
  E extends BinEncoding,
> extends TransformerModel<P> {
  #made: ColumnBins | undefined;

  /** The inner edges of each column's bins. */
  protected abstract cuts(): readonly Float64Array[];

  /** Created when first used, for an X with that many columns, so that loading a file does not reserve memory for a number in it. */
  protected get bins(): ColumnBins {
    this.#made ??= new ColumnBins(this.cuts(), this.params.encode);
    return this.#made;
  }

  [structure](): Structure {
    const encode = this.params.encode === "ordinal" ? "ordinal" : "onehot";
    return transformerStructure(this, { kind: "bins", edges: this.cuts(), encode });
  }

  transform(x: MatrixLike): Binned<E> {
    return this.bins.encoded(this.read(this.where("transform"), x, {})) as Binned<E>;
  }

  override featureNames(input?: readonly string[]): string[] {
    return this.bins.names(this.namesIn(input));
  }
}
