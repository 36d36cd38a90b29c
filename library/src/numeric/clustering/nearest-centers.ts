import { Matrix } from "../../data/matrix.js";
import { frameOf, MeansMemory } from "./means-memory.js";

/** Rows in the kernels' memory at a time: memory does not grow with their number. */
const BLOCK = 65536;

export interface NearestCenters {
  /** The nearest centre of every row by Σ (x_j − c_j)² in doubles; the smaller number of equally near ones. */
  readonly labels: Int32Array;
  /** Squared distances to it. */
  readonly distances: Float64Array;
}

/** The nearest of the given centres (k rows of d) for every row. */
export function nearestCenters(where: string, x: Matrix, centers: Matrix): NearestCenters {
  const labels = new Int32Array(x.rows);
  const distances = new Float64Array(x.rows);
  eachBlock(where, x, centers, false, (memory, from, count) => {
    memory.packRows();
    memory.assign(false);
    memory.measure();
    labels.set(memory.labels.array.subarray(0, count), from);
    distances.set(memory.distances.array.subarray(0, count), from);
  });
  return { labels, distances };
}

/** Distances of every row to every centre: rows of k. */
export function centerDistances(where: string, x: Matrix, centers: Matrix): Matrix {
  const k = centers.rows;
  const out = new Float64Array(x.rows * k);
  eachBlock(where, x, centers, true, (memory, from, count) => {
    memory.measureAll();
    out.set(memory.distances.array.subarray(0, count * k), from * k);
  });
  return new Matrix(out, x.rows, k);
}

function eachBlock(
  where: string,
  x: Matrix,
  centers: Matrix,
  all: boolean,
  work: (memory: MeansMemory, from: number, count: number) => void,
): void {
  const { rows: n, cols: d, data } = x;
  const frame = frameOf(centers);
  // Rows of k distances are wide where there are many centres.
  const block = all ? Math.max(512, Math.floor((8 * BLOCK) / centers.rows)) : BLOCK;
  for (let from = 0; from < n; from += block) {
    const count = Math.min(block, n - from);
    const memory = new MeansMemory(where, count, d, centers.rows, frame, undefined, all);
    try {
      memory.centers.array.set(centers.data);
      memory.load(data.subarray(from * d, (from + count) * d));
      work(memory, from, count);
    } finally {
      memory.close();
    }
  }
}
