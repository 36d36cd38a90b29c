import { ParameterError, show } from "../core/errors.js";
import type { Decoder } from "../core/text/decoder.js";
import { decoderOf } from "../core/text/utf8-coders.js";

export type { Decoder } from "../core/text/decoder.js";

/**
 * A decoder of a text that comes in pieces, for programs that read files of their own; it throws on bytes that the encoding does not have.
 * Like a TextDecoder, but the same everywhere: that of Node 20 reads the euro sign of Windows-1252 as a control character.
 */
export const textDecoderOf = (encoding: string): Decoder => checkedDecoder("textDecoderOf", encoding);

export function checkedDecoder(where: string, encoding: string): Decoder {
  try {
    return decoderOf(encoding);
  } catch {
    const expected = 'one that TextDecoder knows, as "utf-8", "windows-1252", "iso-8859-15" or "utf-16le"';
    throw new ParameterError(where, "encoding", expected, show(encoding));
  }
}
