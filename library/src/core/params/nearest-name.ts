/**
 * The name that was probably meant: the one with the fewest typing errors, of which there may be `most`; undefined if there is none. Case
 * and underscores do not count.
 */
export function nearestName(
  word: string,
  names: readonly string[],
  most: number = Math.max(1, Math.floor((word?.length ?? 0) / 3)),
): string | undefined {
  const asked = fold(String(word));
  let best: string | undefined;
  let least = most + 1;
  for (const name of Array.isArray(names) ? names : []) {
    const text = fold(String(name));
    if (Math.abs(text.length - asked.length) >= least) continue;
    const distance = editDistance(asked, text);
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

const fold = (text: string): string => text.replaceAll("_", "").toLowerCase();

/** Number of insertions, deletions, replacements and swaps of neighbours that make one text of the other [Damerau 1964]. */
function editDistance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, k) => k)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      const same = a[i - 1] === b[k - 1] ? 0 : 1;
      next[k] = Math.min(next[k - 1]! + 1, row[k]! + 1, row[k - 1]! + same);
      const swapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      if (swapped) next[k] = Math.min(next[k]!, before[k - 2]! + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
