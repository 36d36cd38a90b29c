// @inline
function at(list: usize, e: i32): usize {
  return list + ((<usize>e) << 3);
}

/** Quickselect: reorders the doubles of a list so that none before index k is larger and none after it smaller [Hoare 1961]. */
export function select(list: usize, count: i32, k: i32): void {
  let low: i32 = 0;
  let high = count - 1;
  while (low < high) {
    // Median of three: sorted lists are not the worst case.
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

/** The quantile q of a list, linearly interpolated. Reorders the list. */
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
