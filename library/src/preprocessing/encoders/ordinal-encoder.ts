import { transformer } from "../../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { DataError, ParameterError, show } from "../../core/errors.js";
import { maxOf } from "../../core/numbers/extremes.js";
import { beginUnweightedFit } from "../../core/params/options.js";
import type { FilledIn, Params, ParamsWith, ParamValues } from "../../core/params/params.js";
import { choice, optional, real } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import { readFeatureNames } from "../../data/feature-names-in.js";
import { readMatrix } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import type { CellsLike } from "../../data/table/cells.js";
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

export const ordinalEncoderParams = {
  categories: categoriesParam,
  handleUnknown: choice(["error", "useEncodedValue"], {
    default: "error",
    doc: "A category not seen in fit: an error, or unknownValue.",
  }),
  unknownValue: optional(real({ default: -1, doc: "The code of unknown categories, with useEncodedValue." })),
  encodedMissingValue: optional(
    real({ default: -1, doc: "The code of missing entries; null keeps them missing (NaN)." }),
  ),
};
type OrdinalParams = typeof ordinalEncoderParams;
type OrdinalChoice =
  | Params<OrdinalParams, { handleUnknown: "error"; unknownValue: null }>
  | ParamsWith<OrdinalParams, { handleUnknown: "useEncodedValue"; unknownValue: number }>;

/**
 * Every column's categories as the numbers 0, 1, 2, … in their order.
 *
 * Parity: scikit-learn's OrdinalEncoder. Missing entries (null, undefined, NaN) have no code: they stay
 * missing (NaN) or become encodedMissingValue.
 */
export class OrdinalEncoder extends TransformerEstimator<OrdinalParams, CellsLike> {
  static readonly id = "OrdinalEncoder";
  static readonly table = ordinalEncoderParams;
  static readonly capabilities = transformer({ missing: true, categorical: true });
  declare readonly params: FilledIn<OrdinalChoice>;

  constructor(params: OrdinalChoice = {}) {
    super(params);
    const { handleUnknown, unknownValue } = this.params;
    const wanted = handleUnknown === "useEncodedValue";
    if (wanted === (unknownValue !== null)) return;
    throw new ParameterError({
      where: this.id,
      subject: "unknownValue",
      expected: wanted ? 'a number with handleUnknown "useEncodedValue"' : 'null with handleUnknown "error"',
      received: show(unknownValue),
    });
  }

  fit(x: CellsLike, y?: Unlabelled, options?: FitOptions): FittedOrdinalEncoder {
    const where = this.where("fit");
    beginUnweightedFit(where, y, options);
    const { columns, names, ...learned } = learnCells(where, x, this.params.categories);
    const categories = learned.categories.map((list) =>
      Object.freeze(list.filter((category) => category !== null)),
    );
    checkCodes(where, this.params, categories);
    if (this.params.handleUnknown === "error") {
      for (const [j, column] of columns.entries()) {
        const codes = translation(indexOf(categories[j]!), column);
        const i = column.codes.findIndex((code) => code >= 0 && codes[code]! < 0);
        if (i >= 0) throw unknownCategory(where, i, j, valueAt(column, i), categories[j]!, ASSIGN);
      }
    }
    return new FittedOrdinalEncoder(this.params, categories, names);
  }

  static restore(state: ModelState): FittedOrdinalEncoder {
    const { reader, params } = restoring(ordinalEncoderParams, state);
    // A column without any value has no categories.
    const lists = readCategories(reader, 0);
    return new FittedOrdinalEncoder(params, lists, readFeatureNames(reader, lists.length));
  }
}

/** No parameter can be infinite: the code of what fit has not seen, where that is an error. */
const UNKNOWN = -Infinity;

export const ASSIGN = 'handleUnknown: "useEncodedValue" assigns a code to it.';

/** The codes of unknown and missing entries must not be those of a category. */
export function checkCodes(
  where: string,
  params: ParamValues<OrdinalParams>,
  categories: readonly (readonly Category[])[],
): void {
  const most = maxOf(categories.map((list) => list.length));
  for (const key of ["unknownValue", "encodedMissingValue"] as const) {
    const code = params[key];
    if (code === null || !Number.isInteger(code) || code < 0 || code >= most) continue;
    const expected = `a number other than the codes of the categories (0 to ${most - 1})`;
    throw new DataError(where, key, expected, show(code));
  }
}

export class FittedOrdinalEncoder extends EncoderModel<ParamValues<OrdinalParams>> {
  protected readonly id = OrdinalEncoder.id;

  transform(x: CellsLike): Matrix {
    const where = this.where("transform");
    const { rows, columns } = this.codesOf(where, x);
    const out = Matrix.zeros(rows, this.nFeatures);
    const { encodedMissingValue, unknownValue } = this.params;
    for (const [j, column] of columns.entries()) {
      const outputs = Float64Array.from(column.known, (code) =>
        code < 0 ? (unknownValue ?? UNKNOWN) : code,
      );
      const missing = column.values.length;
      outputs[missing] = encodedMissingValue ?? Number.NaN;
      for (let i = 0, e = j; i < rows; i++, e += out.cols) {
        const code = outputs[column.codes[i]! < 0 ? missing : column.codes[i]!]!;
        if (code === UNKNOWN)
          throw unknownCategory(where, i, j, valueAt(column, i), this.categories[j]!, ASSIGN);
        out.data[e] = code;
      }
    }
    return out;
  }

  /** The categories of the codes; null for missing and unknown ones. */
  inverseTransform(z: MatrixLike): Category[][] {
    const where = this.where("inverseTransform");
    const { data, rows, cols } = readMatrix(where, z, { cols: this.nFeatures, missing: true, sparse: false });
    const { encodedMissingValue, unknownValue } = this.params;
    return Array.from({ length: rows }, (_, i) =>
      this.categories.map((list, j) => {
        const code = data[i * cols + j]!;
        const known = Number.isInteger(code) && code >= 0 && code < list.length;
        if (known) return list[code]!;
        if (Number.isNaN(code) || code === encodedMissingValue || code === unknownValue) return null;
        throw new DataError(where, `X[${i}][${j}]`, `a code from 0 to ${list.length - 1}`, show(code));
      }),
    );
  }

  [structure](): Structure {
    const { unknownValue, encodedMissingValue } = this.params;
    const columns = this.categories.map((categories) => ({
      categories,
      table: new Matrix(Float64Array.from(categories.keys()), categories.length, 1),
      unknown: unknownValue === null ? null : Float64Array.of(unknownValue),
      missing: Float64Array.of(encodedMissingValue ?? Number.NaN),
    }));
    return transformerStructure(this, { kind: "encode", columns });
  }

  override toState(): ModelState {
    return stateOf(this.id, this, ["categories"]);
  }
}
