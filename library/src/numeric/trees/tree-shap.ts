import type { Matrix } from "../../data/matrix.js";
import { shapChunk } from "../generated/tree-shap.js";
import { type Arena, withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";
import { addRowShap } from "./row-shap.js";
import { type TreePaths, treePaths } from "./tree-paths.js";
import type { CoveredScores, CoveredTree } from "./tree-sum.js";

/** Rows per chunk, chunks per block: every chunk of a block has its own memory. */
const CHUNK_ROWS = 32;
const CHUNKS = 16;
const BLOCK = CHUNK_ROWS * CHUNKS;
/** Fewer rows are computed faster than trees are copied to the kernel. */
const FEW_ROWS = 4;

/**
 * Shapley values of a tree's features, where the value of a set S of features is the tree's prediction with the others unknown: at a split
 * on an unknown feature both children count, in proportion to their training rows (path-dependent TreeSHAP [Lundberg et al. 2020]).
 *
 * A leaf of value v whose path splits on the features of a set M adds to the value of S
 *
 *   v Π_{j ∈ M} (j ∈ S ? o_j : z_j),      o_j = 1 if the row takes the leaf's side at every split on j, else 0;
 *                                         z_j = the product of the proportions of rows on that side
 *
 * and its Shapley value for j is that of the multilinear extension [Owen 1972]:
 *
 *   φ_j = v (o_j − z_j) ∫₀¹ Π_{i ∈ M, i ≠ j} F_i(t) dt,      F_i(t) = t o_i + (1 − t) z_i
 *
 * The integrand is a polynomial of degree |M| − 1, for which ⌈|M|/2⌉ points of Gauss and Legendre are exact. The products are carried down
 * the tree, the sums over leaves back up, so a row costs nodes · ⌈|M|/2⌉ instead of leaves · depth². Factors are
 * positive, and F_e ≤ F_a below, so that quotients keep their digits. Where a path splits on j again, the edge e below replaces the factor F_a of the edge a above: with the sum g over the
 * leaves below e, φ_j gains (o_e − z_e) Σ w g / F_e, and loses (o_a − z_a) Σ w g / F_a, which a adds for these leaves too [Yu et al. 2022].
 *
 * out[i, k, j] += the contribution of feature j to output k of row i.
 */
export function addTreeShap(where: string, sum: CoveredScores, x: Matrix, out: Float64Array): void {
  const { trees } = sum;
  const scale = 1 / sum.divisor;
  const stride = sum.baseline.length * x.cols;
  const scaled = trees.map((tree) => ({ ...tree, values: tree.values.map((value) => scale * value) }));
  for (const [t, tree] of scaled.entries()) {
    const paths = treePaths(tree);
    const shift = (t * tree.width * x.cols) % stride;
    const to = { shift, stride, out };
    if (x.rows <= FEW_ROWS) fewRowsShap(tree, paths, x, to);
    else withArena(where, (arena) => kernelShap(arena, tree, paths, x, to));
  }
}

/** Where the values of row i go: out[i · stride + shift]. */
interface Target {
  readonly shift: number;
  readonly stride: number;
  readonly out: Float64Array;
}

function fewRowsShap(tree: CoveredTree, paths: TreePaths, x: Matrix, { shift, stride, out }: Target): void {
  const addInto = addRowShap(tree, paths);
  const sums = new Float64Array(tree.width * x.cols);
  for (let i = 0; i < x.rows; i++) {
    addInto(x.row(i), sums.fill(0));
    for (let e = 0; e < sums.length; e++) out[i * stride + shift + e]! += sums[e]!;
  }
}

function kernelShap(arena: Arena, tree: CoveredTree, paths: TreePaths, x: Matrix, to: Target): void {
  const { shift, stride, out } = to;
  const { width } = tree;
  const n = tree.features.length;
  const Q = paths.quadrature.points.length;
  const [nodes, numbers] = [arena.i32(8 * n), arena.f64(2 * n)];
  const words = nodes.array;
  for (let v = 0; v < n; v++) {
    const { features, lefts, rights, missingLeft, categoryStarts } = tree;
    const fields = [features[v]!, lefts[v]!, rights[v]!, missingLeft[v]!, categoryStarts[v]!];
    words.set([...fields, paths.parents[v]!, paths.above[v]!, 0], 8 * v);
  }
  for (let v = 0; v < n; v++) numbers.array.set([tree.thresholds[v]!, paths.shares[v]!], 2 * v);
  const pool = arena.copyI32(tree.pool.length > 0 ? tree.pool : [0]);
  const values = arena.copy(tree.values);
  const points = arena.copy([...paths.quadrature.points, ...paths.quadrature.weights]);
  const most = Math.min(x.rows, BLOCK);
  const work = arena.f64(2 * n * (1 + Q * (2 + width)) * Math.ceil(most / CHUNK_ROWS));
  const rows = arena.f64(most * x.cols);
  const own = width * x.cols;
  const sums = arena.f64(most * own);
  for (let from = 0; from < x.rows; from += BLOCK) {
    const count = Math.min(BLOCK, x.rows - from);
    rows.array.set(x.data.subarray(from * x.cols, (from + count) * x.cols));
    sums.array.fill(0);
    const call = shapChunk({
      x: rows.ptr,
      n: count,
      d: x.cols,
      nodes: nodes.ptr,
      count: n,
      numbers: numbers.ptr,
      pool: pool.ptr,
      values: values.ptr,
      width,
      points: points.ptr,
      Q,
      work: work.ptr,
      out: sums.ptr,
      stride: own,
      chunkRows: CHUNK_ROWS,
    });
    const operations = 20 * count * n * Q * width;
    const chunks = Math.ceil(count / CHUNK_ROWS);
    parallel(arena.heap, call, chunks, operations);
    const found = sums.array;
    for (let i = 0, e = 0; i < count; i++)
      for (let at = (from + i) * stride + shift, k = 0; k < own; k++) out[at + k]! += found[e++]!;
  }
}

/** The mean of the leaves' values over the training rows, added to the outputs' baselines. */
export function treeBaseValues({ trees, divisor, baseline }: CoveredScores): Float64Array {
  const scale = 1 / divisor;
  const out = baseline.slice();
  for (const [t, { features, covers, values, width }] of trees.entries()) {
    const first = (t * width) % out.length;
    for (let v = 0; v < features.length; v++) {
      if (features[v]! >= 0) continue;
      for (let k = 0; k < width; k++)
        out[first + k]! += (scale * covers[v]! * values[v * width + k]!) / covers[0]!;
    }
  }
  return out;
}
