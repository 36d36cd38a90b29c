import {
  Table as ArrowTable,
  Bool,
  Dictionary,
  Field,
  Float32,
  Int8,
  Int32,
  LargeUtf8,
  List,
  makeVector,
  Null,
  TimestampMillisecond,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import type { Random } from "../../src/core/numbers/random.js";
import { tableFromArrow } from "../../src/data/formats/arrow.js";
import { checkArrow } from "../../src/data/formats/check-arrow.js";

/** Streams and files of every kind of column that is read, each about a kilobyte. */
export function validArrow(): Uint8Array[] {
  const numbers = new ArrowTable({
    a: makeVector(Float64Array.of(1, 2, 3)),
    b: vectorFromArray([0.5, null, 1], new Float32()),
    c: vectorFromArray([1, null, 3], new Int32()),
  });
  const others = new ArrowTable({
    yes: vectorFromArray([true, null, false], new Bool()),
    city: vectorFromArray(["Oslo", null, "Rome"], new Utf8()),
    long: vectorFromArray(["x", null, ""], new LargeUtf8()),
    coded: vectorFromArray(["b", "a", null], new Dictionary(new Utf8(), new Int8())),
    moment: vectorFromArray([new Date(0), null, new Date(1e12)], new TimestampMillisecond()),
    none: vectorFromArray([null, null, null], new Null()),
  });
  const nested = new ArrowTable({
    list: vectorFromArray([[1, 2], null, []], new List(new Field("item", new Int32(), true))),
  });
  const several = numbers.concat(numbers);
  return [numbers, others, nested, several].flatMap((table) => [
    tableToIPC(table, "stream"),
    tableToIPC(table, "file"),
  ]);
}

/** In the place of lengths, offsets and counts, these do the most harm. */
const words = [0, 1, 2, 24, 151, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff];

/** One of three harms: bytes, words of 32 bits, or a missing end. */
export function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  const out = Uint8Array.from(bytes);
  const below = (n: number) => random.below(n);
  const kind = below(8);
  if (kind === 0) return out.subarray(0, below(out.length));
  for (let k = below(3); k >= 0; k--) {
    if (kind < 5) out[below(out.length)] = below(256);
    else new DataView(out.buffer).setUint32(4 * below(out.length >> 2), words[below(words.length)]!, true);
  }
  return out;
}

/** What becomes of bytes: refused by the check, refused by the decoder, or a table. */
export function outcome(bytes: Uint8Array): "refused" | "undecodable" | "table" {
  try {
    checkArrow(bytes);
  } catch (error) {
    if ((error as { code?: string }).code !== "format") throw error;
    return "refused";
  }
  try {
    tableFromArrow(tableFromIPC(bytes) as never);
    return "table";
  } catch {
    return "undecodable";
  }
}
