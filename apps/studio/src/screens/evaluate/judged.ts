import { firstWhere } from "../../data/bisection.js";
import type { Confusion } from "../../work/measures/confusion.js";
import type { Curves, Ranking } from "../../work/measures/ranking.js";
import type { Held, Trained } from "../../work/protocol.js";

/** A classifier's held-out rows, and what is decided of them at the threshold. */
export interface Judged {
  readonly id: string;
  readonly trained: Trained;
  readonly held: Held;
  readonly names: readonly string[];
  readonly positive: number;
  /** Undefined for models that give labels only. */
  readonly ranking: Ranking | undefined;
  readonly curves: Curves | undefined;
  readonly threshold: number;
  /** Whether the threshold decides, or the model's own predictions are taken. */
  readonly byThreshold: boolean;
  readonly decided: Int32Array;
  readonly confusion: Confusion;
}

/** The number of a row of the table among the held-out rows; −1 if it is not among them. They ascend, so it is found by bisection. */
export function heldPosition({ rows }: Held, row: number): number {
  const place = firstWhere(rows.length, (e) => rows[e]! >= row);
  return rows[place] === row ? place : -1;
}

/** Rows of the table for which something holds, by their number among the held-out rows. */
export function rowsWhere(held: Held, holds: (e: number) => boolean): number[] {
  const rows: number[] = [];
  for (let e = 0; e < held.rows.length; e++) if (holds(e)) rows.push(held.rows[e]!);
  return rows;
}
