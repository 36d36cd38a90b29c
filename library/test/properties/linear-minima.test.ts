import { describe, expect, it } from "vitest";
import { isLinearlySeparable } from "../../src/index.js";
import { separableExactly } from "../support/exact-separability.js";
import { judge, type LinearCase, partsOf } from "../support/linear-cases.js";
import { fc } from "../support/properties.js";

/** Twenty times as many in `npm run test:deep`, which draws 10⁵ cases then. */
const DEEP = process.env.ARGMAX_DEEP !== undefined;
const RUNS = DEEP ? 5000 : 300;
/** Milliseconds: seconds alone, more where other suites run beside; an hour or two for 10⁵ cases. */
const PATIENCE = DEEP ? 4 * 3_600_000 : 180_000;

const anyCase: fc.Arbitrary<LinearCase> = fc
  .record({
    seed: fc.nat(1e9),
    rows: fc.integer({ min: 6, max: 24 }),
    cols: fc.integer({ min: 1, max: 5 }),
    classes: fc.boolean(),
    loss: fc.nat(7),
    penalty: fc.nat(5),
    solver: fc.nat(8),
    strength: fc.constantFrom(1e-3, 0.1, 1, 10),
    intercept: fc.constantFrom(true, true, true, false),
    sparse: fc.boolean(),
    weighted: fc.boolean(),
    offset: fc.constantFrom(0, 0, 1e6, 1e8),
    scale: fc.constantFrom(1e-6, 1, 1, 1e6),
    special: fc.constantFrom("none", "none", "constant", "copy", "near", "oneHot", "wide"),
    noise: fc.constantFrom(0, 0.1, 1),
    unit: fc.constantFrom(1e-6, 1, 1, 1e6),
  })
  .filter((c) => partsOf(c) !== null);

/** What most of the following cases have in common. */
const usual = {
  classes: true,
  strength: 1,
  intercept: true,
  sparse: false,
  weighted: false,
  offset: 0,
  scale: 1,
  special: "none",
  noise: 0,
  unit: 1,
} as const;

const caseOf = (
  seed: number,
  [rows, cols]: readonly [number, number],
  [loss, penalty, solver]: readonly [number, number, number],
  rest: Partial<LinearCase> = {},
): LinearCase => ({ ...usual, seed, rows, cols, loss, penalty, solver, ...rest });

/** Of a hundred thousand cases: those whose answers were called minima by a check that looked less closely. */
const onceWrong: readonly LinearCase[] = [
  caseOf(483422886, [14, 4], [4, 3, 5], { intercept: false, offset: 1e8 }),
  caseOf(483422886, [14, 4], [4, 3, 0], { intercept: false, offset: 1e8 }),
  caseOf(485371869, [6, 2], [0, 1, 5], { sparse: true, scale: 1000000, special: "copy", unit: 1000000 }),
  caseOf(24, [10, 1], [0, 1, 2], {
    strength: 10,
    sparse: true,
    weighted: true,
    scale: 1000000,
    special: "wide",
    noise: 0.1,
    unit: 1e-6,
  }),
  caseOf(685106751, [7, 1], [6, 3, 5], {
    classes: false,
    strength: 0.1,
    offset: 100000000,
    scale: 1000000,
    special: "copy",
  }),
  caseOf(2, [23, 2], [6, 3, 5], {
    classes: false,
    strength: 0.001,
    sparse: true,
    weighted: true,
    offset: 1000000,
    scale: 1000000,
    special: "copy",
  }),
  caseOf(508980811, [12, 3], [0, 3, 5], {
    classes: false,
    strength: 0.001,
    sparse: true,
    weighted: true,
    offset: 100000000,
    scale: 1000000,
    special: "constant",
    noise: 0.1,
    unit: 1e-6,
  }),
  caseOf(772484256, [9, 1], [6, 3, 5], {
    strength: 0.1,
    weighted: true,
    offset: 100000000,
    scale: 1000000,
    special: "wide",
  }),
  caseOf(563586700, [11, 1], [6, 3, 4], {
    classes: false,
    strength: 0.001,
    weighted: true,
    offset: 1000000,
    scale: 1000000,
    special: "copy",
  }),
  caseOf(544337987, [6, 2], [5, 0, 4], {
    strength: 10,
    weighted: true,
    offset: 100000000,
    special: "near",
    noise: 1,
  }),
  caseOf(318067314, [7, 3], [0, 0, 4], {
    classes: false,
    strength: 10,
    offset: 100000000,
    special: "near",
    noise: 1,
    unit: 1000000,
  }),
];

describe("every legal loss × penalty × solver, whatever the columns", () => {
  it("reports its own objective, is no worse than a constant, and converges to minima only", {
    timeout: PATIENCE,
  }, () => {
    fc.assert(
      fc.property(anyCase, (c) => {
        expect(judge(c)!.complaints).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it.each(onceWrong)("looks closely: loss $loss, penalty $penalty, solver $solver, seed $seed", (c) => {
    expect(judge(c)!.complaints).toEqual([]);
  });

  it("converges, where columns are of a usual size and the solver is chosen by itself", {
    timeout: PATIENCE,
  }, () => {
    const usual = anyCase
      .map((c) => ({
        ...c,
        solver: 0,
        offset: 0,
        scale: 1,
        unit: 1,
        penalty: c.penalty % 2 === 0 ? 1 : 0,
        noise: 1,
      }))
      .filter((c) => partsOf(c) !== null && c.special !== "wide");
    const outcomes: boolean[] = [];
    fc.assert(
      fc.property(usual, (c) => {
        const { converged, separable } = judge(c)!;
        if (!separable) outcomes.push(converged);
      }),
      { numRuns: RUNS / 10 },
    );
    expect(outcomes.filter((converged) => !converged).length).toBeLessThanOrEqual(0.02 * outcomes.length);
  });
});

describe("isLinearlySeparable", () => {
  it("agrees with an exact linear program, copies and dependent columns included", {
    timeout: PATIENCE,
  }, () => {
    const points = fc
      .record({
        n: fc.integer({ min: 2, max: 12 }),
        d: fc.integer({ min: 1, max: 4 }),
        size: fc.constantFrom(1, 2, 5, 100),
        copies: fc.boolean(),
      })
      .chain(({ n, d, size, copies }) =>
        fc.record({
          X: fc.array(fc.array(fc.integer({ min: -size, max: size }), { minLength: d, maxLength: d }), {
            minLength: n,
            maxLength: n,
          }),
          signs: fc.array(fc.constantFrom(-1, 1), { minLength: n, maxLength: n }),
          copies: fc.constant(copies),
        }),
      );
    fc.assert(
      fc.property(points, ({ X, signs, copies }) => {
        const rows = copies ? X.map((row) => [...row, row[0]!, row.reduce((sum, v) => sum + v, 0)]) : X;
        expect(isLinearlySeparable(rows, signs)).toBe(separableExactly(X, signs));
      }),
      { numRuns: RUNS },
    );
  });
});
