import { entropy, gini, impurityChange, nodeError, Random, SVC } from "argmax";
import { describe, expect, it } from "vitest";

const random = new Random(11);
const count = () => Math.floor(30 * random.uniform());

describe("X11 three properties of every impurity", () => {
  for (const [name, impurity] of Object.entries({ gini, entropy, nodeError })) {
    it(`${name} is 0 exactly for pure nodes`, () => {
      for (let draw = 0; draw < 100; draw++) {
        const counts = Array.from({ length: 2 + (draw % 5) }, count);
        counts[draw % counts.length]! += 1;
        const pure = counts.filter((n) => n > 0).length === 1;
        expect(impurity(counts) === 0).toBe(pure);
        expect(impurity(counts)).toBeGreaterThanOrEqual(0);
      }
      expect(impurity([0, 7, 0])).toBe(0);
    });

    it(`${name} is largest where all classes are equally frequent`, () => {
      for (let draw = 0; draw < 100; draw++) {
        const counts = Array.from({ length: 2 + (draw % 5) }, () => 1 + count());
        const even = impurity(counts.map(() => 10));
        const differ = counts.some((n) => n !== counts[0]);
        if (differ) expect(impurity(counts)).toBeLessThan(even);
        else expect(impurity(counts)).toBeCloseTo(even, 14);
      }
    });

    it(`${name} does not know the classes apart`, () => {
      for (let draw = 0; draw < 100; draw++) {
        const counts = Array.from({ length: 2 + (draw % 5) }, () => 1 + count());
        const turned = [...counts.slice(1), counts[0]!].reverse();
        // The same terms, added in another order.
        expect(impurity(turned)).toBeCloseTo(impurity(counts), 13);
      }
    });
  }
});

describe("X12 the change of the node error", () => {
  it("is (max N_L + max N_R − max N_P) / N_P", () => {
    for (let draw = 0; draw < 200; draw++) {
      const K = 2 + (draw % 5);
      const left = Array.from({ length: K }, () => count() + 1);
      const right = Array.from({ length: K }, count);
      const parent = left.map((n, k) => n + right[k]!);
      const total = parent.reduce((a, b) => a + b, 0);
      const change = (Math.max(...left) + Math.max(...right) - Math.max(...parent)) / total;
      expect(impurityChange(nodeError, left, right)).toBeCloseTo(change, 13);
    }
  });
});

describe("X13 splits A and B of the fruit have the same misclassification rate", () => {
  const [A, B] = [
    [
      [0, 2],
      [2, 3],
    ],
    [
      [1, 3],
      [1, 2],
    ],
  ] as const;
  const rate = (sides: readonly (readonly number[])[]) =>
    sides.reduce((wrong, side) => wrong + Math.min(...side), 0) / 7;

  it("both 2/7, while A gains more information", () => {
    expect(rate(A)).toBe(2 / 7);
    expect(rate(B)).toBe(2 / 7);
    expect(impurityChange(nodeError, A[0], A[1])).toBeCloseTo(impurityChange(nodeError, B[0], B[1]), 15);
    expect(impurityChange(entropy, A[0], A[1])).toBeGreaterThan(20 * impurityChange(entropy, B[0], B[1]));
  });
});

describe("X17 the circle lifted by v₃ = √(v₁² + v₂²)", () => {
  it("is separated by the plane v₃ = 1, which the machine finds", () => {
    const rows: number[][] = [];
    const y: number[] = [];
    for (let i = 0; i < 40; i++) {
      const angle = (2 * Math.PI * i) / 40;
      const radius = i % 2 === 0 ? 0.8 : 1.2;
      rows.push([radius * Math.cos(angle), radius * Math.sin(angle), radius]);
      y.push(i % 2);
    }
    const model = new SVC({ kernel: "linear", C: Infinity, tol: 1e-9 }).fit(rows, y);
    const at = (v: number[]) => model.decisionFunction([v]).data[0]!;
    // w = (0, 0, 1/0.2) and b = −1/0.2: the street between v₃ = 0.8 and v₃ = 1.2.
    const b = at([0, 0, 0]);
    expect(b).toBeCloseTo(-5, 6);
    expect(at([1, 0, 0]) - b).toBeCloseTo(0, 6);
    expect(at([0, 1, 0]) - b).toBeCloseTo(0, 6);
    expect(at([0, 0, 1]) - b).toBeCloseTo(5, 6);
    expect(at([0.3, -0.2, 1])).toBeCloseTo(0, 6);
  });
});
