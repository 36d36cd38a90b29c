import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { setThreads } from "../runtime/threads.js";
import { eachGapDistances } from "./gap-distances.js";

const drawn = (random: Random, rows: number, cols: number): Matrix =>
  new Matrix(
    Float64Array.from({ length: rows * cols }, () => (random.uniform() < 0.3 ? Number.NaN : random.normal())),
    rows,
    cols,
  );

const columnsOf = (x: Matrix): Float64Array[] => Array.from({ length: x.cols }, (_, j) => x.column(j));

function distances(x: Matrix, z: Matrix): Float64Array[] {
  const all: Float64Array[] = [];
  eachGapDistances("test", columnsOf(x), z, (query, squares) => {
    expect(query).toBe(all.length);
    all.push(Float64Array.from(squares));
  });
  return all;
}

function twin(x: Matrix, z: Matrix): Float64Array[] {
  return Array.from({ length: z.rows }, (_, i) =>
    Float64Array.from({ length: x.rows }, (_, r) => {
      let sum = 0;
      let count = 0;
      for (let j = 0; j < x.cols; j++) {
        const difference = z.data[i * x.cols + j]! - x.data[r * x.cols + j]!;
        if (Number.isNaN(difference)) continue;
        sum += difference * difference;
        count++;
      }
      return (sum / count) * x.cols;
    }),
  );
}

describe("distances of rows with gaps", () => {
  it("equal those of plain loops bit by bit, around the edges of panels, chunks and blocks", () => {
    const random = new Random(5);
    for (const n of [1, 2, 7, 8, 9, 16, 33])
      for (const [count, d] of [
        [1, 1],
        [3, 2],
        [17, 5],
        [257, 3],
      ] as const) {
        const x = drawn(random, n, d);
        const z = drawn(random, count, d);
        expect(distances(x, z)).toEqual(twin(x, z));
      }
  });

  it("are the same with one thread and with several", () => {
    const random = new Random(6);
    const x = drawn(random, 900, 12);
    const several = distances(x, x);
    setThreads(1);
    try {
      expect(distances(x, x)).toEqual(several);
    } finally {
      setThreads(8);
    }
  });

  it("are numbers where squares would not fit a double", () => {
    for (const unit of [1e200, 1e-200]) {
      const x = new Matrix(Float64Array.of(unit, 5 * unit), 2, 1);
      const [[far, near]] = distances(x, new Matrix(Float64Array.of(4 * unit), 1, 1)) as [Float64Array];
      expect(far! / near!).toBeCloseTo(9, 12);
    }
  });
});
