/** Numbers in ascending order, by rank from 0 on: a sorted list, or what is known of a column that is not in memory. */
export interface Ranked {
  readonly length: number;
  at(rank: number): number | undefined;
}

/** The quantile p of sorted numbers, linearly interpolated (R's type 7, numpy's default). */
export function quantileOf(sorted: Ranked, p: number): number {
  const place = (sorted.length - 1) * p;
  const below = Math.floor(place);
  const low = sorted.at(below)!;
  const high = sorted.at(Math.min(below + 1, sorted.length - 1))!;
  const share = place - below;
  // From the nearer end, as numpy does, so that equal ends give exactly themselves.
  return share < 0.5 ? low + (high - low) * share : high - (high - low) * (1 - share);
}
