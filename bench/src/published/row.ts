import type { Files } from "./files.js";

/** A published number, and how many of its digits must agree. */
export interface Figure {
  readonly name: string;
  readonly published: number;
  /** Digits after the point as printed: ours must round to the same. */
  readonly digits: number;
  /** A figure to reach: more is as good. For methods with random starts. */
  readonly atLeast?: true;
  /** A larger difference that is right, and why: always together. */
  readonly tolerance?: number;
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

/**
 * Ours rounds to the digits that were printed: half a unit of the last one, and a grain for decimal rounding; or it is larger, where
 * the figure is one to reach.
 */
export const agrees = (figure: Figure, ours: number): boolean =>
  (figure.atLeast === true && ours >= figure.published) ||
  Math.abs(ours - figure.published) <= 0.5 * 10 ** -figure.digits * (1 + 1e-9);

/** It agrees, or differs by no more than what the figure's note explains. */
export const meets = (figure: Figure, ours: number): boolean =>
  agrees(figure, ours) || Math.abs(ours - figure.published) <= (figure.tolerance ?? 0);
