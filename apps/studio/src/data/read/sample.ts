/** More cells than this are sampled: tables are held once per worker. */
export const MOST_CELLS = 20_000_000;

/** Random numbers between 0 and 1 by Mulberry32: a sample of the same file is always the same. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `wanted` of the numbers from 0 to n − 1, every subset as likely as any other, in ascending order (selection sampling: Knuth, 3.4.2 S). */
export function randomRows(n: number, wanted: number, seed: number): Int32Array {
  const random = randomNumbers(seed);
  const out = new Int32Array(Math.min(n, wanted));
  let chosen = 0;
  for (let i = 0; chosen < out.length; i++) if (random() * (n - i) < out.length - chosen) out[chosen++] = i;
  return out;
}

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;

/** A row that does not end within this many bytes: the quotes of this file do not enclose cells. */
const LONGEST_ROW = 16 * 2 ** 20;

interface SampledRows {
  /** The first row and those that were drawn. */
  readonly bytes: Uint8Array;
  /** Rows of the file after the first one. */
  readonly rows: number;
}

/**
 * Rows of a CSV file that is too large to be read whole: each is kept with the probability `share`. Line breaks between quotes do not end a
 * row. Undefined if a row has no end, which happens where quotes are ordinary characters.
 */
export async function sampleRows(
  slices: AsyncIterable<Uint8Array>,
  share: number,
  quoted: boolean,
  onBytes: (length: number) => void,
): Promise<SampledRows | undefined> {
  const random = randomNumbers(1);
  const kept: Uint8Array[] = [];
  let rest = new Uint8Array(0);
  let rows = -1;
  let inside = false;
  for await (const slice of slices) {
    const bytes = joined([rest, slice]);
    let start = 0;
    // What is left of the last slice has been looked at.
    for (let at = rest.length; at < bytes.length; at++) {
      const code = bytes[at];
      if (quoted && code === QUOTE) inside = !inside;
      else if (code === NEWLINE && !inside) {
        if (++rows === 0 || random() < share) kept.push(bytes.slice(start, at + 1));
        start = at + 1;
      }
    }
    rest = bytes.slice(start);
    if (rest.length > LONGEST_ROW) return undefined;
    onBytes(slice.length);
  }
  if (inside) return undefined;
  if (rest.some((code) => code !== NEWLINE && code !== RETURN)) {
    rows++;
    if (random() < share) kept.push(rest);
  }
  return { bytes: joined(kept), rows };
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
