import {
  call,
  type Expression,
  isNull,
  multiply,
  number,
  shared,
  subtract,
  when,
} from "../expressions/expression.js";
import { type Aggregate, type SumGroup, type SumQuery, sumOf } from "../expressions/sums.js";

/** (√5 − 1) / 2: its multiples are spread evenly over the unit interval (Knuth, The Art of Computer Programming 3, 6.4). */
const GOLDEN = 0.6180339887498949;

/** What the rows of a source are known by: their number, and sums that change with them. */
export interface Fingerprint {
  readonly rows: number;
  /** Per column: Σ of the numbers, or of hashes of text. */
  readonly sums: readonly number[];
  /** Per column of numbers: Σ of where multiples fall in the unit interval, which one row changes however large the others are. */
  readonly places: readonly number[];
  /** Per column: the number of gaps. */
  readonly gaps: readonly number[];
}

export const isNumber = (e: Expression): boolean => e.kind !== "column" || e.as === "number";

/** The query of a fingerprint, and its answer. */
export function fingerprintQuery(columns: readonly Expression[]) {
  const sums = columns.map((of) => sumOf(isNumber(of) ? of : { kind: "hash", of: [of] }));
  const gaps = columns.map((of) => sumOf(when(isNull(of), number(1), number(0))));
  const places = columns.filter(isNumber).map((of): Aggregate => {
    const multiple = shared(multiply(of, number(GOLDEN)));
    return sumOf(subtract(multiple, call("floor", multiple)));
  });
  const d = columns.length;
  return {
    query: {
      groupBy: [],
      aggregates: d > 0 ? [...sums, ...gaps, ...places] : [sumOf(number(1))],
    } as SumQuery,
    read(group: SumGroup | undefined): Fingerprint {
      const values = Array.from(group?.values ?? new Float64Array(2 * d + places.length));
      return {
        rows: group?.count ?? 0,
        sums: values.slice(0, d),
        gaps: values.slice(d, 2 * d),
        places: values.slice(2 * d, 2 * d + places.length),
      };
    },
  };
}

/** Whether the rows are the same. Sums in another order round differently. */
export const sameRows = (a: Fingerprint, b: Fingerprint): boolean =>
  a.rows === b.rows &&
  (["sums", "gaps", "places"] as const).every((list) =>
    // Infinities are not apart from themselves.
    a[list].every((sum, e) => !(Math.abs(sum - b[list][e]!) > 1e-9 * Math.abs(sum))),
  );
