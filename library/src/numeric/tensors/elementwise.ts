import type { KernelFamily } from "../runtime/heap.js";
import { parallel } from "../runtime/threads.js";
import { tensorKernels } from "../runtime/wasm-modules.js";
import { basicNames, defaultConstants, derivativeFromValue, type Unary, unaryCode } from "./activations.js";
import type { Reals, TensorSpace } from "./space.js";

/** Entries per chunk: 10 to 100 µs of work. */
const CHUNK = 16384;
/** Floating-point operations per entry, roughly: the mean of relu and tanh. */
const OPERATIONS = 12;

function kernelsOf({ name, kernels }: Unary): KernelFamily {
  if (kernels !== undefined) return kernels;
  if (!basicNames.has(name)) throw new Error(`${name} is not among the basic functions: use anyFunction`);
  return tensorKernels;
}

/** out = f(x), entry by entry; out may be x. */
export function unaryInto(space: TensorSpace, f: Unary, x: Reals, out: Reals): void {
  const n = x.length;
  const { a, c } = defaultConstants(f.name);
  const args = [unaryCode(f.name), f.a ?? a, f.c ?? c, x.ptr, n, out.ptr, CHUNK];
  const chunks = Math.ceil(n / CHUNK);
  parallel(space.heap, kernelsOf(f), space.kernel("unaryChunk"), args, chunks, OPERATIONS * n);
}

/**
 * out (+)= g ⊙ f′(x), where y = f(x). `x` may be the same as y where the derivative follows from the value
 * (`derivativeFromValue`). out may be g if not accumulating.
 */
export function unaryGradientInto(
  space: TensorSpace,
  f: Unary,
  x: Reals,
  y: Reals,
  g: Reals,
  out: Reals,
  accumulate = false,
): void {
  const n = g.length;
  const source = derivativeFromValue.has(f.name) ? y : x;
  const { a, c } = defaultConstants(f.name);
  const code = unaryCode(f.name);
  const args = [code, f.a ?? a, f.c ?? c, source.ptr, g.ptr, n, out.ptr, accumulate ? 1 : 0, CHUNK];
  const chunks = Math.ceil(n / CHUNK);
  parallel(space.heap, kernelsOf(f), space.kernel("unaryGradientChunk"), args, chunks, OPERATIONS * n);
}
