/** Rows that were selected elsewhere come first; the others keep their order. Nothing is stored per row. */
export function rowAt(position: number, first: Int32Array): number {
  if (position < first.length) return first[position]!;
  // The row of which `position − first.length` rows before it are not among the first.
  const wanted = position - first.length;
  let [low, high] = [0, first.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (first[middle]! - middle <= wanted) low = middle + 1;
    else high = middle;
  }
  return wanted + low;
}
