import type { NeighborSearch } from "../neighbors/search.js";
import { rootOf } from "./union-find.js";

export interface DensityClusters {
  /** −1 is noise. */
  readonly labels: Int32Array;
  /** 1 for core points. */
  readonly core: Uint8Array;
}

/** Neighbours of the rows from … from + count − 1: those of row from + r are indices[starts[r]] to indices[starts[r + 1] − 1]. */
interface Block {
  readonly from: number;
  readonly count: number;
  readonly starts: Int32Array;
  readonly indices: Int32Array;
}

/** Pairs of neighbours that are kept: 64 MB. */
const MOST_KEPT = 2 ** 24;

/**
 * DBSCAN [Ester et al. 1996] of n points that `index` searches: core points have a weight of `least` or more within `eps`, their own
 * included; core points within `eps` of each other are one cluster, and any other point within `eps` of a core point belongs to the
 * first such cluster. Clusters are numbered by their first core point. Neighbours are needed twice, first to count and then to join: they
 * are kept where they are few, and searched again otherwise, so that memory stays bounded.
 */
export function densityClusters<X>(
  where: string,
  index: NeighborSearch<X>,
  x: X,
  n: number,
  eps: number,
  least: number,
  weights: Float64Array | undefined,
): DensityClusters {
  const radii = new Float64Array(n).fill(eps);
  const core = new Uint8Array(n);
  const kept: Block[] = [];
  let pairs = 0;
  index.within(where, x, radii, false, (from, count, starts, _, indices) => {
    pairs += indices.length;
    if (pairs <= MOST_KEPT) kept.push({ from, count, starts, indices });
    for (let r = 0; r < count; r++) {
      let mass = weights ? 0 : starts[r + 1]! - starts[r]!;
      if (weights) for (let e = starts[r]!; e < starts[r + 1]!; e++) mass += weights[indices[e]!]!;
      core[from + r] = mass >= least ? 1 : 0;
    }
  });
  const parent = Int32Array.from({ length: n }, (_, i) => i);
  // Of a core point's row, pairs with smaller numbers are enough; a border point waits until all clusters are known.
  const borders: Int32Array[] = [];
  const join = ({ from, count, starts, indices }: Block) => {
    for (let r = 0; r < count; r++) {
      const i = from + r;
      const row = indices.subarray(starts[r]!, starts[r + 1]!);
      if (core[i]) {
        for (const j of row) if (j < i && core[j]) unite(parent, i, j);
      } else {
        const near = row.filter((j) => core[j] === 1);
        if (near.length > 0) borders.push(Int32Array.from([i, ...distinctRoots(parent, near)]));
      }
    }
  };
  if (pairs <= MOST_KEPT) kept.forEach(join);
  else
    index.within(where, x, radii, false, (from, count, starts, _, indices) =>
      join({ from, count, starts, indices }),
    );
  return { labels: numbered(parent, core, borders), core };
}

/** One core point per cluster as far as clusters are joined yet: a border point has few of them. */
function distinctRoots(parent: Int32Array, points: Int32Array): Set<number> {
  const roots = new Set<number>();
  for (const point of points) roots.add(rootOf(parent, point));
  return roots;
}

function numbered(parent: Int32Array, core: Uint8Array, borders: readonly Int32Array[]): Int32Array {
  const n = parent.length;
  const labels = new Int32Array(n).fill(-1);
  let clusters = 0;
  // The root of a cluster is its first core point.
  for (let i = 0; i < n; i++) {
    if (core[i]) labels[i] = parent[i] === i ? clusters++ : labels[rootOf(parent, i)]!;
  }
  for (const border of borders) {
    let first = n;
    for (let e = 1; e < border.length; e++) first = Math.min(first, labels[border[e]!]!);
    labels[border[0]!] = first;
  }
  return labels;
}

/** The smaller root becomes the root of both. */
function unite(parent: Int32Array, i: number, j: number): void {
  const [a, b] = [rootOf(parent, i), rootOf(parent, j)];
  if (a < b) parent[b] = a;
  else parent[a] = b;
}
