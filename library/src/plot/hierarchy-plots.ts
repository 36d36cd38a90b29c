import type { Dendrogram } from "../clustering/dendrogram.js";
import { ShapeError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { maxOf } from "../core/numbers/extremes.js";
import { argmax } from "../core/numbers/scores.js";
import { absent, option, readOptions } from "../core/params/options.js";
import { integer, real, type TableOf } from "../core/params/params.js";
import { shortNumber } from "../core/text/printing.js";
import { type ExportOptions, splitText } from "../trees/export-tree.js";
import type { Tree, TreeNode } from "../trees/tree.js";
import { fittedTreeLayout, type PlacedNode } from "../trees/tree-layout.js";
import { axes } from "./axes.js";
import type { PlotOptions } from "./figure.js";
import { colour, figure, ink, muted, plotOptions, readPlotOptions, TITLE } from "./figure.js";
import { linePath } from "./paths.js";
import { element, path, shortText, text } from "./svg.js";

export interface DendrogramPlotOptions extends PlotOptions {
  /** A text per row of fit; without it the row's number. */
  readonly labels?: readonly string[] | undefined;
  /** Clusters that join below this distance have a colour each. */
  readonly threshold?: number | undefined;
}

const dendrogramOptions = {
  ...plotOptions,
  labels: option<readonly string[]>("texts", "A text per row of fit.", "an array of strings", Array.isArray),
  threshold: absent(
    real({ atLeast: 0, default: 0, doc: "Clusters that join below this distance have a colour each." }),
  ),
} satisfies TableOf<DendrogramPlotOptions>;

/** Rows from left to right, bars at the distances at which clusters were joined: `dendrogramPlot(model.dendrogram())`. */
export function dendrogramPlot({ leaves, links }: Dendrogram, options: DendrogramPlotOptions = {}): string {
  const where = "dendrogramPlot";
  const { labels, threshold, ...common } = readOptions(where, dendrogramOptions, options);
  if (labels && labels.length !== leaves.length) {
    throw new ShapeError(where, "labels", `one per row (${leaves.length})`, `${labels.length}`);
  }
  const names = Array.from(leaves, (row) => String(labels?.[row] ?? row));
  const longest = Math.min(14, maxOf(names.map((name) => [...name].length)));
  const below = 7 * longest;
  const { title, width, height } = readPlotOptions(where, common, {
    title: "Dendrogram",
    width: Math.max(320, 80 + 16 * leaves.length),
    height: 300 + below,
  });
  const highest = links.reduce((most, link) => Math.max(most, link.height), 0);
  const area = axes({
    ...{ width, height: height - below + 30, xLabel: "", yLabel: "Distance" },
    x: [-0.7, leaves.length - 0.3],
    y: [0, highest * 1.04 || 1],
    xNames: [],
  });
  const groups = groupsBelow({ leaves, links }, threshold ?? -1);
  const shapes = [...area.shapes];
  for (const { left, right, height: joined } of links) {
    const [a, b, y] = [area.x(left.at), area.x(right.at), area.y(joined)];
    const group = threshold !== undefined && joined < threshold ? groups[Math.round(left.at)]! : -1;
    shapes.push(
      path(linePath([a, a, b, b], [area.y(left.height), y, y, area.y(right.height)]), {
        stroke: group < 0 ? ink : colour(group),
        "stroke-width": "1.5",
      }),
    );
  }
  for (const [at, name] of names.entries()) {
    const place = `translate(${Math.round(area.x(at) * 10) / 10} ${Math.round(area.bottom + 10)}) rotate(-90)`;
    shapes.push(
      element("g", { transform: place }, shortText(0, 4, name, 14, { "text-anchor": "end", class: "muted" })),
    );
  }
  if (threshold !== undefined) {
    const y = area.y(threshold);
    shapes.push(
      element("line", {
        x1: area.left,
        x2: area.right,
        y1: y,
        y2: y,
        stroke: muted,
        "stroke-dasharray": "4 4",
      }),
    );
  }
  return figure(
    title,
    `${leaves.length} rows, joined up to ${shortNumber(highest)}`,
    [width, height],
    shapes,
  );
}

/** The number of the cluster at each place: a bar above the threshold that spans two places keeps them apart. */
function groupsBelow({ leaves, links }: Dendrogram, threshold: number): Int32Array {
  const together = new Uint8Array(leaves.length);
  const spans = links.map((link) => spanOf(links, link));
  for (const [l, { height }] of links.entries()) {
    const [from, to] = spans[l]!;
    if (height < threshold) for (let at = from; at < to; at++) together[at] = 1;
  }
  const out = new Int32Array(leaves.length);
  for (let at = 1; at < out.length; at++) out[at] = out[at - 1]! + (together[at - 1] === 1 ? 0 : 1);
  return out;
}

/** The first and the last place below a bar. */
function spanOf(links: Dendrogram["links"], link: Dendrogram["links"][number]): [number, number] {
  const end = (side: { readonly at: number; readonly height: number }, e: 0 | 1): number => {
    if (side.height === 0 && Number.isInteger(side.at)) return side.at;
    const below = links.find(
      ({ left, right, height }) => height === side.height && (left.at + right.at) / 2 === side.at,
    );
    return below ? spanOf(links, below)[e] : side.at;
  };
  return [end(link.left, 0), end(link.right, 1)];
}

/** A fitted decision tree of any kind. */
export interface TreeModel {
  readonly tree: Tree;
  readonly classes?: readonly Label[];
}

export interface TreePlotOptions extends Pick<PlotOptions, "title">, Pick<ExportOptions, "featureNames"> {
  /** Deeper nodes are left out. */
  readonly maxDepth?: number | undefined;
}

const treePlotOptions = {
  title: plotOptions.title,
  featureNames: option<readonly string[]>("texts", "Column names.", "an array of names", Array.isArray),
  maxDepth: absent(integer({ atLeast: 0, default: 0, doc: "Deeper nodes are left out." })),
} satisfies TableOf<TreePlotOptions>;

const [BOX, TALL, GAP, LEVEL] = [172, 48, 14, 86];

/** A tree: splits as boxes, leaves in the colour of their class. */
export function treePlot(model: TreeModel, options: TreePlotOptions = {}): string {
  const where = "treePlot";
  const {
    title = "Decision tree",
    featureNames,
    maxDepth = Infinity,
  } = readOptions(where, treePlotOptions, options);
  const { tree, classes } = model;
  const conditions = splitText(where, tree, featureNames ? { featureNames } : {});
  const layout = fittedTreeLayout(tree, maxDepth);
  const size = [
    Math.max(220, layout.width * (BOX + GAP) + GAP),
    TITLE + 10 + layout.depth * LEVEL + TALL + GAP,
  ] as const;
  const shapes = [...layout.nodes.flatMap(edgesOf), ...layout.nodes.flatMap(boxOf)];

  function boxOf(placed: PlacedNode<TreeNode>): string[] {
    const { node, children } = placed;
    const [cx, top] = placeOf(placed);
    const end = children.length === 0;
    const best = argmax(node.value);
    const fill = end ? { fill: colour(classes ? best : 0), "fill-opacity": "0.18" } : { fill: "none" };
    const box = { x: cx - BOX / 2, y: top, width: BOX, height: TALL, rx: 4 };
    const first = end ? outcome(node, best) : conditions.left(node);
    const centre = { "text-anchor": "middle" };
    return [
      element("rect", { ...box, ...fill, stroke: end && classes ? colour(best) : muted }),
      shortText(cx, top + 20, first, 26, centre),
      text(cx, top + 38, `${node.count} rows`, { ...centre, class: "muted" }),
    ];
  }

  function outcome({ value }: TreeNode, best: number): string {
    if (classes) return `${String(classes[best])} ${(100 * value[best]!).toFixed(0)} %`;
    return Array.from(value, shortNumber).join(", ");
  }

  return figure(title, `${tree.leafCount} leaves, depth ${tree.depth}`, size, shapes);
}

/** The middle of a node's upper edge. */
const placeOf = ({ across, depth }: PlacedNode<TreeNode>): readonly [number, number] => [
  across * (BOX + GAP) + BOX / 2 + GAP,
  TITLE + 10 + depth * LEVEL,
];

function edgesOf(placed: PlacedNode<TreeNode>): string[] {
  const [from, above] = placeOf(placed);
  const top = above + TALL;
  return placed.children.flatMap((child, c) => {
    const [to, bottom] = placeOf(child);
    const [word, anchor, beside] = c === 0 ? ["yes", "end", -7] : ["no", "start", 7];
    return [
      path(linePath([from, to], [top, bottom]), { stroke: muted }),
      text((from + to) / 2 + beside, (top + bottom) / 2, word, { "text-anchor": anchor, class: "muted" }),
    ];
  });
}
