import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CsrMatrix, LinearSVC, LinearSVR, LogisticRegression, Matrix, Random } from "argmax";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectClose, precise } from "../parity/claims.js";
import { logistic, supportVector, supportVectorRegression } from "../parity/objectives.js";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "argmax-liblinear-"));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  const installer = join(repository, "tools/build/debian.mjs");
  const run = spawnSync(process.execPath, [installer, "liblinear-tools:liblinear-train"], {
    encoding: "utf8",
  });
  expect(run.status, `LIBLINEAR is missing.\n${run.stderr}`).toBe(0);
});

/**
 * Like heart_scale: 270 patients, measurements scaled to −1 … 1 and yes-or-no columns, some cells 0, and a diagnosis
 * that depends on a few of them with noise.
 */
function patients(seed: number) {
  const random = new Random(seed);
  const [rows, cols] = [270, 13];
  const X = Matrix.zeros(rows, cols);
  const score = new Float64Array(rows);
  const w = Array.from({ length: cols }, (_, j) =>
    j % 3 === 0 ? 2 * random.normal() : 0.3 * random.normal(),
  );
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const drawn =
        j % 4 === 1 ? (random.below(2) === 0 ? -1 : 1) : Math.max(-1, Math.min(1, 0.5 * random.normal()));
      const value = random.below(10) === 0 ? 0 : Math.round(1e6 * drawn) / 1e6;
      X.data[i * cols + j] = value;
      score[i]! += w[j]! * value;
    }
    score[i]! += 2 * random.normal();
  }
  return { X, score, y: Array.from(score, (z) => (z > 0 ? 1 : -1)) };
}

/** The weights of `liblinear-train -s kind`, without a bias, as near to the minimum as it goes. */
function liblinear(X: Matrix, y: ArrayLike<number>, kind: number, C: number, p?: number): Float64Array {
  const lines = X.toArray().map((row, i) => {
    const cells = row.flatMap((value, j) => (value === 0 ? [] : `${j + 1}:${value}`));
    return `${y[i]} ${cells.join(" ")}\n`;
  });
  writeFileSync(join(folder, "rows"), lines.join(""));
  const epsilon = p === undefined ? [] : ["-p", String(p)];
  const words = ["-s", kind, "-c", C, "-e", 1e-10, ...epsilon, "-q", "rows", "model"].map(String);
  execFileSync("liblinear-train", words, { cwd: folder, stdio: "ignore" });
  const model = readFileSync(join(folder, "model"), "utf8").split("\n");
  const weights = model.slice(model.indexOf("w") + 1).flatMap((line) => (line.trim() ? Number(line) : []));
  // The class of the first row is LIBLINEAR's positive one.
  const first = Number(/^label (\S+)/m.exec(model.join("\n"))?.[1] ?? 1);
  return Float64Array.from(weights, (value) => (first > 0 ? value : -value));
}

/**
 * For the losses with a kink LIBLINEAR has only dual coordinate descent, and gives up after 1,000 passes; beyond this C
 * it has not arrived by then. Its result is still one that nothing may lie above.
 */
const ARRIVES = 0.05;
const strengths = [0.001, 0.01, 0.05, 1, 100];

/** We never stop above LIBLINEAR, and where it arrives both are the same model. */
function expectAgreement(
  ours: ArrayLike<number>,
  theirs: Float64Array,
  objective: (w: Float64Array) => number,
  arrives: boolean,
): void {
  const [here, there] = [objective(ours as Float64Array), objective(theirs)];
  expect(here).toBeLessThanOrEqual(there * (1 + 1e-9));
  if (!arrives) return;
  expect(there).toBeLessThanOrEqual(here * (1 + 1e-6));
  // Objectives within 1e-6 leave some 1e-3 to weights.
  expectClose(ours, theirs, 2e-3);
}

const given = { ...precise, fitIntercept: false } as const;
const modelOf = (w: Float64Array) => ({ coef: new Matrix(w, 1, w.length), intercept: [0], classes: [-1, 1] });

interface Classifier {
  readonly kind: number;
  readonly name: string;
  make(C: number): LogisticRegression | LinearSVC;
  objective(data: ReturnType<typeof patients>, w: Float64Array, C: number): number;
}
const ones = new Float64Array(270).fill(1);
const logisticKind = (kind: number, penalty: "l1" | "l2"): Classifier => ({
  kind,
  name: `logistic regression, ${penalty}`,
  make: (C) => new LogisticRegression({ C, penalty, ...given }),
  objective: ({ X, y }, w, C) => logistic(X, y, ones, modelOf(w), { C, penalty }),
});
type SupportLoss =
  | { loss: "hinge" | "squaredHinge"; penalty: "l2" }
  | { loss: "squaredHinge"; penalty: "l1" };
const supportKind = (kind: number, parts: SupportLoss): Classifier => ({
  kind,
  name: `support vectors, ${parts.loss}, ${parts.penalty}`,
  make: (C) => new LinearSVC({ C, ...parts, ...given }),
  objective: ({ X, y }, w, C) =>
    supportVector(X, y, ones, modelOf(w), {
      C,
      squared: parts.loss === "squaredHinge",
      l1: parts.penalty === "l1",
    }),
});
const classifiers = [
  logisticKind(0, "l2"),
  logisticKind(6, "l1"),
  supportKind(2, { loss: "squaredHinge", penalty: "l2" }),
  supportKind(3, { loss: "hinge", penalty: "l2" }),
  supportKind(5, { loss: "squaredHinge", penalty: "l1" }),
];

describe("without an intercept, LIBLINEAR and this library solve the same problem", () => {
  for (const { kind, name, make, objective } of classifiers) {
    for (const C of strengths) {
      test(`${name}, C = ${C}`, () => {
        for (const seed of [1, 2, 3]) {
          const data = patients(seed);
          const theirs = liblinear(data.X, data.y, kind, C);
          for (const X of [data.X, CsrMatrix.fromDense(data.X)]) {
            const ours = make(C).fit(X, data.y).coef.data as Float64Array;
            expectAgreement(ours, theirs, (w) => objective(data, w, C), kind !== 3 || C <= ARRIVES);
          }
        }
      });
    }
  }

  for (const [kind, loss] of [
    [11, "squaredEpsilonInsensitive"],
    [13, "epsilonInsensitive"],
  ] as const) {
    for (const C of strengths) {
      test(`support vector regression, ${loss}, C = ${C}`, () => {
        for (const seed of [1, 2, 3]) {
          const { X, score } = patients(seed);
          const epsilon = 0.1;
          const parts = { C, epsilon, squared: kind === 11 };
          const theirs = liblinear(X, score, kind, C, epsilon);
          const ours = new LinearSVR({ C, epsilon, loss, ...given }).fit(X, score).coef;
          const objective = (w: Float64Array) => supportVectorRegression(X, score, ones, w, 0, parts);
          expectAgreement(ours, theirs, objective, kind !== 13 || C <= ARRIVES);
        }
      });
    }
  }
});
