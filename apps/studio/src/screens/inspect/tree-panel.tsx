import { type PlacedNode, treeLayout } from "argmax/plot";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { classColor, css } from "../../draw/colors.js";
import { theme } from "../../ui/theme.js";
import type { Panel, TreeNode } from "../../work/protocol.js";
import { shortQuestion } from "./short-question.js";

const WIDTH = 132;
const LEVEL = 80;
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
    const goal = drawn.boxes.findLast(({ data }) => path.includes(data.node)) ?? drawn.boxes[0]!;
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
              key={to.data.node}
              d={`M${from.x} ${from.y + 20}C${from.x} ${from.y + 44} ${to.x} ${to.y - 44} ${to.x} ${to.y - 20}`}
              class={onPath.has(to.data.node) ? "branch lit" : "branch"}
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

/** Places of nodes and the lines between them, as many whole levels as fit. */
function layout(nodes: readonly TreeNode[]) {
  const byNumber = new Map(nodes.map((node) => [node.node, node]));
  const childrenOf = ({ children }: TreeNode) => (children ?? []).map((child) => byNumber.get(child)!);
  const root = nodes[0]!;
  const shown = new Set<TreeNode>();
  for (let level = [root]; level.length > 0; level = level.flatMap(childrenOf)) {
    if (shown.size + level.length > MOST_NODES) break;
    for (const node of level) shown.add(node);
  }
  const placed = treeLayout(root, (node) => childrenOf(node).filter((child) => shown.has(child)));
  const at = ({ node, across, depth }: PlacedNode<TreeNode>) => ({
    data: node,
    x: (across + 0.5) * WIDTH,
    y: depth * LEVEL + 28,
  });
  return {
    width: placed.width * WIDTH,
    height: placed.depth * LEVEL + 60,
    boxes: placed.nodes.map(at),
    links: placed.nodes.flatMap((node) => node.children.map((child) => ({ from: at(node), to: at(child) }))),
    folded: nodes.length - placed.nodes.length,
  };
}
