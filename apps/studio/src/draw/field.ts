import type { Grid } from "../work/protocol.js";

/** Values on n × n cells as a function of the plane, in cells from the middle of the first one: linear between the middles, constant beyond. */
export function field(values: ArrayLike<number>, n: number): (x: number, y: number) => number {
  const within = (place: number) => Math.min(n - 1, Math.max(0, place));
  return (x, y) => {
    const [u, v] = [within(x), within(y)];
    const [i0, j0] = [Math.floor(v), Math.floor(u)];
    const [i1, j1] = [Math.min(n - 1, i0 + 1), Math.min(n - 1, j0 + 1)];
    const [b, a] = [v - i0, u - j0];
    const top = values[i0 * n + j0]! * (1 - a) + values[i0 * n + j1]! * a;
    const bottom = values[i1 * n + j0]! * (1 - a) + values[i1 * n + j1]! * a;
    return top * (1 - b) + bottom * b;
  };
}

/** The class or cluster of the cell under every point; −1 outside of the picture. */
export function winnersAt(
  { view: { n, x: across, y: up }, winner }: Pick<Grid, "view" | "winner">,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): Int32Array {
  const cell = (value: number, [from, to]: readonly [number, number]) =>
    Math.floor((n * (value - from)) / (to - from));
  return Int32Array.from({ length: x.length }, (_, i) => {
    const [j, below] = [cell(x[i]!, across), cell(y[i]!, up)];
    return j >= 0 && j < n && below >= 0 && below < n ? winner[(n - 1 - below) * n + j]! : -1;
  });
}
