import { gramSweeps } from "../generated/coordinate-descent.js";
import { withArena } from "../runtime/arena.js";

/**
 * Coordinate descent on a small quadratic ½ wᵀQw − cᵀw + Σ l1_j |w_j| + ½ Σ l2_j w_j², with w and g = c − Qw updated in
 * place. Returns the number of sweeps.
 */
export function quadraticSweeps(
  where: string,
  q: Float64Array,
  penalties: { readonly l1: Float64Array; readonly l2: Float64Array },
  w: Float64Array,
  g: Float64Array,
  sweeps: number,
  enough: number,
): number {
  return withArena(where, (arena) => {
    const matrix = arena.copy(q);
    const weights = arena.copy(w);
    const gradient = arena.copy(g);
    const l1 = arena.copy(penalties.l1);
    const l2 = arena.copy(penalties.l2);
    const d = w.length;
    const made = arena.heap.call(
      gramSweeps({
        q: matrix.ptr,
        side: d,
        stride: d,
        list: 0,
        m: d,
        w: weights.ptr,
        g: gradient.ptr,
        l1: l1.ptr,
        l2: l2.ptr,
        sweeps,
        enough,
      }),
    );
    w.set(weights.array);
    g.set(gradient.array);
    return made;
  });
}
