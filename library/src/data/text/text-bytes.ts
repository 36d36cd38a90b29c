import { DataError, show } from "../../core/errors.js";
import { asBytes } from "../../core/numbers/typed-arrays.js";
import { textEncoder } from "../../core/text/utf8-coders.js";

/** The bytes of a text that somebody has read from a file: UTF-8 of a string, bytes as they are. */
export function textBytes(where: string, text: unknown): Uint8Array {
  const bytes = typeof text === "string" ? textEncoder().encode(text) : asBytes(text);
  if (bytes !== undefined) return bytes;
  const advice = "Read the file first; the library opens none.";
  throw new DataError(where, "the text", "a string, a Uint8Array or an ArrayBuffer", show(text), advice);
}
