import type { Grid, GridView } from "../../work/protocol.js";
import { short } from "../figures.js";

/** What a model answers at a place of a picture. */
interface Reading {
  /** Number of the class or cluster. */
  readonly winner: number;
  /** The probability of the winner, the decision function of two classes, or the value; null for labels alone. */
  readonly figure: number | null;
  readonly scale: Grid["scale"];
}

/** The answer of the cell at a place, between 0 and 1 from the lower left corner. */
export function readingAt(grid: Grid, x: number, y: number): Reading {
  const { n } = grid.view;
  const cellOf = (place: number) => Math.min(n - 1, Math.max(0, Math.floor(place * n)));
  const cell = cellOf(1 - y) * n + cellOf(x);
  const { scale, classes, value, lead } = grid;
  const winner = grid.winner[cell]!;
  if (scale === "probability") {
    // The lead is what the winner has beyond an equal share.
    const equal = 1 / classes;
    return { winner, scale, figure: equal + (1 - equal) * (lead[cell]! / 255) };
  }
  return { winner, scale, figure: value === null ? null : value[cell]! };
}

/** "Chinstrap 0.81", "B, f = 1.32", "cluster 2", or a value. */
export function answerText({ winner, figure, scale }: Reading, classes: readonly string[]): string {
  if (scale === "value") return short(figure!);
  const name = classes[winner] ?? `cluster ${winner}`;
  if (figure === null) return name;
  return scale === "probability" ? `${name} ${figure.toFixed(2)}` : `${name}, f = ${short(figure)}`;
}

/** The values of a place, with as many digits as tell two hundredths of the picture apart. */
export function placeValues({ x, y }: Pick<GridView, "x" | "y">, at: readonly [number, number]): string[] {
  return [x, y].map(([from, to], k) => {
    const decimals = Math.min(20, Math.max(0, Math.ceil(-Math.log10((to - from) / 50))));
    return (from + (to - from) * at[k]!).toFixed(decimals);
  });
}

/** "billLength 44.1, flipperLength 201: Chinstrap 0.81". */
export function crosshairText(
  view: Pick<GridView, "axes" | "x" | "y">,
  at: readonly [number, number],
  answer: string | null,
): string {
  const values = placeValues(view, at).map((value, k) => `${view.axes[k]} ${value}`);
  return values.join(", ") + (answer === null ? "" : `: ${answer}`);
}
