import type { FittedModel } from "../core/contract.js";
import { show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import type { ModelState } from "../core/state.js";
import { structureOf, type TreeNodes, type TreeScores } from "../core/structure.js";
import { type Predictor, refuse, type Source } from "./converter.js";
import { byteTensor, type Graph, ML, numberTensor, type Value } from "./graph.js";
import { flat, fromLogPosteriors, fromProbabilities } from "./prediction.js";

/** Means of class proportions, or of targets. */
export const meanOfTrees: Predictor = (source) => {
  const { model, graph } = source;
  const { trees, scale } = treesOf(source);
  const sums = summed(source, trees, scale);
  if (!isClassifier(model)) return { kind: "values", value: flat(graph, sums) };
  return fromProbabilities(graph, model.classes, sums);
};

/** Log-odds, log posteriors or values that are sums over all rounds. */
export const boostedTrees: Predictor = (source) => {
  const { model, state, graph } = source;
  const { trees, scale, baseline } = treesOf(source);
  const raw = summed(source, trees, scale, baseline);
  if (isClassifier(model)) return fromLogPosteriors(graph, model.classes, raw, baseline.length);
  const { loss } = state.values;
  const value = flat(graph, raw);
  return { kind: "values", value: loss === "poisson" || loss === "gamma" ? graph.op("Exp", [value]) : value };
};

export type Classifier = FittedModel & { readonly classes: readonly Label[] };

const isClassifier = (model: FittedModel): model is Classifier => "classes" in model;

/** The trees of a model, if that is what it consists of. */
function treeScores(model: FittedModel): TreeScores | undefined {
  const described = structureOf(model);
  const scores = "scores" in described ? described.scores : undefined;
  return scores?.kind === "trees" ? scores : undefined;
}

/** Whether all members of an ensemble are trees that read numbers. */
export const hasTrees = (model: FittedModel): boolean => treeScores(model) !== undefined;

export function treesOf({ model, state }: Source): TreeScores & { readonly scale: number } {
  refuseCategories(state);
  const sum = treeScores(model);
  if (sum === undefined) refuse(`the members of ${state.kind}`, "trees", "others");
  if (sum.trees.some(({ pool }) => pool.length > 0))
    refuse(`the splits of ${state.kind}`, "of numbers", "of categories");
  return { ...sum, scale: 1 / sum.divisor };
}

interface TableColumn {
  readonly name: string;
  readonly kind: string;
}

/** Columns of categories that trees read as they are. */
function refuseCategories({ values, parts = [] }: ModelState): void {
  const columns = values["columns"] as unknown as readonly TableColumn[] | undefined;
  for (const { name, kind } of columns ?? [])
    if (kind === "categorical")
      refuse(`the column ${show(name)}`, "numbers, or encoded in a pipeline", "categories");
  parts.forEach(refuseCategories);
}

/** baseline + scale · the sum of leaves: rows × K. */
export function summed(
  source: Source,
  trees: readonly SplitTree[],
  scale = 1,
  baseline: Float64Array = new Float64Array(trees[0]!.width),
): Value {
  const { graph } = source;
  const K = baseline.length;
  const x = source.rows.matrix(graph);
  const isWide = trees.some(({ width }) => width > 1);
  const sums = isWide ? tableSums(graph, x, trees, scale, K) : targetSums(graph, x, trees, scale, K);
  return baseline.every((value) => value === 0)
    ? sums
    : graph.op("Add", [sums, graph.numbers(baseline, [K])]);
}

/** What the operator needs of a tree. */
export type SplitTree = Pick<
  TreeNodes,
  "features" | "thresholds" | "lefts" | "rights" | "missingLeft" | "values" | "width"
>;

/** Every leaf adds one number to one of K outputs. */
const targetSums = (graph: Graph, x: Value, trees: readonly SplitTree[], scale: number, K: number): Value =>
  ensemble(graph, x, trees, (t, node) => ({ target: t % K, weight: scale * trees[t]!.values[node]! }), K);

/** Leaves with several numbers: the ensemble finds the leaf of every tree, whose numbers are looked up and added. */
function tableSums(graph: Graph, x: Value, trees: readonly SplitTree[], scale: number, K: number): Value {
  const table: number[] = [];
  let leaves = 0;
  const found = ensemble(
    graph,
    x,
    trees,
    (t, node) => {
      const { values, width } = trees[t]!;
      for (let k = 0; k < K; k++) table.push(values[node * width + k]!);
      return { target: t, weight: leaves++ };
    },
    trees.length,
  );
  const indices = graph.op("Cast", [found], { to: { int: 7 } });
  const values = graph.op("Gather", [graph.numbers(table, [leaves, K]), indices], { axis: { int: 0 } });
  const sum = graph.op("ReduceSum", [values, graph.integers([1], [1])], { keepdims: { int: 0 } });
  if (scale === 1) return sum;
  // A mean is divided, as in the library: products with 1/T make other proportions equal. A number per column: ONNX Runtime would
  // keep a single one before a product in 32 bits.
  const isMean = scale === 1 / trees.length;
  const factors = new Float64Array(K).fill(isMean ? trees.length : scale);
  return graph.op(isMean ? "Div" : "Mul", [sum, graph.numbers(factors, [K])]);
}

interface Leaf {
  readonly target: number;
  readonly weight: number;
}

/** The operator TreeEnsemble: sums of the leaves that rows fall into, rows × targets. */
function ensemble(
  graph: Graph,
  x: Value,
  trees: readonly SplitTree[],
  leafOf: (t: number, node: number) => Leaf,
  targets: number,
): Value {
  const roots: number[] = [];
  const features: number[] = [];
  const thresholds: number[] = [];
  const missing: number[] = [];
  const [trueIds, trueLeaves]: [number[], number[]] = [[], []];
  const [falseIds, falseLeaves]: [number[], number[]] = [[], []];
  const leafTargets: number[] = [];
  const leafWeights: number[] = [];
  for (const [t, tree] of trees.entries()) {
    const first = features.length;
    roots.push(first);
    // Splits and leaves are numbered apart.
    const ids = new Int32Array(tree.features.length);
    for (let node = 0, split = first; node < ids.length; node++) {
      if (tree.features[node]! >= 0) {
        ids[node] = split++;
        continue;
      }
      ids[node] = leafTargets.length;
      const { target, weight } = leafOf(t, node);
      leafTargets.push(target);
      leafWeights.push(weight);
    }
    const add = (feature: number, threshold: number, goesLeft: number, left: number, right: number) => {
      features.push(feature);
      thresholds.push(threshold);
      missing.push(goesLeft);
      trueIds.push(ids[left]!);
      trueLeaves.push(tree.features[left]! < 0 ? 1 : 0);
      falseIds.push(ids[right]!);
      falseLeaves.push(tree.features[right]! < 0 ? 1 : 0);
    };
    // A tree without a split asks something, and answers the same either way.
    if (tree.features[0]! < 0) add(0, 0, 1, 0, 0);
    for (let node = 0; node < ids.length; node++)
      if (tree.features[node]! >= 0)
        add(
          tree.features[node]!,
          tree.thresholds[node]!,
          tree.missingLeft[node]!,
          tree.lefts[node]!,
          tree.rights[node]!,
        );
  }
  const n = features.length;
  return graph.op(
    "TreeEnsemble",
    [x],
    {
      aggregate_function: { int: SUM },
      n_targets: { int: targets },
      post_transform: { int: NONE },
      tree_roots: { ints: roots },
      nodes_featureids: { ints: features },
      nodes_modes: { tensor: byteTensor(new Array<number>(n).fill(AT_MOST), [n]) },
      nodes_splits: { tensor: numberTensor(thresholds, [n]) },
      nodes_missing_value_tracks_true: { ints: missing },
      nodes_truenodeids: { ints: trueIds },
      nodes_trueleafs: { ints: trueLeaves },
      nodes_falsenodeids: { ints: falseIds },
      nodes_falseleafs: { ints: falseLeaves },
      leaf_targetids: { ints: leafTargets },
      leaf_weights: { tensor: numberTensor(leafWeights, [leafWeights.length]) },
    },
    ML,
  );
}

/** Codes of the operator: sum the trees, transform nothing, split by x ≤ threshold. */
const [SUM, NONE, AT_MOST] = [1, 0, 0];
