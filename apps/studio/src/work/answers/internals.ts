import { type Column, selectRows, type Table } from "argmax/data";
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
  /** The regressor of a scaled target. */
  readonly regressor?: Parts;
  readonly feature?: number;
  readonly threshold?: number;
  /** Class proportions of a stump: left in the first row, right in the second. */
  readonly leaves?: Numbers;
  readonly alphas?: Float64Array;
  readonly estimatorErrors?: Float64Array;
  readonly support?: Int32Array;
  /** Training rows of a kernel expansion. */
  readonly rows?: Int32Array;
  readonly dualCoef?: Numbers | Float64Array;
  readonly lossCurve?: readonly number[];
  readonly means?: Numbers;
  readonly theta?: Numbers;
  readonly var?: Numbers;
  readonly centroids?: Numbers;
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
  decisionPath?(x: unknown): readonly Int32Array[];
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

/** More bars are not read. */
const MOST = 24;
/** Nor more lines and columns of a table. */
const MOST_LINES = 200;
const MOST_COLUMNS = 8;

/** What a trained model consists of: weights, a tree, rounds, support vectors, neighbours, layers. */
export async function internals(
  { roles, model: key, row }: Ask<"internals">,
  { held }: Context<"internals">,
): Promise<Answer<"internals">> {
  const { loadModel } = await import("../all-estimators.js");
  const model = held.made(key, () => loadModel(held.get<Uint8Array>(key)) as unknown as Parts);
  const data = trainingRows(held.table(roles.table), roles);
  const steps = Array.isArray(model.steps) ? (model.steps as Parts[]) : [model];
  const end = steps.at(-1)!;
  const isScaledTarget = part(end, "regressor") !== undefined;
  const last = isScaledTarget ? end.regressor! : end;
  const before = steps.slice(0, -1) as unknown as {
    transform(x: unknown): unknown;
    toState(): State;
    featureNames?(given: readonly string[]): readonly string[];
  }[];
  const names = before.reduce<readonly string[]>(
    (given, step) => (typeof step.featureNames === "function" ? step.featureNames(given) : given),
    roles.features,
  );
  const whole = held.table(roles.table).select(roles.features as never[]) as unknown as Table;
  const about: About = {
    classes: (model.classes ?? []).map(String),
    target: roles.target ?? "",
    isScaledTarget,
    scale: !roles.features.some((name) => (whole.column(name as never) as Column).kind === "numeric")
      ? null
      : before.some((step) => isScaling(step.toState()))
        ? "scaled"
        : "as they are",
    names,
    rows: data.rows,
    row: row === null ? undefined : readRow(before, selectRows(whole, [row])),
    labels: data.y,
  };
  return makers.flatMap((make) => make(last, about));
}

/** What a model file says of a step. */
interface State {
  readonly kind: string;
  readonly parts?: readonly State[];
}

/** Whether a step, or a part of it, scales columns. */
const isScaling = ({ kind, parts = [] }: State): boolean => kind.endsWith("Scaler") || parts.some(isScaling);

/** A row as the last step reads it; undefined where a step refuses it: a gap in a column that had none in training. */
function readRow(before: readonly { transform(x: unknown): unknown }[], row: unknown): unknown {
  try {
    return before.reduce((result, step) => step.transform(result), row);
  } catch {
    return undefined;
  }
}

