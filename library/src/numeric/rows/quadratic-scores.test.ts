import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { setThreads } from "../runtime/threads.js";
import { type QuadraticForms, quadraticScores } from "./quadratic-scores.js";

const random = new Random(6);
const normals = (count: number) => Float64Array.from({ length: count }, () => random.normal());

function forms(d: number, classes: number, tied: boolean): QuadraticForms {
  const triangle = () => normals(d * d).map((value, e) => (e % d >= Math.floor(e / d) ? value : 0));
  return {
    centre: normals(d),
    w: Array.from({ length: tied ? 1 : classes }, triangle),
    offsets: normals(classes * d),
    constants: normals(classes),
  };
}

/** The formula, entry by entry. */
function twin(x: Matrix, { centre, w, offsets, constants }: QuadraticForms): Float64Array {
  const d = x.cols;
  return Float64Array.from({ length: x.rows * constants.length }, (_, e) => {
    const [i, k] = [Math.floor(e / constants.length), e % constants.length];
    let sum = 0;
    for (let c = 0; c < d; c++) {
      let z = -offsets[k * d + c]!;
      for (let j = 0; j < d; j++) z += (x.at(i, j) - centre[j]!) * (w[k] ?? w[0]!)[j * d + c]!;
      sum += z * z;
    }
    return constants[k]! - 0.5 * sum;
  });
}

describe("quadraticScores", () => {
  for (const d of [1, 3, 4, 5, 8, 17]) {
    it.each([1, 3, 4, 63, 64, 65, 130])(`are the formula's for %i rows of ${d}`, (rows) => {
      const x = new Matrix(normals(rows * d), rows, d);
      for (const tied of [false, true]) {
        const given = forms(d, 3, tied);
        const expected = twin(x, given);
        quadraticScores("test", x, given).forEach((z, e) => {
          expect(Math.abs(z - expected[e]!)).toBeLessThan(1e-12 * (1 + Math.abs(expected[e]!)));
        });
      }
    });
  }

  it("have the same bits with one thread and with two, and for a row alone", () => {
    const x = new Matrix(normals(9000 * 12), 9000, 12);
    const given = forms(12, 4, false);
    const together = quadraticScores("test", x, given);
    setThreads(1);
    try {
      expect(quadraticScores("test", x, given)).toEqual(together);
    } finally {
      setThreads(2);
    }
    const alone = quadraticScores("test", x.selectRows([4711]), given);
    expect(alone).toEqual(together.slice(4711 * 4, 4712 * 4));
  });
});
