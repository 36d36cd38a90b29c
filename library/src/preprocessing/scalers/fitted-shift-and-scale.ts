import type { MatrixLike } from "../../core/contract.js";
import { DataError } from "../../core/errors.js";
import { stateOf } from "../../core/state/model-state.js";
import type { ModelState, StateReader } from "../../core/state/state.js";
import { readPositive } from "../../core/state/state-lists.js";
import { affine, type Structure, structure, transformerStructure } from "../../core/structure.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import type { KnownFeatures } from "../../data/feature-names-in.js";
import type { Design } from "../../data/input.js";
import { type Scaled, TransformerModel } from "../../fitted/transformers.js";
import { scaledColumns, unscaledColumns } from "./scaled-columns.js";

/** z = (x − shift) / scale, column by column. Sparse rows stay sparse, and are refused where there is a shift. */
export abstract class ShiftAndScaleModel<P extends object> extends TransformerModel<P> {
  /** What columns are divided by. */
  abstract readonly scale: Float64Array;
  /** What is subtracted; undefined if nothing is. */
  protected abstract shift(): Float64Array | undefined;
  protected abstract refuseSparse(where: string): never;

  transform<X extends MatrixLike>(x: X): Scaled<X> {
    return scaledColumns(this.#read("transform", x), this.shift(), this.scale) as Scaled<X>;
  }

  inverseTransform<X extends MatrixLike>(z: X): Scaled<X> {
    return unscaledColumns(this.#read("inverseTransform", z), this.shift(), this.scale) as Scaled<X>;
  }

  [structure](): Structure {
    return transformerStructure(this, affine(this.shift(), this.scale));
  }

  #read(method: string, x: MatrixLike): Design {
    const where = this.where(method);
    const design = this.read(where, x, { sparse: true });
    if (design instanceof CsrMatrix && this.shift()) this.refuseSparse(where);
    return design;
  }
}

/** Throws on sparse rows, which cannot be centred: `what` is subtracted unless the parameter `flag` is false. */
export function refuseShift(where: string, id: string, what: string, flag: string): never {
  const expected = `dense, since subtracting ${what} fills every zero`;
  const advice = `new ${id}({ ${flag}: false }) keeps it sparse.`;
  throw new DataError(where, "X", expected, "a sparse matrix", advice);
}

/** A scaler that stores its shift as `center`. */
export abstract class FittedShiftAndScale<P extends object> extends ShiftAndScaleModel<P> {
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

  override toState(): ModelState {
    return stateOf(this.id, this, ["nFeatures", "scale", "center"]);
  }

  protected refuseSparse(where: string): never {
    refuseCenter(where, this.id);
  }

  protected shift(): Float64Array | undefined {
    return this.center;
  }
}

export function refuseCenter(where: string, id: string): never {
  refuseShift(where, id, "a center", "withCentering");
}

/** Center and scale of a saved scaler. */
export function readShiftAndScale(reader: StateReader, cols: number, centred: boolean) {
  const scale = readPositive(reader, "scale", [cols]);
  return { scale, center: centred ? reader.finite("center", [cols]) : undefined };
}
