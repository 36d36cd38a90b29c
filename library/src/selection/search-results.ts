import { grid, Printed, shortNumber } from "../core/printing.js";
import { asCode, objectAsCode } from "../core/printing-code.js";
import type { Json } from "../core/state.js";
import type { ColumnValues } from "../data/column.js";
import { Table } from "../data/table.js";
import type { Candidate } from "./candidates.js";

/** What was measured of one candidate. */
export interface CandidateResult {
  readonly params: Candidate;
  /** One score per fold; NaN where the fit failed. */
  readonly scores: readonly number[];
  readonly meanScore: number;
  /** Standard deviation of the scores, divisor n, as in scikit-learn. */
  readonly stdScore: number;
  /** 1 is the best; equal means have equal ranks. */
  readonly rank: number;
  /** Mean seconds of a fit; NaN after loading. */
  readonly fitTime: number;
  /** Mean seconds of measuring. */
  readonly scoreTime: number;
  /** Rows that were learned from and measured on, where that differs (HalvingSearch). */
  readonly rows?: number | undefined;
}

/** Rows that are printed. */
const SHOWN = 10;

/** All candidates of a search in the order in which they were tried. Printed from the best on. */
export class SearchResults extends Printed implements Iterable<CandidateResult> {
  readonly candidates: readonly CandidateResult[];

  constructor(measured: readonly Omit<CandidateResult, "meanScore" | "stdScore" | "rank">[]) {
    super();
    const means = measured.map(({ scores }) => scores.reduce((sum, score) => sum + score, 0) / scores.length);
    this.candidates = Object.freeze(
      measured.map((result, c) => {
        const meanScore = means[c]!;
        const squares = result.scores.reduce(
          (sum, score) => sum + (score - meanScore) * (score - meanScore),
          0,
        );
        const stdScore = Math.sqrt(squares / result.scores.length);
        return Object.freeze({ ...result, meanScore, stdScore, rank: rankOf(means, c) });
      }),
    );
    Object.freeze(this);
  }

  get length(): number {
    return this.candidates.length;
  }

  /** The first of the best; −1 if every fit failed. */
  get bestIndex(): number {
    return this.candidates.findIndex(({ rank, meanScore }) => rank === 1 && !Number.isNaN(meanScore));
  }

  [Symbol.iterator](): Iterator<CandidateResult> {
    return this.candidates[Symbol.iterator]();
  }

  /** A row per candidate: its parameters, mean and deviation of the score, rank, times. */
  toTable(): Table {
    const keys = [...new Set(this.candidates.flatMap(({ params }) => Object.keys(params)))];
    const columns = new Map<string, ColumnValues>();
    for (const key of keys) columns.set(key, cellsOf(this.candidates.map(({ params }) => params[key])));
    for (const key of ["meanScore", "stdScore", "rank", "fitTime", "scoreTime"] as const)
      columns.set(
        key,
        this.candidates.map((result) => result[key]),
      );
    return Table.fromColumns(columns);
  }

  toString(): string {
    const order = [...this.candidates].sort((a, b) => a.rank - b.rank);
    const shown = order.slice(0, SHOWN);
    const figures = grid([
      ["rank", ...shown.map(({ rank }) => String(rank))],
      ["score", ...shown.map(({ meanScore }) => shortNumber(meanScore))],
      ["±", ...shown.map(({ stdScore }) => shortNumber(stdScore))],
    ]).split("\n");
    const params = ["", ...shown.map(({ params }) => `  ${objectAsCode(Object.entries(params))}`)];
    const text = figures.map((line, r) => line + params[r]).join("\n");
    const more = this.length > SHOWN ? `\n… ${this.length - SHOWN} more candidates` : "";
    return `${text}${more}`;
  }

  /** Without the times, so that equal searches are equal files. */
  toJSON(): Json {
    return JSON.parse(
      JSON.stringify(
        this.candidates.map(({ params, scores, rows }) => ({
          params,
          scores: scores.map((score) => (Number.isNaN(score) ? null : score)),
          ...(rows === undefined ? {} : { rows }),
        })),
        (_, value: unknown) => (typeof value === "function" ? String(value) : value),
      ),
    );
  }
}

/** One more than the candidates that are better; failed ones come last. */
function rankOf(means: readonly number[], c: number): number {
  const worse = (a: number, b: number) => (Number.isNaN(a) ? !Number.isNaN(b) : a < b);
  return 1 + means.filter((mean) => worse(means[c]!, mean)).length;
}

/** Values of one type as they are, others in words. */
function cellsOf(values: readonly unknown[]): ColumnValues {
  const kinds = new Set(
    values.filter((value) => value !== null && value !== undefined).map((value) => typeof value),
  );
  const plain = kinds.size <= 1 && [...kinds].every((kind) => ["number", "string", "boolean"].includes(kind));
  return (
    plain ? values : values.map((value) => (value === undefined ? null : asCode(value)))
  ) as ColumnValues;
}
