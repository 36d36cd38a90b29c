import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reduce } from "./actions.js";
import { firstDocument, limits, type ModelEntry } from "./document.js";
import type { ParamValue, Part } from "./param-value.js";
import { readDocument } from "./read/read-document.js";
import { type Bench, resolveModel } from "./resolve-model.js";

const model = (id: string, estimator: string, params: ModelEntry["params"] = {}): ModelEntry => ({
  id,
  estimator,
  params,
});

const bench = (...models: ModelEntry[]): Bench => ({
  models,
  features: ["a", "b", "c"],
  classes: ["no", "yes"],
  target: "answer",
});

const voting = (id: string, ...parts: Part[]) => model(id, "VotingClassifier", { estimators: parts });
const resolved = (...models: ModelEntry[]) => resolveModel(models[0]!, bench(...models));

describe("resolveModel", () => {
  test("an infinite number survives the link as text", () => {
    const document = { ...firstDocument, models: [model("m1", "SVC", { C: "Infinity" })] };
    const read = readDocument(JSON.parse(JSON.stringify(document)))!;
    expect(resolved(...read.models).spec?.params).toEqual({ C: Infinity });
  });

  test("puts the models of the bench in the place of their ids, and names members by their class", () => {
    const found = resolved(
      voting("m1", { model: "m2" }, { estimator: "SVC" }, { model: "m3" }, { model: "m4" }),
      model("m2", "SVC", { C: 2 }),
      model("m3", "KNeighborsClassifier"),
      model("m4", "BaggingClassifier", { estimator: { model: "m2" } }),
    );
    expect(found.spec).toEqual({
      estimator: "VotingClassifier",
      params: {
        estimators: {
          svc: { estimator: "SVC", params: { C: 2 } },
          svc2: { estimator: "SVC", params: {} },
          kNeighborsClassifier: { estimator: "KNeighborsClassifier", params: {} },
          baggingClassifier: {
            estimator: "BaggingClassifier",
            params: { estimator: { estimator: "SVC", params: { C: 2 } } },
          },
        },
      },
    });
  });

  test("is the same while its members are, and another once one of them changes", () => {
    const own = voting("m7", { model: "m2" }, { model: "m4" });
    const at = { ...firstDocument, models: [...firstDocument.models, own] };
    const textAfter = (...actions: Parameters<typeof reduce>[1][]) => {
      const { models } = actions.reduce(reduce, at);
      return JSON.stringify(resolveModel(own, bench(...models)));
    };
    const before = textAfter();
    expect(textAfter({ type: "setParam", id: "m1", name: "C", value: 3 })).toBe(before);
    expect(textAfter({ type: "addModel", estimator: "GaussianNB" })).toBe(before);
    expect(textAfter({ type: "setParam", id: "m2", name: "C", value: 3 })).not.toBe(before);
    // Removed, and brought back.
    const removed = textAfter({ type: "removeModel", id: "m2" });
    expect(removed).toContain("m2 is no longer on the bench");
    const undo = { type: "insertModel", model: firstDocument.models[1]!, at: 1 } as const;
    expect(textAfter({ type: "removeModel", id: "m2" }, undo)).toBe(before);
  });

  test("says in a sentence what is a member of itself, too deep or too much", () => {
    expect(resolved(voting("m1", { model: "m1" })).problem).toBe(
      "It is made of itself, by way of m1: choose another member.",
    );
    expect(resolved(voting("m1", { model: "m2" }), voting("m2", { model: "m1" })).problem).toBe(
      "It is made of itself, by way of m2: choose another member.",
    );
    const chain = Array.from({ length: 8 }, (_, k) => voting(`m${k + 1}`, { model: `m${k + 2}` }));
    expect(resolved(...chain, model("m9", "SVC")).problem).toMatch(/more than 4 deep/);
    const wide = (id: string, inner: string) => voting(id, ...Array<Part>(12).fill({ model: inner }));
    expect(
      resolved(wide("m1", "m2"), wide("m2", "m3"), wide("m3", "m4"), model("m4", "SVC")).problem,
    ).toMatch(/more than 48 estimators/);
  });

  test("columns that are not features any more are left out; a stage without a column is a problem", () => {
    const stage = (...columns: string[]) => ({
      part: { estimator: "LogisticRegression" },
      columns,
      cost: 2,
      sensitivity: null,
    });
    const cascade = (...stages: ReturnType<typeof stage>[]) => resolved(model("m1", "Cascade", { stages }));
    expect(cascade(stage("b", "gone", "b"), stage("a")).spec?.params["stages"]).toEqual([
      {
        features: { columns: ["b"] },
        cost: 2,
        estimator: { estimator: "LogisticRegression", params: {} },
        sensitivity: null,
      },
      expect.objectContaining({ features: { columns: ["a"] } }),
    ]);
    expect(cascade(stage("a"), stage("gone")).problem).toBe("Stage 2 has no column: choose one.");
  });

  test("a cascade of three classes is refused before it is trained", () => {
    const three = { ...bench(), classes: ["x", "y", "z"] };
    expect(resolveModel(model("m1", "Cascade"), three).problem).toBe(
      "Cascade separates two classes, and answer has 3: choose a target with two in Data.",
    );
  });

  test("hidden layers are followed by the outputs", () => {
    const layers = [{ layer: "dense", units: 4, activation: "tanh" }] as const;
    expect(resolved(model("m1", "NeuralClassifier", { layers })).spec?.params["layers"]).toEqual([
      { layer: "dense", units: 4, activation: "tanh" },
      { layer: "dense", units: 2 },
    ]);
  });

  test("every document that can be read is resolved, or has a problem in words", () => {
    const id = fc.constantFrom("m1", "m2", "m3", "m4", "m9");
    const part = fc.oneof(
      fc.record({ model: id }),
      fc.record({ estimator: fc.constantFrom("SVC", "Voting") }),
    );
    const stage = fc.record({ part, columns: fc.array(fc.constantFrom("a", "z")), cost: fc.anything() });
    const value = fc.oneof(part, fc.array(part, { maxLength: 20 }), fc.array(stage), fc.anything());
    const entry = (own: string) =>
      fc.record({
        id: fc.constant(own),
        estimator: fc.constantFrom("VotingClassifier", "Cascade", "SVC"),
        params: fc.dictionary(fc.constantFrom("estimators", "stages", "estimator", "__proto__"), value),
      });
    const models = fc.tuple(entry("m1"), entry("m2"), entry("m3"), entry("m4"));
    fc.assert(
      fc.property(models, (given) => {
        const document = readDocument({ version: 1, models: given })!;
        expect(readDocument(JSON.parse(JSON.stringify(document)))).toEqual(document);
        for (const one of document.models) {
          const { spec, problem } = resolveModel(one, bench(...document.models));
          if (spec === undefined) expect(problem).toMatch(/^[A-Z].*: choose .*\.$/);
          else expect(count(spec)).toBeLessThanOrEqual(limits.estimators);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** Estimators in a description. */
function count(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = "estimator" in value && "params" in value ? 1 : 0;
  return Object.values(value).reduce<number>((sum, entry) => sum + count(entry), own);
}

describe("readDocument", () => {
  const read = (value: unknown): ParamValue | undefined => {
    const models = [{ id: "m1", estimator: "VotingClassifier", params: { given: value } }];
    return readDocument({ version: 1, models })!.models[0]!.params["given"];
  };

  test("takes members, stages, blocks, layers and rows as they are written", () => {
    const stage = { part: { model: "m2" }, columns: ["a"], cost: 3, sensitivity: 0.9 };
    for (const value of [
      { estimator: "SVC" },
      { model: "m2" },
      [{ model: "m2" }, { estimator: "SVC" }],
      [stage, { ...stage, sensitivity: null }],
      [{ event: "categorical", columns: ["a", "b"] }],
      [
        { layer: "dense", units: 8, activation: "relu" },
        { layer: "dropout", rate: 0.1 },
        { layer: "batchNorm" },
      ],
      [
        [0, 1],
        [5, 0],
      ],
      { name: "elasticNet", settings: { alpha: 0.1, l1Ratio: 0.5 } },
      ["a column", "another"],
    ])
      expect(read(value)).toEqual(value);
  });

  test("drops what is not a value, clamps numbers and cuts lists", () => {
    for (const value of [
      {},
      [],
      [{}],
      [{ model: "../m" }],
      [{ model: "m1" }, 3],
      { estimator: "a b" },
      [[["x"]]],
    ])
      expect(read(value)).toBeUndefined();
    // Only what is known is kept.
    expect(read({ model: "m2", estimator: "SVC", toString: "x" })).toEqual({ model: "m2" });
    expect(read(Array(1000).fill({ model: "m2" }))).toHaveLength(limits.parts);
    expect(read([{ part: { model: "m2" }, columns: [1, "a"], cost: -5, sensitivity: 7 }])).toEqual([
      { part: { model: "m2" }, columns: ["a"], cost: 0, sensitivity: 1 },
    ]);
    expect(read([{ layer: "dense", units: 1e9, activation: "explode" }])).toEqual([
      { layer: "dense", units: 4096, activation: "relu" },
    ]);
    expect(read(Array(10_000).fill("x".repeat(1000)))).toHaveLength(limits.columns);
  });
});
