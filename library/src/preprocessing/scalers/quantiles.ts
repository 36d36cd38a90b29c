/** The quantile p of sorted numbers, linearly interpolated (R's type 7, numpy's default). */
export function quantileOf(sorted: Float64Array, p: number): number {
  const place = (sorted.length - 1) * p;
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  const share = place - below;
  // From the nearer end, as numpy does, so that equal ends give exactly themselves.
  return share < 0.5 ? low + (high - low) * share : high - (high - low) * (1 - share);
}
