import { real, setReal } from "../../shared/arrays";
import { kernelInto } from "../../shared/kernel-functions";
import { at, d, diagonal, n, x } from "./problem";
import { pointAt } from "./rows";

/** ‖x_t‖² and k(x_t, x_t) of all points, each followed by a 0. */
export function fillDiagonal(): void {
  const norms = <usize>at.norms;
  for (let t: i32 = 0; t < n; t++) {
    const square = squareOf(t);
    setReal(norms, t, square);
    const out = diagonal + ((<usize>t) << 3);
    store<f64>(out, square);
    store<f64>(out, square, 8);
    // The kernel works in pairs: the second value is that of the next point and is overwritten.
    setReal(norms, t + 1, square);
    kernelInto(
      <usize>at.program,
      <i32>at.length,
      square,
      norms + ((<usize>t) << 3),
      2,
      out,
      <usize>at.scratch,
    );
  }
  setReal(norms, n, 0);
  setReal(diagonal, n, 0);
}

/** ‖x_t‖². */
function squareOf(t: i32): f64 {
  let square: f64 = 0;
  if (x == 0) {
    const starts = <usize>at.starts + ((<usize>t) << 2);
    const end = load<i32>(starts, 4);
    for (let e = load<i32>(starts); e < end; e++)
      square += real(<usize>at.values, e) * real(<usize>at.values, e);
    return square;
  }
  let from = pointAt(t);
  for (let e: i32 = 0; e < d; e++, from += 64) square += load<f64>(from) * load<f64>(from);
  return square;
}
