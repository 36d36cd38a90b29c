import { describe, expect, it } from "vitest";
import { DataError, FormatError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import type { ModelState } from "../core/state/state.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import {
  AdaBoostClassifier,
  AdaBoostRegressor,
  BaggingClassifier,
  BaggingRegressor,
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
  LogisticRegression,
  loadModel,
  OneHotEncoder,
  pipeline,
  Ridge,
  saveModel,
} from "../index.js";
import { drawWeighted } from "./draws.js";

const towns = ["Oslo", "Rome", "Cairo", "Lima", "Pune"];
const N = 160;

/** A number, two texts and a truth value, of which y depends on all; `gaps` in all but the truth value. */
function problem(classes: number, gaps: boolean) {
  const random = new Random(classes);
  const gap = () => gaps && random.uniform() < 0.12;
  const cells = {
    size: [] as (number | null)[],
    town: [] as (string | null)[],
    open: [] as boolean[],
    kind: [] as (string | null)[],
  };
  const z: number[] = [];
  for (let i = 0; i < N; i++) {
    const [size, town, open, kind] = [random.normal(), random.below(5), random.below(2), random.below(3)];
    cells.size.push(gap() ? null : size);
    cells.town.push(gap() ? null : towns[town]!);
    cells.open.push(open === 1);
    cells.kind.push(gap() ? null : "abc"[kind]!);
    z.push(size + [2, -1, 0.5, -2, 1][town]! + open - [0, 1, -1][kind]! + 0.5 * random.normal());
  }
  const label = (v: number) =>
    classes === 2 ? (v > 0.5 ? "up" : "down") : v > 1.5 ? "up" : v < -0.5 ? "down" : "mid";
  const weights = z.map((_, i) => (i % 10 === 0 ? 0 : 1 + (i % 3)));
  return { table: Table.fromColumns(cells), y: z.map(label), z, weights };
}

/** The same rows in other columns' places, some of them with a town that no fit has seen. */
function asked(table: ReturnType<typeof problem>["table"]): Table {
  const town = table.column("town").toArray();
  const changed = town.map((name, i) => (i % 9 === 0 ? "Atlantis" : name));
  const { kind, open, size } = Object.fromEntries(
    (["kind", "open", "size"] as const).map((name) => [name, table.column(name)]),
  ) as never;
  return Table.fromColumns({ kind, town: changed, size, open }) as Table;
}

const seedOf = (model: { toState(): ModelState }) => model.toState().params["randomState"] as number;
/** Each drawn row once, and how often it was drawn, times its weight. */
function counted(rows: Int32Array, weights: readonly number[] | undefined) {
  const counts = new Map<number, number>();
  for (const i of [...rows].sort((a, b) => a - b)) counts.set(i, (counts.get(i) ?? 0) + 1);
  return { rows: [...counts.keys()], own: [...counts].map(([i, count]) => count * (weights?.[i] ?? 1)) };
}
const pick = <T>(list: readonly T[], rows: ArrayLike<number>) => Array.from(rows, (i) => list[i]!);

const classifiers = {
  tree: (seed: number) => new DecisionTreeClassifier({ maxDepth: 3, maxFeatures: 3, randomState: seed }),
  boosting: (seed: number) =>
    new HistGradientBoostingClassifier({ maxIter: 3, minSamplesLeaf: 5, randomState: seed }),
  pipeline: () => pipeline(new OneHotEncoder({ handleUnknown: "ignore" }), new LogisticRegression()),
};
const regressors = {
  tree: (seed: number) => new DecisionTreeRegressor({ maxDepth: 3, maxFeatures: 3, randomState: seed }),
  boosting: (seed: number) =>
    new HistGradientBoostingRegressor({ maxIter: 3, minSamplesLeaf: 5, randomState: seed }),
  pipeline: () => pipeline(new OneHotEncoder({ handleUnknown: "ignore" }), new Ridge()),
};
/** An encoder takes every column for categories: numbers are left out. */
const seenBy = (name: string, table: Table) => (name === "pipeline" ? table.drop(["size" as never]) : table);

