import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  CsrMatrix,
  FittedProbabilisticSVC,
  type FittedSVC,
  type FittedSVR,
  formatLibsvmModel,
  formatSvmlight,
  Matrix,
  parseLibsvmModel,
  Random,
  SVC,
  SVR,
} from "argmax";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectClose } from "../parity/claims.js";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "argmax-libsvm-"));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  const installer = join(repository, "tools/build/debian.mjs");
  const packages = ["libsvm-tools:svm-train", "python3"];
  const run = spawnSync(process.execPath, [installer, ...packages], { encoding: "utf8" });
  expect(run.status, `LIBSVM is missing.\n${run.stderr}`).toBe(0);
});

/** The same terms in another order. */
const ROUNDING = 1e-12;
/** svm-predict prints six digits of probabilities. */
const PRINTED = 1e-6;

/** Rows with some zeros, and K classes that overlap in numbers from `names`. */
function sample(seed: number, names: readonly number[]) {
  const random = new Random(seed);
  const [rows, cols] = [160, 6];
  const X = Matrix.zeros(rows, cols);
  const centres = names.map(() => Array.from({ length: cols }, () => random.normal()));
  const y = Array.from({ length: rows }, (_, i) => {
    const k = random.below(names.length);
    for (let j = 0; j < cols; j++)
      X.data[i * cols + j] = random.below(5) === 0 ? 0 : centres[k]![j]! + random.normal();
    return names[k]!;
  });
  const z = y.map((label, i) => X.at(i, 0) - X.at(i, 1) ** 2 + 0.1 * label + 0.1 * random.normal());
  const gram = Matrix.zeros(rows, rows);
  for (let s = 0; s < rows; s++)
    for (let t = 0; t < rows; t++)
      gram.data[s * rows + t] = X.row(s).reduce((sum, v, j) => sum + v * X.at(t, j), 0);
  return { X, y, z, gram };
}

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const svm = (program: string, ...words: readonly (string | number)[]) =>
  execFileSync(program, words.map(String), { cwd: folder, encoding: "utf8", stdio: "pipe" });

/** LIBSVM finds values of a kernel matrix by their place in the line: after the row's number at index 0, zeros too. */
function rowsText(X: Matrix, y: readonly number[], precomputed: boolean): string {
  if (!precomputed) return formatSvmlight(X, y);
  const cells = (row: readonly number[]) => row.map((v, t) => `${t + 1}:${v}`).join(" ");
  return X.toArray()
    .map((row, i) => `${y[i]} 0:${i + 1} ${cells(row)}\n`)
    .join("");
}

/** What svm-predict prints for the rows. */
function svmPredict(text: string, rows: string, ...flags: readonly (string | number)[]): number[][] {
  write("model", text);
  write("rows", rows);
  svm("svm-predict", ...flags, "rows", "model", "out");
  const lines = readFileSync(join(folder, "out"), "utf8").trim().split("\n");
  return lines.filter((line) => !line.startsWith("labels")).map((line) => line.split(" ").map(Number));
}

