import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatSvmlight, makeRegression } from "argmax";
import { loadDataset } from "argmax/datasets";
import { afterAll, describe, expect, test } from "vitest";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const argmax = (...words: string[]) =>
  spawnSync(process.execPath, [main, ...words], { encoding: "utf8", env: { PATH: process.env.PATH } });

const folder = mkdtempSync(join(tmpdir(), "argmax-main-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Ranks models without saving one. */
const compare = (...words: string[]) => argmax("compare", ...words, "--folds", "3", "--save", "none");

/** The lines of the table: brackets of ties, the model, its score and its interval. */
const lines = (stdout: string) => stdout.match(/^[┌│└ ] {2}[A-Z]\w+ .*?\d\.\d{4} +\d\.\d{4}/gm) ?? [];
const scores = (stdout: string) => lines(stdout).map((line) => Number(/\d\.\d{4}/.exec(line)![0]));

describe("the built program", () => {
  test("ranks the classifiers on a real dataset", () => {
    const { status, stdout, stderr } = compare("iris");
    expect(status).toBe(0);
    expect(stdout).toContain("150 rows × 4 columns");
    const accuracies = scores(stdout);
    expect(accuracies.length).toBeGreaterThan(9);
    expect(accuracies).toEqual([...accuracies].sort((a, b) => b - a));
    expect(accuracies[0]).toBeGreaterThan(0.94);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toMatch(/^LinearSVC: 0\.\d+$/m);
  }, 60_000);

  test("ranks the regressors on diabetes by R²", () => {
    const { status, stdout } = compare("diabetes");
    expect(status).toBe(0);
    expect(scores(stdout)[0]).toBeGreaterThan(0.4);
  }, 60_000);

  test("a file of the same rows gives the scores of the included dataset", async () => {
    const { X, y, classes } = await loadDataset("wine");
    const labels = y.map((label) => classes.indexOf(label));
    const path = file("wine.svm", formatSvmlight(X, labels));
    const few = ["--models", "gaussian-nb,logistic-regression,random-forest"];
    const plain = (stdout: string) =>
      lines(stdout).map((line) => line.replace("←", " ").slice(2).split(/ +/));
    const ofFile = plain(compare(path, ...few).stdout);
    expect(ofFile).toHaveLength(3);
    expect(ofFile.toSorted()).toEqual(plain(compare("wine", ...few).stdout).toSorted());
  }, 60_000);

  test("a model that cannot take the targets of a file is left out and named", () => {
    const { X, y } = makeRegression({ nSamples: 60, nFeatures: 3, noise: 1 });
    const path = file("negative.libsvm", formatSvmlight(X, y));
    const { status, stdout } = compare(path, "--models", "ridge,poisson-regressor");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^PoissonRegressor was left out: .*y\[\d+\] must be/m);
    expect(lines(stdout)).toHaveLength(1);
  }, 60_000);

  test("a file that no model can take is an error", () => {
    const { status, stderr } = compare(file("one.svm", "1 1:1\n1 1:2\n1 2:3\n1 1:4\n"));
    expect(status).toBe(1);
    expect(stderr).toContain("is 1 in every row: there is nothing to learn.");
  }, 60_000);

  test("the same seed gives the same scores, another seed others", () => {
    const few = ["--models", "gaussian-nb,random-forest"];
    const seeded = (seed: string) => lines(compare("wine", "--seed", seed, ...few).stdout);
    const first = seeded("1");
    expect(first).toHaveLength(2);
    expect(seeded("1")).toEqual(first);
    expect(seeded("2")).not.toEqual(first);
  }, 60_000);

  test("explains itself", () => {
    const { status, stdout } = argmax("--help");
    expect(status).toBe(0);
    expect(stdout).toContain("Usage: argmax COMMAND [arguments] [options]");
    expect(argmax("compare", "--help").stdout).toContain("-t, --target COL");
  });

  test("answers a wrong command line with code 2 on the error stream", () => {
    for (const words of [
      ["compare", "--dateset", "iris"],
      ["compare", "iris", "-m", "mnist"],
      ["compare", "iris", "-f", "1"],
      ["tarin"],
    ]) {
      const { status, stdout, stderr } = argmax(...words);
      expect({ words, status, stdout }).toEqual({ words, status: 2, stdout: "" });
      expect(stderr).toMatch(/\nSee argmax (compare )?--help\.\n$/);
    }
  });
});
