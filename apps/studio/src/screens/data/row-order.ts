import { firstWhere } from "../../data/bisection.js";

/** Rows that were selected elsewhere come first; the others keep their order. Nothing is stored per row. */
export function rowAt(position: number, first: Int32Array): number {
  if (position < first.length) return first[position]!;
  // The row of which `position − first.length` rows before it are not among the first.
  const wanted = position - first.length;
  return wanted + firstWhere(first.length, (e) => first[e]! - e > wanted);
}
