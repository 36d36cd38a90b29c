import { selectRows, type Table } from "argmax/data";
import type { Model } from "../estimators.js";
import type { Answer, Ask, Bar, Panel, TreeNode } from "../protocol.js";
import type { Context } from "./context.js";
import { type NetworkParts, networkPanels } from "./network-panels.js";
import { trainingRows } from "./train.js";

interface Numbers {
  readonly data: Float64Array;
  readonly rows: number;
  readonly cols: number;
}

/** What fitted models have, by family; every part is optional. */
interface Parts extends Model, NetworkParts {
  readonly steps?: readonly unknown[];
  readonly coef?: Numbers | Float64Array;
  readonly intercept?: Float64Array | number;
  readonly featureImportances?: Float64Array;
  readonly tree?: { nodes(): readonly LibraryNode[] } | unknown;
  readonly members?: readonly unknown[];
  readonly alphas?: Float64Array;
  readonly estimatorErrors?: Float64Array;
  readonly support?: Int32Array;
  readonly dualCoef?: Numbers;
  readonly lossCurve?: readonly number[];
  readonly means?: Numbers;
  readonly theta?: Numbers;
  readonly weights?: unknown;
  readonly clusterCenters?: Numbers;
  readonly lowerBounds?: readonly number[];
  readonly trainScore?: readonly number[];
  kneighbors?(x: unknown): { indices: Int32Array; distances: Numbers };
  topFeatures?(
    k: number,
    options: { readonly featureNames: readonly string[] },
  ): readonly {
    readonly label: string | number;
    readonly features: readonly { readonly name: string; readonly logRatio: number }[];
  }[];
  decisionPath?(x: unknown): { indices: Int32Array };
}

interface LibraryNode {
  readonly node: number;
  readonly count: number;
  readonly value: Float64Array;
  readonly split?: {
    readonly feature: number;
    readonly threshold?: number;
    readonly categoryNames?: readonly string[];
    readonly categories?: Int32Array;
    readonly left: number;
    readonly right: number;
  };
}

/** More bars or lines are not read. */
const MOST = 24;

/** What a trained model consists of: weights, a tree, rounds, support vectors, neighbours, layers. */
export async function internals(
  { roles, model: key, row }: Ask<"internals">,
  { held }: Context<"internals">,
): Promise<Answer<"internals">> {
  const { loadModel } = await import("../all-estimators.js");
  const model = held.made(key, () => loadModel(held.get<Uint8Array>(key)) as unknown as Parts);
  const data = trainingRows(held.table(roles.table), roles);
  const steps = Array.isArray(model.steps) ? (model.steps as Parts[]) : [model];
  const last = steps.at(-1)!;
  const before = steps.slice(0, -1) as unknown as {
    transform(x: unknown): unknown;
    featureNames?(given: readonly string[]): readonly string[];
  }[];
  const names = before.reduce<readonly string[]>(
    (given, step) => (typeof step.featureNames === "function" ? step.featureNames(given) : given),
    roles.features,
  );
  const whole = held.table(roles.table).select(roles.features as never[]) as unknown as Table;
  const rowOf = (i: number): unknown =>
    before.reduce((result: unknown, step) => step.transform(result), selectRows(whole, [i]));
  const about: About = {
    classes: (model.classes ?? []).map(String),
    names,
    rows: data.rows,
    row: row === null ? undefined : rowOf(row),
    labels: data.y,
  };
  return makers.flatMap((make) => make(last, about));
}

interface About {
  readonly classes: readonly string[];
  readonly names: readonly string[];
  /** Rows of the table that were learned from. */
  readonly rows: Int32Array;
  /** The row to follow, as the last step reads it. */
  readonly row: unknown;
  readonly labels: readonly (string | number)[] | undefined;
}

const makers: readonly ((model: Parts, about: About) => Panel[])[] = [
  weights,
  words,
  treePanel,
  rounds,
  supportVectors,
  neighbours,
  importances,
  components,
  curves,
  (model, { row }) => networkPanels(model, row),
];

/** A part that some models of a family have and others refuse: the weights of a kernel machine, for example. */
function part<K extends keyof Parts>(model: Parts, name: K): Parts[K] | undefined {
  try {
    return model[name];
  } catch {
    return undefined;
  }
}

