import { at, lanes, loadUpTo, storeUpTo } from "../shared/lanes";
import {
  Abs,
  Cos,
  Exp,
  Gaussian,
  Gelu,
  Heaviside,
  InverseMultiquadric,
  LeakyRelu,
  Linear,
  Log,
  Negative,
  Power,
  Reciprocal,
  Relu,
  Scale,
  Sigmoid,
  Sign,
  Sin,
  Softplus,
  Sqrt,
  Square,
  Tanh,
  TwoStep,
} from "./activations";

/** out = f(x) for n entries; out may be x. */
function map<T, F>(x: usize, n: i32, a: f64, c: f64, out: usize): void {
  const f = changetype<F>(0);
  for (let e = 0; e < n; e += lanes<T>()) {
    const left = n - e;
    storeUpTo<T>(at<T>(out, e), f.value<T>(loadUpTo<T>(at<T>(x, e), left, 1), a, c), left);
  }
}

/** out = g ⊙ f′, or out += if `accumulate`. */
function mapGradient<T, F>(
  source: usize,
  g: usize,
  n: i32,
  a: f64,
  c: f64,
  out: usize,
  accumulate: bool,
): void {
  const f = changetype<F>(0);
  for (let e = 0; e < n; e += lanes<T>()) {
    const left = n - e;
    const to = at<T>(out, e);
    const slope = f.derivative<T>(loadUpTo<T>(at<T>(source, e), left, 1), a, c);
    let value = v128.mul<T>(loadUpTo<T>(at<T>(g, e), left, 0), slope);
    if (accumulate) value = v128.add<T>(loadUpTo<T>(to, left, 0), value);
    storeUpTo<T>(to, value, left);
  }
}

/** f by its code, the place in `unaryNames`. */
export function unary<T>(code: i32, a: f64, c: f64, x: usize, n: i32, out: usize): void {
  switch (code) {
    case 0:
      map<T, Linear>(x, n, a, c, out);
      break;
    case 1:
      map<T, Negative>(x, n, a, c, out);
      break;
    case 2:
      map<T, Exp>(x, n, a, c, out);
      break;
    case 3:
      map<T, Log>(x, n, a, c, out);
      break;
    case 4:
      map<T, Sqrt>(x, n, a, c, out);
      break;
    case 5:
      map<T, Square>(x, n, a, c, out);
      break;
    case 6:
      map<T, Reciprocal>(x, n, a, c, out);
      break;
    case 7:
      map<T, Abs>(x, n, a, c, out);
      break;
    case 8:
      map<T, Sin>(x, n, a, c, out);
      break;
    case 9:
      map<T, Cos>(x, n, a, c, out);
      break;
    case 10:
      map<T, Sigmoid>(x, n, a, c, out);
      break;
    case 11:
      map<T, Tanh>(x, n, a, c, out);
      break;
    case 12:
      map<T, Relu>(x, n, a, c, out);
      break;
    case 13:
      map<T, LeakyRelu>(x, n, a, c, out);
      break;
    case 14:
      map<T, Gelu>(x, n, a, c, out);
      break;
    case 15:
      map<T, Softplus>(x, n, a, c, out);
      break;
    case 16:
      map<T, Gaussian>(x, n, a, c, out);
      break;
    case 17:
      map<T, InverseMultiquadric>(x, n, a, c, out);
      break;
    case 18:
      map<T, Sign>(x, n, a, c, out);
      break;
    case 19:
      map<T, Heaviside>(x, n, a, c, out);
      break;
    case 20:
      map<T, TwoStep>(x, n, a, c, out);
      break;
    case 21:
      map<T, Scale>(x, n, a, c, out);
      break;
    case 22:
      map<T, Power>(x, n, a, c, out);
      break;
  }
}

/**
 * The derivative of f by its code, at x or, for the functions in `derivativeFromValue`, from the value y:
 * `source` is one of them.
 */
export function unaryGradient<T>(
  code: i32,
  a: f64,
  c: f64,
  source: usize,
  g: usize,
  n: i32,
  out: usize,
  accumulate: bool,
): void {
  switch (code) {
    case 0:
      mapGradient<T, Linear>(source, g, n, a, c, out, accumulate);
      break;
    case 1:
      mapGradient<T, Negative>(source, g, n, a, c, out, accumulate);
      break;
    case 2:
      mapGradient<T, Exp>(source, g, n, a, c, out, accumulate);
      break;
    case 3:
      mapGradient<T, Log>(source, g, n, a, c, out, accumulate);
      break;
    case 4:
      mapGradient<T, Sqrt>(source, g, n, a, c, out, accumulate);
      break;
    case 5:
      mapGradient<T, Square>(source, g, n, a, c, out, accumulate);
      break;
    case 6:
      mapGradient<T, Reciprocal>(source, g, n, a, c, out, accumulate);
      break;
    case 7:
      mapGradient<T, Abs>(source, g, n, a, c, out, accumulate);
      break;
    case 8:
      mapGradient<T, Sin>(source, g, n, a, c, out, accumulate);
      break;
    case 9:
      mapGradient<T, Cos>(source, g, n, a, c, out, accumulate);
      break;
    case 10:
      mapGradient<T, Sigmoid>(source, g, n, a, c, out, accumulate);
      break;
    case 11:
      mapGradient<T, Tanh>(source, g, n, a, c, out, accumulate);
      break;
    case 12:
      mapGradient<T, Relu>(source, g, n, a, c, out, accumulate);
      break;
    case 13:
      mapGradient<T, LeakyRelu>(source, g, n, a, c, out, accumulate);
      break;
    case 14:
      mapGradient<T, Gelu>(source, g, n, a, c, out, accumulate);
      break;
    case 15:
      mapGradient<T, Softplus>(source, g, n, a, c, out, accumulate);
      break;
    case 16:
      mapGradient<T, Gaussian>(source, g, n, a, c, out, accumulate);
      break;
    case 17:
      mapGradient<T, InverseMultiquadric>(source, g, n, a, c, out, accumulate);
      break;
    case 21:
      mapGradient<T, Scale>(source, g, n, a, c, out, accumulate);
      break;
    case 22:
      mapGradient<T, Power>(source, g, n, a, c, out, accumulate);
      break;
    default:
      mapGradient<T, Sign>(source, g, n, a, c, out, accumulate);
  }
}
