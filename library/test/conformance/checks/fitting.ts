import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import type { Progress } from "../../../src/core/contract.js";
import { AbortError, ArgmaxError, ParameterError } from "../../../src/core/errors.js";
import { Random } from "../../../src/core/numbers/random.js";
import { timeLimit } from "../../../src/core/time-limit.js";
import { heap } from "../../../src/numeric/runtime/heap.js";
import { loadModel, saveModel } from "../../../src/persistence/index.js";
import { classNames, type Problem, pick, problem } from "../data.js";
import {
  type AnyModel,
  answers,
  type Check,
  capabilities,
  expectError,
  expectFinite,
  expectSame,
  precise,
  type Subject,
  tryBuild,
} from "../subject.js";

/** A fit that ends in finite answers or in a clear error, never in NaN and never in a crash. */
function finiteOrClear(subject: Subject, { X, y }: Problem, asked: readonly (readonly number[])[] = X): void {
  let model: AnyModel;
  try {
    model = subject.make().fit(X, y);
  } catch (error) {
    expect(error).toBeInstanceOf(ArgmaxError);
    return;
  }
  expectFinite(model, asked);
}

const scaledBy = ({ X, y }: Problem, factor: number): Problem => ({
  X: X.map((row) => row.map((v) => v * factor)),
  y,
});

setFlagsFromString("--expose-gc");
/** Made once: a new context for every call would itself need a megabyte. */
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes in use, the kernels' memory included. */
function memory(): number {
  // The first collection only marks the buffers of typed arrays; they are given back in the background after it.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external + heap().bytesReserved;
}

/** `steps` of an estimator, where it has one. */
const stepsOf = (subject: Subject) => {
  const { steps } = subject.make() as { steps?: unknown };
  return steps as ((x: unknown, y: unknown) => Generator<{ model(): AnyModel }>) | undefined;
};

