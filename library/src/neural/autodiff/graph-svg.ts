import { maxOf } from "../../core/numbers/extremes.js";
import { escaped } from "../../core/text/xml.js";
import type { GraphNode } from "./graph.js";

const WIDTH = 176;
const GAP_X = 96;
const GAP_Y = 22;
const LINE = 15;

/** Boxes from left to right, each to the right of its inputs: values in black, gradients in red, local derivatives at the edges. */
export function drawGraph(
  nodes: readonly GraphNode[],
  describe: (array: GraphNode["value"]) => string,
): string {
  const column: number[] = [];
  for (const { id, inputs } of nodes)
    column[id] =
      maxOf(
        inputs.map((input) => column[input]!),
        -1,
      ) + 1;
  const linesOf = ({ name, value, gradient }: GraphNode) => [
    name,
    describe(value),
    ...(gradient ? [describe(gradient)] : []),
  ];
  const heightOf = (node: GraphNode) => linesOf(node).length * LINE + 12;
  const bottoms: number[] = [];
  const places = nodes.map((node) => {
    const at = column[node.id]!;
    const y = bottoms[at] ?? GAP_Y;
    bottoms[at] = y + heightOf(node) + GAP_Y;
    return { x: GAP_Y + at * (WIDTH + GAP_X), y };
  });
  const size = [maxOf(places.map(({ x }) => x)) + WIDTH + GAP_Y, maxOf(bottoms)] as const;
  const shapes: string[] = [];
  for (const node of nodes) {
    const to = places[node.id]!;
    for (const [k, input] of node.inputs.entries()) {
      const from = places[input]!;
      const y1 = from.y + heightOf(nodes[input]!) / 2;
      const y2 = to.y + (heightOf(node) * (k + 1)) / (node.inputs.length + 1);
      const x1 = from.x + WIDTH;
      // spread: a node has three lines.
      shapes.push(
        `<line x1="${x1}" y1="${y1}" x2="${to.x}" y2="${y2}" stroke="#999" marker-end="url(#arrow)"/>`,
      );
      const label = escaped(node.localDerivatives[k] ?? "");
      // spread: a node has three lines.
      shapes.push(`<text x="${(x1 + to.x) / 2}" y="${(y1 + y2) / 2 - 4}" fill="#777">${label}</text>`);
    }
    // spread: a node has three lines.
    shapes.push(
      `<rect x="${to.x}" y="${to.y}" width="${WIDTH}" height="${heightOf(node)}" rx="4" fill="${node.op ? "#fff" : "#e8f1fa"}" stroke="#555"/>`,
      ...linesOf(node).map((line, e) => {
        const fill = ["#000", "#000", "#b2182b"][e]!;
        const weight = e === 0 ? ' font-weight="bold"' : "";
        return `<text x="${to.x + WIDTH / 2}" y="${to.y + (e + 1) * LINE + 2}" fill="${fill}"${weight}>${escaped(line)}</text>`;
      }),
    );
  }
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size[0]} ${size[1]}" width="${size[0]}" height="${size[1]}">`;
  const arrow =
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#999"/></marker></defs>';
  const ground = `<rect width="${size[0]}" height="${size[1]}" fill="#fff"/>`;
  const style = '<g font-family="sans-serif" font-size="11" text-anchor="middle">';
  return `${[head, "<title>A computation graph</title>", arrow, ground, style, ...shapes, "</g>", "</svg>"].join("\n")}\n`;
}
