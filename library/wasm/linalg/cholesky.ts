import { dotRow } from "../shared/rows";

/**
 * Cholesky of a matrix scaled to unit diagonal, row by row: a (n × n, row-major, lower triangle read) becomes L.
 * A pivot that is not above `floor` is lifted to `lift` and its row cleared. result  [lifted, smallest pivot]
 */
export function factor(a: usize, n: i32, floor: f64, lift: f64, result: usize): void {
  const stride = (<usize>n) << 3;
  let lifted: f64 = 0;
  let smallest: f64 = Infinity;
  for (let i = 0; i < n; i++) {
    const row = a + <usize>i * stride;
    for (let j = 0; j < i; j++) {
      const other = a + <usize>j * stride;
      const at = (<usize>j) << 3;
      store<f64>(row + at, (load<f64>(row + at) - dotRow(row, other, j)) / load<f64>(other + at));
    }
    const at = (<usize>i) << 3;
    let pivot = load<f64>(row + at) - dotRow(row, row, i);
    if (!(pivot >= smallest)) smallest = pivot;
    if (!(pivot > floor)) {
      lifted += 1;
      pivot = lift;
      memory.fill(row, 0, at);
    }
    store<f64>(row + at, Math.sqrt(pivot));
  }
  store<f64>(result, lifted);
  store<f64>(result, smallest, 8);
}
