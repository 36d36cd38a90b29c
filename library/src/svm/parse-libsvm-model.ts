import type { FitReport } from "../core/contract.js";
import { DataError, FormatError, ShapeError, show } from "../core/errors.js";
import { asBytes } from "../core/numbers/typed-arrays.js";
import { choice, either, flag, integer, optional, type Params, readParams } from "../core/params/params.js";
import { textDecoder } from "../core/text/utf8-coders.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { Expansion } from "../kernel-functions/expansion.js";
import type { BoundKernel } from "../kernel-functions/kernel-params.js";
import { denseIfFull } from "../kernel-functions/training-rows.js";
import { type KernelTree, kernelCodes } from "../numeric/kernel-functions/kernel-tree.js";
import { FittedProbabilisticSVC, FittedSVC, type VotingRule } from "./fitted-svc.js";
import type { SvmState } from "./fitted-svm.js";
import { type LibsvmFile, type LibsvmKernel, readLibsvmFile } from "./libsvm-file.js";
import { classPairs, libsvmPair } from "./libsvm-pairs.js";
import type { SVC } from "./svc.js";
import { FittedSVR, type SVR } from "./svr.js";

export const parseLibsvmModelParams = {
  cols: optional(
    integer({
      atLeast: 1,
      default: 1,
      doc: "Number of columns (of a precomputed kernel: training rows); null for the largest index in the file.",
    }),
  ),
  zeroBased: either(
    choice(["auto"], {
      default: "auto",
      doc: 'Whether column indices are zero-based; "auto": if an index 0 occurs.',
    }),
    flag({ default: false, doc: "" }),
  ),
  decisionFunctionShape: choice(["ovr", "ovo"], {
    default: "ovr",
    doc: 'Columns of decisionFunction with more than two classes: one per class ("ovr") or one per pair of classes ("ovo").',
  }),
};
export type ParseLibsvmModelOptions = Params<typeof parseLibsvmModelParams>;

/**
 * Reads a LIBSVM model file, as `svm-train` writes it, for classification (returns a FittedSVC, with `-b 1` a
 * FittedProbabilisticSVC) or regression (a FittedSVR). With SVC or SVR as second argument, requires a model of that kind.
 *
 * The file stores neither the number of columns (without `cols`, the largest index of a support vector), nor the indices of the
 * support vectors among the training rows (`support` counts from 0), nor C or how the fit ended. Ties of votes go to the class that
 * occurred first in training, as in `svm-predict`; `predict` votes, where `svm-predict -b 1` returns the most probable class.
 */
export function parseLibsvmModel(
  text: string | Uint8Array | ArrayBuffer,
  options?: ParseLibsvmModelOptions,
): FittedSVC<number> | FittedProbabilisticSVC<number> | FittedSVR;
export function parseLibsvmModel(
  text: string | Uint8Array | ArrayBuffer,
  kind: typeof SVC,
  options?: ParseLibsvmModelOptions,
): FittedSVC<number> | FittedProbabilisticSVC<number>;
export function parseLibsvmModel(
  text: string | Uint8Array | ArrayBuffer,
  kind: typeof SVR,
  options?: Omit<ParseLibsvmModelOptions, "decisionFunctionShape">,
): FittedSVR;
export function parseLibsvmModel(
  text: string | Uint8Array | ArrayBuffer,
  ...rest: readonly (typeof SVC | typeof SVR | ParseLibsvmModelOptions | undefined)[]
): FittedSVC<number> | FittedSVR {
  const where = "parseLibsvmModel";
  const kind = typeof rest[0] === "function" ? rest[0] : undefined;
  const options = (kind ? rest[1] : rest[0]) as ParseLibsvmModelOptions | undefined;
  const given = readParams(where, parseLibsvmModelParams, options ?? {});
  const file = readLibsvmFile(where, textOf(where, text));
  const id = file.labels.length > 0 ? "SVC" : "SVR";
  if (kind !== undefined && kind.id !== id) {
    const expected = kind.id === "SVC" ? "a classifier (SVC)" : "a regressor (SVR)";
    throw new FormatError(where, "the model", expected, `svm_type ${file.type}`);
  }
  const kernel = boundKernel(file.kernel);
  const layout = layoutOf(where, file, given);
  const stateOf = (coef: Matrix, intercept: Float64Array): SvmState => ({
    id,
    params: knownParams(file.kernel),
    expansion: new Expansion({ kernel, ...layout, coef, intercept, zeroSums: true }),
    report,
  });
  if (id === "SVR") return new FittedSVR(stateOf(file.coef, Float64Array.of(0 - file.rho[0]!)));
  return classifierOf(file, given.decisionFunctionShape, stateOf);
}

function textOf(where: string, text: unknown): string {
  if (typeof text === "string") return text;
  const bytes = asBytes(text);
  if (bytes !== undefined) return textDecoder({ skipMark: true }).decode(bytes);
  const expected = "a string, a Uint8Array or an ArrayBuffer";
  const advice = "Read the file first; the library opens no files.";
  throw new DataError(where, "the text", expected, show(text), advice);
}

