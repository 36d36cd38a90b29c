import { describe, expect, it } from "vitest";
import { StateReader, type Tensor } from "../core/state/state.js";
import { HistTrees } from "./hist-trees.js";

/** The state of one tree of nodes whose left children are given; 0: a leaf. */
function read(left: readonly number[]): HistTrees {
  const count = left.length;
  const list = (data: Tensor["data"]): Tensor => ({ shape: [data.length], data });
  const tensors: Record<string, Tensor> = {
    starts: list(Int32Array.of(0, count)),
    feature: list(Int32Array.from(left, (child) => (child === 0 ? -1 : 0))),
    left: list(Int32Array.from(left)),
    threshold: list(new Float64Array(count)),
    value: list(Float64Array.from(left, (_, v) => v)),
    gain: list(new Float64Array(count)),
    rows: list(new Int32Array(count)),
    missingLeft: list(new Uint8Array(count)),
    set: list(new Int32Array(count).fill(-1)),
    sets: { shape: [0, 8], data: new Int32Array(0) },
    edges: list(Float64Array.of(0)),
    edgeEnds: list(Int32Array.of(1)),
    categorical: list(Uint8Array.of(0)),
  };
  return HistTrees.read(new StateReader({ kind: "test", params: {}, values: {}, tensors }), 1);
}

describe("the nodes of a file", () => {
  it("are read where each has one parent", () => {
    expect(read([1, 3, 0, 0, 0]).count).toBe(1);
  });

  it("are refused where two nodes share a child: packing them would never end", () => {
    expect(() => read([1, 3, 3, 0, 0])).toThrow(/left must be the child of one node, got node 3 twice/);
  });

  it("are refused where children overlap or a node has no parent", () => {
    expect(() => read([1, 3, 4, 0, 0, 0])).toThrow(/node 4 twice/);
    expect(() => read([1, 4, 3, 0, 0, 0])).toThrow(/node 3 twice/);
    expect(() => read([3, 0, 0, 0, 0])).toThrow(/2 children of 5 nodes/);
  });
});
