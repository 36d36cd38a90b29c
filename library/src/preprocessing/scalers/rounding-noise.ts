/**
 * Whether numbers of this size are equal but for rounding: 0.3 and 0.1 + 0.2. Scaling such a column would turn the last bits of its numbers
 * into a feature. 2 ε is two to four units in the last place: more would also call 10¹⁵ and 10¹⁵ + 1 equal, which doubles tell apart.
 */
export const isRoundingNoise = (spread: number, size: number): boolean =>
  spread <= 2 * Number.EPSILON * Math.abs(size);