interface About {
  readonly classes: readonly string[];
  readonly target: string;
  readonly isScaledTarget: boolean;
  /** Of columns of numbers; null where there are none. */
  readonly scale: "scaled" | "as they are" | null;
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
  stump,
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

/** More classes have no panels of their own. */
const MOST_CLASSES = 12;

/** In which units weights and distances are. */
const unitsOf = ({ scale, isScaledTarget, target }: About): string =>
  scale === null
    ? ""
    : `Columns of numbers are ${scale === "scaled" ? "scaled to unit variance" : "as they are in the table"}${isScaledTarget ? `, so is ${target}` : ""}.`;

function weights(model: Parts, about: About): Panel[] {
  const { classes, names, target } = about;
  const coef = part(model, "coef");
  const intercept = part(model, "intercept");
  if (coef === undefined) return [];
  const table = coef instanceof Float64Array ? { data: coef, rows: 1, cols: coef.length } : coef;
  if (table.cols !== names.length) return [];
  const bias = typeof intercept === "number" ? [intercept] : Array.from(intercept ?? []);
  return Array.from({ length: Math.min(table.rows, MOST_CLASSES) }, (_, k) => {
    const bars = names.map((name, j): Bar => ({ name, value: table.data[k * table.cols + j]! }));
    const of = table.rows > 1 ? (classes[k] ?? String(k)) : (classes[1] ?? target);
    const offset = bias[k] === undefined ? "" : ` Intercept ${Number(bias[k]!.toPrecision(4))}.`;
    const isCut = bars.length > MOST;
    const which = isCut ? `The largest for and against ${of}, of ${bars.length}. ` : "";
    return {
      kind: "bars",
      title: `Weights for ${of}`,
      note: `${which}${unitsOf(about)}${offset}${firstOf(k, table.rows)}`.trim(),
      bars: isCut ? extremes(bars) : largest(bars),
    };
  });
}

/** Of many classes, the last panel says how many there are. */
const firstOf = (k: number, classes: number): string =>
  k === MOST_CLASSES - 1 && classes > MOST_CLASSES
    ? ` The other ${classes - MOST_CLASSES} classes are not shown.`
    : "";

/** The features that are more frequent in a class than in the others, by naive Bayes. */
function words(model: Parts, { names }: About): Panel[] {
  if (typeof model.topFeatures !== "function") return [];
  const classes = model.topFeatures(MOST / 2, { featureNames: names });
  return classes.slice(0, MOST_CLASSES).map(({ label, features }, k) => ({
    kind: "bars",
    title: `Most informative for ${label}`,
    note: `The logarithm of how much more probable each is in this class than in the others together.${firstOf(k, classes.length)}`,
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
  const path = row === undefined ? [] : [...(model.decisionPath?.(row)[0] ?? [])];
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
  const categories = split.categoryNames ?? Array.from(split.categories ?? [], String);
  const text =
    split.threshold === undefined
      ? `${names[split.feature]} in ${categories.slice(0, 3).join(", ")}${categories.length > 3 ? "…" : ""}`
      : question(names, split.feature, split.threshold);
  return { node, text, rows: count, value: shares, children: [split.left, split.right] };
}

const question = (names: readonly string[], feature: number, threshold: number): string =>
  feature < 0 ? "none: all columns are constant" : `${names[feature]} ≤ ${Number(threshold.toPrecision(4))}`;

/** The class of each side of a stump, and its proportion. */
function sidesOf({ leaves }: Parts, classes: readonly string[]): readonly [string, string] | undefined {
  if (leaves === undefined || leaves.rows !== 2) return undefined;
  const side = (i: number): string => {
    const shares = [...leaves.data.subarray(i * leaves.cols, (i + 1) * leaves.cols)];
    const best = shares.indexOf(Math.max(...shares));
    return `${classes[best]} ${(100 * shares[best]!).toFixed(0)}\u00a0%`;
  };
  return [side(0), side(1)];
}

function stump(model: Parts, { classes, names }: About): Panel[] {
  const sides = sidesOf(model, classes);
  if (sides === undefined || model.feature === undefined || model.threshold === undefined) return [];
  return [
    {
      kind: "table",
      title: "One question",
      note: "The most frequent class of each side, and its proportion there.",
      head: ["Question", "Yes", "No"],
      rows: [[question(names, model.feature, model.threshold), ...sides]],
    },
  ];
}

/** Rounds of boosting whose members are stumps, or the first splits of their trees. */
function rounds({ members, alphas, estimatorErrors }: Parts, { classes, names }: About): Panel[] {
  if (!Array.isArray(members) || !(alphas instanceof Float64Array)) return [];
  const lines = members.slice(0, MOST_LINES).map((given, k) => {
    const member = given as Parts;
    const root = (member.tree as { nodes?(): readonly LibraryNode[] } | undefined)?.nodes?.()[0];
    const rule =
      member.feature !== undefined && member.threshold !== undefined
        ? question(names, member.feature, member.threshold)
        : root !== undefined
          ? treeNode(root, classes, names).text
          : "";
    return [
      k + 1,
      rule,
      ...(sidesOf(member, (member.classes ?? []).map(String)) ?? ["", ""]),
      Number(alphas[k]!.toPrecision(3)),
      estimatorErrors === undefined ? "" : Number(estimatorErrors[k]!.toPrecision(3)),
    ];
  });
  const cut = members.length > MOST_LINES ? ` The first ${MOST_LINES} are listed.` : "";
  return [
    {
      kind: "table",
      title: `${members.length} rounds`,
      note: `The rule of each round and what it answers, its vote α and its weighted error.${cut}`,
      head: ["Round", "First question", "Yes", "No", "α", "Error"],
      rows: lines,
    },
  ];
}

function supportVectors(model: Parts, { classes, rows, labels }: About): Panel[] {
  const vectors = part(model, "support");
  const support = vectors ?? part(model, "rows");
  const given = part(model, "dualCoef");
  if (!(support instanceof Int32Array) || given === undefined) return [];
  const dualCoef = given instanceof Float64Array ? { data: given, rows: 1, cols: given.length } : given;
  const weight = Array.from(support, (_, k) => {
    let most = 0;
    for (let r = 0; r < dualCoef.rows; r++)
      most = Math.max(most, Math.abs(dualCoef.data[r * dualCoef.cols + k]!));
    return most;
  });
  const order = [...weight.keys()].sort((a, b) => weight[b]! - weight[a]!).slice(0, MOST_LINES);
  const cut = support.length > MOST_LINES ? ` The ${MOST_LINES} largest are listed.` : "";
  return [
    {
      kind: "table",
      title: `${support.length} ${vectors === undefined ? "rows of the kernel expansion" : "support vectors"}`,
      note:
        vectors === undefined
          ? `The answer is a sum over these rows of coefficient times kernel; α is the largest absolute coefficient of a row.${cut}`
          : `Rows that hold the margin; α is the largest absolute coefficient of a row. Those at the bound lie inside the margin or on the wrong side.${cut}`,
      head: ["Row", classes.length > 0 ? "Class" : "Value", "α"],
      rows: order.map((k) => [
        rows[support[k]!]! + 1,
        String(labels?.[support[k]!] ?? ""),
        Number(weight[k]!.toPrecision(4)),
      ]),
      about: order.map((k) => rows[support[k]!]!),
    },
  ];
}

function neighbours(model: Parts, about: About): Panel[] {
  const { classes, row, rows, labels } = about;
  if (typeof model.kneighbors !== "function") return [];
  if (row === undefined)
    return [
      {
        kind: "table",
        title: "Neighbours",
        note: `The model keeps its ${rows.length} rows and asks the nearest ones. Choose a row above to see which of them vote.`,
        head: [],
        rows: [],
      },
    ];
  const { indices, distances } = model.kneighbors(row);
  return [
    {
      kind: "table",
      title: `The ${indices.length} neighbours that voted`,
      note: `The distances of rows. ${unitsOf(about)}`,
      head: ["Row", classes.length > 0 ? "Class" : "Value", "Distance"],
      rows: Array.from(indices, (i, k) => [
        rows[i]! + 1,
        String(labels?.[i] ?? ""),
        Number(distances.data[k]!.toPrecision(4)),
      ]),
      about: Array.from(indices, (i) => rows[i]!),
    },
  ];
}

function components(model: Parts, about: About): Panel[] {
  const { names, classes } = about;
  const [theta, clusterCenters] = [part(model, "theta"), part(model, "clusterCenters")];
  const variance = theta === undefined ? undefined : part(model, "var");
  const table = clusterCenters ?? part(model, "centroids") ?? part(model, "means") ?? theta;
  if (table === undefined || table.cols !== names.length) return [];
  const title = clusterCenters
    ? "Centres"
    : variance
      ? "Mean ± standard deviation"
      : classes.length > 0
        ? "Mean of every class"
        : "Means";
  const cell = (k: number, j: number): string | number => {
    const mean = Number(table.data[k * table.cols + j]!.toPrecision(4));
    return variance === undefined
      ? mean
      : `${mean} ± ${Number(Math.sqrt(variance.data[k * table.cols + j]!).toPrecision(3))}`;
  };
  const columns = Math.min(MOST_COLUMNS, table.cols);
  const lines = Array.from({ length: Math.min(MOST, table.rows) }, (_, k) => [
    clusterCenters === undefined && classes.length === table.rows ? classes[k]! : `cluster ${k}`,
    ...Array.from({ length: columns }, (_, j) => cell(k, j)),
  ]);
  const cut = [
    table.rows > MOST && ` The first ${MOST} of ${table.rows} are listed.`,
    table.cols > columns && ` The first ${columns} of ${table.cols} columns are listed.`,
  ];
  return [
    {
      kind: "table",
      title,
      note: unitsOf(about) + cut.filter(Boolean).join(""),
      head: ["", ...names.slice(0, columns)],
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
