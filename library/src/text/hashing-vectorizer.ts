import type { Capabilities, FitOptions, FittedTransformer } from "../core/contract.js";
import { AbortError } from "../core/errors.js";
import { describeParams, Estimator, reviveParams } from "../core/estimator.js";
import { flag, integer, type Params, type ParamValues, readParams } from "../core/params.js";
import { type Json, type ModelState, StateReader } from "../core/state.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { type Analyzer, createAnalyzer, refuseFunctions } from "./analyzer.js";
import { vectorizerCapabilities } from "./count-vectorizer.js";
import {
  type AsyncDocuments,
  type Documents,
  forEachDocument,
  forEachDocumentAsync,
  requireIterable,
} from "./documents.js";
import { murmurHash } from "./murmur-hash.js";
import { analyzerParams, tfidfParams, vocabularyParams } from "./params.js";
import { RowBuilder, sortFirst } from "./row-builder.js";
import type { Terms } from "./terms.js";
import { normalizeInto } from "./tfidf.js";
import { refuseWeights } from "./tfidf-transformer.js";

export const hashingVectorizerParams = {
  ...analyzerParams,
  nFeatures: integer({
    atLeast: 1,
    atMost: 2 ** 31 - 1,
    default: 2 ** 20,
    doc: "Columns. Terms that fall into one column are added up.",
  }),
  binary: vocabularyParams.binary,
  norm: tfidfParams.norm,
  alternateSign: flag({
    default: true,
    doc: "Give each term a sign by its hash, so that terms in one column cancel on average.",
  }),
};

const LOWEST = -0x80000000;

type HashingParams = ParamValues<typeof hashingVectorizerParams>;

/**
 * Documents into counts without a vocabulary: term t goes to column |h(t)| mod nFeatures with the sign of h(t),
 *
 *   X[i][j] = Σ ± count of term t in document i   over the terms t of column j,    then every row divided by its norm,
 *
 * h MurmurHash3 of its UTF-8 bytes. Nothing is learned and nothing kept, so documents may be as many as time allows; but
 * nobody can tell which word a column stands for. Parity: scikit-learn's HashingVectorizer, column by column.
 */
export class HashingVectorizer extends Estimator<typeof hashingVectorizerParams> {
  static readonly id = "HashingVectorizer";
  static readonly table = hashingVectorizerParams;
  static readonly capabilities: Capabilities = vectorizerCapabilities;

  constructor(params: Params<typeof hashingVectorizerParams> = {}) {
    super(HashingVectorizer.id, hashingVectorizerParams, params);
  }

  /** There is nothing to learn: the documents are not read, and need not be given. */
  fit(documents: Documents = [], _y?: ArrayLike<unknown>, options: FitOptions = {}): FittedHashingVectorizer {
    const where = "HashingVectorizer.fit";
    if (options.signal?.aborted) throw new AbortError(where);
    refuseWeights(where, options);
    requireIterable(where, documents, Symbol.iterator in Object(documents));
    return new FittedHashingVectorizer(this.params);
  }

  fitTransform(documents: Documents, y?: ArrayLike<unknown>, options?: FitOptions): CsrMatrix {
    return this.fit(documents, y, options).transform(documents);
  }

  override toJSON(): { estimator: string; params: Readonly<Record<string, Json>> } {
    refuseFunctions("HashingVectorizer.toJSON", this.params);
    return super.toJSON();
  }

  static restore(state: ModelState): FittedHashingVectorizer {
    const { where } = new StateReader(state);
    const params = readParams(
      where,
      hashingVectorizerParams,
      reviveParams(hashingVectorizerParams, state.params),
    );
    return new FittedHashingVectorizer(params);
  }
}

export class FittedHashingVectorizer implements FittedTransformer<Documents> {
  readonly #analyzer: Analyzer;
  readonly #sums = new ColumnSums();

  constructor(readonly params: HashingParams) {
    this.#analyzer = createAnalyzer("HashingVectorizer", params, false);
  }

  get nFeatures(): number {
    return this.params.nFeatures;
  }

