import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type FittedModel,
  LogisticRegression,
  modelCard,
  pipeline,
  preparedFor,
  RandomForestClassifier,
  StandardScaler,
  SVC,
  saveModel,
} from "argmax";
import { loadIncluded } from "../../src/data/included.js";
import { includedNames } from "../../src/data/locate.js";
import { splitTarget } from "../../src/data/target.js";
import { openWriter } from "../../src/data/write/write.js";

/** Every included dataset as a CSV file: iris.csv, titanic.csv, …. */
export async function writeDatasets(folder: string, names: readonly string[] = includedNames): Promise<void> {
  for (const name of names) {
    const writer = await openWriter(join(folder, `${name}.csv`));
    await writer.write((await loadIncluded(name)).table);
    await writer.close();
  }
}

/**
 * iris.safetensors and model.safetensors (of penguins), pipelines with cards, and svm.safetensors, an SVC of integer classes without one.
 */
export async function writeModels(folder: string): Promise<void> {
  const { X, y, target } = splitTarget(await loadIncluded("iris"), undefined);
  const card = modelCard(X, { target, task: "classification" });
  const model = pipeline(new StandardScaler(), new LogisticRegression()).fit(X, y);
  await writeFile(join(folder, "iris.safetensors"), saveModel(model, { card }));
  const codes = y.map((label) => ["setosa", "versicolor", "virginica"].indexOf(String(label)));
  await writeFile(join(folder, "svm.safetensors"), saveModel(new SVC().fit(X, codes)));
  const penguins = splitTarget(await loadIncluded("penguins"), undefined);
  const learner = preparedFor(new RandomForestClassifier({ nEstimators: 20 }), penguins.X);
  const forest = (learner as { fit(x: unknown, y: unknown): FittedModel }).fit(penguins.X, penguins.y);
  const about = modelCard(penguins.X, { target: penguins.target, task: "classification" });
  await writeFile(join(folder, "model.safetensors"), saveModel(forest, { card: about }));
}
