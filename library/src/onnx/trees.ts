import type { TreeNodes, TreeScores } from "../core/structure.js";
import { type Block, refuse } from "./converter.js";
import { byteTensor, type Graph, ML, numberTensor, type Value } from "./graph.js";

/** baseline + the sum of leaves / divisor: rows × K. */
export function treeSums(graph: Graph, x: Value, { trees, divisor, baseline }: TreeScores): Block {
  if (trees.some(({ pool }) => pool.length > 0)) refuse("the splits of trees", "of numbers", "of categories");
  const K = baseline.length;
  const isWide = trees.some(({ width }) => width > 1);
  const sums = isWide ? tableSums(graph, x, trees, divisor, K) : targetSums(graph, x, trees, divisor, K);
  const value = baseline.every((b) => b === 0) ? sums : graph.op("Add", [sums, graph.numbers(baseline, [K])]);
  return { value, cols: K };
}

/** Every leaf adds one number to one of K outputs. */
const targetSums = (graph: Graph, x: Value, trees: readonly TreeNodes[], divisor: number, K: number): Value =>
  ensemble(
    graph,
    x,
    trees,
    (t, node) => ({ target: t % K, weight: trees[t]!.values[node]! * (1 / divisor) }),
    K,
  );

/** Leaves with several numbers: the ensemble finds the leaf of every tree, whose numbers are looked up and added. */
function tableSums(graph: Graph, x: Value, trees: readonly TreeNodes[], divisor: number, K: number): Value {
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
  if (divisor === 1) return sum;
  // Divided, as in the library: products with 1/T make other proportions equal. A number per column: ONNX Runtime would keep a single one
  // before a product in 32 bits.
  return graph.op("Div", [sum, graph.numbers(new Float64Array(K).fill(divisor), [K])]);
}

interface Leaf {
  readonly target: number;
  readonly weight: number;
}

/** The operator TreeEnsemble: sums of the leaves that rows fall into, rows × targets. */
function ensemble(
  graph: Graph,
  x: Value,
  trees: readonly TreeNodes[],
  leafOf: (t: number, node: number) => Leaf,
  targets: number,
): Value {
  const nodes = listedNodes(trees, leafOf);
  const { features, leafWeights } = nodes;
  const n = features.length;
  return graph.op(
    "TreeEnsemble",
    [x],
    {
      aggregate_function: { int: SUM },
      n_targets: { int: targets },
      post_transform: { int: NONE },
      tree_roots: { ints: nodes.roots },
      nodes_featureids: { ints: features },
      nodes_modes: { tensor: byteTensor(new Array<number>(n).fill(AT_MOST), [n]) },
      nodes_splits: { tensor: numberTensor(nodes.thresholds, [n]) },
      nodes_missing_value_tracks_true: { ints: nodes.missing },
      nodes_truenodeids: { ints: nodes.trueIds },
      nodes_trueleafs: { ints: nodes.trueLeaves },
      nodes_falsenodeids: { ints: nodes.falseIds },
      nodes_falseleafs: { ints: nodes.falseLeaves },
      leaf_targetids: { ints: nodes.leafTargets },
      leaf_weights: { tensor: numberTensor(leafWeights, [leafWeights.length]) },
    },
    ML,
  );
}

/** The splits of all trees, and their leaves, as the operator lists them. */
function listedNodes(trees: readonly TreeNodes[], leafOf: (t: number, node: number) => Leaf) {
  const lists = ["roots", "features", "thresholds", "missing", "trueIds", "trueLeaves", "falseIds"] as const;
  const more = ["falseLeaves", "leafTargets", "leafWeights"] as const;
  type Lists = Record<(typeof lists | typeof more)[number], number[]>;
  const out = Object.fromEntries([...lists, ...more].map((name) => [name, [] as number[]])) as Lists;
  const { features, leafTargets } = out;
  for (const [t, tree] of trees.entries()) {
    const first = features.length;
    out.roots.push(first);
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
      out.leafWeights.push(weight);
    }
    const add = (feature: number, threshold: number, goesLeft: number, left: number, right: number) => {
      features.push(feature);
      out.thresholds.push(threshold);
      out.missing.push(goesLeft);
      out.trueIds.push(ids[left]!);
      out.trueLeaves.push(tree.features[left]! < 0 ? 1 : 0);
      out.falseIds.push(ids[right]!);
      out.falseLeaves.push(tree.features[right]! < 0 ? 1 : 0);
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
  return out;
}

/** Codes of the operator: sum the trees, transform nothing, split by x ≤ threshold. */
const [SUM, NONE, AT_MOST] = [1, 0, 0];
