import type { Files } from "./files.js";

/** One number that was published, and how many of its digits are to be met. */
export interface Figure {
  readonly name: string;
  readonly published: number;
  /** Digits after the point as printed: ours must round to the same, unless a tolerance says otherwise. */
  readonly digits: number;
  readonly tolerance?: number;
  /** Why a difference is right. */
  readonly note?: string;
}

/**
 * A published result that the library reproduces. To add one, add an object to the list in rows.ts: the data it reads
 * (below the data folder; a `.gz` beside the name will do), what was published and where, and how to compute ours.
 */
export interface PublishedRow {
  readonly data: string;
  readonly method: string;
  readonly source: string;
  readonly figures: readonly Figure[];
  /** Our figures, in the same order. */
  run(files: Files): readonly number[];
}

export function meets(figure: Figure, ours: number): boolean {
  // Half a unit of the last printed digit, and a grain for decimal rounding.
  const tolerance = figure.tolerance ?? 0.5 * 10 ** -figure.digits * (1 + 1e-9);
  return Math.abs(ours - figure.published) <= tolerance;
}
