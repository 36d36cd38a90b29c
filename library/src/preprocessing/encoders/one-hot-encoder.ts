import { transformer } from "../../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { DataError, ParameterError, show } from "../../core/errors.js";
import { largestPositive } from "../../core/numbers/scores.js";
import { beginUnweightedFit } from "../../core/params/options.js";
import type { Params, ParamValues } from "../../core/params/params.js";
import { choice, flag, integer, optional, real } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { distinctNames } from "../../data/feature-names.js";
import { readFeatureNames } from "../../data/feature-names-in.js";
import { readMatrix } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import type { CellsLike, CodedColumn } from "../../data/table/cells.js";
import { TransformerEstimator } from "../../fitted/transformers.js";
import {
  type Category,
  categoriesParam,
  EncoderModel,
  indexOf,
  learnCells,
  readCategories,
  translation,
  unknownCategory,
  valueAt,
} from "./categories.js";
import { type Block, blockOf, dropParam } from "./one-hot-block.js";

export const oneHotEncoderParams = {
  categories: categoriesParam,
  drop: dropParam,
  sparseOutput: flag({ default: true, doc: "Return a CsrMatrix; when false, a Matrix." }),
  handleUnknown: choice(["error", "ignore", "infrequentIfExist"], {
    default: "error",
    doc: "A category not seen in fit: an error, all zeros, or the infrequent output of its column if there is one.",
  }),
  minFrequency: optional(
    real({
      above: 0,
      default: 1,
      doc: "Categories with fewer rows share one output; below 1 it is a fraction of the rows.",
    }),
  ),
  maxCategories: optional(
    integer({
      atLeast: 1,
      default: 1,
      doc: "Maximum number of outputs per column, one of them for the infrequent categories.",
    }),
  ),
};
type OneHotParams = typeof oneHotEncoderParams;

/**
 * One output of 0 or 1 for every category of every column.
 *
 * Columns hold strings, numbers or booleans; a missing entry (null, undefined, NaN) is a separate category, the last.
 * Parity: scikit-learn's OneHotEncoder, names in camelCase ("infrequentIfExist", "ifBinary"). As there, one of maxCategories
 * is always reserved for the infrequent ones.
 */
export class OneHotEncoder<S extends boolean = true> extends TransformerEstimator<
  OneHotParams,
  CellsLike,
  OneHot<S>
> {
  static readonly id = "OneHotEncoder";
  static readonly table = oneHotEncoderParams;
  static readonly capabilities = transformer({ missing: true, categorical: true });

  constructor(params: Params<OneHotParams, { sparseOutput: S }> = {}) {
    super(params);
    const { minFrequency } = this.params;
    if (minFrequency !== null && minFrequency > 1 && !Number.isInteger(minFrequency)) {
      const expected = "a whole number of rows, or a fraction below 1";
      throw new ParameterError(this.id, "minFrequency", expected, show(minFrequency));
    }
  }

  fit(x: CellsLike, y?: Unlabelled, options?: FitOptions): FittedOneHotEncoder<S> {
    const where = this.where("fit");
    beginUnweightedFit(where, y, options);
    const { columns, names, categories } = learnCells(where, x, this.params.categories);
    const infrequent = categories.map((list, j) =>
      rareCodes(this.params, countsOf(where, this.params, columns[j]!, list, j)),
    );
    return new FittedOneHotEncoder(this.params, categories, infrequent, names, where);
  }

  static restore(state: ModelState): FittedOneHotEncoder<boolean> {
    const { reader, params } = restoring(oneHotEncoderParams, state);
    const categories = readCategories(reader);
    const isCodes = (value: unknown): value is readonly (readonly number[])[] =>
      Array.isArray(value) &&
      value.length === categories.length &&
      value.every(
        (codes, j) =>
          Array.isArray(codes) &&
          codes.every((c) => Number.isInteger(c) && c >= 0 && c < categories[j]!.length),
      );
    const infrequent = reader.value("infrequent", "codes of categories, by column", isCodes);
    const names = readFeatureNames(reader, categories.length);
    return new FittedOneHotEncoder(params, categories, infrequent, names, reader.where);
  }
}

