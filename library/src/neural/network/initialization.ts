import type { Random } from "../../core/numbers/random.js";
import type { Shape } from "../autodiff/shape.js";

/** How a parameter starts. */
export type Start =
  | { readonly kind: "constant"; readonly value: number }
  /** Uniform in ±bound, or normal with the same variance. */
  | { readonly kind: "uniform"; readonly bound: number }
  | { readonly kind: "normal"; readonly deviation: number }
  | { readonly kind: "given"; readonly values: ArrayLike<number>; readonly shape: Shape };

export const zeros: Start = { kind: "constant", value: 0 };
export const ones: Start = { kind: "constant", value: 1 };

/** Weights of a layer by name: "xavier" keeps the variance of linear and tanh units, "he" that of rectified ones, "zeros" starts at 0. */
export const weightStarts = ["xavier", "he", "zeros"] as const;
export type WeightStart = (typeof weightStarts)[number];

/**
 *   xavier: uniform in ±√(6/(fan in + fan out))   [Glorot & Bengio 2010, eq. 16]
 *   he:     normal with variance 2/fan in          [He et al. 2015, eq. 10]
 */
export function weightStart(name: WeightStart, fanIn: number, fanOut: number): Start {
  switch (name) {
    case "xavier":
      return { kind: "uniform", bound: Math.sqrt(6 / (fanIn + fanOut)) };
    case "he":
      return { kind: "normal", deviation: Math.sqrt(2 / fanIn) };
    default:
      return zeros;
  }
}

/** Writes the first values of a parameter. */
export function startInto(start: Start, random: Random, out: Float64Array): void {
  switch (start.kind) {
    case "constant":
      out.fill(start.value);
      break;
    case "uniform":
      for (let e = 0; e < out.length; e++) out[e] = start.bound * (2 * random.uniform() - 1);
      break;
    case "normal":
      for (let e = 0; e < out.length; e++) out[e] = start.deviation * random.normal();
      break;
    case "given":
      out.set(start.values);
      break;
  }
}
