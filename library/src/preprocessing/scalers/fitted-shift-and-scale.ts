import type { FittedTransformer, MatrixLike } from "../../core/contract.js";
import { DataError } from "../../core/errors.js";
import type { ModelState, StateReader } from "../../core/state.js";
import { affine, type Structure, structure, transformerStructure } from "../../core/structure.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import type { KnownFeatures } from "../../data/feature-names-in.js";
import type { Design } from "../../data/input.js";
import { FittedColumns } from "../fitted-columns.js";
import { scaledColumns, unscaledColumns } from "./scaled-columns.js";
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
    const design = this.#read(`Fitted${this.id}.transform`, x);
    return scaledColumns(design, this.center, this.scale) as Scaled<X>;
  }

  inverseTransform<X extends MatrixLike>(z: X): Scaled<X> {
    const design = this.#read(`Fitted${this.id}.inverseTransform`, z);
    return unscaledColumns(design, this.center, this.scale) as Scaled<X>;
  }

  [structure](): Structure {
    return transformerStructure(this, affine(this.center, this.scale));
  }

  override toState(): ModelState {
    const state = super.toState();
    const vector = (data: Float64Array) => ({ shape: [data.length], data });
    return {
      ...state,
      tensors: { scale: vector(this.scale), ...(this.center && { center: vector(this.center) }) },
    };
  }

  #read(where: string, x: MatrixLike): Design {
    const design = this.read(where, x, { sparse: true });
    if (design instanceof CsrMatrix && this.center) refuseShift(where, this.id);
    return design;
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
