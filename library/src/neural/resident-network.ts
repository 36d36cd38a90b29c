import { DataError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { type Design, requireFinite } from "../data/input.js";
import type { Resident } from "../numeric/runtime/resident-slot.js";
import { allFinite } from "../numeric/tensors/optimizer.js";
import { type Dtype, TensorSpace, withSpace } from "../numeric/tensors/space.js";
import { sparseRows } from "../numeric/tensors/sparse-rows.js";
import type { NdArray } from "./autodiff/arrays.js";
import { computeIn } from "./autodiff/computation.js";
import { type Shape, sizeOf } from "./autodiff/shape.js";
import { Tape } from "./autodiff/tape.js";
import type { Tensor } from "./autodiff/tensor.js";
import { NetworkMemory, type Observer } from "./network/memory.js";
import type { Network } from "./network/network.js";
import { hasManyZeros } from "./training/batches.js";
import { logitsOf } from "./training/losses.js";

/** Numbers of all layers together that a block of rows may take while predicting. */
const BLOCK_NUMBERS = 2 ** 20;

/** Kept between predictions, for few rows: half of it for the layers, the rest for what kernels need besides. */
const KEPT_BYTES = 2 ** 17;

/** Rows of which a sample says whether products may skip zeros. */
const WORTH_SAMPLING = 256;

/** A network's weights in the memory of the kernels, for predictions. */
export class ResidentNetwork implements Resident {
  readonly #space: TensorSpace;
  readonly #memory: NetworkMemory;
  readonly bytes: number;
  readonly #block: number;
  /** Rows whose layers fit the memory that is kept between predictions. */
  readonly #few: number;

  constructor(
    private readonly network: Network,
    private readonly dtype: Dtype,
    theta: ArrayLike<number>,
    buffers: ArrayLike<number>,
  ) {
    this.#space = new TensorSpace("predict", dtype);
    this.#memory = new NetworkMemory(network, this.#space, theta, buffers, false);
    // A sequence of T tokens may hold T² weights per attention head as well; heads are seldom more than eight.
    const perRow = network.summaries.reduce((sum, { output, kind }) => {
      const attention = kind === "multiHeadAttention" ? 8 * output[0]! ** 2 : 0;
      return sum + sizeOf(output) + attention;
    }, sizeOf(network.input));
    this.#block = Math.max(1, Math.min(4096, Math.floor(BLOCK_NUMBERS / perRow)));
    this.#few = Math.floor(KEPT_BYTES / (2 * this.#space.width * perRow));
    // The memory of few rows stays: a prediction of one row allocates nothing.
    this.#space.step(() => this.#space.reals(KEPT_BYTES / this.#space.width));
    this.bytes = this.#space.bytes;
  }

  /** The outputs for rows of X, before a last softmax or sigmoid where `logits` is true. */
  outputs(where: string, x: Design, logits: boolean): Float64Array {
    const units = sizeOf(this.network.output);
    const out = new Float64Array(x.rows * units);
    const manyZeros = x.rows >= WORTH_SAMPLING && !(x instanceof CsrMatrix) && hasManyZeros(x.data, x.cols);
    let fits = true;
    for (let from = 0; fits && from < x.rows; from += this.#block) {
      const to = Math.min(x.rows, from + this.#block);
      fits = this.#forward(where, x, { from, to, manyZeros }, (output) => {
        const { array } = (logits ? logitsOf(output) : output).values;
        out.set(array, from * units);
      });
    }
    if (fits && out.every(Number.isFinite)) return out;
    requireFinite(where, x);
    return this.dtype === "float32"
      ? this.#wider((wide) => wide.outputs(where, x, logits))
      : refuseOverflow(where);
  }

  /** The same in 64 bits, where sums of 32 bits overflow: rows far from those of fit. */
  #wider<R>(work: (wide: ResidentNetwork) => R): R {
    const { theta, buffers } = this.#memory;
    const wide = new ResidentNetwork(this.network, "float64", theta.array.slice(), buffers.array.slice());
    try {
      return work(wide);
    } finally {
      wide.close();
    }
  }

  /** Intermediate values for some rows, by "path" or "path/name". */
  observe(where: string, x: Design): ReadonlyMap<string, NdArray> {
    const seen = new Map<string, NdArray>();
    const keep: Observer = (path, name, { shape, values }) => {
      seen.set(name === "output" ? path : `${path}/${name}`, {
        shape,
        data: Float64Array.from(values.array),
      });
    };
    const fits = this.#forward(where, x, { from: 0, to: x.rows, manyZeros: false }, () => {}, keep);
    requireFinite(where, x);
    if (fits && [...seen.values()].every(({ data }) => data.every(Number.isFinite))) return seen;
    return this.dtype === "float32" ? this.#wider((wide) => wide.observe(where, x)) : refuseOverflow(where);
  }

  close(): void {
    this.#space.close();
  }

  /** Runs the network on some rows; false if a number of theirs is not finite in this width. */
  #forward(
    where: string,
    x: Design,
    { from, to, manyZeros }: { from: number; to: number; manyZeros: boolean },
    take: (output: Tensor) => void,
    observe?: Observer,
  ): boolean {
    const work = (space: TensorSpace): boolean => {
      const tape = new Tape(space, false);
      return computeIn(tape, () => {
        const { input, forward } = this.network;
        const rows = leafOf(tape, [to - from, ...input], x, from, to);
        rows.manyZeros = manyZeros;
        // Rectifiers would turn what is not finite into 0.
        if (!allFinite(space, rows.sparse?.rows.values ?? rows.values)) return false;
        take(forward(rows, this.#memory.pass(tape, undefined, observe)));
        return true;
      });
    };
    if (to - from > this.#few) return withSpace(where, this.dtype, work);
    this.#space.where = where;
    return this.#space.step(() => work(this.#space));
  }
}

function leafOf(tape: Tape, shape: Shape, x: Design, from: number, to: number): Tensor {
  const { space } = tape;
  if (!(x instanceof CsrMatrix)) {
    const whole = from === 0 && to === x.rows;
    return tape.leaf(shape, space.copy(whole ? x.data : x.data.subarray(from * x.cols, to * x.cols)));
  }
  // The entries of these rows, whose addresses begin at 0.
  const first = x.indptr[from]!;
  const last = x.indptr[to]!;
  const rows = sparseRows(space, {
    indptr: x.indptr.subarray(from, to + 1).map((at) => at - first),
    indices: x.indices.subarray(first, last),
    values: x.values.subarray(first, last),
    cols: x.cols,
  });
  return tape.sparseLeaf(shape, { rows, order: undefined, from: 0, count: to - from });
}

function refuseOverflow(where: string): never {
  const expected = "of the magnitude that the network was trained with";
  const received = "numbers so large that its sums overflow";
  const advice = "Scale the rows as in fit, e.g. by a pipeline with StandardScaler.";
  throw new DataError(where, "X", expected, received, advice);
}
