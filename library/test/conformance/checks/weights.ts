import { expect } from "vitest";
import { ArgmaxError, DataError, ParameterError, ShapeError } from "../../../src/core/errors.js";
import { Random } from "../../../src/core/numbers/random.js";
import { pick, problem } from "../data.js";
import { answers, type Check, capabilities, expectError, expectSame, precise } from "../subject.js";

const weighted: Check["applies"] = ({ sampleWeight }) => sampleWeight;

export const weightChecks: readonly Check[] = [
  {
    claim: "counts a row of weight 2 like the row twice",
    applies: weighted,
    run: (subject) => {
      const { X, y } = problem(subject);
      const sampleWeight = X.map((_, i) => (i % 4 === 0 ? 2 : 1));
      const rows = X.flatMap((_, i) => (sampleWeight[i] === 2 ? [i, i] : [i]));
      const one = precise(subject).fit(X, y, { sampleWeight });
      const twice = precise(subject).fit(pick(X, rows), pick(y, rows));
      const places = X.map((_, i) => rows.indexOf(i));
      expectSame(answers(one, X), answers(twice, X, places), subject.agreement);
    },
  },
  {
    claim: "does not see rows of weight 0",
    applies: weighted,
    run: (subject) => {
      const { X, y } = problem(subject);
      const kept = [...X.keys()].filter((i) => i % 5 !== 0);
      const wild = X.map((row, i) => (i % 5 === 0 ? row.map((value) => value * 100 + i) : row));
      const zero = precise(subject).fit(wild, y, { sampleWeight: X.map((_, i) => (i % 5 === 0 ? 0 : 1)) });
      const gone = precise(subject).fit(pick(X, kept), pick(y, kept));
      expectSame(answers(zero, X, kept), answers(gone, X), subject.agreement);
    },
  },
  {
    claim: "does not see a class whose rows all weigh 0",
    applies: ({ task, sampleWeight, multiclass }) => task === "classification" && sampleWeight && multiclass,
    run: (subject) => {
      const { X, y } = problem(subject);
      const kept = [...X.keys()].filter((i) => y![i] !== "bee");
      const zero = precise(subject).fit(X, y, { sampleWeight: y!.map((label) => (label === "bee" ? 0 : 1)) });
      const gone = precise(subject).fit(pick(X, kept), pick(y, kept));
      expect(zero.classes).toEqual(["ant", "cow"]);
      expectSame(answers(zero, X), answers(gone, X), subject.agreement);
      const one = y!.map((label) => (label === "cow" ? 1 : 0));
      expectError(() => subject.make().fit(X, y, { sampleWeight: one }), DataError, /at least two classes/);
    },
  },
  {
    claim: "learns the same with all weights 1 as without weights",
    applies: weighted,
    run: (subject) => {
      const { X, y } = problem(subject);
      const ones = precise(subject).fit(X, y, { sampleWeight: new Float32Array(X.length).fill(1) });
      expectSame(answers(ones, X), answers(precise(subject).fit(X, y), X), subject.agreement);
    },
  },
  {
    claim: "takes weights as any list of numbers, of any size",
    applies: weighted,
    run: (subject) => {
      const { X, y } = problem(subject);
      const random = new Random(5);
      const list = X.map(() => 0.25 + random.uniform());
      const expected = answers(subject.make().fit(X, y, { sampleWeight: list }), X);
      const typed = subject.make().fit(X, y, { sampleWeight: Float64Array.from(list) });
      expectSame(answers(typed, X), expected, { within: 0 });
    },
  },
  {
    claim: "gives finite answers whatever the spread of the weights, or refuses them",
    applies: weighted,
    run: (subject) => {
      const { X, y } = problem(subject);
      for (const digits of [50, 150, 200, 300]) {
        const random = new Random(digits);
        const sampleWeight = X.map(() => 10 ** ((2 * random.uniform() - 1) * digits));
        try {
          const given = answers(subject.make().fit(X, y, { sampleWeight }), X);
          for (const list of Object.values(given)) for (const value of list) expect(value).not.toBeNaN();
        } catch (error) {
          if (!(error instanceof ArgmaxError)) throw error;
        }
      }
      const vanishing = X.map(() => 1e-310);
      const refused = () => subject.make().fit(X, y, { sampleWeight: vanishing });
      expectError(
        refused,
        DataError,
        /the largest sampleWeight must be at least 1e-300.*Multiply all weights/,
      );
    },
  },
  {
    claim: "refuses weights that are negative, not finite, all zero or too few",
    applies: weighted,
    run: (subject) => {
      const { X, y } = problem(subject);
      const fit = (sampleWeight: unknown) => () => subject.make().fit(X, y, { sampleWeight } as never);
      for (const wrong of [-1, Number.NaN, Infinity, "1", null]) {
        const list = X.map((_, i) => (i === 3 ? wrong : 1));
        expectError(fit(list), DataError, /sampleWeight\[3\] must be a finite number ≥ 0, got/);
      }
      expectError(fit(X.map(() => 0)), DataError, /sampleWeight must be positive somewhere/);
      expectError(fit(X.map(() => 1e308)), DataError, /sum/);
      expectError(fit([1, 2, 3]), ShapeError);
      expectError(fit("balanced"), DataError);
    },
  },
  {
    claim: "refuses weights, since it does not declare them",
    applies: ({ sampleWeight }) => !sampleWeight,
    run: (subject) => {
      const { X, y } = problem(subject);
      expect(capabilities(subject).sampleWeight).toBe(false);
      expectError(
        () => subject.make().fit(X, y, { sampleWeight: X.map(() => 1) }),
        ParameterError,
        /sampleWeight/,
      );
    },
  },
];
