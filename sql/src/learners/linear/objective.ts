import { type Regularisation, requireFiniteSquares } from "argmax/sums";
import {
  add,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
  sum,
} from "../../expressions/expression.js";
import { type Aggregate, sumOf } from "../../expressions/sums.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import { Ask } from "../asking.js";
import type { LossTerms } from "./losses.js";

/** The columns of X around centres near the data: sums of products keep their digits, and minimisers see better coordinates. */
export interface CentredColumns {
  readonly rows: TrainingRows;
  readonly u: readonly Expression[];
  readonly centres: Float64Array;
}

/** Without an intercept a shift of the columns would be another problem: they stay as they are. */
export async function centredColumns(rows: TrainingRows, intercept: boolean): Promise<CentredColumns> {
  const centres = intercept ? await rows.centres(rows.x) : new Float64Array(rows.x.length);
  const u = rows.x.map((x, j) => shared(subtract(x, number(centres[j]!))));
  return { rows, u, centres };
}

/** θ of the columns as they are: b takes what the shift by the centres adds. In place. */
export function uncentre({ centres }: Pick<CentredColumns, "centres">, theta: Float64Array): Float64Array {
  const side = centres.length + 1;
  for (let from = 0; from < theta.length; from += side)
    for (let j = 0; j < side - 1; j++) theta[from + side - 1]! -= theta[from + j]! * centres[j]!;
  return theta;
}

/** Relative rounding error of a sum over n rows in any order: it grows as √n. */
const noiseOf = (rows: number): number => Math.max(1e-13, 8 * Number.EPSILON * Math.sqrt(rows));

/**
 * F + ½ l2 ‖w‖², whose sums over rows a database answers:
 *
 *   F(θ) = Σ s ℓ(z, y),   ∂F/∂w_k = Σ s ℓ_k u,   ∂²F/∂w_k∂w_l = Σ s ℓ_kl u uᵀ,      z_k = w_k·u + b_k
 */
export class SummedObjective {
  readonly size: number;
  readonly cols: number;
  readonly outputs: number;
  readonly noise: number;
  readonly hessianCost: number;
  readonly #columns: CentredColumns;
  readonly #terms: (z: readonly Expression[]) => LossTerms;
  readonly #intercept: boolean;
  readonly #l2: number;
  readonly #where: string;
  #at: LossTerms | undefined;
  #isMajorised = false;
  /** Only where the loss has linear tails. */
  readonly majorise?: () => void;

  constructor(
    columns: CentredColumns,
    outputs: number,
    { intercept, l2 }: Pick<Regularisation, "intercept" | "l2">,
    terms: (z: readonly Expression[]) => LossTerms,
    hasTails: boolean,
  ) {
    const { u, rows } = columns;
    this.#columns = columns;
    this.#terms = terms;
    this.outputs = outputs;
    this.#intercept = intercept;
    this.#l2 = l2;
    this.#where = rows.where;
    this.cols = u.length;
    this.size = outputs * (u.length + 1);
    this.noise = noiseOf(rows.passes.rows);
    // A sum of a Hessian costs about as much as one of a gradient.
    this.hessianCost = (this.size + 1) / 4;
    if (hasTails)
      this.majorise = () => {
        this.#isMajorised = true;
      };
  }

  evaluate(theta: Float64Array, gradientOut: Float64Array | null): Ask {
    const { rows, u } = this.#columns;
    const side = u.length + 1;
    const z = Array.from({ length: this.outputs }, (_, k) => {
      const own = theta.subarray(k * side, (k + 1) * side);
      const scores = u.map((x, j) => multiply(number(own[j]!), x));
      return shared(add(sum(scores), number(own[side - 1]!)));
    });
    this.#at = this.#terms(z);
    this.#isMajorised = false;
    const pulls = gradientOut ? this.#at.derivatives.map((r) => shared(rows.weighted(r))) : [];
    const gradient = pulls.flatMap((r) => [...u.map((x) => sumOf(multiply(r, x))), sumOf(r)]);
    const penalised = theta.slice();
    return new Ask([sumOf(rows.weighted(this.#at.value)), ...gradient], (sums) => {
      if (gradientOut) gradientOut.set(sums.subarray(1));
      return sums[0]! + this.#penalty(penalised, gradientOut);
    });
  }

  /** ∇² with the penalty, and with the identity where an intercept is not learned. */
  hessianInto(out: Float64Array): Ask {
    const { aggregates, use } = this.sumHessianInto(out);
    return new Ask(aggregates, (sums) => {
      use(sums);
      const side = this.cols + 1;
      for (let e = 0; e < this.size; e++) {
        if (e % side < this.cols) out[e * this.size + e]! += this.#l2;
        else if (!this.#intercept) this.#isolate(out, e);
      }
      return undefined;
    });
  }

  /** ∇²F alone. */
  sumHessianInto(out: Float64Array): Ask {
    const { rows, u } = this.#columns;
    const side = u.length + 1;
    const at = this.#at!;
    const entries: [number, number][] = [];
    const products: Aggregate[] = [];
    for (let k = 0; k < this.outputs; k++)
      for (let l = k; l < this.outputs; l++) {
        const curvature = this.#isMajorised ? at.majorant! : at.curvature(k, l);
        const h = shared(rows.weighted(curvature));
        for (let i = 0; i < side; i++) {
          const left = i < u.length ? shared(multiply(h, u[i]!)) : h;
          for (let j = i; j < side; j++) {
            entries.push([k * side + i, l * side + j]);
            products.push(sumOf(j < u.length ? multiply(left, u[j]!) : left));
          }
        }
      }
    return new Ask(products, (sums) => {
      entries.forEach(([e, f], s) => {
        this.#spread(out, e, f, sums[s]!);
      });
      requireFiniteSquares(this.#where, this.cols, out);
      return undefined;
    });
  }

  /** Blocks of two outputs are symmetric too: entry (i, j) is also (j, i), in both blocks. */
  #spread(out: Float64Array, e: number, f: number, value: number): void {
    const side = this.cols + 1;
    const [k, l, i, j] = [Math.floor(e / side), Math.floor(f / side), e % side, f % side];
    const [swapped, other] = [k * side + j, l * side + i];
    out[e * this.size + f] = value;
    out[f * this.size + e] = value;
    out[swapped * this.size + other] = value;
    out[other * this.size + swapped] = value;
  }

  #isolate(out: Float64Array, e: number): void {
    for (let f = 0; f < this.size; f++) {
      out[e * this.size + f] = 0;
      out[f * this.size + e] = 0;
    }
    out[e * this.size + e] = 1;
  }

  #penalty(theta: Float64Array, gradientOut: Float64Array | null): number {
    const side = this.cols + 1;
    let square = 0;
    for (let e = 0; e < theta.length; e++) {
      if (e % side < side - 1) {
        square += theta[e]! * theta[e]!;
        if (gradientOut) gradientOut[e]! += this.#l2 * theta[e]!;
      } else if (gradientOut && !this.#intercept) gradientOut[e] = 0;
    }
    return 0.5 * this.#l2 * square;
  }
}
