// @inline
function at(list: usize, e: i32): usize {
  return list + ((<usize>e) << 3);
}

/** Brings the doubles of a list into such an order that none before number k is larger than it and none behind it smaller [Hoare 1961]. */
export function select(list: usize, count: i32, k: i32): void {
  let low: i32 = 0;
  let high = count - 1;
  while (low < high) {
    // The middle of three: sorted lists are no bad case.
    const first = load<f64>(at(list, low));
    const middle = load<f64>(at(list, (low + high) >> 1));
    const last = load<f64>(at(list, high));
    const pivot = max(min(first, middle), min(max(first, middle), last));
    let i = low;
    let j = high;
    while (i <= j) {
      while (load<f64>(at(list, i)) < pivot) i++;
      while (load<f64>(at(list, j)) > pivot) j--;
      if (i > j) break;
      const held = load<f64>(at(list, i));
      store<f64>(at(list, i), load<f64>(at(list, j)));
      store<f64>(at(list, j), held);
      i++;
      j--;
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else return;
  }
}

/** The value that a share q of a list lies below, between two of them interpolated. The list is reordered. */
export function quantileOf(list: usize, count: i32, q: f64): f64 {
  const place = q * <f64>(count - 1);
  const k = <i32>place;
  select(list, count, k);
  const below = load<f64>(at(list, k));
  if (k == count - 1) return below;
  let above = load<f64>(at(list, k + 1));
  for (let e = k + 2; e < count; e++) above = min(above, load<f64>(at(list, e)));
  return below + (above - below) * (place - <f64>k);
}
