import type { FittedModel, MatrixLike } from "../core/contract.js";
import { describeParams } from "../core/estimator.js";
import { Model } from "../core/model.js";
import type { ModelState, StateReader } from "../core/state.js";
import {
  featureNamesJson,
  featureNamesOf,
  type KnownFeatures,
  readFeatureNames,
} from "../data/feature-names-in.js";
import { type Design, type InputRules, readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { inputNames } from "./feature-names.js";

export const columnsOf = (x: MatrixLike, { cols }: Design): KnownFeatures => ({
  nFeatures: cols,
  featureNamesIn: featureNamesOf(x),
});

export function readColumns(reader: StateReader): KnownFeatures {
  const nFeatures = reader.count("nFeatures");
  return { nFeatures, featureNamesIn: readFeatureNames(reader, nFeatures) };
}

/** A fitted transformer of numbers, with the number of columns of X and, where they have any, their names. */
export abstract class FittedColumns<P extends object> extends Model implements FittedModel {
  /** Name of the estimator. */
  protected abstract readonly id: string;
  readonly nFeatures: number;
  /** Names of the columns in fit, where X had them. */
  readonly featureNamesIn: readonly string[] | undefined;

  constructor(
    readonly params: P,
    columns: KnownFeatures,
  ) {
    super();
    this.nFeatures = columns.nFeatures;
    this.featureNamesIn = columns.featureNamesIn;
  }

  /** Names of the output columns; by default those of the input. */
  featureNames(input?: readonly string[]): string[] {
    return [...this.namesIn(input)];
  }

  toState(): ModelState {
    const { id, params, nFeatures, featureNamesIn } = this;
    const values = { nFeatures, ...featureNamesJson(featureNamesIn) };
    return { kind: id, params: describeParams(params), values, tensors: {} };
  }

  /** Reads X, which must have the columns of fit; a table's columns are matched by name. */
  protected read(where: string, x: MatrixLike, rules: InputRules & { sparse?: false }): Matrix;
  protected read(where: string, x: MatrixLike, rules: InputRules): Design;
  protected read(where: string, x: MatrixLike, rules: InputRules): Design {
    return readMatrix(where, x, { ...rules, like: this });
  }

  protected namesIn(input: readonly string[] | undefined): readonly string[] {
    return inputNames(`Fitted${this.id}.featureNames`, input, this.featureNamesIn, this.nFeatures);
  }
}
