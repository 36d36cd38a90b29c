/** Scales w back onto ‖w‖₂ ≤ radius. */
export function projectL2BallInto(radius: number, out: Float64Array): void {
  let square = 0;
  for (const v of out) square += v * v;
  const norm = Math.sqrt(square);
  if (norm <= radius) return;
  const scale = radius / norm;
  for (let j = 0; j < out.length; j++) out[j]! *= scale;
}

/** The nearest point with ‖w‖₁ ≤ radius [Duchi et al. 2008, figure 1]. */
export function projectL1BallInto(radius: number, out: Float64Array): void {
  let norm = 0;
  for (const v of out) norm += Math.abs(v);
  if (norm <= radius) return;
  const sizes = out.map(Math.abs).sort().reverse();
  let sum = 0;
  let threshold = 0;
  for (let j = 0; j < sizes.length; j++) {
    sum += sizes[j]!;
    const candidate = (sum - radius) / (j + 1);
    if (candidate >= sizes[j]!) break;
    threshold = candidate;
  }
  norm = 0;
  for (let j = 0; j < out.length; j++) {
    out[j] = softThreshold(out[j]!, threshold);
    norm += Math.abs(out[j]!);
  }
  // Far outside the ball the rounding error of the threshold exceeds the radius.
  if (norm > radius) for (let j = 0; j < out.length; j++) out[j]! *= radius / norm;
}

/** sign(v) · max(0, |v| − t): exact zeros. */
export function softThreshold(v: number, t: number): number {
  if (v > t) return v - t;
  if (v < -t) return v + t;
  return 0;
}
