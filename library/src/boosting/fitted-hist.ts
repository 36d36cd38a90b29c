import type { FitReport, FittedModel, MatrixLike } from "../core/contract.js";
import { describeParams } from "../core/estimator.js";
import { Model } from "../core/model.js";
import { readReport, reportJson } from "../core/report.js";
import { type Json, type ModelState, StateReader } from "../core/state/state.js";
import type { Inputs, TreeScores } from "../core/structure.js";
import { readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { readTableColumns, type TableColumns } from "../data/table/table-columns.js";
import { tableInputs } from "../trees/tree-structure.js";
import type { HistState } from "./hist-rounds.js";
import { type HistNode, HistTrees } from "./hist-trees.js";

export interface FittedHistState extends HistState {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What both fitted models share: raw predictions are a baseline plus the sum of all trees. */
export abstract class FittedHist extends Model implements FittedModel {
  readonly report: FitReport;
  /** Scores of the training rows before the first round and after each, by `scoring`: minus the mean loss by default. */
  readonly trainScore: Float64Array;
  /** The same of the held-out rows; empty if none were held out. */
  readonly validationScore: Float64Array;
  /** The raw prediction before the first tree, one per score. */
  readonly baseline: Float64Array;
  protected readonly state: FittedHistState;

  constructor(state: FittedHistState) {
    super();
    this.state = state;
    this.report = state.report;
    this.trainScore = state.trainScore;
    this.validationScore = state.validationScore;
    this.baseline = state.baseline;
  }

  /** Everything that was learned, for a fit that goes on. */
  get learned(): FittedHistState {
    return this.state;
  }

  protected get id(): string {
    return this.state.id;
  }

  get nFeatures(): number {
    return this.state.trees.columns.length;
  }

  /** Column names, if X was a table in fit. */
  get featureNamesIn(): readonly string[] | undefined {
    return this.state.table?.names;
  }

  /** Number of rounds. */
  get nIter(): number {
    return this.state.trees.count / this.baseline.length;
  }

  /** Total gain of the splits per column; they sum to 1, or are 0 if there is no split. */
  get featureImportances(): Float64Array {
    const { gains } = this.state.trees.importances();
    const total = gains.reduce((sum, gain) => sum + gain, 0);
    return total > 0 ? gains.map((gain) => gain / total) : gains;
  }

  /** Number of splits per column. */
  get splitCounts(): Float64Array {
    return this.state.trees.importances().splits;
  }

  /** The nodes of the tree of a round (from 0) and score k, root first. */
  tree(round: number, k = 0): HistNode[] {
    const { trees, table } = this.state;
    const nodes = trees.tree(round * this.baseline.length + k);
    return nodes.map((node) => {
      const categoryNames = node.categories && table?.named(node.feature!, node.categories);
      return categoryNames ? { ...node, categoryNames } : node;
    });
  }

  protected get treeScores(): TreeScores {
    const { trees } = this.state;
    const codes = trees.columns.map(({ categorical, edges }) => (categorical ? edges : null));
    return { kind: "trees", trees: trees.lists(), divisor: 1, baseline: this.baseline, codes };
  }

  protected get inputs(): Inputs {
    return tableInputs(this, this.state.table);
  }

  toState(): ModelState {
    const { id, params, trees, baseline, report, trainScore, validationScore, validationGiven, table } =
      this.state;
    const list = (data: Float64Array) => ({ shape: [data.length], data });
    return {
      kind: id,
      params: describeParams(params),
      values: {
        report: reportJson(report),
        heldOut: validationScore.length > 0,
        ...(validationGiven && { validationGiven }),
        ...this.values(),
        ...(table ? { columns: table.toJson() } : {}),
      },
      tensors: {
        ...trees.tensors(),
        baseline: list(baseline),
        trainScore: list(trainScore),
        ...(validationScore.length > 0 ? { validationScore: list(validationScore) } : {}),
      },
    };
  }

  protected abstract values(): Readonly<Record<string, Json>>;

  /** Raw predictions: log-odds of the second of two classes in one column; with more classes, one score per class. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    return this.state.trees.scores(where, this.read(where, x), this.baseline);
  }

  protected rawStages(method: string, x: MatrixLike): Generator<Matrix, void, void> {
    return this.state.trees.staged(this.read(`${this.id}.${method}`, x), this.baseline);
  }

  private read(where: string, x: MatrixLike): Matrix {
    const { table } = this.state;
    const given = table ? table.read(where, x) : x;
    return readMatrix(where, given, { like: { nFeatures: this.nFeatures }, missing: true, sparse: false });
  }
}

/** The inverse of `toState`, for K scores. */
export function readHist(state: ModelState, K: number): FittedHistState {
  const reader = new StateReader(state);
  const baseline = reader.floats("baseline", [K]);
  if (!baseline.every(Number.isFinite)) reader.fail("baseline", "finite", "±∞");
  const trees = HistTrees.read(reader, K);
  const rounds = trees.count / K;
  const trainScore = reader.floats("trainScore", [rounds + 1]);
  const heldOut = reader.value("heldOut", "true or false", (v): v is boolean => typeof v === "boolean");
  const validationScore = heldOut ? reader.floats("validationScore", [rounds + 1]) : new Float64Array();
  const report = readReport(reader);
  const table = readTableColumns(reader, trees.columns.length);
  if (table) checkCategories(reader, trees, table);
  return {
    id: state.kind,
    params: state.params,
    trees,
    baseline,
    trainScore,
    validationScore,
    validationGiven: state.values["validationGiven"] === true,
    report,
    table,
  };
}

/** Every category of a split must have a name in the table. */
function checkCategories(reader: StateReader, trees: HistTrees, table: TableColumns): void {
  for (const [j, { categorical, edges }] of trees.columns.entries()) {
    const fits = categorical ? table.knows(j, edges) : table.columns[j]!.kind !== "categorical";
    if (!fits) reader.fail("columns", `the categories of column ${j}`, "others");
  }
}
