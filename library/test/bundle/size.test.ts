import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import dual from "../../src/numeric/generated/dual.wasm.js";
import { type Bundle, bundleSource, repository } from "./bundle.js";

const KB = 1024;
/** How the text of every kernel begins. */
const KERNEL = dual.slice(0, 8);
const familiesIn = ({ files }: Bundle) => [...new Set(files.map((file) => file.split("/")[0]!))].sort();

describe("what an import costs", () => {
  test("LogisticRegression alone is at most 56 KB gzipped, WASM included", async () => {
    const bundle = await bundleSource(
      'import { LogisticRegression } from "argmax"; console.log(LogisticRegression);',
    );
    expect(bundle.gzip).toBeLessThanOrEqual(56 * KB);
    expect(bundle.text).toContain(KERNEL);
    const readme = readFileSync(join(repository, "README.md"), "utf8");
    const promised = Number(/`LogisticRegression` is (\d+) KB gzipped/.exec(readme)?.[1]);
    expect(Math.abs(bundle.gzip / KB - promised)).toBeLessThan(3);
  });

  test("LogisticRegression alone brings nothing that it does not use", async () => {
    const bundle = await bundleSource(
      'import { LogisticRegression } from "argmax"; console.log(LogisticRegression);',
    );
    const allowed = [
      "core",
      "data",
      "fitted",
      "linear",
      "losses",
      "metrics",
      "minimisers",
      "numeric",
      "penalties",
      "solvers",
    ];
    expect(familiesIn(bundle).filter((family) => !allowed.includes(family))).toEqual([]);
    const estimators = bundle.files.filter((file) =>
      /^linear\/.*(regress|svc|svr|lasso|ridge|sgd|perceptron)/.test(file),
    );
    expect(estimators.filter((file) => !/logistic-regression|fitted-/.test(file))).toEqual([]);
  });

  test("MLPClassifier alone is at most 64 KB gzipped, WASM included", async () => {
    const bundle = await bundleSource('import { MLPClassifier } from "argmax"; console.log(MLPClassifier);');
    // 60 KB, and what tensor functions of two vectors at a time (1 KB), rows as objects (1 KB), validation rows, reports of divergence, limits of time and the description of its layers cost.
    expect(bundle.gzip).toBeLessThanOrEqual(64 * KB);
  });

  test("MLPClassifier alone brings no other networks and no layers of images", async () => {
    const bundle = await bundleSource('import { MLPClassifier } from "argmax"; console.log(MLPClassifier);');
    expect(bundle.text).toContain(KERNEL);
    const allowed = ["core", "data", "index.js", "metrics", "minimisers", "neural", "numeric"];
    expect(familiesIn(bundle).filter((family) => !allowed.includes(family))).toEqual([]);
    const estimators = bundle.files.filter((file) => /^neural\/[\w-]*(classifier|regressor)\.js$/.test(file));
    expect(estimators).toEqual(["neural/fitted-network-classifier.js", "neural/mlp-classifier.js"]);
    const unused = /(convolution|normalization|pooling|attention|tokens|transformer|images|windows)\.js$/;
    expect(bundle.files.filter((file) => unused.test(file))).toEqual([]);
  });

  test("Matrix alone is at most 3 KB gzipped", async () => {
    const bundle = await bundleSource('import { Matrix } from "argmax"; console.log(Matrix);');
    expect(bundle.gzip).toBeLessThanOrEqual(3 * KB);
    expect(familiesIn(bundle)).toEqual(["core", "data"]);
  });

  test("a metric alone is at most 4 KB gzipped and brings no kernels", async () => {
    const bundle = await bundleSource('import { accuracyScore } from "argmax"; console.log(accuracyScore);');
    expect(bundle.gzip).toBeLessThanOrEqual(4 * KB);
    expect(bundle.text).not.toContain(KERNEL);
  });

  test("a plot alone is at most 6 KB gzipped and brings no kernels", async () => {
    const bundle = await bundleSource('import { rocPlot } from "argmax/plot"; console.log(rocPlot);');
    expect(bundle.gzip).toBeLessThanOrEqual(6 * KB);
    expect(bundle.text).not.toContain(KERNEL);
  });

  test("explain brings no family of models", async () => {
    const bundle = await bundleSource('import { explain } from "argmax"; console.log(explain);');
    expect(familiesIn(bundle)).toEqual(["core", "data", "inspection", "numeric", "structure"]);
  });

  test("importing and using nothing costs nothing", async () => {
    const bundle = await bundleSource('import * as argmax from "argmax"; export const one = 1;');
    expect(bundle.files).toEqual([]);
  });

  test("a worker of one's own brings only its estimators", async () => {
    const names = "LogisticRegression, Pipeline, StandardScaler";
    const source = `import { ${names}, serveFits } from "argmax"; serveFits([${names}]);`;
    const bundle = await bundleSource(source);
    // Half of it is logistic regression with its solvers; cross-validation and searches in a worker bring the metrics by name,
    // and tables the numbers and dates that are written as text (2 KB), documents and images (1 KB), the positive label and rows that
    // weigh nothing (1 KB), and structures (1 KB).
    expect(bundle.gzip).toBeLessThanOrEqual(83 * KB);
    expect(bundle.files.filter((file) => /^(trees|svm|neural|boosting)\//.test(file))).toEqual([]);
  });

  test("a script that is only the background worker is not thrown away as unused", async () => {
    const bundle = await bundleSource('import "argmax/worker";');
    expect(bundle.files).toContain("background/worker.js");
    expect(bundle.files).toContain("linear/perceptron.js");
  });

  test("the subpath and the main entry point are the same thing", async () => {
    const main = await bundleSource('export { LogisticRegression } from "argmax";');
    const family = await bundleSource('export { LogisticRegression } from "argmax/linear";');
    expect(family.files).toEqual(main.files);
  });
});
