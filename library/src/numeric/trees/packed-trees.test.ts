import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { addScores } from "../boosting/scores.js";
import { THRESHOLDS, WITH_LISTS, WITH_SETS } from "../generated/packed-trees.layout.js";
import { leafOfRow } from "./leaf-of-row.js";
import { PackedForest, treeSums } from "./leaves.js";
import { addFewTreeSums, packTrees, type TreeLists } from "./packed-trees.js";
import type { GrownTree } from "./tree-plan.js";

/** Categories of columns 2 and 3 are below these; columns 0 and 1 are numbers. */
const SMALL = 70;
const LARGE = 1_000_000;

/** A random tree whose splitKinds are about the first `columns` columns. */
function randomTree(random: Random, columns: number, width: number): TreeLists {
  const features: number[] = [];
  const [thresholds, lefts, rights, missingLeft, starts]: number[][] = [[], [], [], [], []];
  const pool: number[] = [];
  const values: number[] = [];
  const add = (depth: number): number => {
    const node = features.length;
    const feature = depth === 0 || random.uniform() < 0.2 ? -1 : Math.floor(random.uniform() * columns);
    features.push(feature);
    thresholds!.push(random.normal());
    missingLeft!.push(random.uniform() < 0.5 ? 1 : 0);
    starts!.push(feature < 2 ? -1 : pool.length);
    for (let k = 0; k < width; k++) values.push(random.normal());
    if (feature >= 2) {
      const most = feature === 2 ? SMALL : LARGE;
      const codes = Array.from({ length: 20 }, () => Math.floor(random.uniform() * most));
      const list = [...new Set([...codes, 0, most - 1])]
        .sort((a, b) => a - b)
        .slice(random.uniform() < 0.5 ? 0 : 1);
      pool.push(list.length, ...list);
    }
    lefts!.push(-1);
    rights!.push(-1);
    if (feature >= 0) {
      lefts![node] = add(depth - 1);
      rights![node] = add(depth - 1);
    }
    return node;
  };
  add(6);
  return {
    features: Int32Array.from(features),
    thresholds: Float64Array.from(thresholds!),
    lefts: Int32Array.from(lefts!),
    rights: Int32Array.from(rights!),
    missingLeft: Int32Array.from(missingLeft!),
    categoryStarts: Int32Array.from(starts!),
    pool: Int32Array.from(pool),
    values: Float64Array.from(values),
    width,
  };
}

function randomRows(random: Random, rows: number, missing: number): Matrix {
  const x = Matrix.zeros(rows, 4);
  for (let i = 0; i < rows; i++) {
    const codes = [Math.floor(random.uniform() * (SMALL + 40)), random.uniform() < 0.3 ? 0 : LARGE - 1];
    x.data.set([random.normal(), random.normal(), ...codes], 4 * i);
    for (let j = 0; j < 4; j++) if (random.uniform() < missing) x.data[4 * i + j] = Number.NaN;
  }
  return x;
}

describe("packed trees", () => {
  const kinds = [
    { title: "numbers only", columns: 2, missing: 0, splitKinds: THRESHOLDS },
    { title: "numbers, some missing", columns: 2, missing: 0.2, splitKinds: THRESHOLDS },
    { title: "categories as sets of bits", columns: 3, missing: 0.1, splitKinds: WITH_SETS },
    { title: "many categories as lists", columns: 4, missing: 0.1, splitKinds: WITH_LISTS },
  ];
  for (const { title, columns, missing, splitKinds } of kinds) {
    it(`lead rows where the lists of nodes do: ${title}`, () => {
      const random = new Random(columns + 10 * missing);
      const trees = Array.from({ length: 12 }, () =>
        randomTree(random, columns, 1),
      ) as unknown as GrownTree[];
      const packed = packTrees(trees);
      expect(packed.splitKinds).toBe(splitKinds);
      const x = randomRows(random, 603, missing);
      const sums = new Float64Array(x.rows);
      const scores = new Float64Array(3 * x.rows);
      for (let i = 0; i < x.rows; i++) {
        for (const [t, tree] of trees.entries()) {
          const value = tree.values[leafOfRow(tree, x, i)]!;
          sums[i]! += value;
          scores[3 * i + (t % 3)]! += value;
        }
      }
      expect(treeSums("test", x, trees, new PackedForest(trees))).toEqual(sums);
      const kernel = new Float64Array(3 * x.rows);
      addScores("test", x, packed, trees.length, 3, kernel);
      expect(kernel).toEqual(scores);
      const few = new Float64Array(3 * x.rows);
      addFewTreeSums(x, packed, 0, 5, 3, few);
      addFewTreeSums(x, packed, 5, trees.length, 3, few);
      expect(few).toEqual(scores);
    });
  }

  it("add all values of a leaf", () => {
    const random = new Random(3);
    const trees = Array.from({ length: 30 }, () => randomTree(random, 4, 3)) as unknown as GrownTree[];
    const x = randomRows(random, 259, 0.05);
    const sums = new Float64Array(3 * x.rows);
    for (let i = 0; i < x.rows; i++)
      for (const tree of trees)
        for (let k = 0; k < 3; k++) sums[3 * i + k]! += tree.values[3 * leafOfRow(tree, x, i) + k]!;
    expect(treeSums("test", x, trees, new PackedForest(trees))).toEqual(sums);
  });
});
