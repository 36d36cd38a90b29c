import type { MatrixLike } from "../core/contract.js";
import { describeParams } from "../core/estimator.js";
import type { Json, ModelState } from "../core/state.js";
import { type ExportOptions, treeDot, treeRules } from "./export-tree.js";
import { type PruningPath, pruningPath } from "./pruning.js";
import type { Tree } from "./tree.js";
import { drawTree } from "./tree-svg.js";

/** What a decision tree has learned. */
export interface TreeState {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly tree: Tree;
}

/** The common part of fitted decision trees: what can be read from the tree itself. */
export abstract class FittedTree {
  readonly tree: Tree;
  protected readonly learned: TreeState;

  constructor(state: TreeState) {
    this.learned = state;
    this.tree = state.tree;
  }

  get nFeatures(): number {
    return this.tree.nFeatures;
  }

  /** The columns' names in fit, where X was a table. */
  get featureNamesIn(): readonly string[] | undefined {
    return this.tree.columns?.names;
  }

  /** Questions on the longest way from the root to a leaf. */
  get depth(): number {
    return this.tree.depth;
  }

  get leafCount(): number {
    return this.tree.leafCount;
  }

  /** How much each column lowered the impurity; they sum to 1. */
  get featureImportances(): Float64Array {
    return this.tree.importances;
  }

  /** The number of the leaf that each row ends in. */
  apply(x: MatrixLike): Int32Array {
    return this.tree.leaves(`${this.learned.id}.apply`, x);
  }

  /** The nodes from the root to its leaf, for each row. */
  decisionPath(x: MatrixLike): Int32Array[] {
    return this.tree.paths(`${this.learned.id}.decisionPath`, x);
  }

  /** The α at which branches are cut, and what is left then; of the tree as it is now. */
  costComplexityPath(): PruningPath {
    return pruningPath(this.tree.grown);
  }

  /** The questions as indented text. */
  rules(options: ExportOptions = {}): string {
    return treeRules(this.tree, this.describe(), options);
  }

  /** A drawing in Graphviz's language. */
  toDot(options: ExportOptions = {}): string {
    return treeDot(this.tree, this.describe(), options);
  }

  /** A drawing as SVG. */
  toSvg(options: ExportOptions = {}): string {
    return drawTree(this.tree, this.describe(), options);
  }

  /**
   * The tree as plain data, which `JSON.stringify` takes: nodes by their numbers, as `tree.node` tells them. To keep a model, save it
   * with `saveModel`.
   */
  toJSON(): Json {
    const { tree, learned } = this;
    const nodes = Array.from({ length: tree.nodeCount }, (_, k): Json => {
      const { value, split, ...rest } = tree.node(k);
      if (!split) return { ...rest, value: [...value] };
      const { categories, categoryNames, ...question } = split;
      return {
        ...rest,
        value: [...value],
        split: {
          ...question,
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

  /** What a leaf says, in words. */
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
