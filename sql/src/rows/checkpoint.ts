import { createHash } from "node:crypto";
import { type Json, ParameterError } from "argmax/core";
import type { KeyValue, SumGroup } from "../expressions/sums.js";
import type { Fingerprint } from "./fingerprint.js";

/** What a fit has learned of its rows so far, as JSON: another process goes on from it. */
export interface FitCheckpoint {
  readonly version: 1;
  /** Of the estimator and the columns. */
  readonly of: string;
  readonly rows: number;
  /** The sums that rows are known by, as `numbers`. */
  readonly fingerprint: string;
  /** By a hash of the query: its groups. */
  readonly answers: Readonly<Record<string, readonly EncodedGroup[]>>;
  /** By a hash of their names: the results of finished stages. Answers that only these needed are gone. */
  readonly stages: Readonly<Record<string, Json>>;
}

type EncodedGroup = readonly [keys: readonly KeyValue[], count: number, values: string];

const numbers = (list: ArrayLike<number>): string =>
  Buffer.from(Float64Array.from(list).buffer).toString("base64");

function numbersOf(text: string): Float64Array {
  const bytes = Buffer.from(text, "base64");
  const list = new Float64Array(bytes.length / 8);
  new Uint8Array(list.buffer).set(bytes.subarray(0, 8 * list.length));
  return list;
}

const arrays = { Float64Array, Float32Array, Int32Array, Uint8Array } as const;
type ArrayName = keyof typeof arrays;

/** Typed arrays in JSON, and back: { array: "Int32Array", data: … }. */
function encoded(_: string, value: unknown): unknown {
  const name = (Object.keys(arrays) as ArrayName[]).find((one) => value instanceof arrays[one]);
  return name === undefined ? value : { array: name, data: numbers(value as Float64Array) };
}

function decoded(_: string, value: unknown): unknown {
  const { array, data } = (value ?? {}) as { readonly array?: ArrayName; readonly data?: string };
  if (array === undefined || data === undefined || !(array in arrays)) return value;
  return arrays[array].from(numbersOf(data));
}

const hash = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 16);

/**
 * Answers of the passes of a fit. A fit is a function of them: one that is given those of another gets to where that was without a pass, to the
 * last digit, and goes on from there.
 */
export class AnswerLog {
  readonly #of: string;
  readonly #given: FitCheckpoint | undefined;
  readonly #answers: Map<string, readonly EncodedGroup[]>;
  readonly #stages: Map<string, Json>;
  #fingerprint: Fingerprint | undefined;

  constructor(where: string, identity: Json, given: FitCheckpoint | undefined) {
    this.#of = hash(JSON.stringify(identity));
    this.#given = given;
    if (given !== undefined && (given?.version !== 1 || given.of !== this.#of)) {
      const received = given?.version === 1 ? "one of another fit" : "another value";
      const expected = "a checkpoint of a fit of the same estimator and columns";
      throw new ParameterError(where, "checkpoint", expected, received);
    }
    this.#answers = new Map(Object.entries(given?.answers ?? {}));
    this.#stages = new Map(Object.entries(given?.stages ?? {}));
  }

  /** What rows have to be known by, in the form of what they are known by. */
  fingerprint({ sums, gaps, places }: Fingerprint): Fingerprint | undefined {
    if (!this.#given) return undefined;
    const list = Array.from(numbersOf(this.#given.fingerprint));
    const [s, g] = [sums.length, sums.length + gaps.length];
    if (list.length !== g + places.length) return undefined;
    return { rows: this.#given.rows, sums: list.slice(0, s), gaps: list.slice(s, g), places: list.slice(g) };
  }

  begin(fingerprint: Fingerprint): void {
    this.#fingerprint = fingerprint;
  }

  answer(query: string): SumGroup[] | undefined {
    return this.#answers
      .get(hash(query))
      ?.map(([keys, count, values]) => ({ keys, count, values: numbersOf(values) }));
  }

  add(query: string, groups: readonly SumGroup[]): void {
    this.#answers.set(
      hash(query),
      groups.map(({ keys, count, values }) => [keys, count, numbers(values)]),
    );
  }

  /** Computes what depends on many answers, unless that is known already: those are needed no more then. */
  async stage<T>(name: string, compute: () => Promise<T>): Promise<T> {
    const known = this.#stages.get(hash(name));
    if (known !== undefined) return JSON.parse(JSON.stringify(known), decoded) as T;
    const before = new Set(this.#answers.keys());
    const result = await compute();
    for (const key of this.#answers.keys()) if (!before.has(key)) this.#answers.delete(key);
    this.#stages.set(hash(name), JSON.parse(JSON.stringify(result, encoded)) as Json);
    return result;
  }

  checkpoint(): FitCheckpoint {
    const { rows, sums, gaps, places } = this.#fingerprint!;
    return {
      version: 1,
      of: this.#of,
      rows,
      fingerprint: numbers([...sums, ...gaps, ...places]),
      answers: Object.fromEntries(this.#answers),
      stages: Object.fromEntries(this.#stages),
    };
  }
}
