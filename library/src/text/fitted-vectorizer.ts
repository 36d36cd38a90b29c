import type { FittedTransformer, MatrixLike } from "../core/contract.js";
import { describeParams } from "../core/estimator.js";
import { Model } from "../core/model.js";
import type { ParamsTable } from "../core/params/params.js";
import { type Learned, restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { type Structure, structure, type Transform, undescribed } from "../core/structure.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { refuseFunctions, requirePattern } from "./analyzer.js";
import type { AsyncDocuments, Documents } from "./documents.js";
import { countAll, countAllAsync, termsOf } from "./vectorizer.js";
import { Vocabulary } from "./vocabulary.js";
import { VocabularyCounter } from "./vocabulary-counter.js";
import type { countVectorizerParams } from "./vocabulary-estimator.js";
import type { CountingParams } from "./vocabulary-learner.js";

/** Turns counts of terms into weights, in place. */
export type WeighInto = (where: string, out: CsrMatrix) => void;

/** A vectorizer that has learned its vocabulary: counts of terms, which `weighInto` may turn into weights. */
export abstract class FittedVectorizer<P extends CountingParams>
  extends Model
  implements FittedTransformer<Documents>
{
  /** Name of the estimator. */
  protected abstract readonly id: string;
  readonly #terms: Vocabulary;
  readonly #weighInto: WeighInto | undefined;
  #counter: VocabularyCounter | undefined;

  constructor(
    readonly params: P,
    terms: Vocabulary,
    weighInto?: WeighInto,
  ) {
    super();
    this.#terms = terms;
    this.#weighInto = weighInto;
  }

  /** Number of terms, which are the columns of the matrix that `transform` returns. */
  get nFeatures(): number {
    return this.#terms.size;
  }

  /** Terms that fit has found: more than `nFeatures` where `maxFeatures` has left some out. */
  get termsFound(): number {
    return this.#terms.found;
  }

  /** The term of each column. */
  featureNames(): readonly string[] {
    return this.#terms.names;
  }

  /** The column of each term. */
  get vocabulary(): ReadonlyMap<string, number> {
    return this.#terms.columns;
  }

  /** One row per document. Terms that `fit` has not seen are ignored. */
  transform(documents: Documents): CsrMatrix {
    const where = `Fitted${this.id}.transform`;
    const X = countAll(where, this.#counting(), documents);
    this.#weighInto?.(where, X);
    return X;
  }

  async transformAsync(documents: AsyncDocuments): Promise<CsrMatrix> {
    const where = `Fitted${this.id}.transform`;
    const X = await countAllAsync(where, this.#counting(), documents);
    this.#weighInto?.(where, X);
    return X;
  }

  [structure](): Structure {
    if (this.params.tokenizer !== null || this.params.preprocessor !== null)
      return undescribed("its analyzer has functions of the caller's own");
    const counts = {
      kind: "text" as const,
      analyzer: describeParams(this.params),
      vocabulary: this.featureNames(),
    };
    return { kind: "transformer", inputs: { count: 1 }, steps: [counts, ...this.weighting] };
  }

  /** What is done with the counts. */
  protected get weighting(): readonly Transform[] {
    return [];
  }

  /** The terms of each row in the order of the columns: the content of a document without its word order. */
  inverseTransform(x: MatrixLike): string[][] {
    return termsOf(`Fitted${this.id}.inverseTransform`, this.#terms, x);
  }

  toState(): ModelState {
    refuseFunctions(`Fitted${this.id}.toState`, this.params);
    return stateOf(this.id, { params: this.params }, this.learned());
  }

  /** What a saved model stores; a fixed vocabulary is among its parameters. */
  protected learned(): Learned {
    const termsFound = this.termsFound > this.nFeatures ? this.termsFound : undefined;
    return { termsFound, ...(this.params.vocabulary === null && this.#terms.learned()) };
  }

  #counting(): VocabularyCounter {
    this.#counter ??= new VocabularyCounter(`Fitted${this.id}`, this.params, this.#terms);
    return this.#counter;
  }
}

/** Parameters and vocabulary of a saved model: a fixed one is stored in the parameters, a learned one in tensors. */
export function restoreVocabulary<T extends typeof countVectorizerParams & ParamsTable>(
  table: T,
  state: ModelState,
) {
  const { reader, where, params } = restoring(table, state);
  const counting = params as object as CountingParams;
  requirePattern(where, counting);
  const { vocabulary } = counting;
  return {
    reader,
    params,
    vocabulary: vocabulary === null ? Vocabulary.restore(reader) : Vocabulary.of(vocabulary),
  };
}
