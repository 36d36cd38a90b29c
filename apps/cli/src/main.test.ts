import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatSvmlight, makeRegression } from "argmax";
import { loadDataset } from "argmax/datasets";
import { afterAll, describe, expect, test } from "vitest";
import { classifiers, regressors } from "./leaderboard/models.js";

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

describe("the built program", () => {
  test("ranks the classifiers on a real dataset", () => {
    const { status, stdout, stderr } = argmax("leaderboard", "--dataset", "iris", "--folds", "3");
    expect(status).toBe(0);
    expect(stdout).toContain("Argmax · iris  150 rows × 4 features");
    const rows = stdout.split("\n").filter((line) => /^ *\d+ {2}\S/.test(line));
    expect(rows).toHaveLength(classifiers(0).length);
    const accuracies = rows.map((row) => Number(/(\d+\.\d) ± /.exec(row)![1]));
    expect(accuracies).toEqual([...accuracies].sort((a, b) => b - a));
    expect(accuracies[0]).toBeGreaterThan(94);
    expect(stdout).toContain("Try next:");
    expect(stdout).not.toContain("\u001b");
    expect(stderr.split("\n")).toContain("LinearSVC (loss hinge)");
  }, 60_000);

  test("ranks the regressors on diabetes by R²", () => {
    const { status, stdout } = argmax("leaderboard", "-d", "diabetes", "-f", "3");
    expect(status).toBe(0);
    expect(Number(/^ *1 .* (0\.\d+) ± /m.exec(stdout)![1])).toBeGreaterThan(0.4);
  }, 60_000);

  test("a file of the same rows gives the scores of the included dataset", async () => {
    const { X, y, classes } = await loadDataset("wine");
    const path = file(
      "wine.svm",
      formatSvmlight(
        X,
        y.map((label) => classes.indexOf(label)),
      ),
    );
    const scores = (dataset: string) => {
      const { status, stdout } = argmax("leaderboard", "-d", dataset, "-f", "3");
      expect(status).toBe(0);
      // A row without its times, and without its rank, which is by time among equals.
      return stdout.match(/(?<=^ *\d+ {2})\S.* ± \d+\.\d +\S+/gm);
    };
    expect(scores(path)).toHaveLength(classifiers(0).length);
    expect(scores(path)!.toSorted()).toEqual(scores("wine")!.toSorted());
  }, 60_000);

  test("a model that cannot take the targets of a file is left out and named", () => {
    const { X, y } = makeRegression({ nSamples: 60, nFeatures: 3, noise: 1 });
    const { status, stdout } = argmax(
      "leaderboard",
      "-d",
      file("negative.libsvm", formatSvmlight(X, y)),
      "-f",
      "3",
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^skipped: PoissonRegressor \(.*y\[\d+\] must be/m);
    expect(stdout.match(/^ *\d+ {2}\S/gm)).toHaveLength(regressors(0).length - 1);
  }, 60_000);

  test("a file that no model can take is an error", () => {
    const { status, stderr } = argmax(
      "leaderboard",
      "-d",
      file("one.svm", "1 1:1\n1 1:2\n1 2:3\n1 1:4\n"),
      "-f",
      "2",
    );
    expect(status).toBe(1);
    expect(stderr).toContain("y must be labels of at least two classes, got only 1.");
  }, 60_000);

  test("the same seed gives the same scores, another seed others", () => {
    const scores = (seed: string) =>
      argmax("leaderboard", "-d", "wine", "-f", "3", "--seed", seed)
        .stdout.match(/\d+\.\d ± \d+\.\d/g)!
        .join(" ");
    const first = scores("1");
    expect(scores("1")).toBe(first);
    expect(scores("2")).not.toBe(first);
  }, 60_000);

  test("explains itself", () => {
    const { status, stdout } = argmax("--help");
    expect(status).toBe(0);
    expect(stdout).toContain("Usage: argmax COMMAND [arguments] [options]");
    expect(argmax("leaderboard", "--help").stdout).toContain("-d, --dataset NAME");
  });

  test("answers a wrong command line with code 2 on the error stream", () => {
    for (const words of [
      ["leaderboard", "--dateset", "iris"],
      ["leaderboard", "-d", "mnist"],
      ["leaderboard", "-f", "1"],
      ["tarin"],
    ]) {
      const { status, stdout, stderr } = argmax(...words);
      expect({ words, status, stdout }).toEqual({ words, status: 2, stdout: "" });
      expect(stderr).toMatch(/\nSee argmax (leaderboard )?--help\.\n$/);
    }
  });
});
