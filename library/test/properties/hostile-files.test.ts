import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { EstimatorClass, TargetsRegressor } from "../../src/core/contract.js";
import { saveModel } from "../../src/persistence/index.js";
import { problem } from "../conformance/data.js";
import { subjects } from "../conformance/registry.js";
import { runScript } from "../support/child-process.js";

const folder = mkdtempSync(join(tmpdir(), "argmax-hostile-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Every twentieth forgery in everyday tests, all of them in the deep ones. */
const share = process.env.ARGMAX_DEEP ? "1" : "20";

/** The file of a model of two targets, where an estimator learns several; those by absolute error do not. */
function severalTargets(estimator: object, x: number[][], y: unknown): Uint8Array | undefined {
  const { severalTargets: known } = estimator.constructor as Partial<EstimatorClass>;
  const learner = estimator as TargetsRegressor & { params: { criterion?: string } };
  if (known === undefined || learner.params.criterion === "absoluteError") return undefined;
  const two = (y as readonly number[]).map((v) => [v, 2 * v]);
  return saveModel(learner.fit(x, two));
}

test("a forged file ends in an error of the library: soon, and without more memory than the file justifies", async () => {
  for (const [s, subject] of subjects.entries()) {
    const { X, y } = problem(subject);
    const name = join(folder, `${String(s).padStart(3, "0")} ${subject.name.replaceAll(/\W+/g, " ")}`);
    writeFileSync(`${name}.model`, saveModel(subject.make().fit(X, y)));
    writeFileSync(`${name}.json`, JSON.stringify(X.slice(0, 5)));
    const several = severalTargets(subject.make(), X as number[][], y);
    if (several === undefined) continue;
    writeFileSync(`${name} of several targets.model`, several);
    writeFileSync(`${name} of several targets.json`, JSON.stringify(X.slice(0, 5)));
  }
  const script = fileURLToPath(new URL("./fixtures/hostile-files.mjs", import.meta.url));
  const { lines, code } = await runScript(script, [folder, share]);
  expect(code, `ended at ${readFileSync(join(folder, "last"), "utf8")}`).toBe(0);
  expect(lines.at(-1)).toMatch(/^\d+ forgeries$/);
  expect(Number.parseInt(lines.at(-1)!, 10)).toBeGreaterThan(process.env.ARGMAX_DEEP ? 100_000 : 5_000);
  expect(lines.slice(0, -1)).toEqual([]);
}, 3_600_000);
