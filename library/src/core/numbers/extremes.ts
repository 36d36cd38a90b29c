/** The largest of any number of values, and of `least`: `Math.max(...values)` overflows the stack from about 120,000 on. */
export function maxOf(values: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let most = least;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** The smallest of any number of values, and of `most`. */
export function minOf(values: Iterable<number>, most = Number.POSITIVE_INFINITY): number {
  let least = most;
  for (const value of values) least = Math.min(least, value);
  return least;
}

/** Appends any number of entries to a list. */
export function pushAll<T>(list: T[], entries: Iterable<T>): void {
  for (const entry of entries) list.push(entry);
}
