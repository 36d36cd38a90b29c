import { escaped } from "../core/text/xml.js";
import type { Hierarchy } from "../numeric/clustering/linkage.js";
import { rowsOf } from "./cut-hierarchy.js";

/** A fork of a dendrogram: two clusters under a bar. Places count leaves from 0, heights are distances. */
export interface DendrogramLink {
  readonly left: { readonly at: number; readonly height: number };
  readonly right: { readonly at: number; readonly height: number };
  readonly height: number;
  /** Rows below. */
  readonly count: number;
}

export interface Dendrogram {
  /** Rows of fit from left to right. */
  readonly leaves: Int32Array;
  /** One per merge, by ascending height. */
  readonly links: readonly DendrogramLink[];
}

export interface DendrogramSvgOptions {
  /** A text per row of fit, written below its leaf; without it the row's number. */
  readonly labels?: readonly string[] | undefined;
  /** Draws a line at this distance. */
  readonly threshold?: number | undefined;
}

/** Rows side by side so that no two bars cross: of every merge, first the rows of the first child, then those of the second. */
export function dendrogramOf({ children, distances, counts }: Hierarchy): Dendrogram {
  const n = counts.length + 1;
  const leaves = Int32Array.from(rowsOf(children, n, 2 * n - 2));
  const at = new Float64Array(2 * n - 1);
  leaves.forEach((row, place) => {
    at[row] = place;
  });
  const heightOf = (node: number) => (node < n ? 0 : distances[node - n]!);
  const links = Array.from(counts, (count, m): DendrogramLink => {
    const [a, b] = [children[2 * m]!, children[2 * m + 1]!];
    at[n + m] = (at[a]! + at[b]!) / 2;
    return {
      left: { at: at[a]!, height: heightOf(a) },
      right: { at: at[b]!, height: heightOf(b) },
      height: distances[m]!,
      count,
    };
  });
  return { leaves, links };
}

const STEP = 14;
const HEIGHT = 260;
const LEFT = 46;
const TOP = 12;
const BELOW = 64;

const short = (value: number): string => String(Math.round(value * 10) / 10);

/** The dendrogram as SVG: leaves below, bars at the distances at which clusters were joined. */
export function drawDendrogram(
  { leaves, links }: Dendrogram,
  { labels, threshold }: DendrogramSvgOptions,
): string {
  const most = links.reduce((top, { height }) => Math.max(top, height), threshold ?? 0) || 1;
  const width = LEFT + leaves.length * STEP + STEP;
  const x = (place: number) => short(LEFT + (place + 0.5) * STEP);
  const y = (height: number) => short(TOP + HEIGHT * (1 - height / most));
  const forks = links.map(
    ({ left, right, height }) =>
      `M${x(left.at)} ${y(left.height)}V${y(height)}H${x(right.at)}V${y(right.height)}`,
  );
  const names = Array.from(leaves, (row, place) => {
    const text = escaped(labels ? labels[row]! : `${row}`);
    const [left, top] = [x(place), TOP + HEIGHT + 8];
    return `<text x="${left}" y="${top}" transform="rotate(-90 ${left} ${top})" text-anchor="end" dominant-baseline="middle">${text}</text>`;
  });
  const marks = [0, most / 2, most].map(
    (height) =>
      `<text x="${LEFT - 6}" y="${y(height)}" text-anchor="end" dominant-baseline="middle">${Number(height.toPrecision(3))}</text>`,
  );
  const line =
    threshold === undefined
      ? []
      : [
          `<line x1="${LEFT}" y1="${y(threshold)}" x2="${width}" y2="${y(threshold)}" stroke="#d55e00" stroke-dasharray="4 3"/>`,
        ];
  const [w, h] = [width, TOP + HEIGHT + BELOW];
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" font-family="sans-serif" font-size="10">`,
    `<title>Dendrogram of ${leaves.length} rows</title>`,
    `<rect width="${w}" height="${h}" fill="#fff"/>`,
    `<path d="${forks.join("")}" fill="none" stroke="#0072b2"/>`,
    ...line,
    ...marks,
    ...names,
    "</svg>",
  ].join("\n")}\n`;
}
