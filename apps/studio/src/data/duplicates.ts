import { type ColumnData, lengthOf, type TableData } from "./table.js";
import { unpackTexts } from "./texts.js";

/** Rows that equal an earlier one in every column, compared by a hash of 64 bits: of 10⁷ rows, one in 10⁵ tables has a collision. */
export function duplicateRows({ rows, columns }: TableData): number {
  const low = new Uint32Array(rows).fill(0x811c9dc5);
  const high = new Uint32Array(rows).fill(0x9747b28c);
  for (const column of columns) {
    const words = wordsOf(column);
    for (let i = 0; i < rows; i++) {
      const [first, second] = [mix(words[2 * i]! ^ 0x9e3779b9), mix(words[2 * i + 1]!)];
      low[i] = mix(low[i]! ^ first);
      high[i] = mix(Math.imul(high[i]!, 0x85ebca6b) ^ second ^ (first << 7));
    }
  }
  const seen = new Map<number, Set<number>>();
  let duplicates = 0;
  for (let i = 0; i < rows; i++) {
    const same = seen.get(low[i]!);
    if (same === undefined) seen.set(low[i]!, new Set([high[i]!]));
    else if (same.has(high[i]!)) duplicates++;
    else same.add(high[i]!);
  }
  return duplicates;
}

/** The finaliser of MurmurHash3: every bit of the input changes half of the output. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Two words of 32 bits per cell, equal for equal cells. */
function wordsOf(column: ColumnData): Uint32Array {
  // Adding 0 makes −0 the same as 0.
  if (column.kind === "number")
    return new Uint32Array(Float64Array.from(column.values, (value) => value + 0).buffer);
  const words = new Uint32Array(2 * lengthOf(column));
  if (column.kind === "category") {
    for (const [i, code] of column.codes.entries()) words[2 * i] = code + 1;
    return words;
  }
  const known = new Map<string | null, number>();
  for (const [i, text] of unpackTexts(column.texts).entries()) {
    if (!known.has(text)) known.set(text, known.size);
    words[2 * i] = known.get(text)!;
  }
  return words;
}
