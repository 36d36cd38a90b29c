import type { Capabilities, FitOptions, FittedTransformer, Unlabelled } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import { Model } from "../core/model.js";
import { beginUnweightedFit } from "../core/params/options.js";
import { flag, integer, type Params, type ParamValues } from "../core/params/params.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import type { Json, ModelState } from "../core/state/state.js";
import { type Structure, structure, undescribed } from "../core/structure.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { type Analyzer, createAnalyzer, refuseFunctions, requirePattern } from "./analyzer.js";
import type { AsyncDocuments, Documents } from "./documents.js";
import { forEachDocument, forEachDocumentAsync, requireIterable } from "./documents.js";
import { murmurHash } from "./murmur-hash.js";
import { analyzerParams, tfidfParams, vocabularyParams } from "./params.js";
import { RowBuilder, sortFirst } from "./row-builder.js";
import type { Terms } from "./terms.js";
import { divideByNormInto } from "./tfidf.js";
import { vectorizerCapabilities } from "./vocabulary-estimator.js";

export const hashingVectorizerParams = {
  ...analyzerParams,
  nFeatures: integer({
    atLeast: 1,
    atMost: 2 ** 31 - 1,
    default: 2 ** 20,
    doc: "Number of columns. Counts of terms with the same column are summed.",
  }),
  binary: vocabularyParams.binary,
  norm: tfidfParams.norm,
  alternateSign: flag({
    default: true,
    doc: "Give each term the sign of its hash, so that collisions cancel on average.",
  }),
};

const LOWEST = -0x80000000;

type HashingParams = ParamValues<typeof hashingVectorizerParams>;

/**
 * Documents into counts without a vocabulary: term t goes to column |h(t)| mod nFeatures with the sign of h(t),
 *
 *   X[i][j] = Σ ± count of term t in document i   over the terms t of column j,    then every row divided by its norm,
 *
 * h MurmurHash3 of its UTF-8 bytes. Nothing is learned and no vocabulary is stored, so memory does not grow with the
 * number of documents; but the terms of a column cannot be recovered. Parity: scikit-learn's HashingVectorizer, column by column.
 */
export class HashingVectorizer extends Estimator<typeof hashingVectorizerParams> {
  static readonly id = "HashingVectorizer";
  static readonly table = hashingVectorizerParams;
  static readonly capabilities: Capabilities = vectorizerCapabilities;

  constructor(params: Params<typeof hashingVectorizerParams> = {}) {
    super(params);
    requirePattern(this.id, this.params);
  }

  /** Learns nothing: the documents are not read and may be omitted. */
  fit(documents: Documents = [], y?: Unlabelled, options?: FitOptions): FittedHashingVectorizer {
    const where = this.where("fit");
    beginUnweightedFit(where, y, options);
    requireIterable(where, documents, Symbol.iterator in Object(documents));
    return new FittedHashingVectorizer(this.params);
  }

  fitTransform(documents: Documents, y?: Unlabelled, options?: FitOptions): CsrMatrix {
    return this.fit(documents, y, options).transform(documents);
  }

  override toJSON(): { estimator: string; params: Readonly<Record<string, Json>> } {
    refuseFunctions(this.where("toJSON"), this.params);
    return super.toJSON();
  }

  static restore(state: ModelState): FittedHashingVectorizer {
    return new FittedHashingVectorizer(restoring(hashingVectorizerParams, state).params);
  }
}

export class FittedHashingVectorizer extends Model implements FittedTransformer<Documents> {
  readonly #analyzer: Analyzer;
  readonly #columns: SignedColumns;

  constructor(readonly params: HashingParams) {
    super();
    this.#analyzer = createAnalyzer("HashingVectorizer", params, false);
    this.#columns = new SignedColumns(params);
  }

  get nFeatures(): number {
    return this.params.nFeatures;
  }

  /** One row per document. */
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

  [structure](): Structure {
    return undescribed("its columns are hashes of terms");
  }

  toState(): ModelState {
    refuseFunctions("FittedHashingVectorizer.toState", this.params);
    return stateOf(HashingVectorizer.id, this, {});
  }

  #add(document: string, out: RowBuilder): void {
    this.#analyzer.analyse(document);
    this.#columns.addInto(this.#analyzer.terms, out);
  }

  #finish(rows: RowBuilder): CsrMatrix {
    if (this.params.binary) rows.values.fill(1, 0, rows.nonZeros);
    const X = rows.toMatrix(this.params.nFeatures);
    const { norm } = this.params;
    if (norm === null) return X;
    for (let i = 0; i < X.rows; i++) divideByNormInto(norm, X.indptr[i]!, X.indptr[i + 1]!, X.values);
    return X;
  }
}

/**
 * One number per term: its column times two, plus one where its sign is negative. Sorting groups equal columns,
 * which costs less than a table over so many columns. Doubles where 32 bits are not enough.
 */
class SignedColumns {
  #entries: Int32Array | Float64Array;

  constructor(readonly params: HashingParams) {
    this.#entries = params.nFeatures <= 2 ** 30 ? new Int32Array(1 << 10) : new Float64Array(1 << 10);
  }

  /** Writes the terms as a row, sorted by column. Terms that cancel are stored as an explicit zero. */
  addInto(terms: Terms, out: RowBuilder): void {
    const { size } = terms;
    if (size > this.#entries.length) {
      const Kind = this.#entries.constructor as new (length: number) => Int32Array | Float64Array;
      this.#entries = new Kind(size * 2);
    }
    const entries = this.#entries;
    const { nFeatures, alternateSign } = this.params;
    hashTerms(terms, nFeatures, alternateSign ? 1 : 0, entries);
    sortFirst(entries, size);
    out.reserve(size);
    out.nonZeros = addUp(entries, size, out.nonZeros, out.indices, out.values);
    out.endRow();
  }
}

/** Arrays as arguments rather than fields: in local variables they are read at twice the speed. */
function hashTerms(
  { bytes, starts, ends, size }: Terms,
  nFeatures: number,
  signMask: number,
  out: Int32Array | Float64Array,
): void {
  // |−2³¹| is not a 32-bit integer; scikit-learn maps it to this column.
  const lowest = ((2 ** 31 - nFeatures) % nFeatures) | 0;
  // If nFeatures is a power of two, a mask replaces the division.
  const powerMask = (nFeatures & (nFeatures - 1)) === 0 ? nFeatures - 1 : 0;
  for (let t = 0; t < size; t++) {
    const hash = murmurHash(bytes, starts[t]!, ends[t]!);
    // −1 or 0. The absolute value and the sign without a branch, which could not be predicted.
    const negative = hash >> 31;
    const absolute = ((hash ^ negative) - negative) | 0;
    const rest = powerMask > 0 ? absolute & powerMask : (absolute % nFeatures) | 0;
    const column = hash === LOWEST ? lowest : rest;
    out[t] = 2 * column + (negative & signMask);
  }
}

/** Sums equal columns of the sorted entries and writes them from `at` on; returns the end. */
function addUp(
  entries: Int32Array | Float64Array,
  size: number,
  at: number,
  indices: Int32Array,
  values: Int32Array,
): number {
  let end = at;
  let last = -1;
  for (let t = 0; t < size; t++) {
    const entry = entries[t]!;
    const column = entry >>> 1;
    const value = 1 - 2 * (entry & 1);
    if (column === last) {
      values[end - 1]! += value;
    } else {
      indices[end] = column;
      values[end++] = value;
      last = column;
    }
  }
  return end;
}
