import type { ImagesLike } from "../core/contract.js";
import { readMatrix } from "./input.js";

/**
 * Documents, or rows with text: a list that some rows can be selected from, as from a table or a matrix. Estimators that read text get it
 * as the array that it is; its type is that of rows of numbers, since only they know what they read.
 */
export type SampleList = readonly (readonly number[])[] & {
  readonly rows: number;
  selectRows(chosen: ArrayLike<number>): SampleList;
};

class ListedSamples extends Array<readonly number[]> {
  /** `map` and `filter` return plain arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  get rows(): number {
    return this.length;
  }

  selectRows(chosen: ArrayLike<number>): SampleList {
    return sampleList(Array.from(chosen, (i) => this[i]));
  }
}

export function sampleList(list: readonly unknown[]): SampleList {
  const out = new ListedSamples(list.length);
  for (let i = 0; i < list.length; i++) out[i] = list[i] as readonly number[];
  return out;
}

export const isSampleList = (x: unknown): x is SampleList => x instanceof ListedSamples;

/** Whether X is rows with a cell that is not a number. */
export const hasTextCells = (x: unknown): x is readonly (readonly unknown[])[] =>
  Array.isArray(x) &&
  x.some(
    (row) =>
      Array.isArray(row) &&
      row.some((cell) => typeof cell === "string" || typeof cell === "boolean" || cell === null),
  );

/** Images that keep their size when some of them are selected. */
export class ImageRows implements ImagesLike {
  readonly data: ImagesLike["data"];
  readonly rows: number;
  readonly height: number;
  readonly width: number;
  readonly channels: number;

  constructor({ data, rows, height, width, channels }: ImagesLike) {
    this.data = data;
    this.rows = rows;
    this.height = height;
    this.width = width;
    this.channels = channels;
  }

  selectRows(chosen: ArrayLike<number>): ImageRows {
    const matrix = readMatrix("selectRows", this, { missing: true, keepSingles: true });
    return new ImageRows({ ...this, ...pixels(matrix.selectRows(chosen)) });
  }
}

const pixels = ({ data, rows }: Pick<ImagesLike, "data" | "rows">) => ({ data, rows });
