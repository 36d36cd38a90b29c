import { kernelInto, panelDots } from "./shared/kernel-functions";
import { dotRow } from "./shared/rows";

/** Support vectors whose kernel values are kept at a time. */
const STRETCH: i32 = 512;

/**
 * out[i, k] = Σ_s coef[k, s] k(z_i, x_s) + b_k for a chunk of the rows z (n × d, row-major).
 *
 * x      m points in panels of eight, padded with zeros;  norms  ‖x_s‖², padded
 * coef   `machines` rows of mp doubles, mp = m rounded up to 8, zeros at the end
 * work   STRETCH doubles a chunk
 */
export function scoreChunk(
  z: usize, n: i32, d: i32, x: usize, m: i32, norms: usize, kind: i32, a: f64, c: f64, degree: i32, coef: usize, b: usize,
  machines: i32, out: usize, work: usize, chunkRows: i32, chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const values = work + <usize>chunk * (<usize>STRETCH << 3);
  const stride = <usize>((m + 7) & ~7) << 3;
  for (let i = from; i < to; i++) {
    const point = z + <usize>i * (<usize>d << 3);
    const scores = out + ((<usize>i * <usize>machines) << 3);
    memory.copy(scores, b, <usize>machines << 3);
    const norm = dotRow(point, point, d);
    for (let s: i32 = 0; s < m; s += STRETCH) {
      const end = min(m, s + STRETCH);
      const count = (end - s + 7) & ~7;
      panelDots(point, d, x, s, end, values);
      kernelInto(kind, a, c, degree, norm, norms + (<usize>s << 3), count, values);
      for (let k: i32 = 0; k < machines; k++) {
        const at = scores + (<usize>k << 3);
        store<f64>(at, load<f64>(at) + dotRow(coef + <usize>k * stride + (<usize>s << 3), values, count));
      }
    }
  }
}