function weights(model: Parts, { classes, names }: About): Panel[] {
  const coef = part(model, "coef");
  const intercept = part(model, "intercept");
  if (coef === undefined) return [];
  const table = coef instanceof Float64Array ? { data: coef, rows: 1, cols: coef.length } : coef;
  if (table.cols !== names.length) return [];
  const bias = typeof intercept === "number" ? [intercept] : Array.from(intercept ?? []);
  return Array.from({ length: Math.min(table.rows, 12) }, (_, k) => {
    const bars = names.map((name, j): Bar => ({ name, value: table.data[k * table.cols + j]! }));
    const of = table.rows > 1 ? (classes[k] ?? String(k)) : (classes[1] ?? "the target");
    const offset = bias[k] === undefined ? "" : ` Intercept ${Number(bias[k]!.toPrecision(4))}.`;
    const isCut = bars.length > MOST;
    const which = isCut ? `The largest for and against ${of}, of ${bars.length}. ` : "";
    return {
      kind: "bars",
      title: `Weights for ${of}`,
      note: `${which}Of columns as the model reads them: scaled where it needs that.${offset}`,
      bars: isCut ? extremes(bars) : largest(bars),
    };
  });
}

/** The features that are more frequent in a class than in the others, by naive Bayes. */
function words(model: Parts, { names }: About): Panel[] {
  if (typeof model.topFeatures !== "function") return [];
  return model
    .topFeatures(MOST / 2, { featureNames: names })
    .slice(0, 12)
    .map(({ label, features }) => ({
      kind: "bars",
      title: `Most informative for ${label}`,
      note: "The logarithm of how much more probable each is in this class than in the others together.",
      bars: features.map(({ name, logRatio }) => ({ name, value: logRatio })),
    }));
}

/** The bars that matter, the largest first. */
const largest = (bars: readonly Bar[]): Bar[] =>
  [...bars].sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, MOST);

/** As many of the largest as of the smallest, from the largest down. */
function extremes(bars: readonly Bar[]): Bar[] {
  const sorted = [...bars].sort((a, b) => b.value - a.value);
  return [...sorted.slice(0, MOST / 2), ...sorted.slice(-MOST / 2)];
}

function importances(model: Parts, { names }: About): Panel[] {
  const featureImportances = part(model, "featureImportances");
  if (!(featureImportances instanceof Float64Array) || featureImportances.length !== names.length) return [];
  const bars = names.map((name, j) => ({ name, value: featureImportances[j]! }));
  return [
    {
      kind: "bars",
      title: "Importance of columns",
      note: "How much splits on each column reduce the impurity.",
      bars: largest(bars),
    },
  ];
}

function treePanel(model: Parts, { classes, names, row }: About): Panel[] {
  const { tree } = model;
  const nodes = (tree as { nodes?: () => readonly LibraryNode[] } | undefined)?.nodes;
  if (typeof nodes !== "function" || model.members !== undefined) return [];
  const list = [...nodes.call(tree)].map((node): TreeNode => treeNode(node, classes, names));
  const path = row === undefined ? [] : [...(model.decisionPath?.(row).indices ?? [])];
  return [{ kind: "tree", title: `Tree of ${list.length} nodes`, nodes: list, path }];
}

function treeNode(
  { node, count, value, split }: LibraryNode,
  classes: readonly string[],
  names: readonly string[],
): TreeNode {
  const shares = [...value];
  const best = shares.indexOf(Math.max(...shares));
  const answer =
    classes.length > 0
      ? `${classes[best]} ${(100 * shares[best]!).toFixed(0)} %`
      : String(Number(shares[0]!.toPrecision(4)));
  if (split === undefined) return { node, text: answer, rows: count, value: shares, children: null };
  const name = names[split.feature] ?? `column ${split.feature}`;
  const categories = split.categoryNames ?? Array.from(split.categories ?? [], String);
  const text =
    split.threshold === undefined
      ? `${name} in ${categories.slice(0, 3).join(", ")}${categories.length > 3 ? "…" : ""}`
      : `${name} ≤ ${Number(split.threshold.toPrecision(4))}`;
  return { node, text, rows: count, value: shares, children: [split.left, split.right] };
}

