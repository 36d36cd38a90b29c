import { logOf, vexp } from "../../shared/elementary";
import { ROWS } from "../mixture.layout";

const COLUMN: usize = (<usize>ROWS) << 3;

/**
 * Turns the scores z of a block (K columns of ROWS doubles) into responsibilities times row weights, in place, and returns the
 * weighted log-likelihood Σ s log Σₖ e^z. `hard`: the first component of the largest score gets the whole row, and the
 * log-likelihood is Σ s maxₖ z. What is past the last row of an odd block is 0.
 */
export function responsibilities(z: usize, K: i32, rows: i32, hard: bool, weights: usize): f64 {
  let logLikelihood: f64 = 0;
  const end = (<usize>rows) << 3;
  for (let at: usize = 0; at < end; at += 16) {
    let top = v128.load(z + at);
    for (let k: i32 = 1, own = z + at + COLUMN; k < K; k++, own += COLUMN) {
      top = f64x2.pmax(top, v128.load(own));
    }
    const two = at + 16 <= end;
    let s = f64x2.splat(1);
    if (weights != 0) s = two ? v128.load(weights + at) : v128.load64_splat(weights + at);
    if (!two) s = f64x2.replace_lane(s, 1, 0);
    const total = hard ? harden(z + at, K, top) : exponentials(z + at, K, top);
    const scale = f64x2.div(s, total);
    for (let k: i32 = 0, own = z + at; k < K; k++, own += COLUMN)
      v128.store(own, f64x2.mul(v128.load(own), scale));
    logLikelihood +=
      f64x2.extract_lane(s, 0) * (f64x2.extract_lane(top, 0) + logOf(f64x2.extract_lane(total, 0)));
    logLikelihood +=
      f64x2.extract_lane(s, 1) * (f64x2.extract_lane(top, 1) + logOf(f64x2.extract_lane(total, 1)));
  }
  return logLikelihood;
}

/** e^(z − top) in place, and its sum over the components. */
function exponentials(z: usize, K: i32, top: v128): v128 {
  let total = f64x2.splat(0);
  for (let k: i32 = 0; k < K; k++, z += COLUMN) {
    const e = vexp(f64x2.sub(v128.load(z), top));
    total = f64x2.add(total, e);
    v128.store(z, e);
  }
  return total;
}

/** 1 for the first of the largest scores and 0 for all others; returns 1. */
function harden(z: usize, K: i32, top: v128): v128 {
  const one = f64x2.splat(1);
  let total = f64x2.splat(0);
  for (let k: i32 = 0; k < K; k++, z += COLUMN) {
    const first = v128.andnot(f64x2.eq(v128.load(z), top), f64x2.eq(total, one));
    const e = v128.and(first, one);
    total = f64x2.add(total, e);
    v128.store(z, e);
  }
  return total;
}
