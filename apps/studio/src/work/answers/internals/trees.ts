import type { Panel, TreeNode } from "../../protocol.js";
import type { About } from "./about.js";
import { largest } from "./bars.js";
import { MOST_LINES } from "./limits.js";
import { type LibraryNode, type Parts, part } from "./parts.js";

export function treePanel(model: Parts, { classes, names, row }: About): Panel[] {
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

export function stump(model: Parts, { classes, names }: About): Panel[] {
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
export function rounds({ members, alphas, estimatorErrors }: Parts, { classes, names }: About): Panel[] {
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

export function importances(model: Parts, { names }: About): Panel[] {
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
