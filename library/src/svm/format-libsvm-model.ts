import { ArgmaxError, DataError, ParameterError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import type { ModelState } from "../core/state/state.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { readBoundKernel } from "../kernel-functions/kernel-params.js";
import { type KernelTree, kernelCodes } from "../numeric/kernel-functions/kernel-tree.js";
import { FittedProbabilisticSVC, FittedSVC } from "./fitted-svc.js";
import { classPairs, libsvmPair, pairIndex } from "./libsvm-pairs.js";
import { FittedSVR } from "./svr.js";

const where = "formatLibsvmModel";

/**
 * Writes a model in LIBSVM's file format: `svm-predict` returns the same labels, values and, with `-b 1`, probabilities. Numbers are
 * written exactly.
 *
 * Requires integer classes, multiClass "ovo", and a kernel that LIBSVM has: linear, polynomial, Gaussian, sigmoid or precomputed.
 */
export function formatLibsvmModel(model: FittedSVC<number> | FittedSVR): string {
  if (!(model instanceof FittedSVC || model instanceof FittedSVR)) {
    throw new ParameterError(where, "the model", "a fitted SVC or SVR", show(model));
  }
  const state = stateOf(model);
  const kernel = kernelLines(state);
  const lines =
    model instanceof FittedSVC ? classifierLines(model, state, kernel) : regressorLines(model, kernel);
  return `${lines.join("\n")}\n`;
}

function stateOf(model: FittedSVC<number> | FittedSVR): ModelState {
  try {
    return model.toState();
  } catch (error) {
    // A kernel that is a function.
    throw error instanceof ArgmaxError ? error.within(where) : error;
  }
}

function kernelLines({ values }: ModelState): string[] {
  const kernel = readBoundKernel(values["kernel"]);
  if (kernel?.kind === "precomputed") return ["kernel_type precomputed"];
  const lines = kernel?.kind === "tree" ? treeLines(kernel.tree) : undefined;
  if (lines !== undefined) return lines;
  throw new ParameterError({
    where,
    subject: "the kernel",
    expected: "one that LIBSVM has: linear, polynomial, Gaussian (rbf), sigmoid or precomputed",
    received: "another one",
    advice:
      'Compute the kernel matrix and fit with kernel: "precomputed", or store the model with saveModel.',
  });
}

function treeLines(tree: KernelTree): string[] | undefined {
  if ("op" in tree) return undefined;
  const { code, a, c, degree } = tree;
  const polynomial = (power: number) => [
    "kernel_type polynomial",
    `degree ${power}`,
    `gamma ${a}`,
    `coef0 ${c}`,
  ];
  switch (code) {
    case kernelCodes.linear:
      return a === 1 && c === 0 ? ["kernel_type linear"] : polynomial(1);
    case kernelCodes.polynomial:
      return polynomial(degree);
    case kernelCodes.gaussian:
      return ["kernel_type rbf", `gamma ${a}`];
    case kernelCodes.sigmoid:
      return ["kernel_type sigmoid", `gamma ${a}`, `coef0 ${c}`];
    default:
      return undefined;
  }
}

function regressorLines(model: FittedSVR, kernel: readonly string[]): string[] {
  const { support, dualCoef, intercept } = model;
  const vectors = vectorTexts(model, kernel);
  return [
    "svm_type epsilon_svr",
    ...kernel,
    "nr_class 2",
    `total_sv ${support.length}`,
    `rho ${0 - intercept}`,
    "SV",
    ...vectors.map((text, s) => `${dualCoef.at(0, s)} ${text}`),
  ];
}

function classifierLines(model: FittedSVC<number>, state: ModelState, kernel: readonly string[]): string[] {
  const { classes, intercept, dualCoef } = model;
  const K = classes.length;
  requireVotes(K, state);
  requireIntegers(classes);
  const pairs = classPairs(K);
  const order = (state.values["order"] as readonly number[] | undefined) ?? defaultOrder(K);
  const places = classes.map((_, k) => order.indexOf(k));
  const stored = pairs.map((pair) => libsvmPair(pair, places));
  const svmOf = new Int32Array(stored.length);
  for (const [m, { index }] of stored.entries()) svmOf[index] = m;
  const perPair = (of: (svm: number, sign: number) => number) =>
    Array.from(svmOf, (m) => of(m, stored[m]!.sign)).join(" ");
  const owners = ownersOf(model, pairs);
  const groups = order.map((k) => Array.from(owners.keys()).filter((s) => owners[s] === k));
  const texts = vectorTexts(model, kernel);
  const vectorLine = (s: number, own: number) => {
    const coefficients = order.flatMap((_, other) => {
      if (other === own) return [];
      const m = svmOf[pairIndex(Math.min(own, other), Math.max(own, other), K)]!;
      return [stored[m]!.sign * dualCoef.at(m, s)];
    });
    return `${coefficients.join(" ")} ${texts[s]}`;
  };
  const lines = [
    "svm_type c_svc",
    ...kernel,
    `nr_class ${K}`,
    `total_sv ${dualCoef.cols}`,
    `rho ${perPair((m, sign) => 0 - sign * intercept[m]!)}`,
    `label ${order.map((k) => classes[k]).join(" ")}`,
  ];
  if (model instanceof FittedProbabilisticSVC) {
    const { sigmoids } = model;
    lines.push(`probA ${perPair((m) => sigmoids[m]!.a)}`);
    lines.push(`probB ${perPair((m, sign) => sign * sigmoids[m]!.b)}`);
  }
  lines.push(`nr_sv ${groups.map((group) => group.length).join(" ")}`, "SV");
  return lines.concat(groups.flatMap((group, own) => group.map((s) => vectorLine(s, own))));
}

/** The order of classes in which no binary SVM changes its sign. */
const defaultOrder = (K: number): readonly number[] =>
  K === 2 ? [1, 0] : Array.from({ length: K }, (_, k) => k);

/**
 * The class of every support vector: the one that all its binary SVMs have in common; of a support vector of one binary SVM, the
 * class given by the coefficient's sign.
 */
function ownersOf(
  { dualCoef }: FittedSVC<number>,
  pairs: readonly (readonly [number, number])[],
): Int32Array {
  return Int32Array.from({ length: dualCoef.cols }, (_, s) => {
    const used = pairs.flatMap(([a, b], m) => {
      const value = dualCoef.at(m, s);
      return value === 0 ? [] : [value > 0 ? ([a, b] as const) : ([b, a] as const)];
    });
    const owner = (used[0] ?? [0]).find((k) => used.every((pair) => pair.includes(k)));
    if (owner !== undefined) return owner;
    const expected = "of one class";
    const received = "one of pairs that have no class in common";
    throw new DataError(where, `support vector ${s}`, expected, received);
  });
}

function vectorTexts(model: FittedSVC<number> | FittedSVR, kernel: readonly string[]): string[] {
  const { supportVectors, support } = model;
  if (kernel[0] === "kernel_type precomputed") return Array.from(support, (i) => `0:${i + 1}`);
  const { rows, indptr, indices, values } =
    supportVectors instanceof CsrMatrix ? supportVectors : CsrMatrix.fromDense(supportVectors);
  return Array.from({ length: rows }, (_, s) => {
    const entries: string[] = [];
    for (let e = indptr[s]!; e < indptr[s + 1]!; e++) {
      if (values[e] !== 0) entries.push(`${indices[e]! + 1}:${values[e]}`);
    }
    return entries.join(" ");
  });
}

function requireVotes(K: number, { values }: ModelState): void {
  const { multiClass, breakTies } = values;
  if (K === 2 || (multiClass === "ovo" && breakTies !== true)) return;
  const received = multiClass === "ovo" ? "breakTies: true" : 'multiClass: "ovr"';
  const expected =
    "one that votes by pairs of classes, with ties to the first class, since LIBSVM has no other";
  const advice = 'Fit with multiClass: "ovo" and breakTies: false.';
  throw new ParameterError(where, "the model", expected, received, advice);
}

function requireIntegers(classes: readonly Label[]): void {
  const wrong = classes.find((label) => typeof label !== "number" || (label | 0) !== label);
  if (wrong === undefined) return;
  const expected = "a 32-bit integer, since svm-predict reads no other labels";
  const advice = "Fit with numbers for classes, y.map((label) => names.indexOf(label)), and keep the names.";
  throw new DataError(where, "every class", expected, show(wrong), advice);
}
