import type { NdArray } from "../../src/neural/autodiff/arrays.js";

/** Tokens × dimensions. */
export type Tokens = readonly (readonly number[])[];
export type Weights = ReadonlyMap<string, Pick<NdArray, "data">>;

/** Parts that a test may leave out, to see that each of them matters. */
export type Part = "scale" | "attention" | "first norm" | "second norm" | "feed-forward" | "residual";

const sum = (list: readonly number[]) => list.reduce((total, v) => total + v, 0);

/** erf(x) = 2/√π Σₙ (−1)ⁿ x²ⁿ⁺¹ / (n! (2n + 1)), whose terms are below 1e-17 after 60 for |x| ≤ 3. */
function erf(x: number): number {
  let [term, total] = [x, x];
  for (let n = 1; n < 60; n++) {
    term *= (-x * x) / n;
    total += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * total;
}

/** x Φ(x). */
export const gelu = (x: number) => 0.5 * x * (1 + erf(x / Math.SQRT2));

/** x·W + b, row by row. */
export function affine(x: Tokens, weights: Weights, matrix: string, bias: string): number[][] {
  const W = weights.get(matrix)!.data;
  const b = weights.get(bias)!.data;
  return x.map((row) =>
    Array.from(b, (start, k) => sum(row.map((v, j) => v * W[j * b.length + k]!)) + start),
  );
}

/** (x − mean)/√(variance + 1e-5)·gain + shift of every token. */
export function norm(x: Tokens, weights: Weights, path: string): number[][] {
  const [gain, shift] = [weights.get(`${path}.gain`)!.data, weights.get(`${path}.shift`)!.data];
  return x.map((row) => {
    const mean = sum(row) / row.length;
    const variance = sum(row.map((v) => (v - mean) ** 2)) / row.length;
    return row.map((v, j) => ((v - mean) / Math.sqrt(variance + 1e-5)) * gain[j]! + shift[j]!);
  });
}

/** softmax(Q·Kᵀ/√d)·V of every head, the heads side by side, projected once more. */
export function attention(
  x: Tokens,
  weights: Weights,
  path: string,
  heads: number,
  without?: Part,
): number[][] {
  const project = (name: string) => affine(x, weights, `${path}.${name}`, `${path}.${name}Bias`);
  const [Q, K, V] = [project("query"), project("key"), project("value")];
  const d = x[0]!.length / heads;
  const scale = without === "scale" ? 1 : 1 / Math.sqrt(d);
  const mixed = Q.map((query) =>
    Array.from({ length: heads }, (_, h) => {
      const own = (row: readonly number[]) => row.slice(h * d, (h + 1) * d);
      const q = own(query);
      const scores = K.map((key) => scale * sum(own(key).map((v, j) => v * q[j]!)));
      const powers = scores.map((z) => Math.exp(z - Math.max(...scores)));
      const shares = powers.map((p) => p / sum(powers));
      return q.map((_, j) => sum(V.map((value, s) => shares[s]! * own(value)[j]!)));
    }).flat(),
  );
  return affine(mixed, weights, `${path}.output`, `${path}.outputBias`);
}

const add = (a: Tokens, b: Tokens) => a.map((row, i) => row.map((v, j) => v + b[i]![j]!));

/** x ← x + attention(norm x), x ← x + feedForward(norm x), with plain loops. */
export function block(x: Tokens, weights: Weights, path: string, heads: number, without?: Part): Tokens {
  let own = x;
  if (without !== "attention") {
    const first = without === "first norm" ? x : norm(x, weights, `${path}.attention.0`);
    const attended = attention(first, weights, `${path}.attention.1`, heads, without);
    own = without === "residual" ? attended : add(x, attended);
  }
  if (without === "feed-forward") return own;
  const second = without === "second norm" ? own : norm(own, weights, `${path}.feedForward.0`);
  const place = `${path}.feedForward.1`;
  const hidden = affine(second, weights, `${place}.hidden.weights`, `${place}.hidden.bias`);
  const active = hidden.map((row) => row.map(gelu));
  return add(own, affine(active, weights, `${place}.output.weights`, `${place}.output.bias`));
}
