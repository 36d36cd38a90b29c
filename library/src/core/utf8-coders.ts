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

/** A decoder of any encoding that the platform knows, which throws on bytes that it does not have; a RangeError if it knows none of that name. */
export const decoderOf = (encoding: string): TextDecoder =>
  new (coders().TextDecoder)(encoding, { fatal: true });

/** `fatal`: bytes that are no UTF-8 are an error. A mark of the byte order is a character like any other, unless `skipMark`. */
export const textDecoder = (options: { fatal?: boolean; skipMark?: boolean } = {}): TextDecoder =>
  new (coders().TextDecoder)("utf-8", {
    fatal: options.fatal ?? false,
    ignoreBOM: !(options.skipMark ?? false),
  });
