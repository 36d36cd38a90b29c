/** Gradients and hessians as integers, whose sums do not depend on their order; see wasm/trees/boosting.layout.ts. */

/** Bits of integer sums: adding 1.5 · 2⁵² converts between doubles and integers of up to 51 bits. */
const MAX_BITS = 50;

/** Bits of the sum of the hessians of n rows; the row count is above them. */
export const hessianBits = (n: number): number => Math.min(MAX_BITS, 63 - bitsOf(n));

/** Factors by which gradients and hessians of n rows become integers, powers of 2. */
export const integerScales = (n: number, maxAbsGradient: number, maxHessian: number) => ({
  gradientScale: scaleTo(maxAbsGradient, MAX_BITS - bitsOf(n)),
  hessianScale: scaleTo(maxHessian, hessianBits(n) - bitsOf(n)),
});

/** Number of bits of an integer. */
export const bitsOf = (count: number): number => 32 - Math.clz32(count);

/** The power of 2 by which numbers up to `most` become integers of at most this many bits. */
function scaleTo(most: number, bits: number): number {
  if (!(most > 0)) return 1;
  let exponent = 0;
  while (most >= 2 ** exponent) exponent++;
  while (exponent > -1000 && most < 2 ** (exponent - 1)) exponent--;
  return 2 ** Math.min(1000, bits - exponent);
}