const report: FitReport = Object.freeze({
  converged: true,
  iterations: 0,
  objective: Number.NaN,
  gradientNorm: Number.NaN,
  solver: "libsvm",
  warnings: Object.freeze(["Read from a LIBSVM file, which does not store how the fit ended."]),
});

const ourNames = {
  linear: "linear",
  polynomial: "poly",
  rbf: "rbf",
  sigmoid: "sigmoid",
  precomputed: "precomputed",
} as const;

function knownParams({ name, gamma, coef0, degree }: LibsvmKernel): Record<string, unknown> {
  return {
    kernel: ourNames[name],
    ...(name === "linear" || name === "precomputed" ? {} : { gamma }),
    ...(name === "polynomial" ? { degree } : {}),
    ...(name === "polynomial" || name === "sigmoid" ? { coef0 } : {}),
  };
}

function boundKernel({ name, gamma, coef0, degree }: LibsvmKernel): BoundKernel {
  if (name === "precomputed") return { kind: "precomputed" };
  const trees: Readonly<Record<typeof name, KernelTree>> = {
    linear: { code: kernelCodes.linear, a: 1, c: 0, degree: 1 },
    polynomial: { code: kernelCodes.polynomial, a: gamma, c: coef0, degree },
    rbf: { code: kernelCodes.gaussian, a: gamma, c: 0, degree: 0 },
    sigmoid: { code: kernelCodes.sigmoid, a: gamma, c: coef0, degree: 0 },
  };
  return { kind: "tree", tree: trees[name] };
}

interface Layout {
  readonly points: Design;
  readonly rows: Int32Array;
  readonly nFeatures: number;
}

function layoutOf(
  where: string,
  { kernel, coef, vectors }: LibsvmFile,
  { cols, zeroBased }: { readonly cols: number | null; readonly zeroBased: "auto" | boolean },
): Layout {
  const { indptr, indices, values, span } = vectors;
  const precomputed = kernel.name === "precomputed";
  const first = precomputed || zeroBased === false || (zeroBased === "auto" && span?.lowest !== 0) ? 1 : 0;
  if (span !== undefined && span.lowest < first) {
    throw new FormatError(where, "every index", "at least 1 with zeroBased: false", `${span.lowest}`);
  }
  if (span === undefined && cols === null) {
    const expected = "one with entries, which give the number of columns";
    const received = "none";
    const advice = "Pass the number of columns as { cols }.";
    throw new FormatError(where, "at least one support vector", expected, received, advice);
  }
  const nFeatures = cols ?? span!.highest + 1 - first;
  if (span !== undefined && span.highest + 1 - first > nFeatures) {
    const subject = `${precomputed ? "the training row" : "an index"} in line ${span.line}`;
    const expected = `at most ${nFeatures - 1 + first}, as cols is ${nFeatures}`;
    const received = `${span.highest}`;
    throw new ShapeError(where, subject, expected, received);
  }
  const count = coef.cols;
  if (precomputed) {
    return { points: Matrix.zeros(count, 0), rows: indices.map((n) => n - 1), nFeatures };
  }
  const points = new CsrMatrix(
    { rows: count, cols: nFeatures, indptr, indices: indices.map((index) => index - first), values },
    true,
  );
  return { points: denseIfFull(points), rows: Int32Array.from({ length: count }, (_, s) => s), nFeatures };
}

function classifierOf(
  { labels, rho, probA, probB, counts, coef }: LibsvmFile,
  shape: VotingRule["shape"],
  stateOf: (coef: Matrix, intercept: Float64Array) => SvmState,
): FittedSVC<number> {
  const classes = Object.freeze([...labels].sort((a, b) => a - b));
  const places = classes.map((label) => labels.indexOf(label));
  const svms = classPairs(classes.length).map((pair) => libsvmPair(pair, places));
  const starts = counts.map((_, i) => counts.slice(0, i).reduce((sum, count) => sum + count, 0));
  const ours = Matrix.zeros(svms.length, coef.cols);
  for (const [m, { sign, low, high }] of svms.entries()) {
    for (const [own, row] of [
      [low, high - 1],
      [high, low],
    ] as const) {
      for (let s = starts[own]!; s < starts[own]! + counts[own]!; s++)
        ours.data[m * ours.cols + s] = sign * coef.data[row * coef.cols + s]!;
    }
  }
  const intercept = Float64Array.from(svms, ({ sign, index }) => 0 - sign * rho[index]!);
  const state = stateOf(ours, intercept);
  const order = labels.map((label) => classes.indexOf(label));
  const sorted = order.every((k, place) => k === place);
  const rule: VotingRule = {
    multiClass: "ovo",
    shape,
    breakTies: false,
    ...(sorted || classes.length === 2 ? {} : { order }),
  };
  const nSupport = Int32Array.from(places, (place) => counts[place]!);
  if (probA === undefined || probB === undefined) return new FittedSVC(state, classes, nSupport, rule);
  // The opposite class: 1 − 1/(1 + e^(A f + B)) = 1/(1 + e^(A (−f) − B)).
  const sigmoids = svms.map(({ sign, index }) => ({ a: probA[index]!, b: sign * probB[index]! }));
  return new FittedProbabilisticSVC(state, classes, nSupport, rule, sigmoids);
}
