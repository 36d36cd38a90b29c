import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { treeLayout } from "./tree-layout.js";

/** A tree as the list of its children. */
type Shape = readonly Shape[];
const childrenOf = (node: Shape) => node;
const leaf: Shape = [];

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof({ depthSize: "small" }, fc.constant(leaf), fc.tuple(tie("shape"), tie("shape"))),
}));

describe("treeLayout", () => {
  it("puts the leaves of a full tree side by side", () => {
    const pair = (): Shape => [[], []];
    const { nodes, width, depth } = treeLayout<Shape>([pair(), pair()], childrenOf);
    expect(nodes.map(({ across }) => across)).toEqual([1.5, 0.5, 0, 1, 2.5, 2, 3]);
    expect({ width, depth }).toEqual({ width: 4, depth: 2 });
  });

  it("lets a wide subtree reach below a leaf beside it", () => {
    const { nodes, width } = treeLayout<Shape>(
      [
        [],
        [
          [[], []],
          [[], []],
        ],
      ],
      childrenOf,
    );
    expect(width).toBe(4);
    expect(nodes[1]).toMatchObject({ across: 0.5, depth: 1 });
  });

  it("keeps nodes of one level in order and 1 apart, and centres nodes above their children", () => {
    fc.assert(
      fc.property(shape, (root) => {
        const { nodes, width, depth } = treeLayout(root, childrenOf);
        for (let level = 0; level <= depth; level++) {
          const across = nodes.filter((node) => node.depth === level).map((node) => node.across);
          for (let k = 1; k < across.length; k++)
            expect(across[k]! - across[k - 1]!).toBeGreaterThanOrEqual(1 - 1e-9);
        }
        for (const { across, children } of nodes)
          if (children.length > 0)
            expect(across).toBeCloseTo((children[0]!.across + children.at(-1)!.across) / 2, 9);
        const places = nodes.map(({ across }) => across);
        expect([Math.min(...places), 1 + Math.max(...places)]).toEqual([0, width]);
      }),
    );
  });

  it("places a tree as deep as it is large", () => {
    let root: Shape = leaf;
    for (let level = 0; level < 3000; level++) root = [leaf, root];
    expect(treeLayout(root, childrenOf)).toMatchObject({ depth: 3000 });
  });

  it("refuses what gives no children", () => {
    expect(() => treeLayout(leaf, undefined as never)).toThrow(
      "treeLayout: childrenOf must be a function from a node to its children, got undefined.",
    );
  });
});
