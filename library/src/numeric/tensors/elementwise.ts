import { unaryChunk, unaryGradientChunk } from "../generated/tensor.js";
import type { Unary, UnaryKernels } from "./activations.js";
import { basicNames, derivativeFromValue, unaryArguments } from "./activations.js";
import type { Reals, TensorSpace } from "./space.js";

/** Entries per chunk: 10 to 100 µs of work. */
const CHUNK = 16384;
/** Floating-point operations per entry, roughly: the mean of relu and tanh. */
const OPERATIONS = 12;

const basicKernels: UnaryKernels = { unaryChunk, unaryGradientChunk };

function kernelsOf({ name, kernels }: Unary): UnaryKernels {
  if (kernels !== undefined) return kernels;
  if (!basicNames.has(name)) throw new Error(`${name} is not among the basic functions: use anyFunction`);
  return basicKernels;
}

/** out = f(x), entry by entry; out may be x. */
export function unaryInto(space: TensorSpace, f: Unary, x: Reals, out: Reals): void {
  const { unaryChunk: kernel } = kernelsOf(f);
  const { code, a, c } = unaryArguments(f);
  const n = x.length;
  space.inChunks(n, CHUNK, OPERATIONS, (size) => kernel({ code, a, c, x: x.ptr, n, out: out.ptr, size }));
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
  const source = (derivativeFromValue.has(f.name) ? y : x).ptr;
  const { unaryGradientChunk: kernel } = kernelsOf(f);
  const { code, a, c } = unaryArguments(f);
  space.inChunks(n, CHUNK, OPERATIONS, (size) =>
    kernel({ code, a, c, source, g: g.ptr, n, out: out.ptr, accumulate: accumulate ? 1 : 0, size }),
  );
}
