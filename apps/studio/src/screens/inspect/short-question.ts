/** A question of a tree within some characters: the name is cut, the threshold is not. */
export function shortQuestion(text: string, most: number): string {
  if (text.length <= most) return text;
  const at = text.lastIndexOf(" ≤ ");
  const end = at < 0 ? "" : text.slice(at);
  return `${text.slice(0, Math.max(1, most - end.length - 1))}…${end}`;
}
