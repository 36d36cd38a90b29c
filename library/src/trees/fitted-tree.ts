import type { MatrixLike } from "../core/contract.js";
import { describeParams } from "../core/estimator.js";
import { Model } from "../core/model.js";
import type { Json, ModelState } from "../core/state/state.js";
import { type Structure, structure } from "../core/structure.js";
import { type ExportOptions, type ShownTree, treeDot, treeRules } from "./export-tree.js";
import { type PruningPath, pruningPath } from "./pruning.js";
import type { Tree } from "./tree.js";
import { treeStructure } from "./tree-structure.js";
import { drawTree } from "./tree-svg.js";

/** What a decision tree has learned. */
export interface TreeState {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly tree: Tree;
}

/** What fitted decision trees share. */
export abstract class FittedTree extends Model {
  readonly tree: Tree;
  protected readonly learned: TreeState;

  constructor(state: TreeState) {
    super();
    this.learned = state;
    this.tree = state.tree;
  }

  protected get id(): string {
    return this.learned.id;
  }

  get nFeatures(): number {
    return this.tree.nFeatures;
  }

  /** Column names, if X was a table in fit. */
  get featureNamesIn(): readonly string[] | undefined {
    return this.tree.columns?.names;
  }

  /** Number of splits on the longest path from the root to a leaf. */
  get depth(): number {
    return this.tree.depth;
  }

  get leafCount(): number {
    return this.tree.leafCount;
  }

  /** Impurity decrease per column; they sum to 1. */
  get featureImportances(): Float64Array {
    return this.tree.importances;
  }

  /** Leaf index of each row. */
  apply(x: MatrixLike): Int32Array {
    return this.tree.leaves(`${this.id}.apply`, x);
  }

  /** Node indices from the root to the leaf, for each row. */
  decisionPath(x: MatrixLike): Int32Array[] {
    return this.tree.paths(`${this.id}.decisionPath`, x);
  }

  /** The effective α of each pruning step, with the impurity and the number of leaves that remain. */
  costComplexityPath(): PruningPath {
    return pruningPath(this.tree.grown);
  }

  /** The splits as indented text. */
  rules(options: ExportOptions = {}): string {
    return treeRules(this.#shown, options);
  }

  /** The tree in Graphviz's DOT language. */
  toDot(options: ExportOptions = {}): string {
    return treeDot(this.#shown, options);
  }

  /** The tree as SVG. */
  toSvg(options: ExportOptions = {}): string {
    return drawTree(this.#shown, options);
  }

  /**
   * The tree as plain data for `JSON.stringify`: nodes by index, as `tree.node` returns them. To store a model, use `saveModel`.
   */
  toJSON(): Json {
    const { tree, learned } = this;
    const nodes = Array.from({ length: tree.nodeCount }, (_, k): Json => {
      const { value, split, ...rest } = tree.node(k);
      if (!split) return { ...rest, value: [...value] };
      const { categories, categoryNames, ...rule } = split;
      return {
        ...rest,
        value: [...value],
        split: {
          ...rule,
          ...(categories ? { categories: [...categories] } : {}),
          ...(categoryNames ? { categoryNames: [...categoryNames] } : {}),
        },
      };
    });
    const names = this.featureNamesIn;
    return {
      model: learned.id,
      nFeatures: this.nFeatures,
      ...(names ? { featureNames: [...names] } : {}),
      nodes,
    };
  }

  [structure](): Structure {
    return treeStructure(this, [this.tree]);
  }

  get #shown(): ShownTree {
    return { tree: this.tree, describe: this.describe() };
  }

  /** Formats the value of a leaf. */
  protected abstract describe(): (value: Float64Array) => string;

  protected stateWith(values: Readonly<Record<string, Json>>): ModelState {
    const { id, params, tree } = this.learned;
    return {
      kind: id,
      params: describeParams(params),
      values: {
        ...values,
        nFeatures: tree.nFeatures,
        ...(tree.columns ? { columns: tree.columns.toJson() } : {}),
      },
      tensors: tree.toTensors(),
    };
  }
}
