import { choice, flag, integer, invalid, optional, type ParamSpec } from "../core/params/params.js";
import { defaultPattern } from "./patterns/token-pattern.js";
import { englishStopWords } from "./stop-words.js";

/** Applied to a document before anything else. */
export type Preprocessor = (document: string) => string;
/** The words of a document. */
export type Tokenizer = (document: string) => Iterable<string>;
export type StopWords = "english" | readonly string[] | null;
export type NgramRange = readonly [number, number];

const isText = (value: unknown): value is string => typeof value === "string";

/** A parameter that is a function. It cannot be saved or sent to a worker; `refuseFunctions` throws. */
function callable<F>(doc: string): ParamSpec<F | null> {
  return {
    kind: "function",
    default: null,
    doc,
    expected: "a function, or null",
    read: (value) => (value === null || typeof value === "function" ? (value as F | null) : invalid),
  };
}

const tokenPattern: ParamSpec<string> = {
  kind: "text",
  default: defaultPattern,
  doc: "Regular expression of a word, as Python reads it; with a group, the word is what the group matched.",
  expected: "a regular expression as a string",
  read: (value) => (isText(value) && value !== "" ? value : invalid),
};

const stopWords: ParamSpec<StopWords> = {
  kind: "texts",
  default: null,
  doc: 'Words to leave out: a list, or "english" for scikit-learn\'s. Only for words, and before n-grams are made.',
  expected: '"english", a list of strings, or null',
  choices: ["english", null],
  read: (value) => {
    if (value === null || value === "english") return value;
    return Array.isArray(value) && value.every(isText) ? Object.freeze([...value]) : invalid;
  },
};

const ngramRange: ParamSpec<NgramRange> = {
  kind: "numbers",
  default: Object.freeze([1, 1] as const),
  doc: "Least and greatest number of words (or characters) in a term.",
  expected: "two integers [least, greatest] with 1 ≤ least ≤ greatest ≤ 255",
  read: (value) => {
    if (!Array.isArray(value) || value.length !== 2) return invalid;
    const [least, greatest] = value;
    const fine = Number.isInteger(least) && Number.isInteger(greatest) && least >= 1 && least <= greatest;
    return fine && greatest <= 255 ? Object.freeze([least, greatest] as const) : invalid;
  },
};

/** How a document becomes a list of terms. */
export const analyzerParams = {
  lowercase: flag({ default: true, doc: "Convert documents to lower case first." }),
  stripAccents: choice([null, "ascii", "unicode"], {
    default: null,
    doc: 'Strip accents: "unicode" keeps letters of every script, "ascii" also drops all other characters.',
  }),
  preprocessor: callable<Preprocessor>("Replaces lowercase and stripAccents. Cannot be saved."),
  tokenizer: callable<Tokenizer>("Replaces tokenPattern, for words. Cannot be saved."),
  analyzer: choice(["word", "char", "charWb"], {
    default: "word",
    doc: "Terms are made of words, of characters, or of characters inside words (padded with spaces).",
  }),
  stopWords,
  tokenPattern,
  ngramRange,
};

function frequencyBound(name: "minDf" | "maxDf", doc: string): ParamSpec<number> {
  const one = name === "maxDf" ? "1 is all documents" : "1 is one document";
  return {
    kind: "real",
    default: 1,
    doc,
    range: { atLeast: 0 },
    expected: `a fraction of the documents below 1, or a count of documents (${one})`,
    read: (value) => {
      const fine = typeof value === "number" && value >= 0 && (value < 1 || Number.isSafeInteger(value));
      return fine ? (value as number) : invalid;
    },
  };
}

const vocabulary: ParamSpec<readonly string[] | null> = {
  kind: "texts",
  default: null,
  doc: "The terms, in the order of their columns; null learns them.",
  expected: "a list of one or more distinct strings, or null",
  read: (value) => {
    if (value === null) return null;
    if (!Array.isArray(value) || value.length === 0 || !value.every(isText)) return invalid;
    return new Set(value).size === value.length ? Object.freeze([...value]) : invalid;
  },
};

/** Which terms become columns. */
export const vocabularyParams = {
  maxDf: frequencyBound("maxDf", "Ignore terms in more documents than this."),
  minDf: frequencyBound("minDf", "Ignore terms in fewer documents than this."),
  maxFeatures: optional(
    integer({ atLeast: 1, default: 1, doc: "Maximum number of terms; the most frequent ones are kept." }),
  ),
  vocabulary,
  binary: flag({ default: false, doc: "Count each term at most once per document." }),
};

export const tfidfParams = {
  norm: choice(["l1", "l2", null], {
    default: "l2",
    doc: "Norm by which each row is divided; null: none.",
  }),
  useIdf: flag({ default: true, doc: "Weight terms by their inverse document frequency." }),
  smoothIdf: flag({
    default: true,
    doc: "Add one document that contains every term, so that no frequency is 0.",
  }),
  sublinearTf: flag({ default: false, doc: "1 + log(count) instead of the count." }),
};

/** The stop words as a list. */
export const stopWordsOf = (given: StopWords): readonly string[] =>
  given === "english" ? englishStopWords : (given ?? []);
