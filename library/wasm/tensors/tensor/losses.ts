import { log1pExpNegative, sigmoidOf } from "../../shared/exponentials";
import { at, lanes, loadUpTo, storeUpTo, sumOfLanes } from "../../shared/lanes";

/**
 * For a chunk of n logits z with targets t in [0, 1]: losses = w (log(1 + e^z) − t·z), computed as w ((max(z, 0) − t·z)
 * + log(1 + e^−|z|)), which has no cancellation; gradient = w (σ(z) − t). `weights` and `gradient` are
 * addresses or 0.
 */
export function sigmoidCrossEntropyChunk<T>(
  z: usize,
  t: usize,
  weights: usize,
  n: i32,
  losses: usize,
  gradient: usize,
  size: i32,
  chunk: i32,
): void {
  const to = min(n, (chunk + 1) * size);
  for (let e = chunk * size; e < to; e += lanes<T>()) {
    const left = to - e;
    const logit = loadUpTo<T>(at<T>(z, e), left, 0);
    const target = loadUpTo<T>(at<T>(t, e), left, 0);
    const w = weights == 0 ? v128.splat<T>(1) : loadUpTo<T>(at<T>(weights, e), left, 0);
    const straight = v128.sub<T>(v128.pmax<T>(logit, v128.splat<T>(0)), v128.mul<T>(target, logit));
    const loss = v128.mul<T>(w, v128.add<T>(straight, log1pExpNegative<T>(logit)));
    if (gradient != 0) {
      const slope = v128.mul<T>(w, v128.sub<T>(sigmoidOf<T>(logit), target));
      storeUpTo<T>(at<T>(gradient, e), slope, left);
    }
    storeUpTo<T>(at<T>(losses, e), loss, left);
  }
}

/** Returns ½ w ‖z − t‖² of one row; gradient = w (z − t) if its address is not 0. */
export function squaredErrorRow<T>(z: usize, t: usize, cols: i32, w: T, gradient: usize): T {
  const weight = v128.splat<T>(w);
  let sum = v128.splat<T>(0);
  for (let e = 0; e < cols; e += lanes<T>()) {
    const left = cols - e;
    const residual = v128.sub<T>(loadUpTo<T>(at<T>(z, e), left, 0), loadUpTo<T>(at<T>(t, e), left, 0));
    sum = v128.add<T>(sum, v128.mul<T>(residual, residual));
    if (gradient != 0) storeUpTo<T>(at<T>(gradient, e), v128.mul<T>(weight, residual), left);
  }
  return <T>(<T>0.5 * w * sumOfLanes<T>(sum));
}