/** Sparse by default. */
export type OneHot<S extends boolean> = S extends false ? Matrix : CsrMatrix;

/** Number of rows per category; a value outside the given categories throws unless unknown ones are ignored. */
function countsOf(
  where: string,
  params: ParamValues<OneHotParams>,
  column: CodedColumn,
  categories: readonly Category[],
  j: number,
): Float64Array {
  const codes = translation(indexOf(categories), column);
  const missing = column.values.length;
  const counts = new Float64Array(categories.length);
  for (let i = 0; i < column.codes.length; i++) {
    const own = column.codes[i]!;
    const code = codes[own < 0 ? missing : own]!;
    if (code >= 0) counts[code]!++;
    else if (params.handleUnknown === "error")
      throw unknownCategory(where, i, j, valueAt(column, i), categories, IGNORE);
  }
  return counts;
}

/** The output of a category that fit has not seen, where that is an error. */
const UNKNOWN = -2;

export const IGNORE = 'handleUnknown: "ignore" encodes it as zeros.';

/** Codes of the categories that share one output, ascending. */
export function rareCodes(
  params: Pick<ParamValues<OneHotParams>, "minFrequency" | "maxCategories">,
  counts: Float64Array,
): number[] {
  const { minFrequency, maxCategories } = params;
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const least = minFrequency === null ? 0 : minFrequency < 1 ? minFrequency * rows : minFrequency;
  const rare = new Set(Array.from(counts.keys()).filter((code) => counts[code]! < least));
  if (maxCategories !== null && maxCategories <= counts.length - rare.size) {
    // Fewest rows first; ties go to the first.
    const order = Array.from(counts.keys()).sort((a, b) => counts[a]! - counts[b]! || a - b);
    for (const code of order.slice(0, counts.length - (maxCategories - 1))) rare.add(code);
  }
  return [...rare].sort((a, b) => a - b);
}

export class FittedOneHotEncoder<S extends boolean = true> extends EncoderModel<ParamValues<OneHotParams>> {
  protected readonly id = OneHotEncoder.id;
  /** Number of outputs. */
  readonly nOutputs: number;
  readonly #blocks: readonly Block[];
  readonly #starts: Int32Array;

