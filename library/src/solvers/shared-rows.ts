import type { RowSum } from "../numeric/rows/row-sum.js";
import { farColumnCentres } from "./centred-columns.js";
import type { Problem } from "./problem.js";

/**
 * What problems share that differ in their penalty only, such as the fits of a fold for all C: the rows in kernel memory, the targets,
 * the centres of far columns, and the last Hessian of the loss, from which the next fit starts. Its owner closes it.
 */
export class SharedRows {
  #sum: RowSum | undefined;
  #y: Float64Array | undefined;
  #far: Float64Array | null | undefined;
  #hessian: Float64Array | undefined;

  /** `hessian`: of the loss over similar rows, in the same coordinates. */
  constructor(
    readonly x: Problem["x"],
    hessian?: Float64Array,
  ) {
    this.#hessian = hessian;
  }

  /** The rows in kernel memory, opened at the first call. */
  sum(open: () => RowSum): RowSum {
    this.#sum ??= open();
    return this.#sum;
  }

  targets(make: () => Float64Array): Float64Array {
    this.#y ??= make();
    return this.#y;
  }

  get far(): Float64Array | null {
    if (this.#far === undefined) this.#far = farColumnCentres(this.x);
    return this.#far;
  }

  /** The Hessian of the loss that was computed last, without penalty; undefined if there is none yet. */
  get hessian(): Float64Array | undefined {
    return this.#hessian;
  }

  keepHessian(hessian: Float64Array): void {
    this.#hessian = hessian.slice();
  }

  close(): void {
    this.#sum?.close();
    this.#sum = undefined;
  }
}

/** What the problem shares with others, unless it is a view of it in other coordinates. */
export const sharedOf = ({ shared, x }: Pick<Problem, "shared" | "x">): SharedRows | undefined =>
  shared?.x === x ? shared : undefined;
