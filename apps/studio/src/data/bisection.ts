/** The first of the places 0, 1, … count − 1 from which on something holds, by bisection; `count` if it holds nowhere. */
export function firstWhere(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