describe("bags of members that read text", () => {
  for (const [name, make] of Object.entries(classifiers))
    for (const classes of [2, 3])
      for (const weighted of [false, true])
        it(`${name}, ${classes} classes${weighted ? ", weights" : ""}: the mean of members fitted one by one`, () => {
          const { table, y, weights } = problem(classes, name !== "pipeline");
          const X = seenBy(name, table as Table);
          const own = weighted ? weights : undefined;
          const model = new BaggingClassifier({ estimator: make(0), nEstimators: 4, oobScore: true }).fit(
            X,
            y,
            {
              sampleWeight: own,
            },
          );
          const Z = seenBy(name, asked(table));
          const alone = model.members.map(({ rows, model: member }) => {
            const drawn = counted(rows, own);
            const options = { sampleWeight: drawn.own };
            return make(seedOf(member)).fit(X.selectRows(drawn.rows), pick(y, drawn.rows), options);
          });
          const mean = alone
            .map((member) => member.predictProba(Z).data)
            .reduce((sum, p) => sum.map((v, e) => v + p[e]!))
            .map((sum) => sum / 4);
          expect(model.predictProba(Z).data).toEqual(mean);
          expect(model.featureNamesIn).toEqual(X.columnNames);
          const i = model.outOfBag!.rows[5]!;
          const judges = alone.filter((_, t) => !model.members[t]!.rows.includes(i));
          const p = judges.reduce((sum, judge) => sum + judge.predictProba(X.selectRows([i])).at(0, 1), 0);
          expect(model.outOfBag!.probabilities.at(5, 1)).toBeCloseTo(p / judges.length, 12);
          const back = loadModel(saveModel(model), BaggingClassifier);
          expect(back.predictProba(Z)).toEqual(model.predictProba(Z));
          expect(back.predictLogProba(Z)).toEqual(model.predictLogProba(Z));
        });

  for (const [name, make] of Object.entries(regressors))
    for (const weighted of [false, true])
      it(`${name}, numbers${weighted ? ", weights" : ""}: the mean of members fitted one by one`, () => {
        const { table, z, weights } = problem(2, name !== "pipeline");
        const X = seenBy(name, table as Table);
        const own = weighted ? weights : undefined;
        const bag = new BaggingRegressor({ estimator: make(0), nEstimators: 4, oobScore: true });
        const model = bag.fit(X, z, { sampleWeight: own });
        const Z = seenBy(name, asked(table));
        const mean = model.members
          .map(({ rows, model: member }) => {
            const drawn = counted(rows, own);
            const options = { sampleWeight: drawn.own };
            return make(seedOf(member))
              .fit(X.selectRows(drawn.rows), pick(z, drawn.rows), options)
              .predict(Z);
          })
          .reduce((sum, p) => sum.map((v, e) => v + p[e]!))
          .map((sum) => sum / 4);
        expect(model.predict(Z)).toEqual(mean);
        expect(model.oobScore).toBeGreaterThan(0.2);
        expect(loadModel(saveModel(model), BaggingRegressor).predict(Z)).toEqual(mean);
      });

  it("draw columns by name, also one twice", () => {
    const { table, y } = problem(3, true);
    const Z = asked(table);
    for (const draw of [{ maxFeatures: 0.5 }, { bootstrapFeatures: true }] as const) {
      const model = new BaggingClassifier({ ...draw, nEstimators: 6 }).fit(table, y);
      const columnsOf = (from: Table, features: Int32Array) => {
        const seen = new Map<string, number>();
        const columns = pick(from.columnNames as readonly string[], features).map((name) => {
          const times = (seen.get(name) ?? 0) + 1;
          seen.set(name, times);
          return [times === 1 ? name : `${name} (${times})`, from.column(name as never)] as const;
        });
        return Table.fromColumns(Object.fromEntries(columns)) as Table;
      };
      const inOrder = Z.select(table.columnNames as never) as Table;
      const mean = model.members
        .map(({ rows, features, model: member }) => {
          const drawn = counted(rows, undefined);
          const own = columnsOf(table as Table, features).selectRows(drawn.rows);
          const tree = new DecisionTreeClassifier({ randomState: seedOf(member) });
          const alone = tree.fit(own, pick(y, drawn.rows), { sampleWeight: drawn.own });
          return alone.predictProba(columnsOf(inOrder, features)).data;
        })
        .reduce((sum, p) => sum.map((v, e) => v + p[e]!))
        .map((sum) => sum / 6);
      expect(model.predictProba(Z).data).toEqual(mean);
      expect(loadModel(saveModel(model), BaggingClassifier).predictProba(Z).data).toEqual(mean);
    }
  });

  it("name columns of a table of numbers", () => {
    const rows = Array.from({ length: 60 }, (_, i) => i);
    const table = Table.fromColumns({ a: rows, code: rows.map((i) => i % 5) });
    const y = rows.map((i) => [1, 5, 2, 7, 0][i % 5]!);
    const estimator = new DecisionTreeRegressor({ categoricalFeatures: ["code"], maxDepth: 2 });
    const model = new BaggingRegressor({ estimator, nEstimators: 3 }).fit(table, y);
    expect(model.members[0]!.model.tree.node(0).split!.categories).toBeDefined();
    expect(model.predict(table.select(["code", "a"]))).toEqual(model.predict(table));
  });
});

