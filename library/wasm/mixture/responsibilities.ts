import { logOf, vexp } from "../shared/elementary";
import { ROWS } from "./layout";

const COLUMN: usize = (<usize>ROWS) << 3;

/**
 * Turns the scores z of a block (K columns of ROWS doubles) into responsibilities times row weights, in place, and returns the
 * weighted log-likelihood Σ s log Σₖ e^z. `hard`: the first component of the largest score gets the whole row, and the
 * log-likelihood is Σ s maxₖ z.
 */
export function responsibilities(z: usize, K: i32, rows: i32, hard: bool, weights: usize): f64 {
  let logLikelihood: f64 = 0;
  const end = (<usize>rows) << 3;
  for (let at: usize = 0; at < end; at += 16) {
    let top = v128.load(z + at);
    for (let k: i32 = 1, own = z + at + COLUMN; k < K; k++, own += COLUMN) {
      top = f64x2.pmax(top, v128.load(own));
    }
    let total = f64x2.splat(0);
    for (let k: i32 = 0, own = z + at; k < K; k++, own += COLUMN) {
      const gap = f64x2.sub(v128.load(own), top);
      let e: v128;
      if (hard) {
        // 1 for the largest score while nothing has been given away.
        const free = f64x2.eq(total, f64x2.splat(0));
        e = v128.and(v128.and(f64x2.eq(gap, f64x2.splat(0)), free), f64x2.splat(1));
      } else e = vexp(gap);
      total = f64x2.add(total, e);
      v128.store(own, e);
    }
    let scale = f64x2.div(f64x2.splat(1), total);
    const two = at + 16 <= end;
    let s = f64x2.splat(1);
    if (weights != 0) {
      s = two ? v128.load(weights + at) : v128.load64_splat(weights + at);
      scale = f64x2.mul(scale, s);
    }
    for (let k: i32 = 0, own = z + at; k < K; k++, own += COLUMN)
      v128.store(own, f64x2.mul(v128.load(own), scale));
    logLikelihood +=
      f64x2.extract_lane(s, 0) * (f64x2.extract_lane(top, 0) + logOf(f64x2.extract_lane(total, 0)));
    if (two)
      logLikelihood +=
        f64x2.extract_lane(s, 1) * (f64x2.extract_lane(top, 1) + logOf(f64x2.extract_lane(total, 1)));
  }
  return logLikelihood;
}
