import { DataError, ShapeError } from "../core/errors.js";
import type { ParamValues } from "../core/params/params.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { createAnalyzer } from "./analyzer.js";
import type { vocabularyParams } from "./params.js";
import { RowBuilder, sortFirst } from "./row-builder.js";
import type { AnalyzerParams } from "./source.js";
import { TermCounter } from "./term-counter.js";
import { sortTerms, termBytes } from "./term-order.js";
import { TermIndex } from "./terms.js";
import { Vocabulary } from "./vocabulary.js";

export type CountingParams = AnalyzerParams & ParamValues<typeof vocabularyParams>;

export interface LearnedVocabulary {
  readonly vocabulary: Vocabulary;
  readonly X: CsrMatrix;
}

/** Learns a vocabulary from documents that are read once, and keeps their counts. */
export class VocabularyLearner {
  readonly #where: string;
  readonly #params: CountingParams;
  readonly #index = new TermIndex();
  readonly #counter: TermCounter;
  readonly #rows = new RowBuilder();

  constructor(where: string, params: CountingParams) {
    this.#where = where;
    this.#params = params;
    const analyzer = createAnalyzer(where, params, true);
    this.#counter = new TermCounter(analyzer, this.#index, params.ngramRange);
  }

  add(document: string): void {
    this.#counter.count(document, this.#rows);
  }

  finish(): LearnedVocabulary {
    const rows = this.#rows;
    const index = this.#index;
    requireDocuments(this.#where, rows.rows);
    if (this.#params.binary) rows.values.fill(1, 0, rows.nonZeros);
    if (rows.nonZeros === 0) noTerms(this.#where);
    const chosen = sortTerms(index, this.#choose());
    const kept = this.#mostFrequent(chosen);
    const columns = new Int32Array(index.size).fill(-1);
    for (let j = 0; j < kept.length; j++) columns[kept[j]!] = j;
    const { bytes, offsets } = termBytes(index, kept);
    const vocabulary = new Vocabulary(bytes, offsets, chosen.length);
    return { vocabulary, X: renumbered(rows, columns, kept.length) };
  }

  /** Terms that are in neither too few nor too many documents. */
  #choose(): Int32Array {
    const { rows, indices, nonZeros } = this.#rows;
    const frequency = new Int32Array(this.#index.size);
    for (let e = 0; e < nonZeros; e++) frequency[indices[e]!]!++;
    const { minDf, maxDf } = this.#params;
    const least = minDf < 1 ? minDf * rows : minDf;
    const most = maxDf <= 1 ? maxDf * rows : maxDf;
    if (most < least) {
      const expected = `at least minDf (${minDf} means ${least} of ${rows} documents)`;
      throw new DataError(this.#where, "maxDf", expected, `${maxDf}, which means ${most}`);
    }
    const chosen = new Int32Array(frequency.length);
    let size = 0;
    for (let term = 0; term < frequency.length; term++) {
      // Words that occur only inside an n-gram have frequency 0.
      const f = frequency[term]!;
      if (f > 0 && f >= least && f <= most) chosen[size++] = term;
    }
    if (size === 0) {
      const received = `no term in ${least} to ${most} of ${rows} documents`;
      const advice = "Lower minDf or raise maxDf.";
      throw new DataError(this.#where, "the vocabulary", "not empty", received, advice);
    }
    return chosen.slice(0, size);
  }

  /**
   * The `maxFeatures` terms that occur most often in all documents together, in the order given; ties go to the
   * first. Parity: scikit-learn leaves such ties to NumPy's unstable sort.
   */
  #mostFrequent(chosen: Int32Array): Int32Array {
    const { maxFeatures } = this.#params;
    if (maxFeatures === null || chosen.length <= maxFeatures) return chosen;
    const { indices, values, nonZeros } = this.#rows;
    const total = new Float64Array(this.#index.size);
    for (let e = 0; e < nonZeros; e++) total[indices[e]!]! += values[e]!;
    const byTotal = Array.from(chosen, (_, k) => k).sort(
      (k, l) => total[chosen[l]!]! - total[chosen[k]!]! || k - l,
    );
    const kept = Int32Array.from(byTotal.slice(0, maxFeatures)).sort();
    return kept.map((k) => chosen[k]!);
  }
}

/** The rows with new column numbers, sorted; entries without a column are dropped. */
function renumbered(from: RowBuilder, columns: Int32Array, width: number): CsrMatrix {
  const { rows } = from;
  const indptr = new Int32Array(rows + 1);
  let kept = 0;
  for (let e = 0; e < from.nonZeros; e++) if (columns[from.indices[e]!]! >= 0) kept++;
  const indices = new Int32Array(kept);
  const values = new Float64Array(kept);
  const counts = new Int32Array(width);
  const row = new Int32Array(width);
  let at = 0;
  for (let i = 0; i < rows; i++) {
    let size = 0;
    for (let e = from.indptr[i]!; e < from.indptr[i + 1]!; e++) {
      const column = columns[from.indices[e]!]!;
      if (column < 0) continue;
      row[size++] = column;
      counts[column] = from.values[e]!;
    }
    sortFirst(row, size);
    for (let k = 0; k < size; k++, at++) {
      indices[at] = row[k]!;
      values[at] = counts[row[k]!]!;
    }
    indptr[i + 1] = at;
  }
  return new CsrMatrix({ rows, cols: width, indptr, indices, values }, true);
}

export function requireDocuments(where: string, documents: number): void {
  if (documents > 0) return;
  throw new ShapeError(where, "documents", "one or more", "none");
}

function noTerms(where: string): never {
  const received = "no term: the documents are empty, or have stop words only";
  const advice = "tokenPattern, stopWords and ngramRange define what a term is.";
  throw new DataError(where, "the vocabulary", "not empty", received, advice);
}
