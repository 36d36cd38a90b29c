import { workloadsWith } from "../workload.js";
import { argmax, sklearn } from "./contestants.js";

/** "At least as fast, and the same numbers." */
const transformed = { ratio: 1, objective: 1e-9 } as const;

export const tables = workloadsWith({ group: "tables", action: "columns", pledge: transformed }, [
  {
    id: "one-hot-strings",
    title: "one-hot of 10⁶ strings, 1,000 categories",
    data: { kind: "mixed", rows: 1_000_000, numbers: 0, categories: [1000], seed: 61 },
    contestants: [
      argmax("OneHotEncoder", { numbers: 0 }),
      sklearn("preprocessing.OneHotEncoder", { numbers: 0 }),
    ],
    note: "From an array of strings: the time of making a table of it counts.",
  },
  {
    id: "table-vectorizer",
    title: "a table as numbers, 100,000 × 15, 5 of them strings, with gaps",
    data: { kind: "mixed", rows: 100_000, numbers: 10, categories: [3, 8, 15, 25, 40], seed: 62 },
    contestants: [
      argmax("TableVectorizer", { numbers: 10 }),
      sklearn("compose.ColumnTransformer", { numbers: 10 }),
    ],
    note: "scikit-learn is told what to do with each column of a DataFrame: median and scaling, one-hot with rare categories together.",
  },
]);
