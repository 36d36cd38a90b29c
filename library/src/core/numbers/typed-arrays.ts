/**
 * Typed arrays of any realm. Jest, jsdom, vm contexts and iframes have a `Float64Array` of their own, so that `instanceof` denies
 * what the array is; its tag does not. The tag is an internal slot behind a getter: nothing else can pretend to have it.
 */
const readTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)!.get!;

/** "Float64Array", "Uint8Array", …; undefined if x is not a typed array. */
export const typedArrayName = (x: unknown): string | undefined => readTag.call(x) as string | undefined;

/** Whether x is a typed array of any kind, and no DataView. */
export const isTypedArray = (x: unknown): x is ArrayLike<number> & ArrayBufferView =>
  ArrayBuffer.isView(x) && typedArrayName(x) !== undefined;

/** Whether x is an array or a typed array, of any realm. */
export const isArrayLike = (x: unknown): x is ArrayLike<unknown> => Array.isArray(x) || isTypedArray(x);

interface TypedArrayClass<T> {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
  readonly name: string;
}

/** x as an array of this realm on the same memory; undefined if x is not of that class in any realm. */
function adopted<T extends ArrayBufferView>(x: unknown, type: TypedArrayClass<T>): T | undefined {
  if (x instanceof type) return x;
  if (typedArrayName(x) !== type.name) return undefined;
  const view = x as Uint8Array;
  return isDetached(view) ? undefined : new type(view.buffer, view.byteOffset, view.length);
}

export const asFloat64Array = (x: unknown): Float64Array | undefined => adopted(x, Float64Array);
export const asFloat32Array = (x: unknown): Float32Array | undefined => adopted(x, Float32Array);
export const asInt32Array = (x: unknown): Int32Array | undefined => adopted(x, Int32Array);

const readByteLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")!.get!;

/** Whether x is an ArrayBuffer of any realm: only those have a length in their slots. */
export function isArrayBuffer(x: unknown): x is ArrayBuffer {
  try {
    readByteLength.call(x);
    return true;
  } catch {
    return false;
  }
}

/** The bytes of a Uint8Array or an ArrayBuffer of any realm; undefined for anything else. */
export function asBytes(x: unknown): Uint8Array | undefined {
  return isArrayBuffer(x) ? new Uint8Array(x) : adopted(x, Uint8Array);
}

/** Whether the memory of an array has been transferred away: it then has no entries. */
export function isDetached(view: ArrayBufferView): boolean {
  if (view.byteLength > 0) return false;
  try {
    new Uint8Array(view.buffer);
    return false;
  } catch {
    return true;
  }
}