  /** One row a document. */
  transform(documents: Documents): CsrMatrix {
    const rows = new RowBuilder();
    forEachDocument("FittedHashingVectorizer.transform", documents, (document) => this.#add(document, rows));
    return this.#finish(rows);
  }

  async transformAsync(documents: AsyncDocuments): Promise<CsrMatrix> {
    const rows = new RowBuilder();
    const add = (document: string) => this.#add(document, rows);
    await forEachDocumentAsync("FittedHashingVectorizer.transform", documents, add);
    return this.#finish(rows);
  }

  toState(): ModelState {
    refuseFunctions("FittedHashingVectorizer.toState", this.params);
    return {
      kind: HashingVectorizer.id,
      params: describeParams(this.params),
      values: {},
      tensors: {},
    };
  }

  #add(document: string, out: RowBuilder): void {
    this.#analyzer.analyse(document);
    this.#sums.addInto(this.#analyzer.terms, this.params, out);
  }

  #finish(rows: RowBuilder): CsrMatrix {
    if (this.params.binary) rows.values.fill(1, 0, rows.nonZeros);
    const X = rows.toMatrix(this.params.nFeatures);
    const { norm } = this.params;
    if (norm === null) return X;
    for (let i = 0; i < X.rows; i++) normalizeInto(norm, X.indptr[i]!, X.indptr[i + 1]!, X.values);
    return X;
  }
}

/**
 * Sums by column of one document at a time, over far more columns than a document has terms: a table with open addressing,
 * at most half full. The places used are noted, so that clearing costs no more than filling.
 */
class ColumnSums {
  /** Column + 1, or 0 where a place is free. */
  #keys = new Int32Array(1 << 11);
  #sums = new Int32Array(1 << 11);
  #columns = new Int32Array(1 << 10);

  /** Writes the terms as a row, sorted by column. Terms that cancelled stay, as a zero. */
  addInto(terms: Terms, { nFeatures, alternateSign }: HashingParams, out: RowBuilder): void {
    // A short document uses only the front of the table, which is in the cache.
    let capacity = 16;
    while (capacity < terms.size * 2) capacity *= 2;
    if (capacity > this.#keys.length) {
      this.#keys = new Int32Array(capacity);
      this.#sums = new Int32Array(capacity);
      this.#columns = new Int32Array(capacity >>> 1);
    }
    const [keys, sums, columns] = [this.#keys, this.#sums, this.#columns];
    const size = addUp(terms, nFeatures, alternateSign, capacity - 1, keys, sums, columns);
    sortFirst(columns, size);
    out.reserve(size);
    const { indices, values } = out;
    let at = out.nonZeros;
    for (let k = 0; k < size; k++, at++) {
      indices[at] = columns[k]!;
      values[at] = sums[placeOf(keys, capacity - 1, columns[k]!)]!;
    }
    out.nonZeros = at;
    out.endRow();
    keys.fill(0, 0, capacity);
    sums.fill(0, 0, capacity);
  }
}

/** Adds each term to its column; returns how many columns there were. Arrays as arguments, for the engine's sake. */
function addUp(
  { bytes, starts, ends, size }: Terms,
  nFeatures: number,
  alternateSign: boolean,
  mask: number,
  keys: Int32Array,
  sums: Int32Array,
  columns: Int32Array,
): number {
  // |−2³¹| is no 32-bit integer; scikit-learn puts that one here.
  const lowest = (2 ** 31 - nFeatures) % nFeatures;
  let different = 0;
  for (let t = 0; t < size; t++) {
    const hash = murmurHash(bytes, starts[t]!, ends[t]!);
    // Integers throughout (| 0), which engines divide many times faster than doubles.
    const column = hash === LOWEST ? lowest : (((hash < 0 ? -hash : hash) | 0) % nFeatures) | 0;
    const place = placeOf(keys, mask, column);
    if (keys[place] === 0) {
      keys[place] = column + 1;
      columns[different++] = column;
    }
    sums[place]! += alternateSign && hash < 0 ? -1 : 1;
  }
  return different;
}

/** Where the column is, or would be. */
function placeOf(keys: Int32Array, mask: number, column: number): number {
  for (let place = (Math.imul(column, 0x9e3779b1 | 0) >>> 7) & mask; ; place = (place + 1) & mask) {
    const key = keys[place];
    if (key === 0 || key === column + 1) return place;
  }
}
