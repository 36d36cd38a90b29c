import type { CsrMatrix } from "../data/csr-matrix.js";
import { ResidentSlot } from "../numeric/runtime/resident-slot.js";
import { TermTable } from "../numeric/text/term-table.js";
import { type Analyzer, createAnalyzer } from "./analyzer.js";
import { stopWordsOf } from "./params.js";
import { RowBuilder } from "./row-builder.js";
import { Vocabulary } from "./vocabulary.js";
import type { CountingParams } from "./vocabulary-learner.js";
import { WordAnalyzer } from "./word-analyzer.js";

/** Numbers of rows whose memory is kept: allocating it takes longer than counting a short document. */
const KEPT = 1 << 16;

/** Counts the terms of a known vocabulary, which stays in kernel memory between documents. */
export class VocabularyCounter {
  readonly #slot = new ResidentSlot<TermTable>(this);
  readonly #analyzer: Analyzer;
  readonly #build: () => TermTable;
  readonly #cols: number;
  readonly #binary: boolean;
  /** Rows that nobody builds at the moment. */
  #spare: RowBuilder | undefined;

  constructor(where: string, params: CountingParams, vocabulary: Vocabulary) {
    const analyzer = createAnalyzer(where, params, true);
    this.#analyzer = analyzer;
    this.#build = () => termTable(where, analyzer, params, vocabulary);
    this.#cols = vocabulary.size;
    this.#binary = params.binary;
  }

  /** Builds a matrix row by row. */
  open(): { add(document: string): void; finish(): CsrMatrix } {
    const rows = this.#spare ?? new RowBuilder();
    this.#spare = undefined;
    return {
      add: (document) => this.#count(document, rows),
      finish: () => {
        if (this.#binary) rows.values.fill(1, 0, rows.nonZeros);
        const X = rows.toMatrix(this.#cols);
        rows.clear();
        if (rows.indices.length + rows.indptr.length <= KEPT) this.#spare = rows;
        return X;
      },
    };
  }

  close(): void {
    this.#slot.close();
  }

  #count(document: string, out: RowBuilder): void {
    const analyzer = this.#analyzer;
    if (analyzer instanceof WordAnalyzer) {
      analyzer.read(document);
      if (analyzer.isAscii) {
        const { text, length, least } = analyzer;
        this.#slot.use(this.#build, (table) => table.countWords(text, length, least, out));
        out.endRow();
        return;
      }
      analyzer.scan();
    } else analyzer.analyse(document);
    this.#slot.use(this.#build, (table) => table.countTerms(analyzer.terms, out));
    out.endRow();
  }
}

function termTable(
  where: string,
  analyzer: Analyzer,
  params: CountingParams,
  vocabulary: Vocabulary,
): TermTable {
  // Other analyzers have dropped stop words, or have none.
  const dropped = analyzer instanceof WordAnalyzer ? stopWordsOf(params.stopWords) : [];
  return new TermTable(where, {
    ...(analyzer.pairs ? vocabulary.ngrams(params.ngramRange) : { strings: vocabulary.strings() }),
    stopWords: Vocabulary.of(dropped).strings(),
    cols: vocabulary.size,
  });
}
