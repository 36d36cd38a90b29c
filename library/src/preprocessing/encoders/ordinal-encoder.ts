import { transformerCapabilities } from "../../core/capabilities.js";
import type {
  Capabilities,
  FitOptions,
  FittedTransformer,
  MatrixLike,
  Unlabelled,
} from "../../core/contract.js";
import { DataError, ParameterError, show } from "../../core/errors.js";
import { describeParams, Estimator, restoreParams } from "../../core/estimator.js";
import { Model } from "../../core/model.js";
import { maxOf } from "../../core/numbers/extremes.js";
import { beginUnweightedFit } from "../../core/params/options.js";
import {
  choice,
  type FilledIn,
  optional,
  type Params,
  type ParamsWith,
  type ParamValues,
  real,
} from "../../core/params/params.js";
import { type ModelState, StateReader } from "../../core/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import { featureNamesJson, readFeatureNames } from "../../data/feature-names-in.js";
import { readMatrix } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { type CellsLike, codedColumn, kindOfCategories, readCells } from "../../data/table/cells.js";
import { inputNames } from "../feature-names.js";
import {
  type Category,
  categoriesJson,
  categoriesParam,
  indexOf,
  learnCategories,
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
export class OrdinalEncoder extends Estimator<OrdinalParams> {
  static readonly id = "OrdinalEncoder";
  static readonly table = ordinalEncoderParams;
  static readonly capabilities: Capabilities = {
    ...transformerCapabilities,
    missing: true,
    categorical: true,
  };
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
    const cells = readCells(where, x);
    const columns = cells.columns.map(codedColumn);
    const categories = learnCategories(where, columns, this.params.categories).map((list) =>
      Object.freeze(list.filter((category) => category !== null)),
    );
    checkCodes(where, this.params, categories);
    if (this.params.handleUnknown === "error") {
      for (const [j, column] of columns.entries()) {
        const codes = translation(indexOf(categories[j]!), column);
        const i = column.codes.findIndex((code) => code >= 0 && codes[code]! < 0);
        if (i >= 0) throw unknownCategory(where, i, j, valueAt(column, i), categories[j]!, ADVICE);
      }
    }
    return new FittedOrdinalEncoder(this.params, categories, cells.names);
  }

  /** `fit(x).transform(x)`. */
  fitTransform(x: CellsLike, y?: Unlabelled, options?: FitOptions): Matrix {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedOrdinalEncoder {
    const reader = new StateReader(state);
    const params = restoreParams(ordinalEncoderParams, reader);
    const isLists = (value: unknown): value is readonly (readonly Category[])[] =>
      Array.isArray(value) && value.length > 0 && value.every(Array.isArray);
    // A column without any value has no categories, which `readCategories` would refuse.
    const lists = reader.value("categories", "lists of categories", isLists);
    const full = lists.filter((list) => list.length > 0);
    if (full.length > 0)
      readCategories(new StateReader({ ...state, values: { categories: categoriesJson(full) } }));
    return new FittedOrdinalEncoder(params, lists, readFeatureNames(reader, lists.length));
  }
}

/** No parameter can be infinite: the code of what fit has not seen, where that is an error. */
const UNKNOWN = -Infinity;

const ADVICE = 'handleUnknown: "useEncodedValue" assigns a code to it.';

/** The codes of unknown and missing entries must not be those of a category. */
function checkCodes(
  where: string,
  params: ParamValues<OrdinalParams>,
  categories: readonly (readonly Category[])[],
): void {
  const most = maxOf(categories.map((list) => list.length));
  for (const key of ["unknownValue", "encodedMissingValue"] as const) {
    const code = params[key];
    if (code === null || !Number.isInteger(code) || code < 0 || code >= most) continue;
    throw new DataError({
      where,
      subject: key,
      expected: `a number other than the codes of the categories (0 to ${most - 1})`,
      received: show(code),
    });
  }
}

export class FittedOrdinalEncoder extends Model implements FittedTransformer<CellsLike> {
  readonly #index: readonly ReadonlyMap<Category, number>[];

  constructor(
    readonly params: ParamValues<OrdinalParams>,
    /** The categories of each column, in the order of their codes. */
    readonly categories: readonly (readonly Category[])[],
    /** The columns' names in fit, where X had them. */
    readonly featureNamesIn: readonly string[] | undefined,
  ) {
    super();
    this.#index = categories.map(indexOf);
  }

  get nFeatures(): number {
    return this.categories.length;
  }

  transform(x: CellsLike): Matrix {
    const where = "FittedOrdinalEncoder.transform";
    const { rows, columns } = readCells(where, x, {
      cols: this.nFeatures,
      names: this.featureNamesIn,
      kinds: this.categories.map(kindOfCategories),
    });
    const d = this.nFeatures;
    const out = Matrix.zeros(rows, d);
    const { encodedMissingValue, unknownValue } = this.params;
    for (const [j, cellColumn] of columns.entries()) {
      const column = codedColumn(cellColumn);
      const own = translation(this.#index[j]!, column);
      const known = Float64Array.from(own, (code) => (code < 0 ? (unknownValue ?? UNKNOWN) : code));
      const missing = column.values.length;
      known[missing] = encodedMissingValue ?? Number.NaN;
      for (let i = 0, e = j; i < rows; i++, e += d) {
        const code = known[column.codes[i]! < 0 ? missing : column.codes[i]!]!;
        if (code === UNKNOWN)
          throw unknownCategory(where, i, j, valueAt(column, i), this.categories[j]!, ADVICE);
        out.data[e] = code;
      }
    }
    return out;
  }

  /** The categories of the codes; null for missing and unknown ones. */
  inverseTransform(z: MatrixLike): Category[][] {
    const where = "FittedOrdinalEncoder.inverseTransform";
    const { data, rows, cols } = readMatrix(where, z, { cols: this.nFeatures, missing: true, sparse: false });
    const { encodedMissingValue, unknownValue } = this.params;
    return Array.from({ length: rows }, (_, i) =>
      this.categories.map((list, j) => {
        const code = data[i * cols + j]!;
        const known = Number.isInteger(code) && code >= 0 && code < list.length;
        if (known) return list[code]!;
        if (Number.isNaN(code) || code === encodedMissingValue || code === unknownValue) return null;
        throw new DataError({
          where,
          subject: `X[${i}][${j}]`,
          expected: `a code from 0 to ${list.length - 1}`,
          received: show(code),
        });
      }),
    );
  }

  featureNames(input?: readonly string[]): string[] {
    return [...inputNames("FittedOrdinalEncoder.featureNames", input, this.featureNamesIn, this.nFeatures)];
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

  toState(): ModelState {
    return {
      kind: OrdinalEncoder.id,
      params: describeParams(this.params),
      values: {
        categories: categoriesJson(this.categories),
        ...featureNamesJson(this.featureNamesIn),
      },
      tensors: {},
    };
  }
}
