import type { Capabilities, FittedModel, MatrixLike } from "../core/contract.js";
import { describeParams } from "../core/estimator.js";
import type { ModelState, StateReader } from "../core/state.js";
import { requireSameNames } from "../data/cells.js";
import { type Design, type InputRules, readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { Table } from "../data/table.js";
import { readNames } from "./categories.js";
import { inputNames } from "./feature-names.js";

/** Numbers in, numbers out, and nothing that weights could change. */
export const columnCapabilities: Capabilities = {
  task: "transform",
  sparse: false,
  missing: false,
  categorical: false,
  multiclass: true,
  probabilities: false,
  decisionFunction: false,
  sampleWeight: false,
  partialFit: false,
};

/** What X in fit says about its columns. */
export interface Columns {
  readonly nFeatures: number;
  /** Their names, where X is a table. */
  readonly names: readonly string[] | undefined;
}

export const columnsOf = (x: MatrixLike, { cols }: Design): Columns => ({
  nFeatures: cols,
  names: x instanceof Table ? x.columnNames : undefined,
});

export function readColumns(reader: StateReader): Columns {
  const nFeatures = reader.count("nFeatures");
  return { nFeatures, names: readNames(reader, nFeatures) };
}

/** A transformer of numbers that knows how wide X is, and what its columns are called where they have names. */
export abstract class FittedColumns<P extends object> implements FittedModel {
  /** The estimator's. */
  protected abstract readonly id: string;
  readonly nFeatures: number;
  /** The columns' names in fit, where X had them. */
  readonly featureNamesIn: readonly string[] | undefined;

  constructor(
    readonly params: P,
    columns: Columns,
  ) {
    this.nFeatures = columns.nFeatures;
    this.featureNamesIn = columns.names;
  }

  /** What comes out, by name: the columns themselves, unless a transformer makes others of them. */
  featureNames(input?: readonly string[]): string[] {
    return [...this.namesIn(input)];
  }

  toState(): ModelState {
    const { id, params, nFeatures, featureNamesIn } = this;
    const values = { nFeatures, featureNamesIn: featureNamesIn ? [...featureNamesIn] : null };
    return { kind: id, params: describeParams(params), values, tensors: {} };
  }

  /** As wide as in fit, and a table with the same columns in the same order. */
  protected read(where: string, x: MatrixLike, rules: InputRules & { sparse?: false }): Matrix;
  protected read(where: string, x: MatrixLike, rules: InputRules): Design;
  protected read(where: string, x: MatrixLike, rules: InputRules): Design {
    const design = readMatrix(where, x, { ...rules, cols: this.nFeatures });
    if (x instanceof Table) requireSameNames(where, this.featureNamesIn, x.columnNames);
    return design;
  }

  protected namesIn(input: readonly string[] | undefined): readonly string[] {
    return inputNames(`Fitted${this.id}.featureNames`, input, this.featureNamesIn, this.nFeatures);
  }
}
