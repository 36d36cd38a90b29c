import { hierarchy, tree } from "d3-hierarchy";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { classColor, css } from "../../draw/colors.js";
import { theme } from "../../ui/theme.js";
import type { Panel, TreeNode } from "../../work/protocol.js";
import { shortQuestion } from "./short-question.js";

const WIDTH = 132;
const HEIGHT = 64;
/** That fit into a box. */
const CHARACTERS = 19;
/** Deeper levels of large trees are folded. */
const MOST_NODES = 127;

/** A tree with its questions; the path of the selected row is drawn thick. */
export function TreePanel({ title, nodes, path }: Extract<Panel, { kind: "tree" }>) {
  const drawn = useMemo(() => layout(nodes), [nodes]);
  const region = useRef<HTMLElement>(null);
  // The root of a wide tree lies far from its left end; the leaf of a row may be anywhere.
  useLayoutEffect(() => {
    const { current: box } = region;
    const goal = drawn.boxes.findLast(({ node }) => path.includes(node)) ?? drawn.boxes[0]!;
    if (box !== null) box.scrollLeft = goal.x - box.clientWidth / 2;
  }, [drawn, path]);
  const onPath = new Set(path);
  const colors = theme.value;
  return (
    <figure class="panel">
      <figcaption>
        <h3>{title}</h3>
        <p class="note">
          Rows for which the question holds go left.
          {path.length > 0 ? " The thick path is that of the selected row." : ""}
          {drawn.folded > 0 ? ` ${drawn.folded} deeper nodes are not shown.` : ""}
        </p>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys */}
      <section ref={region} class="scroll tall" tabIndex={0} aria-label="Tree">
        <svg
          class="tree"
          width={drawn.width}
          height={drawn.height}
          viewBox={`0 0 ${drawn.width} ${drawn.height}`}
          role="img"
          aria-label={`${title}. ${nodes[0]?.text ?? ""}`}
        >
          {drawn.links.map(({ from, to }) => (
            <path
              key={`${from.node} ${to.node}`}
              d={`M${from.x} ${from.y + 20}C${from.x} ${from.y + 44} ${to.x} ${to.y - 44} ${to.x} ${to.y - 20}`}
              class={onPath.has(to.node) ? "branch lit" : "branch"}
            />
          ))}
          {drawn.boxes.map(({ x, y, data }) => (
            <g key={data.node} transform={`translate(${x} ${y})`}>
              <rect
                x={-WIDTH / 2 + 4}
                y={-20}
                width={WIDTH - 8}
                height={40}
                rx={6}
                class={onPath.has(data.node) ? "box lit" : "box"}
              />
              <rect
                x={-WIDTH / 2 + 4}
                y={-20}
                width={6}
                height={40}
                fill={data.value.length > 1 ? css(classColor(colors, best(data.value))) : "currentColor"}
              />
              <text x={3} y={-3}>
                {shortQuestion(data.text, CHARACTERS)}
              </text>
              <text x={3} y={13} class="rows">
                {data.rows} rows
              </text>
              <title>{data.text}</title>
            </g>
          ))}
        </svg>
      </section>
      <details>
        <summary>Show as a list</summary>
        <ol class="rules">
          {nodes.slice(0, MOST_NODES).map(({ node, text, rows, children }) => (
            <li key={node}>
              Node {node}: {text}, {rows} rows
              {children === null ? "" : `; left ${children[0]}, right ${children[1]}`}
            </li>
          ))}
        </ol>
      </details>
    </figure>
  );
}

const best = (value: readonly number[]): number => value.indexOf(Math.max(...value));

interface Placed {
  readonly node: number;
  readonly x: number;
  readonly y: number;
}

function layout(nodes: readonly TreeNode[]) {
  const byNumber = new Map(nodes.map((node) => [node.node, node]));
  const root = nodes[0]!;
  let depth = Infinity;
  // The deepest level that fits.
  const levels: number[] = [];
  const count = (node: TreeNode, level: number): void => {
    levels[level] = (levels[level] ?? 0) + 1;
    for (const child of node.children ?? []) count(byNumber.get(child)!, level + 1);
  };
  count(root, 0);
  let total = 0;
  for (const [level, size] of levels.entries()) {
    total += size;
    if (total > MOST_NODES) {
      depth = level - 1;
      break;
    }
  }
  const shownLevel = (node: TreeNode, level: number): { data: TreeNode; children?: unknown[] } => ({
    data: node,
    ...(node.children !== null &&
      level < depth && {
        children: node.children.map((child) => shownLevel(byNumber.get(child)!, level + 1)),
      }),
  });
  type Item = { data: TreeNode; children?: Item[] };
  const placed = tree<Item>()
    .nodeSize([WIDTH, HEIGHT + 16])
    .separation(() => 1)(hierarchy(shownLevel(root, 0) as Item));
  const all = placed.descendants();
  const least = Math.min(...all.map(({ x }) => x));
  const most = Math.max(...all.map(({ x }) => x));
  const at = (node: (typeof all)[number]): Placed => ({
    node: node.data.data.node,
    x: node.x - least + WIDTH / 2,
    y: node.y + 28,
  });
  return {
    width: most - least + WIDTH,
    height: Math.max(...all.map(({ y }) => y)) + 60,
    boxes: all.map((node) => ({ ...at(node), data: node.data.data })),
    links: placed.links().map(({ source, target }) => ({ from: at(source), to: at(target) })),
    folded: nodes.length - all.length,
  };
}
