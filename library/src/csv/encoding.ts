import { FormatError, show } from "../core/errors.js";
import { decoderOf, textEncoder } from "../core/text/utf8-coders.js";
import { textBytes } from "../data/text/text-bytes.js";
import { checkedDecoder } from "./decoder.js";
import { LineCounter } from "./lines.js";

/** Bytes at the beginning that show whether a text is in UTF-16. */
const SAMPLE_BYTES = 64;

/** A text as UTF-8 without a mark of the byte order. */
export interface DecodedText {
  readonly bytes: Uint8Array;
  /** The encoding of the given bytes. */
  readonly encoding: string;
  /** Whether it was guessed from the bytes: neither given nor marked, and not UTF-8. */
  readonly guessed: boolean;
}

/**
 * A text as UTF-8. Bytes are read in the given encoding or else as UTF-8; UTF-16 is recognised by its mark, or by the zeros of Latin
 * letters. Bytes that are not UTF-8 are an error that names the encoding that they look like: a wrong guess would replace letters, and
 * make one category of two.
 */
export function utf8Of(where: string, text: unknown, given: string | null): DecodedText {
  const bytes = textBytes(where, text);
  if (typeof text === "string") return { bytes: withoutMark(bytes), encoding: "utf-8", guessed: false };
  if (given !== null && !/^utf-?8$/i.test(given))
    return { bytes: decoded(where, bytes, given), encoding: given, guessed: false };
  const [a, b] = bytes;
  const marked =
    given !== null
      ? undefined
      : a === 0xff && b === 0xfe
        ? "utf-16le"
        : a === 0xfe && b === 0xff
          ? "utf-16be"
          : undefined;
  if (marked !== undefined) return { bytes: decoded(where, bytes, marked), encoding: marked, guessed: false };
  const zeros = given !== null ? undefined : unmarked16(bytes);
  if (zeros !== undefined) return { bytes: decoded(where, bytes, zeros), encoding: zeros, guessed: true };
  const wrong = firstInvalid(bytes);
  if (wrong >= 0) refuseBytes(where, bytes, wrong);
  return { bytes: withoutMark(bytes), encoding: "utf-8", guessed: false };
}

const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

/** UTF-16 of Latin letters without a mark: every second byte is 0, and none between is. */
function unmarked16(bytes: Uint8Array): string | undefined {
  if (bytes.length < 2) return undefined;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const isZeroFrom = (first: 0 | 1) => sample.every((code, at) => (code === 0) === (at % 2 === first));
  return isZeroFrom(1) ? "utf-16le" : isZeroFrom(0) ? "utf-16be" : undefined;
}

function decoded(where: string, bytes: Uint8Array, encoding: string): Uint8Array {
  const decoder = checkedDecoder(where, encoding);
  try {
    // A text that was cut may end with half of a character.
    const whole = /^utf-?16/i.test(encoding) ? bytes.subarray(0, bytes.length & ~1) : bytes;
    return textEncoder().encode(decoder.decode(whole));
  } catch {
    throw new FormatError(where, "the text", `in ${encoding}`, "bytes that this encoding does not have");
  }
}

/**
 * The place of the first byte that is not UTF-8 [Unicode 15, table 3-7]; −1 if there is none. Four ASCII characters at a time: a file of
 * nothing else costs a look at every fourth byte.
 */
export function firstInvalid(bytes: Uint8Array): number {
  const n = bytes.length;
  const follows = (at: number, from = 0x80, to = 0xbf) => at < n && bytes[at]! >= from && bytes[at]! <= to;
  for (let at = 0; at < n; ) {
    while (at + 3 < n && (bytes[at]! | bytes[at + 1]! | bytes[at + 2]! | bytes[at + 3]!) < 0x80) at += 4;
    if (at >= n) break;
    const lead = bytes[at]!;
    if (lead < 0x80) at++;
    else if (lead >= 0xc2 && lead <= 0xdf && follows(at + 1)) at += 2;
    else if (lead >= 0xe0 && lead <= 0xef) {
      const [from, to] = lead === 0xe0 ? [0xa0, 0xbf] : lead === 0xed ? [0x80, 0x9f] : [0x80, 0xbf];
      if (!follows(at + 1, from, to) || !follows(at + 2)) return at;
      at += 3;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      const [from, to] = lead === 0xf0 ? [0x90, 0xbf] : lead === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
      if (!follows(at + 1, from, to) || !follows(at + 2) || !follows(at + 3)) return at;
      at += 4;
    } else return at;
  }
  return -1;
}

/** Characters of the text that are shown around the byte. */
const SHOWN = 12;

function refuseBytes(where: string, bytes: Uint8Array, at: number): never {
  const line = new LineCounter(bytes).lineAt(at);
  const looks = looksLike(bytes);
  const near = bytes.subarray(Math.max(0, at - SHOWN), at + SHOWN);
  const read = decoderOf(looks === "utf-16le" || looks === "utf-16be" ? "windows-1252" : looks).decode(near);
  const [word = ""] = read.split(/[\r\n]/).filter((part) => /[^\0-\x7f]/.test(part));
  throw new FormatError({
    where,
    subject: `the text in line ${line}`,
    expected: "UTF-8",
    received: `the byte 0x${bytes[at]!.toString(16).toUpperCase()}, as ${NAMES[looks]} has it (${show(word.trim())})`,
    advice: `Pass { encoding: ${show(looks)} } if that is right, or save the file as UTF-8.`,
  });
}

const NAMES = {
  "windows-1252": "Windows-1252 (Latin-1)",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
} as const;

/** What bytes that are not UTF-8 look like: UTF-16 has zeros in every second place; the old encoding of Windows is the most frequent other. */
export function looksLike(bytes: Uint8Array): keyof typeof NAMES {
  const sample = bytes.subarray(0, 4096);
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2]!++;
  const many = sample.length / 8;
  if (zeros[1]! > many && zeros[1]! > zeros[0]!) return "utf-16le";
  return zeros[0]! > many ? "utf-16be" : "windows-1252";
}