export const fittingChecks: readonly Check[] = [
  {
    claim: "learns the same bits from the same input",
    run: (subject) => {
      const { X, y } = problem(subject);
      expect(saveModel(subject.make().fit(X, y))).toEqual(saveModel(subject.make().fit(X, y)));
    },
  },
  {
    claim: "does not depend on the order of the rows",
    run: (subject) => {
      const { X, y } = problem(subject);
      const order = Array.from(new Random(1).permutation(X.length));
      const shuffled = precise(subject).fit(pick(X, order), pick(y, order));
      const places = X.map((_, i) => order.indexOf(i));
      expectSame(answers(shuffled, X, places), answers(precise(subject).fit(X, y), X), subject.agreement);
    },
  },
  {
    claim: "does not depend on the order of the columns",
    applies: ({ task }) => task !== "transform",
    run: (subject) => {
      const { X, y } = problem(subject);
      const turned = X.map((row) => [row[2]!, row[0]!, row[3]!, row[1]!]);
      expectSame(
        answers(precise(subject).fit(turned, y), turned),
        answers(precise(subject).fit(X, y), X),
        subject.agreement,
      );
    },
  },
  {
    claim: "stays finite with a constant column, a column of zeros and a column twice",
    run: (subject) => {
      const { X, y } = problem(subject);
      finiteOrClear(subject, { X: X.map((row) => [...row, 5]), y });
      finiteOrClear(subject, { X: X.map((row) => [0, ...row]), y });
      finiteOrClear(subject, { X: X.map((row) => [...row, row[0]!]), y });
      finiteOrClear(subject, { X: X.map(() => [1, 1]), y });
    },
  },
  {
    claim: "stays finite with rows that repeat, also under different targets",
    run: (subject) => {
      const { X, y } = problem(subject);
      finiteOrClear(subject, { X: [...X, ...X], y: y && [...y, ...y] });
      finiteOrClear(subject, { X: X.map((_, i) => X[i % 2]!), y });
    },
  },
  {
    claim: "stays finite, or says why not, with values of 1e150 and of 1e-150",
    run: (subject) => {
      for (const factor of [1e150, 1e-150]) finiteOrClear(subject, scaledBy(problem(subject), factor));
      const { X, y } = problem(subject);
      finiteOrClear(subject, { X: X.map((row) => [row[0]! * 1e100, ...row.slice(1)]), y });
    },
  },
  {
    claim: "stays finite when asked about values far from those it has seen",
    run: (subject) => {
      const { X, y } = problem(subject);
      const far = X.map((row) => row.map((value) => value * 1e100));
      const model = subject.make().fit(X, y);
      // A count regressor's e^(w·x + b) has no finite value there.
      if (subject.targets !== "counts") expectFinite(model, far);
    },
  },
  {
    claim: "stays finite far from the origin, where raw second moments would cancel",
    run: (subject) => {
      const { X, y } = problem(subject);
      finiteOrClear(subject, { X: X.map((row) => row.map((value) => value + 1e8)), y });
    },
  },
  {
    claim: "stays finite with more columns than rows, with one column and with few rows",
    run: (subject) => {
      const { X, y } = problem(subject);
      const random = new Random(9);
      finiteOrClear(subject, {
        X: X.map((row) => [...row, ...Array.from({ length: 100 }, () => random.normal())]),
        y,
      });
      finiteOrClear(subject, { X: X.map((row) => [row[0]!]), y });
      const first = [X.findIndex((_, i) => !y || y[i] !== y[0] || i === 1), 0].sort();
      finiteOrClear(subject, { X: first.map((i) => X[i]!), y: y && first.map((i) => y[i]!) });
      finiteOrClear(subject, { X: [X[0]!], y: y && [y[0]!] });
    },
  },
  {
    claim: "stays finite with classes that a line separates",
    applies: ({ task }) => task === "classification",
    run: (subject) => {
      const { X, y } = problem(subject);
      finiteOrClear(subject, {
        X: X.map((row, i) => [...row, 100 * classNames(subject).indexOf(y![i] as string)]),
        y,
      });
    },
  },
  {
    claim: "does not start when its signal has already fired, and keeps the reason",
    run: (subject) => {
      const { X, y } = problem(subject);
      expect(() => subject.make().fit(X, y, { signal: AbortSignal.abort() })).toThrow(AbortError);
      const reason = new Error("enough");
      const fit = () => subject.make().fit(X, y, { signal: AbortSignal.abort(reason) });
      expect(fit).toThrow(expect.objectContaining({ name: "AbortError", cause: reason }));
    },
  },
  {
    claim: "reports its steps, and learns the same with or without onProgress",
    applies: (_, { iterative }) => iterative,
    run: (subject) => {
      const { X, y } = problem(subject);
      const seen: Progress[] = [];
      const model = subject.make().fit(X, y, { onProgress: (progress) => seen.push(progress) });
      expect(seen.length).toBeGreaterThan(0);
      for (const { iteration, total, objective } of seen) {
        expect(Number.isInteger(iteration) && iteration >= 0).toBe(true);
        if (total !== undefined) expect(iteration).toBeLessThanOrEqual(total);
        if (objective !== undefined) expect(Number.isFinite(objective)).toBe(true);
      }
      expect(saveModel(model)).toEqual(saveModel(subject.make().fit(X, y)));
    },
  },
  {
    claim: "refuses a signal whose timer cannot fire while it fits",
    run: (subject) => {
      const { X, y } = problem(subject);
      const timers = AbortSignal.timeout(1e6);
      for (const signal of [timers, AbortSignal.any([timers, new AbortController().signal])])
        expectError(() => subject.make().fit(X, y, { signal }), ParameterError, /Pass \{ signal: timeLimit/);
      const limit = timeLimit(0);
      expect(() => subject.make().fit(X, y, { signal: limit })).toThrow(AbortError);
    },
  },
  {
    claim: "stops at its next step when the signal fires, and the next fit is as if nothing had happened",
    applies: (_, { iterative }) => iterative,
    run: (subject) => {
      const { X, y } = problem(subject);
      const before = saveModel(subject.make().fit(X, y));
      const controller = new AbortController();
      let steps = 0;
      const onProgress = () => {
        steps++;
        controller.abort("enough");
      };
      const fit = () => subject.make().fit(X, y, { signal: controller.signal, onProgress });
      expect(fit).toThrow(expect.objectContaining({ name: "AbortError", cause: "enough" }));
      expect(steps).toBe(1);
      expect(saveModel(subject.make().fit(X, y))).toEqual(before);
    },
  },
  {
    claim: "reports how its fit ended",
    applies: (_, { iterative }) => iterative,
    run: (subject) => {
      const { X, y } = problem(subject);
      const fitted = precise(subject).fit(X, y) as AnyModel & { last?: AnyModel };
      const report = (fitted.report ?? fitted.last?.report)!;
      expect(typeof report.converged).toBe("boolean");
      expect(Number.isFinite(report.objective)).toBe(true);
      expect(Number.isInteger(report.iterations)).toBe(true);
    },
  },
  {
    claim: "works with every choice in its table: finite answers, and the same after saving",
    run: (subject) => {
      const { X, y } = problem(subject);
      const counts = problem({ ...subject, targets: "counts" }).y;
      const targetsFor = (key: string, value: unknown) => {
        if (value === "poisson") return counts;
        // A score of numbers that are not negative, predictions included: far from 0, these are not either.
        if (value === "negMeanPoissonDeviance") return counts!.map((count) => Number(count) + 50);
        // Scores of one positive class.
        const binary =
          key === "scoring" &&
          ["precision", "recall", "f1", "jaccard", "averagePrecision", "rocAuc", "negBrierScore"].includes(
            value as string,
          );
        return binary ? (y as readonly string[]).map((label) => label === classNames(subject)[0]) : y;
      };
      for (const [key, spec] of Object.entries(subject.type.table)) {
        for (const value of spec.choices ?? []) {
          const estimator = tryBuild(subject, key, value);
          if (estimator === undefined) continue;
          const model = estimator.fit(X, targetsFor(key, value));
          expectFinite(model, X);
          expect(answers(loadModel(saveModel(model)) as AnyModel, X), `${key} = ${value}`).toEqual(
            answers(model, X),
          );
        }
      }
    },
  },
  {
    claim: "works when it is cut off after two iterations, and says so",
    applies: (_, { type, iterative }) => iterative && Object.hasOwn(type.table, "maxIter"),
    run: (subject) => {
      const { X, y } = problem(subject);
      const model = subject.build({ maxIter: 2 }).fit(X, y);
      expectFinite(model, X);
      expect(model.report!.iterations).toBeLessThanOrEqual(2);
      if (!model.report!.converged) expect(model.report!.warnings.length).toBeGreaterThan(0);
    },
  },
  {
    claim: "leaves no kernel memory behind",
    run: (subject) => {
      const { X, y } = problem(subject, { rows: 100 });
      subject.make().fit(X, y);
      const before = heap().bytesInUse;
      subject.make().fit(X, y);
      expect(heap().bytesInUse).toBe(before);
    },
  },
  {
    claim: "has partialFit exactly if it declares it, and it leaves the model it starts from alone",
    run: (subject) => {
      const estimator = subject.make();
      expect("partialFit" in estimator).toBe(capabilities(subject).partialFit);
      if (estimator.partialFit === undefined) return;
      const { X, y } = problem(subject);
      const model = estimator.fit(X, y);
      const before = saveModel(model);
      const updated = estimator.partialFit(model, X.slice(0, 30), y?.slice(0, 30));
      expect(saveModel(model)).toEqual(before);
      expect(updated).not.toBe(model);
      expect(updated.classes).toEqual(model.classes);
      expectFinite(updated, X);
      expect(saveModel(estimator.partialFit(model, X.slice(0, 30), y?.slice(0, 30)))).toEqual(
        saveModel(updated),
      );
    },
  },
  {
    claim: "gives the model of a step whenever it is asked for",
    applies: (_, subject) => typeof stepsOf(subject) === "function",
    run: (subject) => {
      const { X, y } = problem(subject);
      const run = () => stepsOf(subject)!.call(subject.make(), X, y);
      const then = Array.from(run(), (step) => answers(step.model(), X));
      expect(then.length).toBeGreaterThan(0);
      const all = [...run()];
      expect(all.length).toBe(then.length);
      for (const s of [...all.keys()].reverse()) {
        expect(answers(all[s]!.model(), X), `step ${s}`).toEqual(then[s]);
        expect(answers(all[s]!.model(), X), `step ${s} again`).toEqual(then[s]);
      }
    },
  },
];

/** What `npm run test:deep` asks of every subject besides: fits by the hundred do not grow memory. */
export function expectNoGrowth(subject: Subject): void {
  const { X, y } = problem(subject, { rows: 100 });
  subject.make().fit(X, y);
  const kernels = heap().bytesInUse;
  const growth = () => {
    const before = memory();
    for (let run = 0; run < 200; run++) subject.make().fit(X, y);
    return memory() - before;
  };
  // A leak grows every time, and one copy of X a fit would be 640 KB. What caches and compiled code need comes once;
  // what the test runner does meanwhile, and when the collector lets go of buffers, is noise of ± 300 KB a round.
  const settles = Array.from({ length: 8 }).some(() => growth() < 150_000);
  expect(settles, "memory settles within eight rounds of 200 fits").toBe(true);
  expect(heap().bytesInUse).toBe(kernels);
}
