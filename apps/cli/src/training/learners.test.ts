import { describe, expect, test } from "vitest";
import { findLearner, learnerClasses, learnerNames, readSettings, wordsOf } from "./learners.js";
import { declaredSpace, readSpace } from "./tuning-spaces.js";

describe("models by name", () => {
  test("names are the words of the class", () => {
    expect(
      ["RandomForestClassifier", "KNeighborsRegressor", "MLPClassifier", "SVC", "RidgeCV"].map(wordsOf),
    ).toEqual(["random-forest-classifier", "k-neighbors-regressor", "mlp-classifier", "svc", "ridge-cv"]);
  });

  test("a short name is the classifier or the regressor, as the task asks", () => {
    expect(findLearner("random-forest", "classification").id).toBe("RandomForestClassifier");
    expect(findLearner("random-forest", "regression").id).toBe("RandomForestRegressor");
    expect(findLearner("RANDOMFORESTCLASSIFIER", "classification").id).toBe("RandomForestClassifier");
    expect(() => findLearner("svc", "regression")).toThrow("--model svc is for classification");
    expect(() => findLearner("random-forrest", "regression")).toThrow("random-forest");
  });

  test("every listed model can be made without parameters, and names are not ambiguous", () => {
    for (const { create, id } of learnerClasses()) expect(create({}).id).toBe(id);
    for (const task of ["classification", "regression"] as const) {
      const names = learnerNames(task);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(findLearner(name, task).task).toBe(task);
    }
  });

  test("settings are JSON or text", () => {
    const words = ["maxDepth=8", "kernel=rbf", "hiddenLayerSizes=[64, 32]", "x=null", "y=a=b", "z="];
    expect(readSettings(words)).toEqual({
      maxDepth: 8,
      kernel: "rbf",
      hiddenLayerSizes: [64, 32],
      x: null,
      y: "a=b",
      z: "",
    });
    const hostile = readSettings(["__proto__=1"]);
    expect(Object.keys(hostile)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(hostile)).toBe(Object.prototype);
  });
});

describe("ranges of parameters", () => {
  test("the usual ones name parameters that their models have", () => {
    const declared = learnerClasses().filter(({ searchSpace }) => searchSpace !== undefined);
    expect(declared.length).toBe(28);
    for (const learner of declared)
      for (const name of Object.keys(declaredSpace(learner)!))
        expect(Object.keys(learner.table), learner.id).toContain(name);
    expect(String(declaredSpace(findLearner("svc", "classification"))!["gamma"])).toBe(
      "logUniform(0.0001, 1)",
    );
  });

  test("are read from words", () => {
    const space = readSpace([
      "C=log:0.01:100",
      "n=integers:2:5",
      "u=uniform:0:1",
      "kernel=rbf,linear",
      "depth=2,4,null",
    ])!;
    expect(String(space["C"])).toBe("logUniform(0.01, 100)");
    expect(String(space["n"])).toBe("integers(2, 5)");
    expect(String(space["u"])).toBe("uniform(0, 1)");
    expect(space["kernel"]).toEqual(["rbf", "linear"]);
    expect(space["depth"]).toEqual([2, 4, null]);
    expect(() => readSpace(["C"])).toThrow("--range must be");
    expect(() => readSpace(["C=log:0:1"])).toThrow("logUniform");
  });
});
