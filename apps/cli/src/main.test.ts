import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const argmax = (...words: string[]) =>
  spawnSync(process.execPath, [main, ...words], { encoding: "utf8", env: { PATH: process.env.PATH } });

describe("the built program", () => {
  test("ranks the classifiers on a real dataset", () => {
    const { status, stdout, stderr } = argmax("--dataset", "iris", "--folds", "3");
    expect(status).toBe(0);
    expect(stdout).toContain("Argmax · iris  150 rows × 4 features");
    const rows = stdout.split("\n").filter((line) => /^ *\d+ {2}\S/.test(line));
    expect(rows).toHaveLength(13);
    const accuracies = rows.map((row) => Number(/(\d+\.\d) ± /.exec(row)![1]));
    expect(accuracies).toEqual([...accuracies].sort((a, b) => b - a));
    expect(accuracies[0]).toBeGreaterThan(94);
    expect(stdout).toContain("Try next:");
    expect(stdout).not.toContain("\u001b");
    expect(stderr.split("\n")).toContain("LinearSVC, hinge");
  }, 60_000);

  test("ranks the regressors on diabetes by R²", () => {
    const { status, stdout } = argmax("leaderboard", "-d", "diabetes", "-f", "3");
    expect(status).toBe(0);
    expect(Number(/^ *1 .* (0\.\d+) ± /m.exec(stdout)![1])).toBeGreaterThan(0.4);
  }, 60_000);

  test("the same seed gives the same scores, another seed others", () => {
    const scores = (seed: string) =>
      argmax("-d", "wine", "-f", "3", "--seed", seed)
        .stdout.match(/\d+\.\d ± \d+\.\d/g)!
        .join(" ");
    expect(scores("1")).toBe(scores("1"));
    expect(scores("1")).not.toBe(scores("2"));
  }, 60_000);

  test("explains itself", () => {
    const { status, stdout } = argmax("--help");
    expect(status).toBe(0);
    expect(stdout).toContain("Usage: argmax [leaderboard] [options]");
    expect(stdout).toContain("-d, --dataset NAME");
  });

  test("answers a wrong command line with code 2 on the error stream", () => {
    for (const words of [["--dateset", "iris"], ["--dataset", "mnist"], ["--folds", "1"], ["train"]]) {
      const { status, stdout, stderr } = argmax(...words);
      expect({ words, status, stdout }).toEqual({ words, status: 2, stdout: "" });
      expect(stderr).toContain("See argmax --help.");
    }
  });
});
