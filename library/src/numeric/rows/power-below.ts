/** The largest power of two that is at most `most`, within 2^±exponent, so that products of a few of them neither overflow nor vanish. */
export function powerBelow(most: number, exponent: number): number {
  const largest = 2 ** exponent;
  if (!(most < largest)) return largest;
  let power = 1;
  while (power > most && power > 1 / largest) power /= 2;
  while (2 * power <= most) power *= 2;
  return power;
}