describe("AdaBoost over members that read text", () => {
  for (const [name, make] of Object.entries(classifiers))
    for (const classes of [2, 3])
      it(`${name}, ${classes} classes: the votes of members fitted one by one to the weights of the rounds`, () => {
        const { table, y, weights } = problem(classes, name !== "pipeline");
        const X = seenBy(name, table as Table);
        const Z = seenBy(name, asked(table));
        const boost = new AdaBoostClassifier({ estimator: make(0), nEstimators: 3 });
        const model = boost.fit(X, y, { sampleWeight: weights });
        const kept = pick(
          [...y.keys()].filter((i) => weights[i]! > 0),
          Int32Array.from({ length: N * 0.9 }, (_, e) => e),
        );
        const votes = Array.from({ length: N }, () => new Float64Array(classes));
        let t = 0;
        for (const { rowWeights } of boost.steps(X, y, { sampleWeight: weights })) {
          const alone = make(seedOf(model.members[t]!)).fit(X.selectRows(kept), pick(y, kept), {
            sampleWeight: rowWeights,
          });
          for (const [i, label] of alone.predict(Z).entries())
            votes[i]![model.classes.indexOf(label)]! += model.estimatorWeights[t]!;
          t++;
        }
        expect(t).toBe(model.members.length);
        expect(model.predict(Z)).toEqual(votes.map((own) => model.classes[own.indexOf(Math.max(...own))]));
        expect([...model.stagedPredict(Z)].at(-1)).toEqual(model.predict(Z));
        const back = loadModel(saveModel(model), AdaBoostClassifier);
        expect(back.decisionFunction(Z)).toEqual(model.decisionFunction(Z));
        expect(back.featureNamesIn).toEqual(X.columnNames);
      });

  for (const [name, make] of Object.entries(regressors))
    it(`${name}, numbers: members fitted one by one to the rows that were drawn`, () => {
      const { table, z, weights } = problem(2, name !== "pipeline");
      const X = seenBy(name, table as Table);
      const Z = seenBy(name, asked(table));
      const boost = new AdaBoostRegressor({ estimator: make(0), nEstimators: 3, randomState: 4 });
      const model = boost.fit(X, z, { sampleWeight: weights });
      const kept = [...z.keys()].filter((i) => weights[i]! > 0);
      const random = new Random(4);
      let t = 0;
      for (const { rowWeights } of boost.steps(X, z, { sampleWeight: weights })) {
        const drawn = pick(kept, drawWeighted(random, rowWeights, kept.length));
        if (name !== "pipeline") expect(seedOf(model.members[t]!)).toBe(random.uint32());
        const alone = make(seedOf(model.members[t]!)).fit(X.selectRows(drawn), pick(z, drawn));
        expect(model.members[t]!.predict(Z)).toEqual(alone.predict(Z));
        t++;
      }
      expect(t).toBe(model.members.length);
      const back = loadModel(saveModel(model), AdaBoostRegressor);
      expect(back.predict(Z)).toEqual(model.predict(Z));
    });
});

describe("errors name the column", () => {
  const { table, y, z } = problem(2, false);
  const ensembles = [
    () => new BaggingClassifier({ estimator: new LogisticRegression() }).fit(table, y),
    () => new BaggingRegressor({ estimator: new Ridge() }).fit(table, z),
    () => new AdaBoostClassifier().fit(table, y),
    () => new AdaBoostRegressor({ estimator: new Ridge() }).fit(table, z),
  ];
  it("that a member cannot read", () => {
    for (const fit of ensembles) expect(fit).toThrow(/column "town" must be numeric or boolean/);
  });

  it("that is missing, or of another kind, and X that is not a table", () => {
    const bag = new BaggingClassifier({ nEstimators: 2 }).fit(table, y);
    const boost = new AdaBoostRegressor({ nEstimators: 2 }).fit(table, z);
    for (const model of [bag, boost]) {
      expect(() => model.predict(table.drop(["kind"]))).toThrow(/column "kind" must be in X, as in fit/);
      expect(() => model.predict(Matrix.zeros(2, 4))).toThrow(
        /X must be a table with the columns of fit \(size, town, open, kind\), got/,
      );
      const wrong = Table.fromColumns({
        size: [1],
        town: [3],
        open: [true],
        kind: ["a"],
      });
      expect(() => model.predict(wrong)).toThrow(/column "town" must be text, as in fit, got numbers/);
      expect(() => model.predict(wrong)).toThrow(DataError);
      expect(model.predict(table.selectRows([]))).toHaveLength(0);
      expect(model.predict(Table.fromRows([]))).toHaveLength(0);
    }
  });

  it("in a saved model without names", () => {
    const state = new BaggingClassifier({ nEstimators: 2 }).fit(table, y).toState();
    const { featureNamesIn: _, ...values } = state.values;
    const restore = () =>
      BaggingClassifier.restore(
        { ...state, values: values as ModelState["values"] },
        DecisionTreeClassifier.restore,
      );
    expect(restore).toThrow(FormatError);
  });
});
