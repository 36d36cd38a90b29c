import { open } from "node:fs/promises";
import { Failure } from "../../command.js";
import { requireText } from "./encoding.js";

const NEWLINE = 10;
const RETURN = 13;
const BLANK = 32;

/** What cells are divided by and quoted with, as codes of bytes; a quote of −1 stands for none. */
export interface Marks {
  readonly delimiter: number;
  readonly quote: number;
}

/**
 * Where the last whole row within the bytes ends, 0 if none does. A line break in quotes ends no row; a quote counts only
 * where a cell begins, as in the library's parser.
 */
export function lastRowEnd(bytes: Uint8Array, { delimiter, quote }: Marks): number {
  if (quote < 0 || bytes.indexOf(quote) < 0) return plainRowEnd(bytes);
  let end = 0;
  let begins = true;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]!;
    if (begins && code === quote) {
      at = closingQuote(bytes, at, quote);
      if (at < 0) return end;
      begins = false;
    } else if (code === delimiter) begins = true;
    else if (code === NEWLINE || (code === RETURN && at + 1 < bytes.length && bytes[at + 1] !== NEWLINE)) {
      begins = true;
      end = at + 1;
    } else if (code !== BLANK) begins = false;
  }
  return end;
}

/** Files of old Macs have no line feeds. A carriage return at the very end may be half of a line break. */
function plainRowEnd(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  if (end > 0) return end;
  return bytes.subarray(0, -1).lastIndexOf(RETURN) + 1;
}

/** The quote that closes a cell, −1 if it is not in these bytes; a doubled one is a character. */
function closingQuote(bytes: Uint8Array, opening: number, quote: number): number {
  for (let at = bytes.indexOf(quote, opening + 1); at >= 0; at = bytes.indexOf(quote, at + 2)) {
    // The byte that decides may be in the next chunk.
    if (at + 1 === bytes.length) return -1;
    if (bytes[at + 1] !== quote) return at;
  }
  return -1;
}

/** A row of more bytes than this is one whose quote is never closed. */
const LONGEST_ROW = 1 << 28;

/** Blocks of whole rows, each of about `size` bytes. */
export async function* rowBlocks(
  label: string,
  chunks: AsyncIterable<Uint8Array>,
  marksOf: (start: Uint8Array) => Marks,
  size: number,
): AsyncGenerator<Uint8Array> {
  let marks: Marks | undefined;
  let held: Uint8Array[] = [];
  let length = 0;
  let wanted = size;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    if (length < wanted) continue;
    const bytes = Buffer.concat(held, length);
    marks ??= marksOf(bytes);
    const end = lastRowEnd(bytes, marks);
    requireRowEnd(label, length - end);
    // Copied, so that a block is alone in its memory and can be given away.
    held = [Uint8Array.from(bytes.subarray(end))];
    if (end > 0) yield bytes.subarray(0, end);
    length -= end;
    // So that one long row is not searched again with every chunk.
    wanted = end > 0 ? size : 2 * length;
  }
  if (length > 0) yield Buffer.concat(held, length);
}

function requireRowEnd(label: string, length: number): void {
  if (length > LONGEST_ROW)
    throw new Failure(`${label} has a row of more than ${LONGEST_ROW >> 20} MB: a quote may be missing.`);
}

/** The same for a file on disk, without copies. Returns false, before any block, if it is not UTF-8. */
export async function* plainBlocks(
  path: string,
  label: string,
  marksOf: (start: Uint8Array) => Marks,
  size: number,
  encoding?: string,
): AsyncGenerator<Uint8Array, boolean> {
  const file = await open(path);
  const readAt = async (position: number, length: number): Promise<Uint8Array> => {
    const memory = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await file.read(memory, 0, length, position);
    return memory.subarray(0, bytesRead);
  };
  /** The next block is read while somebody works on the one before. */
  let next: Promise<Uint8Array> | undefined;
  try {
    let marks: Marks | undefined;
    let [position, wanted] = [0, size];
    for (;;) {
      let bytes = await (next ?? readAt(position, wanted));
      const isLast = bytes.length < wanted;
      if (position === 0) {
        if (requireText(label, bytes, encoding) !== "utf-8") return false;
        const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
        bytes = bytes.subarray(mark);
        position = mark;
      }
      if (bytes.length === 0) return true;
      marks ??= marksOf(bytes);
      const end = isLast ? bytes.length : lastRowEnd(bytes, marks);
      requireRowEnd(label, bytes.length - end);
      position += end;
      wanted = end > 0 ? size : 2 * wanted;
      next = readAt(position, wanted);
      // It is awaited in its turn.
      next.catch(() => {});
      if (end > 0) yield bytes.subarray(0, end);
    }
  } finally {
    await next?.catch(() => {});
    await file.close();
  }
}