  constructor(
    params: ParamValues<OneHotParams>,
    categories: readonly (readonly Category[])[],
    private readonly infrequent: readonly (readonly number[])[],
    featureNamesIn: readonly string[] | undefined,
    where: string,
  ) {
    super(params, categories, featureNamesIn);
    this.#blocks = categories.map((list, j) =>
      blockOf(where, list, infrequent[j]!, params.drop, j, categories.length),
    );
    this.#starts = new Int32Array(categories.length + 1);
    this.#blocks.forEach(({ kept }, j) => {
      this.#starts[j + 1] = this.#starts[j]! + kept.length;
    });
    this.nOutputs = this.#starts[categories.length]!;
  }

  /** The categories of each column that share one output. */
  get infrequentCategories(): readonly (readonly Category[])[] {
    return this.infrequent.map((codes, j) => codes.map((code) => this.categories[j]![code]!));
  }

  transform(x: CellsLike): OneHot<S> {
    const where = this.where("transform");
    const { rows, columns } = this.codesOf(where, x);
    const d = this.nFeatures;
    const places = new Int32Array(rows * d);
    let ones = 0;
    for (const [j, column] of columns.entries()) {
      const outputs = this.#outputsOf(column.known, j);
      const missing = column.values.length;
      for (let i = 0, e = j; i < rows; i++, e += d) {
        const own = column.codes[i]!;
        const output = outputs[own < 0 ? missing : own]!;
        if (output === UNKNOWN)
          throw unknownCategory(where, i, j, valueAt(column, i), this.categories[j]!, IGNORE);
        places[e] = output;
        if (output >= 0) ones++;
      }
    }
    return (
      this.params.sparseOutput ? sparse(places, rows, d, ones, this.nOutputs) : this.#dense(places, rows)
    ) as OneHot<S>;
  }

  /**
   * The categories that the outputs encode; infrequent ones become "infrequent" (with an underscore if a category has that name).
   * Zeros are the dropped category, or null where unknown ones are ignored.
   */
  inverseTransform(z: MatrixLike): Category[][] {
    const where = this.where("inverseTransform");
    // If every column has one category and it is dropped, X has no columns, which `readMatrix` would refuse.
    const isNothing = this.nOutputs === 0 && (z instanceof Matrix || z instanceof CsrMatrix) && z.cols === 0;
    const design = isNothing ? (z as Matrix) : readMatrix(where, z, { sparse: true, cols: this.nOutputs });
    return Array.from({ length: design.rows }, (_, i) => {
      const row = design.row(i);
      return this.#blocks.map(({ kept, dropped }, j) => {
        const best = largestPositive(row, this.#starts[j]!, kept.length);
        if (best >= 0) return kept[best]!;
        if (dropped !== undefined) return dropped.category;
        if (this.params.handleUnknown !== "error") return null;
        throw new DataError(where, `row ${i} of X`, `a 1 among the outputs of column ${j}`, "zeros");
      });
    });
  }

  [structure](): Structure {
    const { handleUnknown } = this.params;
    const columns = this.#blocks.map(({ kept, outputs, rare }, j) => {
      const one = (output: number) => {
        const row = new Float64Array(kept.length);
        if (output >= 0) row[output] = 1;
        return row;
      };
      const table = Matrix.zeros(outputs.length, kept.length);
      for (const [c, output] of outputs.entries()) table.data.set(one(output), c * kept.length);
      const unknown = handleUnknown === "error" ? null : one(handleUnknown === "ignore" ? -1 : rare);
      return { categories: this.categories[j]!, table, unknown };
    });
    return transformerStructure(this, { kind: "encode", columns });
  }

  /** `city_Oslo`, `city_Rome`, …: the outputs' names. Duplicates are made distinct by an underscore. */
  override featureNames(input?: readonly string[]): string[] {
    const names = this.namesIn(input);
    return distinctNames(
      this.#blocks.flatMap(({ kept }, j) => kept.map((category) => `${names[j]}_${category}`)),
    );
  }

  override toState(): ModelState {
    const { categories, infrequent } = this;
    return stateOf(this.id, this, { categories, infrequent });
  }

  /** The output of every value of a column of X, and last that of a missing entry: −1 for zeros, or UNKNOWN. */
  #outputsOf(codes: Int32Array, j: number): Int32Array {
    const { outputs, rare } = this.#blocks[j]!;
    const { handleUnknown } = this.params;
    const unknown = handleUnknown === "error" ? UNKNOWN : handleUnknown === "ignore" ? -1 : rare;
    const start = this.#starts[j]!;
    return codes.map((code) => {
      const output = code < 0 ? unknown : outputs[code]!;
      return output < 0 ? output : start + output;
    });
  }

  #dense(places: Int32Array, rows: number): Matrix {
    const out = Matrix.zeros(rows, this.nOutputs);
    const d = this.nFeatures;
    for (let i = 0, e = 0; i < rows; i++)
      for (let j = 0; j < d; j++, e++) if (places[e]! >= 0) out.data[i * this.nOutputs + places[e]!] = 1;
    return out;
  }
}

function sparse(places: Int32Array, rows: number, d: number, ones: number, cols: number): CsrMatrix {
  const indptr = new Int32Array(rows + 1);
  const indices = new Int32Array(ones);
  for (let i = 0, e = 0, o = 0; i < rows; i++) {
    for (let j = 0; j < d; j++, e++) if (places[e]! >= 0) indices[o++] = places[e]!;
    indptr[i + 1] = o;
  }
  return new CsrMatrix({ rows, cols, indptr, indices, values: new Float64Array(ones).fill(1) }, true);
}
