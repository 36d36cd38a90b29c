import { useSignal } from "@preact/signals";
import { maxOf } from "argmax/numeric";
import { treeLayout } from "argmax/plot";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { classColor, css } from "../../draw/colors.js";
import { Switch } from "../../ui/fields/tick.js";
import { ScrollRegion } from "../../ui/table-parts.js";
import { theme } from "../../ui/theme.js";
import type { Panel, TreeNode } from "../../work/protocol.js";
import { shortQuestion } from "./short-question.js";

const WIDTH = 132;
const LEVEL = 80;
/** That fit into a box. */
const CHARACTERS = 19;
type TreeShown = Extract<Panel, { kind: "tree" }>;

/**
 * A tree with its questions; the path of the selected row is drawn thick. A tree that still grows has its nodes where the grown one has
 * them, so that nothing moves on the way.
 */
export function TreePanel({ panel, grown }: { readonly panel: TreeShown; readonly grown: TreeShown }) {
  const { title, nodes, path, folded } = panel;
  const places = useMemo(() => layout(grown.nodes), [grown.nodes]);
  const drawn = useMemo(() => within(places, nodes) ?? placed(layout(nodes), nodes), [places, nodes]);
  const whole = useSignal(false);
  const goal = drawn.boxes.findLast(({ data }) => path.includes(data.node)) ?? drawn.boxes[0]!;
  const region = useSight(goal.x, whole.value, [places, grown.path]);
  const hidden = folded + nodes.length - drawn.boxes.length;
  return (
    <figure class="panel">
      <figcaption>
        <h3>{title}</h3>
        <p class="note">
          {nodes.length + folded} nodes. Rows for which the question holds go left.
          {path.length > 0 ? " The thick path is that of the selected row." : ""}
          {hidden > 0 ? ` ${hidden} deeper nodes are not shown.` : ""}
        </p>
      </figcaption>
      <Switch of={whole}>Whole tree</Switch>
      <ScrollRegion label="Tree" class="scroll tall" region={region}>
        <TreeDrawing panel={panel} drawn={drawn} isWhole={whole.value} />
      </ScrollRegion>
      <details>
        <summary>Show as a list</summary>
        <ol class="rules">
          {nodes.map(({ node, text, rows, children }) => (
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

/** A region that scrolls to a goal. */
function useSight(goal: number, isWhole: boolean, anew: readonly unknown[]): RefObject<HTMLElement | null> {
  const region = useRef<HTMLElement>(null);
  // The root of a wide tree lies far from its left end; the leaf of a row may be anywhere.
  useLayoutEffect(() => {
    const { current: box } = region;
    if (box !== null) box.scrollLeft = goal - box.clientWidth / 2;
  }, [...anew, isWhole]);
  // Another step moves nothing, unless its leaf would be out of sight.
  useLayoutEffect(() => {
    const { current: box } = region;
    if (box === null || isWhole) return;
    const [left, right] = [goal - WIDTH / 2, goal + WIDTH / 2];
    if (left < box.scrollLeft) box.scrollLeft = left;
    else if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth;
  }, [goal]);
  return region;
}

interface TreeDrawingProps {
  readonly panel: TreeShown;
  readonly drawn: ReturnType<typeof placed>;
  readonly isWhole: boolean;
}

function TreeDrawing({ panel: { title, nodes, path }, drawn, isWhole }: TreeDrawingProps) {
  const onPath = new Set(path);
  const colors = theme.value;
  return (
    <svg
      class={isWhole ? "tree whole" : "tree"}
      width={drawn.width}
      height={drawn.height}
      viewBox={`0 0 ${drawn.width} ${drawn.height}`}
      role="img"
      aria-label={`${title}. ${nodes[0]?.text ?? ""}`}
    >
      {drawn.links.map(({ from, to }) => (
        <path
          key={`${from.data.node} ${to.data.node}`}
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
            fill={data.best === null ? "currentColor" : css(classColor(colors, data.best))}
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
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Layout {
  readonly width: number;
  readonly height: number;
  /** By the way from the root: "", "L", "LR", … */
  readonly places: ReadonlyMap<string, Place>;
  /** Steps of the longest way. */
  readonly depth: number;
}

type Box = Place & { readonly data: TreeNode };

/** The ways from the root to the nodes of a tree. */
function waysOf(nodes: readonly TreeNode[]): ReadonlyMap<string, TreeNode> {
  const byNumber = new Map(nodes.map((node) => [node.node, node]));
  const ways = new Map<string, TreeNode>();
  const visit = (number: number, way: string): void => {
    const node = byNumber.get(number);
    if (node === undefined) return;
    ways.set(way, node);
    if (node.children === null) return;
    visit(node.children[0], `${way}L`);
    visit(node.children[1], `${way}R`);
  };
  visit(nodes[0]!.node, "");
  return ways;
}

function layout(nodes: readonly TreeNode[]): Layout {
  interface Item {
    readonly way: string;
    readonly children: readonly Item[];
  }
  const ways = waysOf(nodes);
  const item = (way: string): Item => ({
    way,
    children: [`${way}L`, `${way}R`].filter((child) => ways.has(child)).map(item),
  });
  const laid = treeLayout(item(""), ({ children }) => children);
  return {
    width: laid.width * WIDTH,
    height: laid.depth * LEVEL + 60,
    places: new Map(
      laid.nodes.map(({ node, across, depth }) => [
        node.way,
        { x: (across + 0.5) * WIDTH, y: depth * LEVEL + 28 },
      ]),
    ),
    depth: maxOf(laid.nodes.map(({ node }) => node.way.length)),
  };
}

/** The nodes of a tree in a layout, and the lines between them. */
function placed({ width, height, places }: Layout, nodes: readonly TreeNode[]) {
  const boxes = new Map<string, Box>();
  for (const [way, data] of waysOf(nodes)) {
    const place = places.get(way);
    if (place !== undefined) boxes.set(way, { ...place, data });
  }
  const links = [...boxes].flatMap(([way, to]) => {
    const from = boxes.get(way.slice(0, -1));
    return way === "" || from === undefined ? [] : [{ from, to }];
  });
  return { width, height, boxes: [...boxes.values()], links };
}

/** The same in the layout of a grown tree; undefined where the tree has a branch that the grown one has not. */
function within(grown: Layout, nodes: readonly TreeNode[]): ReturnType<typeof placed> | undefined {
  const isPart = [...waysOf(nodes).keys()].every((way) => way.length > grown.depth || grown.places.has(way));
  return isPart ? placed(grown, nodes) : undefined;
}
