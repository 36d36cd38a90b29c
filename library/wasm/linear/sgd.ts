import { logOf, vexp, vsum } from "../shared/elementary";
import { lossBlock } from "../shared/losses";
import { HINGE, LOGISTIC, PERCEPTRON } from "../shared/losses.layout";
import { axpyRow } from "../shared/rows";
import { addTo, dotOf, rate, shrinkBySign, shrunkScale, truncate, writeState } from "./sgd/steps";
import { SgdRun } from "./sgd.layout";

export { softmaxEpoch } from "./sgd/softmax-epoch";

/** Derivatives are clipped to ±this, so that an outlier cannot make the coefficients infinite. */
const MAX_DERIVATIVE: f64 = 1e12;

/**
 * One epoch of stochastic gradient descent on mean loss + l1‖w‖₁ + ½ l2‖w‖², in the given order.
 *
 *   w ← (1 − η l2) w − η s_i ℓ′(z_i, y_i) x_i,   b ← b − η s_i ℓ′ · intercept;   then the l1 penalty by truncation
 *
 * w is stored as scale · v, so that the l2 step costs O(1) and a sparse row touches only its own columns.
 * L1: cumulative penalty [Tsuruoka et al. 2009, eq. 9–12]: u is the total penalty that every coefficient could have received so far,
 * cut[j] the penalty that it received. With `subgradient` = 1, w ← w − η l1 sign(w) instead, sign of w before the step, in every column.
 *
 * Returns 0, with `state` unchanged, if the coefficients became NaN or infinite.
 */
export function epoch(run: SgdRun): i32 {
  const isPlain = run.indptr == 0 && run.batch == 1 && run.l1 == 0 && run.mean == 0;
  return isPlain ? denseEpoch(run) : batchEpoch(run);
}

/**
 * The most frequent case: one dense row per step, no l1, no averaging. The step of a row is taken while the margin of the next one is
 * computed, so that w is read and written once for both.
 */
function denseEpoch(run: SgdRun): i32 {
  const d = run.d;
  const n = run.n;
  const x = run.x;
  const order = run.order;
  const y = run.y;
  const s = run.s;
  const w = run.w;
  const work = run.work;
  const kind = run.kind;
  const state = run.state;
  let scale = load<f64>(state);
  let b = load<f64>(state, 8);
  let t = load<f64>(state, 16);
  let total: f64 = 0;
  let updates: f64 = 0;
  let pending: f64 = 0;
  let last: usize = 0;
  // Σ log(1 + e) as the logarithm of a product, taken before it can overflow.
  let product: f64 = 1;
  for (let e = 0; e < n; e++) {
    const i = <usize>load<i32>(order + ((<usize>e) << 2));
    const row = x + i * ((<usize>d) << 3);
    const eta = rate(run, run.l2, t);
    const z = scale * (pending == 0 ? wideDot(row, w, d) : addThenDot(pending, last, row, w, d)) + b;
    const yi = load<f64>(y + (i << 3));
    let derivative: f64;
    if (kind == LOGISTIC && s == 0) {
      const m = yi * z;
      const shrunk = f64x2.extract_lane(vexp(f64x2.splat(-abs(m))), 0);
      const grown = 1 + shrunk;
      derivative = (-yi * (m >= 0 ? shrunk : 1)) / grown;
      total += max(-m, 0);
      product *= grown;
      if (product > 1e300) {
        total += logOf(product);
        product = 1;
      }
    } else {
      total += pairLoss(kind, run.param, z, yi, s == 0 ? 1.0 : load<f64>(s + (i << 3)), work);
      derivative = min(max(load<f64>(work, 32), -MAX_DERIVATIVE), MAX_DERIVATIVE);
    }
    scale = shrunkScale(scale, eta, run.l2, w, d);
    pending = 0;
    if (derivative != 0) {
      updates += 1;
      pending = (-eta * derivative) / scale;
      last = row;
      b += -eta * derivative * run.intercept;
    }
    t += 1;
  }
  if (pending != 0) axpyRow(pending, last, w, d);
  total += logOf(product);
  return finish(run, scale, b, t, load<f64>(state, 24), total, updates);
}

