import { DataError, ShapeError, show } from "../core/errors.js";
import { isTypedArray } from "../core/numbers/typed-arrays.js";
import type { Matrix } from "../data/matrix.js";

/** The boundary between two classes: all v with vᵀAv + vᵀb + c = 0. The first class lies where the sum is positive. */
export interface Boundary {
  /** d × d, symmetric; all zeros for a linear boundary. */
  readonly A: Matrix;
  readonly b: Float64Array;
  readonly c: number;
}

/** What the boundary looks like in the plane. "line" also stands for two lines that coincide. */
export type ConicKind =
  | "circle"
  | "ellipse"
  | "parabola"
  | "hyperbola"
  | "intersecting lines"
  | "parallel lines"
  | "line"
  | "point"
  | "empty"
  | "plane";

/** Numbers this much smaller than what they came from count as 0. */
const TOLERANCE = 1e-10;

/**
 * The kind of conic that vᵀAv + vᵀb + c = 0 is, for two features. Along the axes of A the curve is
 * λ₁u² + λ₂w² + β₁u + β₂w + c = 0, and the signs of its parts decide.
 */
export function conicKind(boundary: Boundary): ConicKind {
  const { A, b, c } = (boundary ?? {}) as Partial<Boundary>;
  if (typeof A?.at !== "function" || !isTypedArray(b) || typeof c !== "number") {
    const expected = "{ A, b, c } as a model's boundary() returns it";
    throw new DataError("conicKind", "the boundary", expected, show(boundary));
  }
  if (A.rows !== 2 || A.cols !== 2 || b.length !== 2) {
    throw new ShapeError("conicKind", "the boundary", "one of two features", `${b.length} features`);
  }
  // Except for circles the kind does not change when the axes are stretched: unit entries make the tests fair.
  const stretch = [0, 1].map((j) => (A.at(j, j) !== 0 ? 1 / Math.sqrt(Math.abs(A.at(j, j))) : 1));
  const [s, t] = stretch as [number, number];
  const [a11, a12, a22] = [A.at(0, 0) * s * s, A.at(0, 1) * s * t, A.at(1, 1) * t * t];
  const [b1, b2] = [b[0]! * s, b[1]! * t];
  if (a11 === 0 && a12 === 0 && a22 === 0) {
    return b1 !== 0 || b2 !== 0 ? "line" : c === 0 ? "plane" : "empty";
  }
  const { values, beta } = principal(a11, a12, a22, b1, b2);
  const [small, large] = values;
  if (Math.abs(small) <= TOLERANCE * Math.abs(large)) return degenerate(large, beta[1], beta[0], c);
  const rest = c - (beta[0] * beta[0]) / (4 * small) - (beta[1] * beta[1]) / (4 * large);
  const size =
    Math.abs(c) + Math.abs((beta[0] * beta[0]) / (4 * small)) + Math.abs((beta[1] * beta[1]) / (4 * large));
  const isZero = Math.abs(rest) <= TOLERANCE * size;
  if (small * large < 0) return isZero ? "intersecting lines" : "hyperbola";
  if (isZero) return "point";
  if (rest * large > 0) return "empty";
  const spread = Math.abs(A.at(0, 0) - A.at(1, 1)) + Math.abs(A.at(0, 1));
  return spread <= TOLERANCE * (Math.abs(A.at(0, 0)) + Math.abs(A.at(1, 1))) ? "circle" : "ellipse";
}

/** λu² + βu + γw + c = 0. */
function degenerate(lambda: number, beta: number, gamma: number, c: number): ConicKind {
  const size = Math.max(Math.abs(beta), Math.abs(gamma), Math.sqrt(Math.abs(lambda * c)));
  if (Math.abs(gamma) > TOLERANCE * size) return "parabola";
  const discriminant = beta * beta - 4 * lambda * c;
  if (Math.abs(discriminant) <= TOLERANCE * (beta * beta + Math.abs(4 * lambda * c))) return "line";
  return discriminant > 0 ? "parallel lines" : "empty";
}

/** Eigenvalues of [[a11, a12], [a12, a22]], the one nearer to 0 first, and b in the coordinates of their vectors. */
function principal(a11: number, a12: number, a22: number, b1: number, b2: number) {
  // One Jacobi rotation diagonalises a 2 × 2 matrix.
  let [cosine, sine] = [1, 0];
  if (a12 !== 0) {
    const zeta = (a22 - a11) / (2 * a12);
    const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
    cosine = 1 / Math.sqrt(1 + t * t);
    sine = cosine * t;
  }
  const first = cosine * cosine * a11 - 2 * cosine * sine * a12 + sine * sine * a22;
  const second = sine * sine * a11 + 2 * cosine * sine * a12 + cosine * cosine * a22;
  const [u, w] = [cosine * b1 - sine * b2, sine * b1 + cosine * b2];
  return Math.abs(first) <= Math.abs(second)
    ? { values: [first, second] as const, beta: [u, w] as const }
    : { values: [second, first] as const, beta: [w, u] as const };
}
