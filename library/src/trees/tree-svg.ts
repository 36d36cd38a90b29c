import { escaped } from "../core/text/xml.js";
import { type ExportOptions, type ShownTree, splitText } from "./export-tree.js";
import { fittedTreeLayout } from "./tree-layout.js";

const WIDTH = 150;
const HEIGHT = 46;
const GAP = 16;
const LEVEL = 84;

/** Characters that fit into a box. */
const BOX_CHARACTERS = 27;

/** The text cut to the width of a box; the whole text as its tooltip. */
function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= BOX_CHARACTERS) return escaped(text);
  return `<title>${escaped(text)}</title>${escaped(`${characters.slice(0, BOX_CHARACTERS - 1).join("")}…`)}`;
}

/** Draws each branch centred above its children, to which those go that its condition holds for, left, and the others. */
export function drawTree({ tree, describe }: ShownTree, options: ExportOptions): string {
  const conditions = splitText("toSvg", tree, options);
  const { maxDepth = Infinity } = options;
  const { nodes, width, depth: deepest } = fittedTreeLayout(tree, maxDepth);
  const place = (across: number) => across * (WIDTH + GAP) + WIDTH / 2 + GAP;
  const size = [width * (WIDTH + GAP) + GAP, deepest * LEVEL + HEIGHT + 2 * GAP] as const;
  const shapes: string[] = [];
  for (const { node, depth, across, children } of nodes) {
    const [x, y] = [place(across), depth * LEVEL + GAP];
    for (const [c, child] of children.entries()) {
      const [cx, cy] = [place(child.across), y + LEVEL];
      shapes.push(`<line x1="${x}" y1="${y + HEIGHT}" x2="${cx}" y2="${cy}" stroke="#999"/>`);
      shapes.push(
        `<text x="${(x + cx) / 2}" y="${y + HEIGHT + 18}" fill="#777">${c === 0 ? "yes" : "no"}</text>`,
      );
    }
    const isEnd = children.length === 0;
    const top = isEnd ? describe(node.value) : conditions.left(node);
    const fill = isEnd ? "#e8f1fa" : "#fff";
    shapes.push(
      `<rect x="${x - WIDTH / 2}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="4" fill="${fill}" stroke="#555"/>`,
      `<text x="${x}" y="${y + 19}">${shortened(top)}</text>`,
      `<text x="${x}" y="${y + 36}" fill="#777">${node.count} rows, ${node.impurity.toFixed(2)}</text>`,
    );
  }
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size[0]} ${size[1]}" width="${size[0]}" height="${size[1]}">`;
  const style = '<g font-family="sans-serif" font-size="11" text-anchor="middle">';
  return `${[head, "<title>A decision tree</title>", style, ...shapes, "</g>", "</svg>"].join("\n")}\n`;
}
