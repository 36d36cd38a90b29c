import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  LogisticRegression,
  MLPClassifier,
  pipeline,
  RandomForestClassifier,
  StandardScaler,
  saveModel,
  TfidfVectorizer,
} from "argmax";
import { loadDataset, loadTexts } from "argmax/datasets";

/** A row of the table: requests of one kind to one model. */
export interface ServingWorkload {
  readonly model: "iris" | "forest" | "mails" | "mlp";
  readonly title: string;
  readonly rows: number;
  readonly body: string;
}

export interface Prepared {
  readonly workloads: readonly ServingWorkload[];
  /** The 100,000 rows of the last measurement. */
  readonly batch: string;
}

/** Fits the models of argmax, writes them to `folder/models`, and the data for scikit-learn to `folder/data.json`. */
export async function prepare(folder: string): Promise<Prepared> {
  const iris = await loadDataset("iris");
  const mails = await loadTexts("spam");
  const { X, y } = iris;
  const save = (name: string, bytes: Uint8Array) =>
    writeFileSync(join(folder, "models", `${name}.safetensors`), bytes);
  save("iris", saveModel(pipeline(new StandardScaler(), new LogisticRegression()).fit(X, y)));
  save("forest", saveModel(new RandomForestClassifier({ nEstimators: 100 }).fit(X, y)));
  save(
    "mails",
    saveModel(pipeline(new TfidfVectorizer(), new LogisticRegression()).fit(mails.texts, mails.y)),
  );
  const network = new MLPClassifier({ hiddenLayerSizes: [64, 64] });
  save("mlp", saveModel(pipeline(new StandardScaler(), network).fit(X, y)));
  const rows = Array.from({ length: X.rows }, (_, i) =>
    Array.from(X.data.subarray(i * X.cols, (i + 1) * X.cols)),
  );
  const data = { iris: { X: rows, y: Array.from(y) }, mails: { texts: mails.texts, y: mails.y } };
  writeFileSync(join(folder, "data.json"), JSON.stringify(data));
  const bodyOf = (source: readonly unknown[], count: number) =>
    JSON.stringify({ rows: Array.from({ length: count }, (_, i) => source[i % source.length]) });
  const models = [
    ["iris", "logistic regression, iris", rows],
    ["forest", "forest of 100 trees, iris", rows],
    ["mails", "tf-idf and logistic regression, mails", mails.texts],
    ["mlp", "MLP 4–64–64–3, iris", rows],
  ] as const;
  const workloads = models.flatMap(([model, title, source]) =>
    [1, 100].map((count) => ({ model, title, rows: count, body: bodyOf(source, count) })),
  );
  return { workloads, batch: bodyOf(rows, 100_000) };
}
