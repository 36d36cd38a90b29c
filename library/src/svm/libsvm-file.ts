import { FormatError, oneOf, show } from "../core/errors.js";
import { Matrix } from "../data/matrix.js";

/** Classification and regression; one_class (outlier detection) is not supported. */
export const libsvmTypes = ["c_svc", "nu_svc", "epsilon_svr", "nu_svr"] as const;
export type LibsvmType = (typeof libsvmTypes)[number];

export const libsvmKernels = ["linear", "polynomial", "rbf", "sigmoid", "precomputed"] as const;
export type LibsvmKernelName = (typeof libsvmKernels)[number];

/** A kernel as stored in a model file; parameters that it does not use are 0. */
export interface LibsvmKernel {
  readonly name: LibsvmKernelName;
  readonly gamma: number;
  readonly coef0: number;
  readonly degree: number;
}

/** The contents of a LIBSVM model file, in the order of the file. */
export interface LibsvmFile {
  readonly type: LibsvmType;
  readonly kernel: LibsvmKernel;
  /** The classes, in the order of their first training rows; empty for regression. */
  readonly labels: readonly number[];
  /** −b per pair of classes: (0, 1), (0, 2), …, (1, 2), … */
  readonly rho: readonly number[];
  readonly probA: readonly number[] | undefined;
  readonly probB: readonly number[] | undefined;
  /** The number of support vectors per class; they are sorted by class. */
  readonly counts: readonly number[];
  /** y α: one row per opposite class, one column per support vector. */
  readonly coef: Matrix;
  readonly vectors: LibsvmVectors;
}

/** Sparse rows: vector s has the entries `indptr[s]` to `indptr[s + 1]`. For a precomputed kernel, one value: the row's number. */
export interface LibsvmVectors {
  readonly indptr: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
  /** Smallest and largest index, and the line of the largest; undefined when no vector has an entry. */
  readonly span: { readonly lowest: number; readonly highest: number; readonly line: number } | undefined;
}

const keywords = [
  "svm_type",
  "kernel_type",
  "degree",
  "gamma",
  "coef0",
  "nr_class",
  "total_sv",
  "rho",
  "label",
  "probA",
  "probB",
  "prob_density_marks",
  "nr_sv",
] as const;
type Keyword = (typeof keywords)[number];

/** Reads a model file; every error names the line. */
export function readLibsvmFile(where: string, text: string): LibsvmFile {
  const lines = text.split("\n");
  const header = new Header(where, lines);
  const type = header.choice("svm_type", libsvmTypes);
  const kernel = header.kernel();
  const classify = type === "c_svc" || type === "nu_svc";
  const K = header.integer("nr_class", 2);
  if (!classify && K !== 2) header.refuse("nr_class", "2 for regression", `${K}`);
  const pairs = (K * (K - 1)) / 2;
  const total = header.integer("total_sv", 0);
  const rho = header.numbers("rho", pairs);
  const labels = classify ? header.integers("label", K) : [];
  if (new Set(labels).size < labels.length) header.refuse("label", "different classes", "one twice");
  const counts = classify ? header.integers("nr_sv", K, 0) : [total];
  if (counts.reduce((sum, count) => sum + count, 0) !== total)
    header.refuse("nr_sv", `numbers whose sum is total_sv, ${total}`, "others");
  const sigmoids = classify && (header.has("probA") || header.has("probB"));
  const [probA, probB] = sigmoids ? [header.numbers("probA", pairs), header.numbers("probB", pairs)] : [];
  const body = new Body(where, lines, header.end, total);
  const { coef, vectors } = body.read(K - 1, kernel.name === "precomputed");
  return { type, kernel, labels, rho, probA, probB, counts, coef, vectors };
}

class Header {
  /** The number of lines up to and including SV. */
  readonly end: number;
  readonly #entries = new Map<string, { readonly line: number; readonly words: readonly string[] }>();

  constructor(
    readonly where: string,
    lines: readonly string[],
  ) {
    for (const [i, line] of lines.entries()) {
      const [key, ...words] = wordsOf(line);
      if (key === "SV") {
        this.end = i + 1;
        return;
      }
      if (key === undefined) continue;
      if (!keywords.includes(key as Keyword)) {
        const expected =
          "one of LIBSVM's model files: svm_type, kernel_type, …, and SV before the support vectors";
        this.#fail(`line ${i + 1}`, expected, show(key));
      }
      if (this.#entries.has(key))
        this.#fail(`line ${i + 1}`, "a keyword that has not occurred yet", show(key));
      this.#entries.set(key, { line: i + 1, words });
    }
    this.#fail("the text", "a LIBSVM model, with a line SV before the support vectors", "none");
  }

  has(key: Keyword): boolean {
    return this.#entries.has(key);
  }

  refuse(key: Keyword, expected: string, received: string): never {
    const entry = this.#entries.get(key);
    return this.#fail(entry ? `${key} in line ${entry.line}` : key, expected, received);
  }

  choice<T extends string>(key: Keyword, choices: readonly T[]): T {
    const words = this.#words(key);
    const found = choices.find((known) => words.length === 1 && known === words[0]);
    return found ?? this.refuse(key, oneOf(choices), show(words.join(" ")));
  }

  numbers(key: Keyword, count: number): number[] {
    const words = this.#words(key);
    const many = count === 1 ? "one finite number" : `${count} finite numbers`;
    if (words.length !== count) this.refuse(key, many, `${words.length}`);
    return words.map((word) => numberOf(word) ?? this.refuse(key, many, show(word)));
  }

  /** 32-bit integers, as svm-predict reads them. */
  integers(key: Keyword, count: number, least = -(2 ** 31)): number[] {
    return this.numbers(key, count).map((value) => {
      if (Number.isInteger(value) && value >= least && value < 2 ** 31) return value + 0;
      const expected = least < 0 ? "32-bit integers" : `integers ≥ ${least}`;
      return this.refuse(
        key,
        count === 1 ? expected.replace("integers", "an integer") : expected,
        `${value}`,
      );
    });
  }

  integer(key: Keyword, least: number): number {
    return this.integers(key, 1, least)[0]!;
  }

  kernel(): LibsvmKernel {
    const name = this.choice("kernel_type", libsvmKernels);
    const one = (key: Keyword) => this.numbers(key, 1)[0]!;
    const product = name === "polynomial" || name === "sigmoid";
    return {
      name,
      gamma: product || name === "rbf" ? one("gamma") : 0,
      coef0: product ? one("coef0") : 0,
      degree: name === "polynomial" ? this.integer("degree", 0) : 0,
    };
  }

  #words(key: Keyword): readonly string[] {
    return this.#entries.get(key)?.words ?? this.refuse(key, "given before the line SV", "no such line");
  }

