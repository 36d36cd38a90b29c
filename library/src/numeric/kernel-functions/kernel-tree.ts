import { exp, log, tanh } from "../../core/numbers/elementary.js";
import type { KernelFormula } from "../../core/structure.js";
import {
  EXPONENTIAL,
  GAUSSIAN,
  INVERSE_MULTIQUADRIC,
  KERNEL_FUNCTIONS,
  kernelStepBytes,
  kernelStepF64,
  LINEAR,
  MULTIQUADRIC,
  POLYNOMIAL,
  PRODUCT,
  RATIONAL_QUADRATIC,
  SIGMOID,
  SUM,
  THIN_PLATE,
} from "../generated/kernel-functions.layout.js";

/** A kernel function and its parameters; the codes are `kernelCodes`. */
export interface KernelLeaf {
  readonly code: number;
  readonly a: number;
  readonly c: number;
  readonly degree: number;
}

/** The sum or product of kernels. */
export interface KernelNode {
  readonly op: "sum" | "product";
  readonly parts: readonly KernelTree[];
}

export type KernelTree = KernelLeaf | KernelNode;

export const kernelCodes = {
  linear: LINEAR,
  polynomial: POLYNOMIAL,
  sigmoid: SIGMOID,
  gaussian: GAUSSIAN,
  exponential: EXPONENTIAL,
  multiquadric: MULTIQUADRIC,
  inverseMultiquadric: INVERSE_MULTIQUADRIC,
  rationalQuadratic: RATIONAL_QUADRATIC,
  thinPlate: THIN_PLATE,
} as const;

/** The kernel by name, as structures of models have it. */
export function kernelFormula(tree: KernelTree): KernelFormula {
  if ("op" in tree) return { name: tree.op, parts: tree.parts.map(kernelFormula) };
  const { code, a, c, degree } = tree;
  const name = (Object.keys(kernelCodes) as (keyof typeof kernelCodes)[]).find(
    (key) => kernelCodes[key] === code,
  )!;
  return { name, a, c, degree };
}

/** The number of codes. */
export const codeCount: number = KERNEL_FUNCTIONS;

/** A kernel tree in postfix notation, as the WASM functions evaluate it. */
export interface KernelProgram {
  readonly steps: Float64Array;
  readonly length: number;
  /** The largest stack depth. */
  readonly depth: number;
}

const programs = new WeakMap<KernelTree, KernelProgram>();

/** The program of a tree, compiled once. */
export function programOf(tree: KernelTree): KernelProgram {
  let program = programs.get(tree);
  if (program === undefined) {
    program = compile(tree);
    programs.set(tree, program);
  }
  return program;
}

function compile(tree: KernelTree): KernelProgram {
  const steps: number[] = [];
  let length = 0;
  let depth = 1;
  const push = (operation: number, a: number, c: number, degree: number): void => {
    const at = (kernelStepBytes / 8) * length++;
    steps[at + kernelStepF64.operation] = operation;
    steps[at + kernelStepF64.a] = a;
    steps[at + kernelStepF64.c] = c;
    steps[at + kernelStepF64.degree] = degree;
  };
  const add = (node: KernelTree, waiting: number): void => {
    depth = Math.max(depth, waiting + 1);
    if ("code" in node) {
      push(node.code, node.a, node.c, node.degree);
      return;
    }
    for (const [e, part] of node.parts.entries()) {
      add(part, waiting + Math.min(e, 1));
      if (e > 0) push(node.op === "sum" ? SUM : PRODUCT, 0, 0, 0);
    }
  };
  add(tree, 0);
  return { steps: Float64Array.from(steps), length, depth };
}

/** Whether the kernel is a function of ‖x − y‖ alone, and so invariant to translation. */
export function isRadial(tree: KernelTree): boolean {
  if ("op" in tree) return tree.parts.every(isRadial);
  const isConstant = tree.code === kernelCodes.linear && tree.a === 0;
  return isConstant || tree.code >= kernelCodes.gaussian;
}

/** Whether the kernel is a x·y + c. */
export const isLinear = (tree: KernelTree): tree is KernelLeaf =>
  "code" in tree && tree.code === kernelCodes.linear;

/** k(x, y) of one pair: the twin of `kernelInto`. */
export function kernelValue(tree: KernelTree, x: ArrayLike<number>, y: ArrayLike<number>): number {
  let dot = 0;
  let square = 0;
  for (let j = 0; j < x.length; j++) {
    dot += x[j]! * y[j]!;
    square += (x[j]! - y[j]!) * (x[j]! - y[j]!);
  }
  return evaluate(tree, dot, square);
}

function evaluate(tree: KernelTree, dot: number, square: number): number {
  if ("op" in tree) {
    const values = tree.parts.map((part) => evaluate(part, dot, square));
    return values.reduce((all, v) => (tree.op === "sum" ? all + v : all * v));
  }
  const { code, a, c, degree } = tree;
  const z = a * dot + c;
  switch (code) {
    case kernelCodes.linear:
      return z;
    case kernelCodes.polynomial: {
      let power = 1;
      for (let k = 0; k < degree; k++) power *= z;
      return power;
    }
    case kernelCodes.sigmoid:
      return tanh(z);
    case kernelCodes.gaussian:
      return exp(-a * square);
    case kernelCodes.exponential:
      return exp(-(a * Math.sqrt(square)));
    case kernelCodes.multiquadric:
      return Math.sqrt(square + c * c);
    case kernelCodes.inverseMultiquadric:
      return 1 / Math.sqrt(square + c * c);
    case kernelCodes.rationalQuadratic:
      return 1 - square / (square + c);
    default:
      return square < 1e-300 ? 0 : 0.5 * square * log(square);
  }
}