/** Rounds of boosting whose members are stumps, or the first splits of their trees. */
function rounds({ members, alphas, estimatorErrors }: Parts, { classes, names }: About): Panel[] {
  if (!Array.isArray(members) || !(alphas instanceof Float64Array)) return [];
  const lines = members.slice(0, 200).map((member, k) => {
    const stump = member as {
      feature?: number;
      threshold?: number;
      answers?: ArrayLike<unknown>;
      tree?: { nodes(): readonly LibraryNode[] };
    };
    const rule =
      stump.feature !== undefined && stump.threshold !== undefined
        ? `${names[stump.feature] ?? stump.feature} ≤ ${Number(stump.threshold.toPrecision(4))}`
        : stump.tree !== undefined
          ? treeNode(stump.tree.nodes()[0]!, classes, names).text
          : String(member);
    return [
      k + 1,
      rule,
      Number(alphas[k]!.toPrecision(3)),
      estimatorErrors === undefined ? "" : Number(estimatorErrors[k]!.toPrecision(3)),
    ];
  });
  return [
    {
      kind: "table",
      title: `${members.length} rounds`,
      note: "The rule of each round, its vote α and its weighted error.",
      head: ["Round", "First question", "α", "Error"],
      rows: lines,
    },
  ];
}

function supportVectors(model: Parts, { rows, labels }: About): Panel[] {
  const support = part(model, "support");
  const dualCoef = part(model, "dualCoef");
  if (!(support instanceof Int32Array) || dualCoef === undefined) return [];
  const weight = Array.from(support, (_, k) => {
    let most = 0;
    for (let r = 0; r < dualCoef.rows; r++)
      most = Math.max(most, Math.abs(dualCoef.data[r * dualCoef.cols + k]!));
    return most;
  });
  const order = [...weight.keys()].sort((a, b) => weight[b]! - weight[a]!).slice(0, 200);
  return [
    {
      kind: "table",
      title: `${support.length} support vectors`,
      note: "Rows that hold the margin; α is the largest of a row's coefficients. Those at the bound lie inside the margin or on the wrong side.",
      head: ["Row", "Class", "α"],
      rows: order.map((k) => [
        rows[support[k]!]! + 1,
        String(labels?.[support[k]!] ?? ""),
        Number(weight[k]!.toPrecision(4)),
      ]),
      about: order.map((k) => rows[support[k]!]!),
    },
  ];
}

function neighbours(model: Parts, { row, rows, labels }: About): Panel[] {
  if (typeof model.kneighbors !== "function" || row === undefined) return [];
  const { indices, distances } = model.kneighbors(row);
  return [
    {
      kind: "table",
      title: `The ${indices.length} neighbours that voted`,
      note: "Distances between columns as the model reads them: scaled.",
      head: ["Row", "Class", "Distance"],
      rows: Array.from(indices, (i, k) => [
        rows[i]! + 1,
        String(labels?.[i] ?? ""),
        Number(distances.data[k]!.toPrecision(4)),
      ]),
      about: Array.from(indices, (i) => rows[i]!),
    },
  ];
}

function components(model: Parts, { names, classes }: About): Panel[] {
  const [means, theta, clusterCenters] = [
    part(model, "means"),
    part(model, "theta"),
    part(model, "clusterCenters"),
  ];
  const table = clusterCenters ?? means ?? theta;
  if (table === undefined || table.cols !== names.length) return [];
  const title = clusterCenters ? "Centres" : theta ? "Mean of every class" : "Means";
  const lines = Array.from({ length: Math.min(MOST, table.rows) }, (_, k) => [
    (theta ?? means) && classes.length === table.rows ? classes[k]! : `cluster ${k}`,
    ...Array.from(table.data.subarray(k * table.cols, k * table.cols + Math.min(8, table.cols)), (value) =>
      Number(value.toPrecision(4)),
    ),
  ]);
  return [
    {
      kind: "table",
      title,
      note: "In the scale that the model reads.",
      head: ["", ...names.slice(0, 8)],
      rows: lines,
    },
  ];
}

function curves({ lossCurve, lowerBounds, trainScore }: Parts): Panel[] {
  const curve = (title: string, unit: string, values: ArrayLike<number> | undefined): Panel[] =>
    values === undefined || values.length < 2
      ? []
      : [{ kind: "curve", title, unit, values: Array.from(values) }];
  return [
    ...curve("Loss", "epoch", lossCurve),
    ...curve("Log-likelihood", "step", lowerBounds),
    ...curve("Score on training rows", "round", trainScore),
  ];
}
