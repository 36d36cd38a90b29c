import type { Json } from "../core/state/state.js";
import { grid, Printed, shortNumber } from "../core/text/printing.js";
import { asCode, objectAsCode } from "../core/text/printing-code.js";
import type { ColumnValues } from "../data/table/column.js";
import { Table } from "../data/table/table.js";
import type { Candidate } from "./candidates.js";
import { byNames, type ScoresOf } from "./scoring.js";

/** What was measured of one candidate; by name, where S are several scorers. */
export interface CandidateResult<S = undefined> {
  readonly params: Candidate;
  /** One score per fold; NaN where the fit failed. */
  readonly scores: ScoresOf<S, readonly number[]>;
  readonly meanScore: ScoresOf<S, number>;
  /** Standard deviation of the scores, divisor n, as in scikit-learn. */
  readonly stdScore: ScoresOf<S, number>;
  /** 1 is the best; equal means have equal ranks. */
  readonly rank: ScoresOf<S, number>;
  /** Mean seconds of a fit; NaN after loading. */
  readonly fitTime: number;
  /** Mean seconds of measuring. */
  readonly scoreTime: number;
  /** Rows that were learned from and measured on, where that differs (HalvingSearch). */
  readonly rows?: number | undefined;
}

/** The scores of one candidate, one list per scorer. */
export interface MeasuredCandidate
  extends Omit<CandidateResult<unknown>, "scores" | "meanScore" | "stdScore" | "rank"> {
  readonly scores: readonly (readonly number[])[];
}

/** One entry per candidate. */
interface ScorerResults {
  /** Undefined: there is one scorer. */
  readonly name: string | undefined;
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  readonly ranks: readonly number[];
}

/** Rows that are printed. */
const SHOWN = 10;

/**
 * All candidates of a search in the order in which they were tried. Printed from the best on: of several scorers S by the one that
 * `refit` names, or else by the first.
 */
export class SearchResults<S = undefined> extends Printed implements Iterable<CandidateResult<S>> {
  readonly candidates: readonly CandidateResult<S>[];
  readonly #scorers: readonly ScorerResults[];
  /** Place of the scorer that chooses; −1: none does. */
  readonly #chooser: number;

  /** `names` are those of several scorers, and `chooser` is one of them. */
  constructor(measured: readonly MeasuredCandidate[], names?: readonly string[], chooser?: string) {
    super();
    const scorers = (names ?? [undefined]).map((name, s) =>
      scorerResults(
        name,
        measured.map(({ scores }) => scores[s]!),
      ),
    );
    this.#scorers = scorers;
    this.#chooser = scorers.findIndex(({ name }) => name === chooser);
    this.candidates = Object.freeze(
      measured.map((result, c) => {
        const named = <V>(values: readonly V[]) => frozen(byNames(names, values));
        return Object.freeze({
          ...result,
          scores: named(result.scores.map((list) => Object.freeze([...list]))),
          meanScore: named(scorers.map(({ means }) => means[c]!)),
          stdScore: named(scorers.map(({ deviations }) => deviations[c]!)),
          rank: named(scorers.map(({ ranks }) => ranks[c]!)),
        }) as CandidateResult<S>;
      }),
    );
    Object.freeze(this);
  }

  get length(): number {
    return this.candidates.length;
  }

  /** The first of the best; −1 if every fit failed, or if there are several scorers and `refit` names none. */
  get bestIndex(): number {
    const { ranks, means } = this.#scorers[this.#chooser] ?? { ranks: [], means: [] };
    return ranks.findIndex((rank, c) => rank === 1 && !Number.isNaN(means[c]!));
  }

  [Symbol.iterator](): Iterator<CandidateResult<S>> {
    return this.candidates[Symbol.iterator]();
  }

  /**
   * A row per candidate: its parameters, mean and deviation of the score, rank, times. Of several scorers `"meanScore.accuracy"` and so on.
   */
  toTable(): Table {
    const keys = [...new Set(this.candidates.flatMap(({ params }) => Object.keys(params)))];
    const columns = new Map<string, ColumnValues>();
    for (const key of keys) columns.set(key, cellsOf(this.candidates.map(({ params }) => params[key])));
    for (const { name, means, deviations, ranks } of this.#scorers) {
      const suffix = name === undefined ? "" : `.${name}`;
      columns.set(`meanScore${suffix}`, means);
      columns.set(`stdScore${suffix}`, deviations);
      columns.set(`rank${suffix}`, ranks);
    }
    for (const key of ["fitTime", "scoreTime"] as const)
      columns.set(
        key,
        this.candidates.map((result) => result[key]),
      );
    return Table.fromColumns(columns);
  }

  toString(): string {
    const { ranks } = this.#scorers[Math.max(0, this.#chooser)]!;
    const order = [...this.candidates.keys()].sort((a, b) => ranks[a]! - ranks[b]!);
    const shown = order.slice(0, SHOWN);
    const figures = grid(
      this.#scorers.flatMap(({ name, means, deviations, ranks }) => [
        ["rank", ...shown.map((c) => String(ranks[c]))],
        [name ?? "score", ...shown.map((c) => shortNumber(means[c]!))],
        ["±", ...shown.map((c) => shortNumber(deviations[c]!))],
      ]),
    ).split("\n");
    const params = ["", ...shown.map((c) => `  ${objectAsCode(Object.entries(this.candidates[c]!.params))}`)];
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
          scores,
          ...(rows === undefined ? {} : { rows }),
        })),
        (_, value: unknown) => (typeof value === "function" ? String(value) : value),
      ),
    );
  }
}

/** The value of one scorer, or that of the named one of several. */
export const scoreOf = (values: unknown, name: string | undefined): number =>
  name === undefined ? (values as number) : (values as Readonly<Record<string, number>>)[name]!;

const frozen = <V>(value: V): V =>
  typeof value === "object" && value !== null ? Object.freeze(value) : value;

function scorerResults(name: string | undefined, scores: readonly (readonly number[])[]): ScorerResults {
  const means = scores.map((list) => list.reduce((sum, score) => sum + score, 0) / list.length);
  const deviations = scores.map((list, c) => {
    const squares = list.reduce((sum, score) => sum + (score - means[c]!) * (score - means[c]!), 0);
    return Math.sqrt(squares / list.length);
  });
  return { name, means, deviations, ranks: means.map((_, c) => rankOf(means, c)) };
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
