import type { Model } from "../../estimators.js";
import type { Transformer } from "../../unwrapped.js";
import type { NetworkParts } from "./networks.js";

export interface Numbers {
  readonly data: Float64Array;
  readonly rows: number;
  readonly cols: number;
}

/** What fitted models have, by family; every part is optional. */
export interface Parts extends Model, NetworkParts {
  readonly steps?: readonly unknown[];
  readonly featureImportances?: Float64Array;
  /** A tree; of gradient boosting, the nodes of the tree of a round and a score. */
  readonly tree?: LibraryTree | ((round: number, k: number) => readonly HistNode[]);
  /** Of a forest. */
  readonly trees?: readonly LibraryTree[];
  /** In the order of rounds or draws, or by name. */
  readonly members?: readonly unknown[] | Readonly<Record<string, Parts>>;
  /** Of one class against others, of pairs, bits or folds. */
  readonly estimators?: readonly Parts[];
  /** The only model inside. */
  readonly estimator?: Parts;
  readonly model?: Parts;
  /** The model of what members predict. */
  readonly finalModel?: Parts;
  readonly codeBook?: Numbers;
  /** How probabilities are calibrated. */
  readonly method?: string;
  readonly positiveLabel?: string | number;
  readonly bestScore?: number;
  /** Of a naive Bayes model with several kinds of columns. */
  readonly blocks?: readonly { readonly model: string; readonly columns: readonly number[] }[];
  readonly parts?: readonly Parts[];
  readonly stages?: readonly Stage[];
  readonly priors?: Float64Array;
  /** The only answer. */
  readonly prediction?: number;
  readonly coreSampleIndices?: Int32Array;
  /** Distances and sizes of the merges of a hierarchy. */
  readonly distances?: Float64Array;
  readonly counts?: Int32Array;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Rounds of gradient boosting, and its scores before the first. */
  readonly nIter?: number;
  readonly baseline?: Float64Array;
  /** The regressor of a transformed target, and what transforms it. */
  readonly regressor?: Parts;
  readonly transformer?: Transformer;
  readonly feature?: number;
  readonly threshold?: number;
  /** Class proportions of a stump: left in the first row, right in the second. */
  readonly leaves?: Numbers;
  readonly alphas?: Float64Array;
  readonly estimatorWeights?: Float64Array;
  readonly estimatorErrors?: Float64Array;
  readonly lossCurve?: readonly number[];
  readonly means?: Numbers;
  /** Of a component or a class, or the one that classes share. */
  readonly covariance?: Numbers | ((component: string | number) => Numbers);
  components?(label: string | number): {
    readonly weights: Float64Array;
    readonly means: Numbers;
    readonly covariances: readonly Numbers[];
  };
  readonly theta?: Numbers;
  readonly var?: Numbers;
  readonly centroids?: Numbers;
  readonly weights?: unknown;
  readonly clusterCenters?: Numbers;
  readonly lowerBounds?: readonly number[];
  readonly trainScore?: readonly number[];
  kneighbors?(x: unknown): { readonly indices: Int32Array; readonly distances: Numbers };
  radiusNeighbors?(
    x: unknown,
    options: { readonly sortResults: boolean },
  ): { readonly indices: Int32Array; readonly distances: Float64Array };
  topFeatures?(
    k: number,
    options: { readonly featureNames: readonly string[] },
  ): readonly {
    readonly label: string | number;
    readonly features: readonly { readonly name: string; readonly logRatio: number }[];
  }[];
  decisionPath?(x: unknown): readonly Int32Array[];
}

/** A stage of a cascade. */
interface Stage {
  readonly columns: readonly number[];
  readonly cost: number;
  readonly threshold: number;
  readonly model: Parts;
}

export interface LibraryTree {
  readonly nodeCount: number;
  readonly leafCount: number;
  readonly depth: number;
  node(number: number): LibraryNode;
  /** In preorder. */
  nodes(): Iterable<LibraryNode>;
}

export interface LibraryNode {
  readonly node: number;
  readonly depth: number;
  readonly count: number;
  readonly value: Float64Array;
  readonly split?: LibrarySplit & { readonly left: number; readonly right: number };
}

export interface LibrarySplit {
  readonly feature: number;
  readonly threshold?: number;
  readonly categoryNames?: readonly string[];
  readonly categories?: ArrayLike<number>;
}

/** Of a leaf there is no column. */
type HistNode = Partial<LibrarySplit>;

/** A part that some models of a family have and others refuse: the weights of a kernel machine, for example. */
export function part<K extends keyof Parts>(model: Parts, name: K): Parts[K] | undefined {
  try {
    return model[name];
  } catch {
    return undefined;
  }
}

export const rowsOf = ({ data, rows, cols }: Numbers): Float64Array[] =>
  Array.from({ length: rows }, (_, i) => data.subarray(i * cols, (i + 1) * cols));
