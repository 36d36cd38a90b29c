import type { VectorizerParams } from "argmax";
import { type Options, readInteger } from "../command.js";
import { type SourceValues, sourceOptions } from "../data/options.js";

export const dataArgument = {
  name: "DATA",
  doc: "a file (CSV, Parquet, JSON, …), a database, or an included dataset",
} as const;

/** Options of every command that learns from a table. */
export const trainingOptions = {
  target: { type: "string", short: "t", value: "COL", doc: "The column to predict" },
  drop: {
    type: "string",
    value: "A,B",
    multiple: true,
    doc: "Columns to leave out: ids, and what is known only afterwards",
  },
  task: {
    type: "string",
    value: "TASK",
    doc: "classification or regression; otherwise the target decides: text and few whole numbers are classes",
  },
  "text-words": {
    type: "string",
    value: "N",
    doc: "Most words of a column of free text; otherwise linear models, SVC and SVR read all (up to 50,000), other models the 300 most frequent",
  },
  "text-ngrams": {
    type: "string",
    value: "N",
    doc: "Terms of free text are of up to N words: 2 is words and pairs of words",
  },
  "text-min-rows": { type: "string", value: "N", doc: "Leave out words of free text in fewer than N rows" },
  ...sourceOptions,
} as const satisfies Options;

export interface TrainingValues extends SourceValues {
  readonly target?: string | undefined;
  readonly drop?: readonly string[] | undefined;
  readonly task?: string | undefined;
  readonly "text-words"?: string | undefined;
  readonly "text-ngrams"?: string | undefined;
  readonly "text-min-rows"?: string | undefined;
}

/** How free text becomes numbers, as the options say. */
export function readVectorizer(values: TrainingValues): VectorizerParams {
  const read = (name: "text-words" | "text-ngrams" | "text-min-rows", most: number) => {
    const text = values[name];
    return text === undefined ? undefined : readInteger(name, text, 1, most);
  };
  const [words, ngrams, rows] = [
    read("text-words", 1e7),
    read("text-ngrams", 10),
    read("text-min-rows", 1e9),
  ];
  return {
    ...(words !== undefined && { maxTerms: words }),
    ...(ngrams !== undefined && { ngramRange: [1, ngrams] as const }),
    ...(rows !== undefined && { minDf: rows }),
  };
}
