import { expect } from "vitest";

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

/** Arrays of the same bytes are equal; comparing elements one by one took a large part of some tests. */
function sameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
  return a.byteLength === b.byteLength && bytesOf(a).equals(bytesOf(b)) ? true : undefined;
}

// Files of one process share `expect`, and this is run before each of them.
const known = globalThis as { readsArraysByBytes?: boolean };
if (!known.readsArraysByBytes) expect.addEqualityTesters([sameBytes]);
known.readsArraysByBytes = true;
