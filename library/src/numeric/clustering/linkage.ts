import type { PairwiseDistances } from "./pairwise.js";

export type LinkageRule = "ward" | "complete" | "average" | "single";

/**
 * A hierarchy of clusters over n rows: merge m joins the clusters children[2m] and children[2m + 1] (numbers below n are rows, n + m is
 * what merge m made) at `distances[m]` into one of `counts[m]` rows. Distances ascend; the smaller number comes first.
 * The numbers of scipy.cluster.hierarchy.linkage.
 */
export interface Hierarchy {
  readonly children: Int32Array;
  readonly distances: Float64Array;
  readonly counts: Int32Array;
}

/** Merges in any order: two rows that stand for their clusters, and the distance of these. */
interface Merges {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly distances: Float64Array;
}

/**
 * The nearest-neighbour chain [Murtagh 1983; Müllner 2011, figure 3]: walks from cluster to nearest cluster until two are nearest to
 * each other, joins them, and goes on from where it was. O(n²) time for linkages that never bring clusters nearer to each other by
 * joining others. `pairs` holds the distances (squares for ward) and is overwritten.
 */
export function chainHierarchy(pairs: PairwiseDistances, rule: "ward" | "complete" | "average"): Hierarchy {
  const { n, values: d } = pairs;
  const size = new Float64Array(n).fill(1);
  const merges = { a: new Int32Array(n - 1), b: new Int32Array(n - 1), distances: new Float64Array(n - 1) };
  const chain = new Int32Array(n);
  let length = 0;
  let firstLeft = 0;
  for (let m = 0; m < n - 1; m++) {
    while (size[firstLeft] === 0) firstLeft++;
    if (length === 0) chain[length++] = firstLeft;
    for (;;) {
      const x = chain[length - 1]!;
      // The one that the chain comes from wins ties, so that the walk ends.
      let y = length > 1 ? chain[length - 2]! : -1;
      let least = y < 0 ? Infinity : d[x * n + y]!;
      for (let i = 0, at = x * n; i < n; i++) {
        if (size[i] === 0 || i === x || !(d[at + i]! < least)) continue;
        least = d[at + i]!;
        y = i;
      }
      if (length > 1 && y === chain[length - 2]) break;
      chain[length++] = y;
    }
    const x = Math.min(chain[length - 1]!, chain[length - 2]!);
    const y = Math.max(chain[length - 1]!, chain[length - 2]!);
    length -= 2;
    merges.a[m] = x;
    merges.b[m] = y;
    merges.distances[m] = d[x * n + y]!;
    mergeInto(rule, n, x, y, size, d);
  }
  if (rule === "ward") for (let m = 0; m < n - 1; m++) merges.distances[m] = Math.sqrt(merges.distances[m]!);
  return labelled(n, merges);
}

/** Distances from the union of x and y to all others [Lance & Williams 1967], in the place of y's. */
function mergeInto(
  rule: "ward" | "complete" | "average",
  n: number,
  x: number,
  y: number,
  size: Float64Array,
  out: Float64Array,
): void {
  const [a, b] = [size[x]!, size[y]!];
  const between = out[x * n + y]!;
  size[x] = 0;
  size[y] = a + b;
  for (let i = 0; i < n; i++) {
    const c = size[i]!;
    if (c === 0 || i === y) continue;
    const [dx, dy] = [out[x * n + i]!, out[y * n + i]!];
    const joined =
      rule === "complete"
        ? Math.max(dx, dy)
        : rule === "average"
          ? (a * dx + b * dy) / (a + b)
          : ((a + c) * dx + (b + c) * dy - c * between) / (a + b + c);
    out[y * n + i] = joined;
    out[i * n + y] = joined;
  }
}

/** Single linkage by the minimum spanning tree [Gower & Ross 1969], grown from row 0 (Prim): O(n²) time. */
export function treeHierarchy({ n, values: d }: PairwiseDistances): Hierarchy {
  const least = new Float64Array(n).fill(Infinity);
  const outside = new Uint8Array(n).fill(1);
  const merges = { a: new Int32Array(n - 1), b: new Int32Array(n - 1), distances: new Float64Array(n - 1) };
  let last = 0;
  outside[0] = 0;
  for (let m = 0; m < n - 1; m++) {
    let next = -1;
    for (let i = 0; i < n; i++) {
      if (outside[i] === 0) continue;
      const own = d[last * n + i]!;
      if (own < least[i]!) least[i] = own;
      if (next < 0 || least[i]! < least[next]!) next = i;
    }
    merges.a[m] = last;
    merges.b[m] = next;
    merges.distances[m] = least[next]!;
    outside[next] = 0;
    last = next;
  }
  return labelled(n, merges);
}

/** Merges by ascending distance, with numbers for the clusters that they make. */
function labelled(n: number, { a, b, distances }: Merges): Hierarchy {
  const order = Array.from(a.keys()).sort((p, q) => distances[p]! - distances[q]! || p - q);
  const parent = Int32Array.from({ length: 2 * n - 1 }, (_, i) => i);
  const rootOf = (i: number) => {
    let at = i;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  const size = new Int32Array(2 * n - 1).fill(1);
  const children = new Int32Array(2 * (n - 1));
  order.forEach((e, m) => {
    const [p, q] = [rootOf(a[e]!), rootOf(b[e]!)];
    children[2 * m] = Math.min(p, q);
    children[2 * m + 1] = Math.max(p, q);
    parent[p] = n + m;
    parent[q] = n + m;
    size[n + m] = size[p]! + size[q]!;
  });
  return { children, distances: Float64Array.from(order, (e) => distances[e]!), counts: size.subarray(n) };
}
