/** Number of insertions, deletions, replacements and swaps of neighbours that make one text of the other [Damerau 1964]. */
export function editDistance(a: string, b: string): number {
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

/** The word that was probably meant; undefined if none is near. Case does not count. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const asked = word.toLowerCase();
  const most = Math.max(1, Math.floor(asked.length / 3));
  let best: string | undefined;
  let least = most + 1;
  for (const candidate of words) {
    const text = candidate.toLowerCase();
    if (Math.abs(text.length - asked.length) >= least) continue;
    const distance = editDistance(asked, text);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** `a, b, c and 12 more`, for errors that list what there is. */
export function listed(words: readonly string[], most = 12): string {
  if (words.length <= most) return words.join(", ");
  return `${words.slice(0, most).join(", ")} and ${words.length - most} more`;
}

/** ` Did you mean "sex"?`, or nothing. */
export function hint(word: string, words: readonly string[]): string {
  const found = nearest(word, words);
  return found === undefined ? "" : ` Did you mean ${JSON.stringify(found)}?`;
}
