/**
 * Many texts as two arrays, which pages and workers pass on without a copy of each text: all UTF-16 code units one after the other, and
 * where each text ends. An empty text is a missing one.
 */
export interface Texts {
  readonly units: Uint16Array;
  readonly ends: Uint32Array;
}

export function packTexts(values: readonly (string | null)[]): Texts {
  const ends = new Uint32Array(values.length);
  let length = 0;
  for (const [i, text] of values.entries()) {
    length += text?.length ?? 0;
    ends[i] = length;
  }
  const units = new Uint16Array(length);
  let at = 0;
  for (const text of values)
    for (let k = 0; text !== null && k < text.length; k++) units[at++] = text.charCodeAt(k);
  return { units, ends };
}

/** A call takes only so many arguments. */
const BLOCK = 8192;

export function textAt({ units, ends }: Texts, i: number): string | null {
  const [start, end] = [i === 0 ? 0 : ends[i - 1]!, ends[i]!];
  if (end === start) return null;
  // spread: a block of at most BLOCK characters.
  if (end - start <= BLOCK) return String.fromCharCode(...units.subarray(start, end));
  const parts: string[] = [];
  for (let at = start; at < end; at += BLOCK)
    // spread: a block of at most BLOCK characters.
    parts.push(String.fromCharCode(...units.subarray(at, Math.min(end, at + BLOCK))));
  return parts.join("");
}

export const unpackTexts = (texts: Texts): (string | null)[] =>
  Array.from(texts.ends, (_, i) => textAt(texts, i));