/** The decision values that LIBSVM computes for the rows, one column a pair. */
function libsvmDecision(text: string, rows: string): number[][] {
  write("model", text);
  write("rows", rows);
  const script = join(repository, "tools/parity/kernels/libsvm_models.py");
  return svm("/usr/bin/python3", "-B", script, "model", "rows")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** LIBSVM's pairs are ours as formatLibsvmModel orders them: (2, 1) of two classes, (1, 2), (1, 3), …, of more. */
function expectSameInLibsvm(model: FittedSVC<number>, X: Matrix, pairs: Matrix, precomputed: boolean): void {
  const text = formatLibsvmModel(model);
  const rows = rowsText(X, new Array<number>(X.rows).fill(0), precomputed);
  expect(svmPredict(text, rows).flat()).toEqual(model.predict(X));
  expectClose(pairs.data, libsvmDecision(text, rows).flat(), ROUNDING);
  if (!(model instanceof FittedProbabilisticSVC)) return;
  const labels = /^label (.*)$/m.exec(text)![1]!.split(" ").map(Number);
  const columns = labels.map((label) => model.classes.indexOf(label));
  const ours = model.predictProba(X).toArray();
  const theirs = svmPredict(text, rows, "-b", 1).map((line) => line.slice(1));
  expectClose(
    ours.flatMap((row) => columns.map((k) => row[k]!)),
    theirs.flat(),
    PRINTED,
  );
}

const names = { two: [-1, 1], three: [4, -7, 12], five: [1, 2, 3, 4, 5] };
const kernelChoices = [
  { kernel: "linear" },
  { kernel: "quadratic", coef0: 1 },
  { kernel: "poly", gamma: 0.2, coef0: 0.5, degree: 4 },
  { kernel: "rbf", C: 10 },
  { kernel: "sigmoid", gamma: 0.05, coef0: -0.2 },
  { kernel: "rbf", bias: "kernel" },
  { kernel: "precomputed" },
] as const;
const classifierChoices = [...kernelChoices, { kernel: "rbf", classWeight: "balanced" }] as const;

describe("models learned here predict the same under svm-predict", () => {
  for (const [size, classes] of Object.entries(names)) {
    for (const params of classifierChoices) {
      test(`${size} classes, ${JSON.stringify(params)}`, () => {
        const { X, y, gram } = sample(classes.length, classes);
        const precomputed = params.kernel === "precomputed";
        const rows = precomputed ? gram : X;
        const model = new SVC({ ...params, decisionFunctionShape: "ovo" }).fit(rows, y);
        expectSameInLibsvm(model, rows, model.decisionFunction(rows), precomputed);
      });
    }

    test(`${size} classes, probabilities`, () => {
      const { X, y } = sample(classes.length, classes);
      const model = new SVC({ probability: true, decisionFunctionShape: "ovo" }).fit(X, y);
      expectSameInLibsvm(model, X, model.decisionFunction(X), false);
    });

    test(`${size} classes, sparse rows`, () => {
      const { X, y } = sample(classes.length, classes);
      const model = new SVC({ decisionFunctionShape: "ovo" }).fit(CsrMatrix.fromDense(X), y);
      expectSameInLibsvm(model, X, model.decisionFunction(X), false);
    });
  }

  for (const params of kernelChoices) {
    test(`regression, ${JSON.stringify(params)}`, () => {
      const { X, z, gram } = sample(1, names.three);
      const precomputed = params.kernel === "precomputed";
      const rows = precomputed ? gram : X;
      const model: FittedSVR = new SVR(params).fit(rows, z);
      const printed = svmPredict(formatLibsvmModel(model), rowsText(rows, z, precomputed));
      expectClose(model.predict(rows), printed.flat(), ROUNDING);
    });
  }
});

describe("models of svm-train predict the same here", () => {
  for (const flags of [
    "",
    "-t 0",
    "-t 1 -r 1 -d 2",
    "-t 2 -g 0.05",
    "-s 1 -n 0.2",
    "-w4 3 -c 5",
    "-b 1",
    "-t 4",
  ]) {
    for (const [size, classes] of Object.entries(names)) {
      test(`${size} classes, svm-train ${flags}`, () => {
        for (const seed of [1, 2, 3]) {
          const { X, y, gram } = sample(seed, classes);
          const precomputed = flags === "-t 4";
          const rows = precomputed ? gram : X;
          const text = rowsText(rows, y, precomputed);
          write("train", text);
          svm("svm-train", "-q", ...flags.split(" ").filter(Boolean), "train", "trained");
          const trained = readFileSync(join(folder, "trained"), "utf8");
          const model = parseLibsvmModel(trained, SVC, { cols: rows.cols });
          expect(model.predict(rows)).toEqual(svmPredict(trained, text).flat());
          expect(model.predict(rows)).toEqual(svmPredict(formatLibsvmModel(model), text).flat());
        }
      });
    }
  }

  for (const flags of [
    "-s 3",
    "-s 4 -t 0",
    "-s 3 -t 1 -r 1",
    "-s 4 -t 2 -g 0.01",
    "-s 3 -t 4",
    "-s 3 -b 1",
  ]) {
    test(`regression, svm-train ${flags}`, () => {
      const { X, z, gram } = sample(7, names.two);
      const precomputed = flags.endsWith("-t 4");
      const rows = precomputed ? gram : X;
      const text = rowsText(rows, z, precomputed);
      write("train", text);
      svm("svm-train", "-q", ...flags.split(" "), "train", "trained");
      const trained = readFileSync(join(folder, "trained"), "utf8");
      const model = parseLibsvmModel(trained, SVR, { cols: rows.cols });
      expectClose(model.predict(rows), svmPredict(trained, text).flat(), ROUNDING);
    });
  }
});
