import { expect } from "vitest";
import { isSupervised } from "../../../src/core/capabilities.js";
import { DataError, ShapeError } from "../../../src/core/errors.js";
import type { Label } from "../../../src/core/labels.js";
import { Table } from "../../../src/data/table/table.js";
import { accuracyScore, r2Score } from "../../../src/metrics/index.js";
import { classNames, hasPositive, problem, relabelled, twoClasses } from "../data.js";
import { type Check, capabilities, expectError } from "../subject.js";

const isClassifier: Check["applies"] = ({ task }) => task === "classification";
const isRegressor: Check["applies"] = ({ task }) => task === "regression";
const learnsFromY: Check["applies"] = isSupervised;

const labelSets: Record<string, readonly (readonly Label[])[]> = {
  strings: [
    ["ant", "bee", "cow"],
    ["Z", "a", "é"],
    ["10", "9", "__proto__"],
  ],
  numbers: [
    [0, 1, 2],
    [-5, 3, 1e9],
  ],
};

/** Of these it is known which one is positive. */
const positiveSets: readonly (readonly Label[])[] = [
  ["no", "yes"],
  ["neg", "pos"],
  ["-1", "1"],
  [0, 1],
  [-1, 1],
];

export const targetChecks: readonly Check[] = [
  {
    claim: "refuses y of another length, or that is not a list",
    applies: learnsFromY,
    run: (subject) => {
      const { X, y } = problem(subject);
      for (const wrong of [y!.slice(1), [...y!, y![0]!], []]) {
        expectError(() => subject.make().fit(X, wrong), ShapeError, /y must be as long as X has rows \(60\)/);
      }
      for (const wrong of [undefined, null, "y", 5, {}])
        expectError(() => subject.make().fit(X, wrong), DataError);
    },
  },
  {
    claim: "takes columns of a table as y and as weights",
    run: (subject) => {
      const { X, y } = problem(subject);
      const list = y ?? X.map((_, i) => i);
      const column = Table.fromColumns({ y: list as string[] }).column("y");
      const takesWeights = capabilities(subject).sampleWeight;
      const weights = X.map((_, i) => 1 + (i % 2));
      const weightColumn = Table.fromColumns({ w: weights }).column("w");
      const model = subject.make().fit(X, column, takesWeights ? { sampleWeight: weightColumn } : {});
      const expected = subject.make().fit(X, list, takesWeights ? { sampleWeight: weights } : {});
      expect(model.toState()).toEqual(expected.toState());
      if (y && model.score) expect(model.score(X, column)).toBe(expected.score!(X, y));
    },
  },
  {
    claim: "refuses a column with a missing entry as y",
    applies: learnsFromY,
    run: (subject) => {
      const { X, y } = problem(subject);
      const gap = y!.map((value, i) => (i === 3 ? null : value)) as (string | null)[];
      const column = Table.fromColumns({ y: gap }).column("y");
      expectError(() => subject.make().fit(X, column), DataError, /y\[3\] must be a .*, got null/);
    },
  },
  {
    claim: "keeps the type and identity of labels, and sorts its classes",
    applies: isClassifier,
    run: (subject) => {
      const { multiclass } = capabilities(subject);
      const { X, y } = problem(subject);
      for (const labels of hasPositive(subject) ? positiveSets : Object.values(labelSets).flat()) {
        const used = multiclass ? labels : labels.slice(0, 2);
        const given = relabelled(y, used);
        const model = subject.make().fit(X, given);
        expect(model.classes).toEqual(used);
        const predicted = model.predict!(X) as Label[];
        expect(Array.isArray(predicted)).toBe(true);
        for (const label of predicted) expect(used).toContain(label);
        expect(new Set(predicted).size).toBeGreaterThan(1);
      }
      const two = twoClasses({ X, y });
      const model = subject.make().fit(two.X, relabelled(two.y, [false, true]));
      expect(model.classes).toEqual([false, true]);
      for (const label of model.predict!(X) as Label[]) expect(typeof label).toBe("boolean");
    },
  },
  {
    claim: "learns the same whatever the classes are called",
    applies: isClassifier,
    run: (subject) => {
      const { X, y } = problem(subject);
      const words = subject.make().fit(X, y);
      const numbers = subject
        .make()
        .fit(X, Int32Array.from(relabelled(y, hasPositive(subject) ? [0, 1] : [3, 4, 7])));
      expect(relabelled(words.predict!(X) as string[], numbers.classes!)).toEqual(numbers.predict!(X));
    },
  },
  {
    claim: "does not care in which order the classes appear",
    applies: isClassifier,
    run: (subject) => {
      const { X, y } = problem(subject);
      const [ant, bee] = classNames(subject) as [string, string];
      const last = y!.indexOf(ant) === 0 ? y!.lastIndexOf(bee) : y!.indexOf(ant);
      const order = [last, ...X.keys()].filter((i, at) => at === 0 || i !== last);
      const model = subject.make().fit(
        order.map((i) => X[i]!),
        order.map((i) => y![i]!),
      );
      expect(model.classes).toEqual([...new Set(y)].sort());
    },
  },
  {
    claim: "refuses a continuous y",
    applies: isClassifier,
    run: (subject) => {
      const { X } = problem(subject);
      const fit = (labels: unknown) => () => subject.make().fit(X, labels);
      const continuous = X.map((_, i) => i / 7);
      const expected = /y must be labels of classes: text.*regressor learns numbers/;
      expectError(fit(continuous), DataError, expected);
      expectError(fit(Float32Array.from(continuous)), DataError, expected);
      expectError(fit(X.map((_, i) => (i % 2) + 0.5)), DataError, /2 different numbers such as 0\.5/);
    },
  },
  {
    claim: "refuses one class, mixed labels and things that are not labels",
    applies: isClassifier,
    run: (subject) => {
      const { X, y } = problem(subject);
      const fit = (labels: unknown) => () => subject.make().fit(X, labels);
      expectError(
        fit(y!.map(() => "ant")),
        DataError,
        /y must be labels of at least two classes, got only "ant"/,
      );
      expectError(
        fit(y!.map((label, i) => (i === 3 ? 1 : label))),
        DataError,
        /labels of one type, got a mixture of number and string/,
      );
      for (const wrong of [null, undefined, Number.NaN, {}, Symbol("label")]) {
        expectError(
          fit(y!.map((label, i) => (i === 3 ? wrong : label))),
          DataError,
          /y\[3\] must be a string, a number or a boolean/,
        );
      }
    },
  },
  {
    claim: "says how many classes it can tell apart",
    applies: ({ task, multiclass }) => task === "classification" && !multiclass,
    run: (subject) => {
      const { X } = problem(subject);
      expectError(
        () =>
          subject.make().fit(
            X,
            X.map((_, i) => i % 3),
          ),
        DataError,
      );
    },
  },
  {
    claim: "refuses targets that are not finite numbers",
    applies: isRegressor,
    run: (subject) => {
      const { X, y } = problem(subject);
      for (const wrong of [Number.NaN, Infinity, "1", null, undefined]) {
        const given = y!.map((value, i) => (i === 3 ? wrong : value));
        expectError(() => subject.make().fit(X, given), DataError, /y\[3\] must be a finite number, got/);
      }
    },
  },
  {
    claim: "takes targets as any list of numbers",
    applies: isRegressor,
    run: (subject) => {
      const { X, y } = problem(subject);
      const expected = subject.make().fit(X, y).predict!(X);
      expect(expected).toBeInstanceOf(Float64Array);
      for (const list of [Float64Array.from(y as number[]), Float32Array.from(y as number[])]) {
        expect(subject.make().fit(X, list).predict!(X)).toEqual(expected);
      }
    },
  },
  {
    claim: "predicts a constant target almost exactly",
    applies: isRegressor,
    run: (subject) => {
      const { X } = problem(subject);
      const predicted = subject.make().fit(
        X,
        X.map(() => 3),
      ).predict!(X);
      for (const value of Array.from(predicted as Float64Array))
        expect(Math.abs(value - 3)).toBeLessThan(0.5);
    },
  },
  {
    claim: "scores by accuracy or R², with weights",
    applies: ({ task }) => task === "classification" || task === "regression",
    run: (subject) => {
      const { X, y } = problem(subject);
      const model = subject.make().fit(X, y);
      const score = capabilities(subject).task === "regression" ? r2Score : accuracyScore;
      const sampleWeight = X.map((_, i) => i % 3);
      const predicted = model.predict!(X);
      expect(model.score!(X, y)).toBe(score(y as never, predicted as never));
      expect(model.score!(X, y, { sampleWeight })).toBe(
        score(y as never, predicted as never, { sampleWeight }),
      );
      expect(model.score!(X, y)).toBeGreaterThan(capabilities(subject).task === "regression" ? 0.1 : 0.4);
      expectError(() => model.score!(X, y!.slice(1)), ShapeError);
    },
  },
  {
    claim: "has probabilities and decision values exactly if it declares them",
    applies: learnsFromY,
    run: (subject) => {
      const { X, y } = problem(subject);
      const model = subject.make().fit(X, y);
      const { probabilities, decisionFunction } = capabilities(subject);
      expect("predictProba" in model).toBe(probabilities);
      expect("predictLogProba" in model).toBe(probabilities);
      expect("decisionFunction" in model).toBe(decisionFunction);
    },
  },
  {
    claim: "gives probabilities in [0, 1] that sum to 1, the largest for the predicted class",
    applies: ({ probabilities }) => probabilities,
    run: (subject) => {
      const all = problem(subject);
      for (const { X, y } of [all, twoClasses(all)]) {
        const model = subject.make().fit(X, y);
        const { data, rows, cols } = model.predictProba!(X);
        const predicted = model.predict!(X);
        expect([rows, cols]).toEqual([X.length, model.classes!.length]);
        for (let i = 0; i < rows; i++) {
          const row = data.subarray(i * cols, (i + 1) * cols);
          expect(row.every((p) => p >= 0 && p <= 1)).toBe(true);
          expect(row.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
          expect(row[model.classes!.indexOf(predicted[i]!)]).toBe(Math.max(...row));
        }
      }
    },
  },
  {
    claim:
      "has logarithms of probabilities that are those of predictProba, at most 0 and −∞ only where p is 0",
    applies: ({ probabilities }) => probabilities,
    run: (subject) => {
      const all = problem(subject);
      for (const { X, y } of [all, twoClasses(all)]) {
        const model = subject.make().fit(X, y);
        const far = X.map((row) => row.map((v) => 40 * v));
        for (const x of [X, far]) {
          const p = model.predictProba!(x);
          const logs = model.predictLogProba!(x);
          expect([logs.rows, logs.cols]).toEqual([p.rows, p.cols]);
          for (const [e, log] of logs.data.entries()) {
            expect(log <= 0).toBe(true);
            // Half an ulp of p next to 1, and of the logarithm elsewhere, several times over; p below 1e-300 underflows.
            if (p.data[e]! > 1e-300)
              expect(Math.abs(log - Math.log(p.data[e]!))).toBeLessThan(1e-12 * Math.max(1, -log));
            else expect(log).toBeLessThan(Math.log(1e-299));
          }
          for (let i = 0; i < logs.rows; i++) {
            const [own, row] = [p, logs].map(({ data, cols }) => data.subarray(i * cols, (i + 1) * cols));
            expect(row!.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 12);
            expect(row![own!.indexOf(Math.max(...own!))]).toBe(Math.max(...row!));
          }
        }
      }
    },
  },
  {
    claim: "predicts by its decision values: by their sign for two classes, by the largest for more",
    applies: ({ task, decisionFunction }) => task === "classification" && decisionFunction,
    run: (subject) => {
      const all = problem(subject);
      for (const { X, y } of [all, twoClasses(all)]) {
        const model = subject.make().fit(X, y);
        const { data, rows, cols } = model.decisionFunction!(X);
        const predicted = model.predict!(X);
        expect(rows).toBe(X.length);
        expect(cols === 1 ? 2 : cols).toBe(model.classes!.length);
        for (let i = 0; i < rows; i++) {
          const row = data.subarray(i * cols, (i + 1) * cols);
          const decided = cols === 1 ? (row[0]! > 0 ? 1 : 0) : row.indexOf(Math.max(...row));
          expect(predicted[i]).toBe(model.classes![decided]);
        }
      }
    },
  },
];
