import { DataError, ParameterError, show } from "../core/errors.js";
import { CharAnalyzer } from "./char-analyzer.js";
import type { Tokenizer } from "./params.js";
import { compilePattern, shortestWord } from "./patterns/token-pattern.js";
import type { AnalyzerParams } from "./source.js";
import type { Terms } from "./terms.js";
import { CustomWordAnalyzer, WordAnalyzer } from "./word-analyzer.js";

/**
 * Documents into terms, by scikit-learn's rules. Works on UTF-8 bytes: their order is that of code points, by which
 * Python sorts strings, and most of them are ASCII, which needs neither decoding nor a RegExp.
 * A lone surrogate counts as U+FFFD.
 */
export interface Analyzer {
  /** The terms of the last document analysed. */
  readonly terms: Terms;
  /** Whether the terms are single words, from which the caller builds the n-grams. */
  readonly pairs: boolean;
  analyse(document: string): void;
}

/** Throws unless the pattern of words, where it is used, takes linear time: before the first document, and when a model is loaded. */
export function requirePattern(where: string, { analyzer, tokenizer, tokenPattern }: AnalyzerParams): void {
  const isUsed = analyzer === "word" && tokenizer === null && shortestWord(tokenPattern) === undefined;
  if (isUsed) compilePattern(where, tokenPattern);
}

/** `looksUp`: whether the caller has an index of terms, with which it can build n-grams of words itself. */
export function createAnalyzer(where: string, params: AnalyzerParams, looksUp: boolean): Analyzer {
  const { analyzer, tokenizer, tokenPattern } = params;
  if (analyzer !== "word") return new CharAnalyzer(params);
  if (tokenizer !== null) return new CustomWordAnalyzer(params, (text) => checkedWords(tokenizer, text));
  const least = shortestWord(tokenPattern);
  if (least !== undefined) return new WordAnalyzer(params, least, looksUp);
  return new CustomWordAnalyzer(params, compilePattern(where, tokenPattern));
}

function* checkedWords(tokenizer: Tokenizer, text: string): Generator<string> {
  const words: unknown = tokenizer(text);
  // A string is an iterable of its characters: probably a missing `split`.
  if (typeof words === "string" || !(Symbol.iterator in Object(words))) {
    throw new DataError("tokenizer", "its result", "an array (or another iterable) of words", show(words));
  }
  for (const word of words as Iterable<unknown>) {
    if (typeof word === "string") yield word;
    else {
      throw new DataError("tokenizer", "every word", "a string", show(word));
    }
  }
}

/** Functions cannot be written to a file or sent to a worker, and a model restored without them would be a different one. */
export function refuseFunctions(where: string, { tokenizer, preprocessor }: AnalyzerParams): void {
  for (const [subject, value] of Object.entries({ tokenizer, preprocessor })) {
    if (value === null) continue;
    const advice = "Call the function on the documents first, or express it as a tokenPattern.";
    throw new ParameterError(where, subject, "null, since functions cannot be saved", "a function", advice);
  }
}
