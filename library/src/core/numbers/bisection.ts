/** The place of the first of ascending numbers that is not below the value, by bisection; `end` if all are. */
export function firstAtLeast(ascending: ArrayLike<number>, value: number, end = ascending.length): number {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
