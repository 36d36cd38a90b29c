/**
 * All kernel families live in one memory, whose first bytes are for their static data (tables): FAMILY_BYTES each, in the order of their
 * names. `library/src/numeric/runtime/heap.ts` hands out what comes after them.
 */
const FIRST_BYTE = 1024;
const FAMILY_BYTES = 2048;
const PAGE = 65536;

/** Where the static data of a family begins. */
export const staticBase = (index) => FIRST_BYTE + index * FAMILY_BYTES;

/** Pages for the static data of so many families. */
export const staticPages = (families) => Math.ceil(staticBase(families) / PAGE);

/** The ranges [from, to) of memory that a module fills when it is instantiated. */
export function staticRanges(wasm) {
  const ranges = [];
  let at = 8;
  const leb = (signed) => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return signed && byte & 64 ? value - 2 ** (shift + 7) : value;
    }
  };
  while (at < wasm.length) {
    const id = wasm[at++];
    const end = leb() + at;
    if (id === 11) {
      for (let left = leb(); left > 0; left--) {
        // An active segment: flags 0, i32.const (0x41) offset, end (0x0b), length, bytes.
        if (wasm[at++] !== 0 || wasm[at++] !== 0x41) throw new Error("a data segment of another kind");
        const from = leb(true);
        at++;
        const length = leb();
        at += length;
        ranges.push([from, from + length]);
      }
    }
    at = end;
  }
  return ranges;
}

/** Throws if a family has more static data than its place has room for. */
export function checkStaticData(name, index, wasm) {
  for (const [from, to] of staticRanges(wasm)) {
    if (from < staticBase(index) || to > staticBase(index + 1))
      throw new Error(
        `kernel ${name}: static data must be in ${FAMILY_BYTES} bytes from ${staticBase(index)} on, got ${from} … ${to}`,
      );
  }
}
