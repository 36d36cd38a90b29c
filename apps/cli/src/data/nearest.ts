import { nearestName } from "argmax";

export { nearestName as nearest } from "argmax";

/** `a, b, c and 12 more`, for errors that list what there is. */
export function listed(words: readonly string[], most = 12): string {
  if (words.length <= most) return words.join(", ");
  return `${words.slice(0, most).join(", ")} and ${words.length - most} more`;
}

/** ` Did you mean "sex"?`, or nothing. */
export function hint(word: string, words: readonly string[]): string {
  const found = nearestName(word, words);
  return found === undefined ? "" : ` Did you mean ${JSON.stringify(found)}?`;
}
