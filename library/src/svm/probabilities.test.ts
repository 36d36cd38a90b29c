import { describe, expect, it } from "vitest";
import * as built from "../../dist/index.js";
import { Random } from "../core/numbers/random.js";
import { makeBlobs } from "../data/generators/index.js";
import { loadDataset } from "../datasets/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { FittedProbabilisticSVC, FittedSVC, SVC } from "./index.js";

const sums = (p: { readonly rows: number; row(i: number): Float64Array }) =>
  Array.from({ length: p.rows }, (_, i) => p.row(i).reduce((sum, v) => sum + v, 0));

describe("SVC with probability: true", () => {
  it.each(["ovo", "ovr"] as const)(
    "%s: rows sum to 1, logarithms are theirs, and labels follow",
    async (multiClass) => {
      const { X, y } = await loadDataset("iris");
      const model = new SVC({ probability: true, multiClass }).fit(X, y);
      const p = model.predictProba(X);
      expect([p.rows, p.cols]).toEqual([150, 3]);
      for (const sum of sums(p)) expect(sum).toBeCloseTo(1, 12);
      const logs = model.predictLogProba(X);
      p.data.forEach((v, e) => {
        expect(Math.exp(logs.data[e]!)).toBeCloseTo(v, 12);
      });
      const likeliest = Array.from({ length: 150 }, (_, i) => {
        const row = p.row(i);
        return model.classes[row.indexOf(Math.max(...row))];
      });
      const same = model.predict(X).filter((label, i) => label === likeliest[i]).length;
      expect(same).toBeGreaterThan(140);
    },
  );

  it("of two classes rise with the decision, and are ½ at the sigmoid's own place", () => {
    const { X, y } = makeBlobs({ nSamples: 80, centers: 2, clusterStd: 3, randomState: 5 });
    const model = new SVC({ probability: true }).fit(X, y);
    const f = model.decisionFunction(X).data;
    const p = model.predictProba(X);
    const order = [...f.keys()].sort((i, j) => f[i]! - f[j]!);
    for (let e = 1; e < order.length; e++) {
      expect(p.at(order[e]!, 1)).toBeGreaterThanOrEqual(p.at(order[e - 1]!, 1));
    }
    const [{ a, b }] = model.sigmoids as [{ a: number; b: number }];
    expect(a).toBeLessThan(0);
    f.forEach((v, i) => {
      expect(p.at(i, 1)).toBeCloseTo(1 / (1 + Math.exp(a * v + b)), 12);
    });
  });

  it("changes nothing else: binary SVMs and labels are those without", async () => {
    const { X, y } = await loadDataset("wine");
    const [with_, without] = [true, false].map((probability) => new SVC({ probability }).fit(X, y));
    expect(with_).toBeInstanceOf(FittedProbabilisticSVC);
    expect(without).toBeInstanceOf(FittedSVC);
    expect(without).not.toBeInstanceOf(FittedProbabilisticSVC);
    expect(with_!.dualCoef).toEqual(without!.dualCoef);
    expect(with_!.predict(X)).toEqual(without!.predict(X));
  });

  it("depends on randomState, and on nothing else", async () => {
    const { X, y } = await loadDataset("wine");
    const fit = (randomState: number) => new SVC({ probability: true, randomState }).fit(X, y);
    expect(saveModel(fit(7))).toEqual(saveModel(fit(7)));
    expect(fit(7).sigmoids).not.toEqual(fit(8).sigmoids);
    expect(fit(7).dualCoef).toEqual(fit(8).dualCoef);
  });

  it("is saved and loaded with its sigmoids", async () => {
    const { X, y } = await loadDataset("iris");
    const model = new SVC({ probability: true, C: 3 }).fit(X, y);
    const again = loadModel(saveModel(model));
    expect(again).toBeInstanceOf(FittedProbabilisticSVC);
    expect((again as typeof model).predictProba(X)).toEqual(model.predictProba(X));
  });

  // The worker is a file, so this one uses what the build wrote.
  it("comes out of a worker the same", async () => {
    const { X, y } = await loadDataset("iris");
    const rows = X.toArray();
    const estimator = new built.SVC({ probability: true, randomState: 4 });
    const elsewhere = await built.background(estimator).fit(rows, y);
    expect(built.saveModel(elsewhere)).toEqual(built.saveModel(estimator.fit(rows, y)));
  });

  it.each([1, 2, 3, 4])(
    "takes classes of %i rows: folds without one of the classes have no machine",
    (few) => {
      const random = new Random(few);
      const y = Array.from({ length: 30 }, (_, i) => (i < few ? "rare" : i % 2 === 0 ? "even" : "odd"));
      const X = y.map((label) => [random.normal() + (label === "rare" ? 6 : 0), random.normal()]);
      for (const labels of [y, y.map((label) => (label === "rare" ? label : "other"))]) {
        const model = new SVC({ probability: true }).fit(X, labels);
        const p = model.predictProba(X);
        expect(p.data.every((v) => v >= 0 && v <= 1)).toBe(true);
        for (const sum of sums(p)) expect(sum).toBeCloseTo(1, 12);
        // A class of few rows is never certain.
        const column = model.classes.indexOf("rare");
        expect(Math.max(...Array.from(y, (_, i) => p.at(i, column)))).toBeLessThan(1);
      }
    },
  );

  it("of one row a class says what LIBSVM says: each is told by the other alone, as of the other's class", () => {
    const model = new SVC({ probability: true, C: 10, gamma: 10, tol: 1e-6 }).fit([[0], [1]], ["a", "b"]);
    // Targets 1/3 at +1 and 2/3 at −1, where the machine of both has its rows.
    const p = model.predictProba([[0], [1]]);
    expect(p.at(0, 0)).toBeCloseTo(1 / 3, 4);
    expect(p.at(1, 1)).toBeCloseTo(1 / 3, 4);
  });
});
