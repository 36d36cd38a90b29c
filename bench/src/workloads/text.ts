import type { DataSpec } from "../data/spec.js";
import type { Workload } from "../workload.js";
import { argmax, sklearn } from "./contestants.js";

const descriptions: DataSpec = { kind: "texts", megabytes: 14 };

/** "Far faster, and the same numbers." */
const vectorized = { ratio: 3, objective: 1e-9 } as const;

const row = (id: string, title: string, name: string, ours: object = {}, theirs: object = {}): Workload => ({
  id,
  title: `${title}, 14 MB of package descriptions`,
  group: "text",
  action: "vectorize",
  data: descriptions,
  contestants: [argmax(name, ours), sklearn(`feature_extraction.text.${name}`, theirs)],
  pledge: vectorized,
});

export const text: readonly Workload[] = [
  row("count-words", "count words", "CountVectorizer"),
  row(
    "count-bigrams",
    "count words and pairs",
    "CountVectorizer",
    { ngramRange: [1, 2] },
    { ngram_range: [1, 2] },
  ),
  row("tfidf", "tf-idf", "TfidfVectorizer"),
  row("hashing", "hash words", "HashingVectorizer"),
  {
    id: "classify-one-text",
    title: "class of one document from its text, tf-idf and naive Bayes",
    group: "text",
    action: "classifyOne",
    data: descriptions,
    contestants: [
      argmax("pipeline", { steps: ["TfidfVectorizer", "MultinomialNB"] }),
      sklearn("pipeline", {
        steps: ["feature_extraction.text.TfidfVectorizer", "naive_bayes.MultinomialNB"],
      }),
    ],
    pledge: { ratio: 10, seconds: 5e-5 },
    note: "Learned from 5,000 documents; one string in, one class out. The objective is the number of predictions of class 1.",
  },
];