/** Any rows, penalty and batch size. */
function batchEpoch(run: SgdRun): i32 {
  const w = run.w;
  const state = run.state;
  let scale = load<f64>(state);
  let b = load<f64>(state, 8);
  let t = load<f64>(state, 16);
  let u = load<f64>(state, 24);
  let total: f64 = 0;
  let updates: f64 = 0;
  const derivatives = run.work + 64;
  for (let start = 0; start < run.n; start += run.batch) {
    const count = min(run.batch, run.n - start);
    const rows = run.order + ((<usize>start) << 2);
    const eta = rate(run, run.l2 + run.l1, t);
    let any = false;
    for (let e = 0; e < count; e++) {
      const i = load<i32>(rows + ((<usize>e) << 2));
      const z = scale * dotOf(run, i, w) + b;
      const at = (<usize>i) << 3;
      const si = run.s == 0 ? 1.0 : load<f64>(run.s + at);
      total += pairLoss(run.kind, run.param, z, load<f64>(run.y + at), si, run.work);
      const derivative = min(max(load<f64>(run.work, 32), -MAX_DERIVATIVE), MAX_DERIVATIVE);
      store<f64>(derivatives + ((<usize>e) << 3), derivative);
      if (derivative != 0) any = true;
    }
    scale = shrunkScale(scale, eta, run.l2, w, run.d);
    if (run.l1 > 0 && run.subgradient) shrinkBySign(w, run.d, eta * run.l1, scale);
    if (any) {
      updates += 1;
      const step = -eta / <f64>count;
      for (let e = 0; e < count; e++) {
        const derivative = load<f64>(derivatives + ((<usize>e) << 3));
        if (derivative == 0) continue;
        addTo(run, (step * derivative) / scale, load<i32>(rows + ((<usize>e) << 2)), w);
        b += step * derivative * run.intercept;
      }
    }
    if (run.l1 > 0 && !run.subgradient) {
      u += eta * run.l1;
      truncate(run, rows, count, 1, u, scale);
    }
    t += 1;
    if (run.mean != 0 && t >= run.meanFrom) average(w, scale, b, run.d, run.mean, state);
  }
  return finish(run, scale, b, t, u, total, updates);
}

/** Multiplies the scale into w and writes the state; 0, with neither, if the coefficients are NaN or infinite. */
// @inline
function finish(run: SgdRun, scale: f64, b: f64, t: f64, u: f64, total: f64, updates: f64): i32 {
  if (!(scale == scale) || !(b == b) || abs(b) == Infinity) return 0;
  writeState(run, run.d, scale, t, u, total);
  store<f64>(run.state, b, 8);
  store<f64>(run.state, updates, 56);
  return 1;
}

/** x · w over d entries, in eight running sums, which hide the latency of additions. */
// @inline
function wideDot(x: usize, w: usize, d: i32): f64 {
  return dotAfter(false, 0, 0, x, w, d);
}

/** w += a·last, and then x · w: the same as axpyRow followed by wideDot. */
// @inline
function addThenDot(a: f64, last: usize, x: usize, w: usize, d: i32): f64 {
  return dotAfter(true, a, last, x, w, d);
}

