import type { Label } from "../core/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { Table } from "../data/table/table.js";

interface Described {
  /** Names of the columns of X. */
  readonly featureNames: readonly string[];
  readonly targetName: string;
  readonly description: string;
  readonly source: string;
  readonly licence: string;
  readonly X: Matrix;
}

export interface ClassificationDataset<N extends string, L extends Label> extends Described {
  readonly name: N;
  readonly task: "classification";
  readonly y: L[];
  /** Sorted, as in `model.classes`. */
  readonly classes: readonly L[];
}

export interface RegressionDataset<N extends string> extends Described {
  readonly name: N;
  readonly task: "regression";
  readonly y: Float64Array;
}

export type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export type PenguinSpecies = "Adelie" | "Chinstrap" | "Gentoo";

export type PenguinTable = Table<{
  readonly species: PenguinSpecies;
  readonly island: "Biscoe" | "Dream" | "Torgersen";
  readonly billLength: number;
  readonly billDepth: number;
  readonly flipperLength: number;
  readonly bodyMass: number;
  readonly sex: "female" | "male";
}>;

export interface PenguinsDataset extends ClassificationDataset<"penguins", PenguinSpecies> {
  /** All 344 birds and all columns, missing values included; X and y are the 342 rows with all four measurements. */
  readonly table: PenguinTable;
}

export interface Datasets {
  readonly iris: ClassificationDataset<"iris", "setosa" | "versicolor" | "virginica">;
  readonly wine: ClassificationDataset<"wine", "class_0" | "class_1" | "class_2">;
  readonly breastCancer: ClassificationDataset<"breastCancer", "benign" | "malignant">;
  readonly digits: ClassificationDataset<"digits", Digit>;
  readonly diabetes: RegressionDataset<"diabetes">;
  readonly penguins: PenguinsDataset;
}

export type DatasetName = keyof Datasets;

/** The mailing list that a mail was sent to. */
export type MailTopic = "exmh" | "fork" | "ilug" | "rpm" | "spamassassin";

/** Documents and labels. */
export interface TextDataset<N extends string, L extends Label>
  extends Omit<ClassificationDataset<N, L>, "X" | "featureNames"> {
  readonly texts: string[];
}

export interface TextDatasets {
  readonly spam: TextDataset<"spam", "ham" | "spam">;
  readonly mailTopics: TextDataset<"mailTopics", MailTopic>;
}

/** The text of a CSV file, names in its first row. */
export interface CsvDataset<N extends string> {
  readonly name: N;
  readonly task: "classification" | "regression";
  readonly csv: string;
  readonly targetName: string;
  readonly description: string;
  readonly source: string;
  readonly licence: string;
}

export interface CsvDatasets {
  readonly titanic: CsvDataset<"titanic">;
}

export type CsvDatasetName = keyof CsvDatasets;

export type TextDatasetName = keyof TextDatasets;