  #fail(subject: string, expected: string, received: string): never {
    refuse(this.where, subject, expected, received);
  }
}

/** Indices are stored as 32-bit integers. */
const HIGHEST_INDEX = 2 ** 31 - 1;

/** The lines after SV. */
class Body {
  readonly #indices: number[] = [];
  readonly #values: number[] = [];
  #line = 0;
  #lowest = Infinity;
  #highest = -1;
  #highestLine = 0;

  constructor(
    readonly where: string,
    readonly lines: readonly string[],
    readonly start: number,
    readonly total: number,
  ) {
    let last = lines.length;
    while (last > start && lines[last - 1]!.trim() === "") last--;
    if (last - start === total) return;
    const expected = `as many as total_sv, ${total}`;
    refuse(where, `the lines after line ${start}, SV,`, expected, `${last - start}`);
  }

  read(outputs: number, precomputed: boolean): { coef: Matrix; vectors: LibsvmVectors } {
    const { total } = this;
    const coef = Matrix.zeros(outputs, total);
    const indptr = new Int32Array(total + 1);
    for (let s = 0; s < total; s++) {
      this.#line = this.start + s + 1;
      const words = wordsOf(this.lines[this.#line - 1]!);
      for (let k = 0; k < outputs; k++) coef.data[k * total + s] = this.#coefficient(words[k], outputs);
      if (precomputed) this.#row(words.slice(outputs));
      else this.#entries(words, outputs);
      indptr[s + 1] = this.#indices.length;
    }
    const found = { lowest: this.#lowest, highest: this.#highest, line: this.#highestLine };
    const span = this.#highest < 0 ? undefined : found;
    const [indices, values] = [Int32Array.from(this.#indices), Float64Array.from(this.#values)];
    return { coef, vectors: { indptr, indices, values, span } };
  }

  #coefficient(word: string | undefined, outputs: number): number {
    const value = word === undefined ? undefined : numberOf(word);
    if (value !== undefined) return value;
    const many = outputs === 1 ? "a finite coefficient" : `${outputs} finite coefficients`;
    return this.#fail(
      `line ${this.#line}`,
      `${many} before the entries`,
      word ? show(word) : "the end of the line",
    );
  }

  /** `0:n`, the number of a training row, counted from 1. */
  #row(words: readonly string[]): void {
    const n = words.length === 1 && words[0]!.startsWith("0:") ? numberOf(words[0]!.slice(2)) : undefined;
    if (n === undefined || !Number.isInteger(n) || n < 1 || n > HIGHEST_INDEX) {
      const expected = "0: and the number of a training row, counted from 1";
      this.#fail(`the support vector in line ${this.#line}`, expected, show(words.join(" ")));
    }
    this.#add(n, n);
  }

  #entries(words: readonly string[], from: number): void {
    let before = -1;
    for (let e = from; e < words.length; e++) {
      const word = words[e]!;
      const colon = word.indexOf(":");
      const index = numberOf(word.slice(0, Math.max(colon, 0)));
      const value = numberOf(word.slice(colon + 1));
      if (index === undefined || value === undefined)
        this.#fail(
          `entry ${show(word)} in line ${this.#line}`,
          "index:value, two finite numbers",
          "another text",
        );
      if (!Number.isInteger(index) || index <= before || index > HIGHEST_INDEX) {
        const expected =
          before < 0 ? "an integer from 0 to 2³¹ − 1" : `an integer above ${before}, the previous index`;
        this.#fail(`index ${word.slice(0, colon)} in line ${this.#line}`, expected, "another number");
      }
      before = index;
      this.#add(index, value);
    }
  }

  #add(index: number, value: number): void {
    this.#indices.push(index);
    this.#values.push(value);
    this.#lowest = Math.min(this.#lowest, index);
    if (index <= this.#highest) return;
    this.#highest = index;
    this.#highestLine = this.#line;
  }

  #fail(subject: string, expected: string, received: string): never {
    refuse(this.where, subject, expected, received);
  }
}

function wordsOf(line: string): string[] {
  const trimmed = line.trim();
  return trimmed === "" ? [] : trimmed.split(/\s+/);
}

/** Decimal numbers as C prints them; `Number` accepts more. */
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function numberOf(word: string): number | undefined {
  const value = decimal.test(word) ? Number(word) : Infinity;
  return Number.isFinite(value) ? value : undefined;
}

function refuse(where: string, subject: string, expected: string, received: string): never {
  throw new FormatError(where, subject, expected, received);
}