// @inline
function dotAfter(adds: bool, a: f64, last: usize, x: usize, w: usize, d: i32): f64 {
  const av = f64x2.splat(a);
  let a0 = f64x2.splat(0);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  let j: i32 = 0;
  for (; j + 8 <= d; j += 8) {
    const at = (<usize>j) << 3;
    let w0 = v128.load(w + at);
    let w1 = v128.load(w + at, 16);
    let w2 = v128.load(w + at, 32);
    let w3 = v128.load(w + at, 48);
    if (adds) {
      w0 = f64x2.add(w0, f64x2.mul(av, v128.load(last + at)));
      w1 = f64x2.add(w1, f64x2.mul(av, v128.load(last + at, 16)));
      w2 = f64x2.add(w2, f64x2.mul(av, v128.load(last + at, 32)));
      w3 = f64x2.add(w3, f64x2.mul(av, v128.load(last + at, 48)));
      v128.store(w + at, w0);
      v128.store(w + at, w1, 16);
      v128.store(w + at, w2, 32);
      v128.store(w + at, w3, 48);
    }
    a0 = f64x2.add(a0, f64x2.mul(v128.load(x + at), w0));
    a1 = f64x2.add(a1, f64x2.mul(v128.load(x + at, 16), w1));
    a2 = f64x2.add(a2, f64x2.mul(v128.load(x + at, 32), w2));
    a3 = f64x2.add(a3, f64x2.mul(v128.load(x + at, 48), w3));
  }
  let sum = vsum(f64x2.add(f64x2.add(a0, a1), f64x2.add(a2, a3)));
  for (; j < d; j++) {
    const at = (<usize>j) << 3;
    let wj = load<f64>(w + at);
    if (adds) {
      wj += a * load<f64>(last + at);
      store<f64>(w + at, wj);
    }
    sum += load<f64>(x + at) * wj;
  }
  return sum;
}

/** s·ℓ as result, s·ℓ′ at work + 32; lossBlock works on pairs, so the row is duplicated. The cheapest losses are computed directly. */
// @inline
function pairLoss(kind: i32, param: f64, z: f64, y: f64, s: f64, work: usize): f64 {
  if (kind == HINGE || kind == PERCEPTRON) {
    const gap = (kind == HINGE ? 1.0 : 0.0) - y * z;
    const wrong = kind == HINGE ? gap > 0 : gap >= 0;
    store<f64>(work, wrong ? -y * s : 0, 32);
    return wrong ? gap * s : 0;
  }
  v128.store(work, f64x2.splat(z));
  v128.store(work, f64x2.splat(y), 16);
  const loss = 0.5 * lossBlock(kind, param, work, work + 16, 0, work + 32, 0, 2);
  store<f64>(work, s * load<f64>(work, 32), 32);
  return s * loss;
}

/** Running mean of [w, b] over the steps since averaging began. */
function average(w: usize, scale: f64, b: f64, d: i32, mean: usize, state: usize): void {
  const k = load<f64>(state, 48) + 1;
  store<f64>(state, k, 48);
  const f = 1 / k;
  for (let j = 0; j < d; j++) {
    const at = mean + ((<usize>j) << 3);
    const m = load<f64>(at);
    store<f64>(at, m + (scale * load<f64>(w + ((<usize>j) << 3)) - m) * f);
  }
  const at = mean + ((<usize>d) << 3);
  const m = load<f64>(at);
  store<f64>(at, m + (b - m) * f);
}

/** out[chunk] = 0 if every number of the chunk is finite (v − v is 0), else NaN; `size` doubles in all. */
export function finiteChunk(x: usize, size: i32, out: usize, chunkSize: i32, chunk: i32): void {
  const from = chunk * chunkSize;
  const to = min(size, from + chunkSize);
  let a = f64x2.splat(0);
  let b = f64x2.splat(0);
  let e = from;
  for (; e + 4 <= to; e += 4) {
    const u = v128.load(x + ((<usize>e) << 3));
    const v = v128.load(x + ((<usize>e) << 3), 16);
    a = f64x2.add(a, f64x2.sub(u, u));
    b = f64x2.add(b, f64x2.sub(v, v));
  }
  let sum = vsum(f64x2.add(a, b));
  for (; e < to; e++) {
    const v = load<f64>(x + ((<usize>e) << 3));
    sum += v - v;
  }
  store<f64>(out + ((<usize>chunk) << 3), sum);
}
