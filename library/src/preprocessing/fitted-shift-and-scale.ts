import type { FittedTransformer, MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import type { ModelState, StateReader } from "../core/state.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { KnownFeatures } from "../data/feature-names-in.js";
import { Matrix } from "../data/matrix.js";
import { FittedColumns } from "./fitted-columns.js";
import type { Scaled } from "./standard-scaler.js";

/** z = (x − center) / scale, column by column. Sparse rows stay sparse, and are refused where center is not 0. */
export abstract class FittedShiftAndScale<P extends object>
  extends FittedColumns<P>
  implements FittedTransformer
{
  constructor(
    params: P,
    columns: KnownFeatures,
    /** What is subtracted; undefined if nothing is. */
    readonly center: Float64Array | undefined,
    /** What columns are divided by. */
    readonly scale: Float64Array,
  ) {
    super(params, columns);
  }

  transform<X extends MatrixLike>(x: X): Scaled<X> {
    return this.#map(
      `Fitted${this.id}.transform`,
      x,
      (value, center, scale) => (value - center) / scale,
    ) as Scaled<X>;
  }

  inverseTransform<X extends MatrixLike>(z: X): Scaled<X> {
    const back = (value: number, center: number, scale: number) => value * scale + center;
    return this.#map(`Fitted${this.id}.inverseTransform`, z, back) as Scaled<X>;
  }

  override toState(): ModelState {
    const state = super.toState();
    const vector = (data: Float64Array) => ({ shape: [data.length], data });
    return {
      ...state,
      tensors: { scale: vector(this.scale), ...(this.center && { center: vector(this.center) }) },
    };
  }

  #map(where: string, x: MatrixLike, change: (value: number, center: number, scale: number) => number) {
    const design = this.read(where, x, { sparse: true });
    const { center, scale } = this;
    if (design instanceof CsrMatrix) {
      if (center) refuseShift(where, this.id);
      const values = design.values.map((value, e) => change(value, 0, scale[design.indices[e]!]!));
      return new CsrMatrix({ ...design, values });
    }
    const { data, rows, cols } = design;
    const out = new Float64Array(data.length);
    for (let i = 0, e = 0; i < rows; i++)
      for (let j = 0; j < cols; j++, e++) out[e] = change(data[e]!, center ? center[j]! : 0, scale[j]!);
    return new Matrix(out, rows, this.nFeatures);
  }
}

/** Sparse rows cannot be centred. */
export function refuseShift(where: string, id: string): never {
  throw new DataError({
    where,
    subject: "X",
    expected: "dense, since subtracting a center fills every zero",
    received: "a sparse matrix",
    advice: `new ${id}({ withCentering: false }) keeps it sparse.`,
  });
}

/** Center and scale of a saved scaler. */
export function readShiftAndScale(reader: StateReader, cols: number, centred: boolean) {
  const scale = reader.floats("scale", [cols]);
  if (!scale.every((s) => s > 0 && s < Infinity))
    reader.fail("scale", "positive and finite", "something else");
  const center = centred ? reader.finite("center", [cols]) : undefined;
  return { center, scale };
}
