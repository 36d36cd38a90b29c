import { ParameterError, show } from "../core/errors.js";
import { textDecoder } from "../core/text/utf8-coders.js";
import { createAnalyzer } from "./analyzer.js";
import { shortestWord } from "./patterns/token-pattern.js";
import { withoutAccents } from "./source.js";
import { Vocabulary } from "./vocabulary.js";
import type { CountingParams } from "./vocabulary-learner.js";

/**
 * Throws if a fixed vocabulary has a term that no document can contain: its column would always be 0. Terms of custom
 * functions and patterns are not checked.
 *
 * Parity: scikit-learn warns of upper-case terms with lowercase, and is silent about the others.
 */
export function requireReachable(where: string, params: CountingParams): void {
  const { preprocessor, lowercase, stripAccents } = params;
  if (params.vocabulary === null) return;
  const vocabulary = Vocabulary.of(params.vocabulary).names;
  const refuse = (j: number, parameter: string, advice: string) => {
    const expected = `a term that documents can have with ${parameter}`;
    throw new ParameterError(where, `vocabulary[${j}]`, expected, show(vocabulary[j]), advice);
  };
  const termsOf = ownTerms(where, params);
  vocabulary.forEach((term, j) => {
    if (preprocessor === null && stripAccents !== null) {
      // Accents are stripped last, and the result may have capitals again: "ℋ" has no lower case, and becomes "H".
      const bare = withoutAccents(term, stripAccents);
      if (bare !== term) refuse(j, `stripAccents: ${show(stripAccents)}`, `They have ${show(bare)}.`);
    } else if (preprocessor === null && lowercase && term.toLowerCase() !== term) {
      const lower = show(term.toLowerCase());
      refuse(j, "lowercase: true", `They have ${lower}; lowercase: false keeps capitals.`);
    }
    const own = termsOf(term);
    if (own === undefined || own.includes(term)) return;
    const found = own.length === 0 ? "no terms" : own.slice(0, 4).map(show).join(", ");
    refuse(j, "this analyzer, ngramRange and stopWords", `This text itself has ${found}.`);
  });
}

/**
 * The terms of a term as a document: they include the term itself if any document can contain it, since n-grams, words and stop
 * words do not depend on their context. Undefined where that does not hold.
 */
function ownTerms(where: string, params: CountingParams): (term: string) => readonly string[] | undefined {
  const { analyzer: kind, tokenizer, tokenPattern } = params;
  const isOwn = kind === "word" && (tokenizer !== null || shortestWord(tokenPattern) === undefined);
  if (isOwn) return () => undefined;
  const plain = { ...params, preprocessor: null, lowercase: false, stripAccents: null };
  const analyzer = createAnalyzer(where, plain, false);
  const decoder = textDecoder();
  return (term) => {
    // The padding of a word, which needs a word beside it.
    if (kind === "charWb" && term === " ") return undefined;
    analyzer.analyse(term);
    const { bytes, starts, ends, size } = analyzer.terms;
    return Array.from({ length: size }, (_, t) => decoder.decode(bytes.subarray(starts[t]!, ends[t]!)));
  };
}
