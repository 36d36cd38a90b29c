import type { Decoder } from "./decoder.js";

/**
 * UTF-8, by whoever has it: the platform's globals or, where a page is only imitated (jsdom defines neither), Node's own module.
 * Looked for when first needed, so that importing the library needs neither.
 */
interface Coders {
  readonly TextEncoder: typeof TextEncoder;
  readonly TextDecoder: typeof TextDecoder;
}

const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };

function coders(): Coders {
  if (typeof TextEncoder !== "undefined" && typeof TextDecoder !== "undefined") return globalThis;
  const util = process?.getBuiltinModule?.("node:util") as Coders | undefined;
  if (util === undefined)
    throw new Error("TextEncoder and TextDecoder must be defined. Set them as globals.");
  return util;
}

let encoder: TextEncoder | undefined;

export function textEncoder(): TextEncoder {
  encoder ??= new (coders().TextEncoder)();
  return encoder;
}

/** The bytes 0x80 to 0x9F of Windows-1252 [encoding.spec.whatwg.org]; five of them are control characters. */
const WINDOWS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ";

/**
 * A decoder of any encoding that the platform knows, which throws on bytes that it does not have; a RangeError if it knows none of that
 * name. Node 20 reads Windows-1252 as Latin-1, which has control characters in place of the euro sign, quotation marks and dashes.
 */
export function decoderOf(encoding: string): Decoder {
  const decoder = new (coders().TextDecoder)(encoding, { fatal: true });
  if (decoder.encoding !== "windows-1252") return decoder;
  return {
    encoding: decoder.encoding,
    decode: (bytes, options) =>
      decoder.decode(bytes, options).replace(/[\x80-\x9f]/g, (c) => WINDOWS[c.charCodeAt(0) - 0x80]!),
  };
}

/** `fatal`: bytes that are not UTF-8 are an error. A mark of the byte order is a character like any other, unless `skipMark`. */
export const textDecoder = (options: { fatal?: boolean; skipMark?: boolean } = {}): TextDecoder =>
  new (coders().TextDecoder)("utf-8", {
    fatal: options.fatal ?? false,
    ignoreBOM: !(options.skipMark ?? false),
  });
