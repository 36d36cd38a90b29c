import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LogisticRegression, modelCard, pipeline, StandardScaler, SVC, saveModel } from "argmax";
import { loadIncluded } from "../../src/data/included.js";
import { includedNames } from "../../src/data/locate.js";
import { splitTarget } from "../../src/data/target.js";
import { openWriter } from "../../src/data/write.js";

/** Every included dataset as a CSV file: iris.csv, titanic.csv, …. */
export async function writeDatasets(folder: string, names: readonly string[] = includedNames): Promise<void> {
  for (const name of names) {
    const writer = await openWriter(join(folder, `${name}.csv`));
    await writer.write((await loadIncluded(name)).table);
    await writer.close();
  }
}

/** iris.safetensors, a pipeline with a card, and svm.safetensors, an SVC of integer classes without one. */
export async function writeModels(folder: string): Promise<void> {
  const { X, y, target } = splitTarget(await loadIncluded("iris"), undefined);
  const card = modelCard(X, { target, task: "classification" });
  const model = pipeline(new StandardScaler(), new LogisticRegression()).fit(X, y);
  await writeFile(join(folder, "iris.safetensors"), saveModel(model, { card }));
  const codes = y.map((label) => ["setosa", "versicolor", "virginica"].indexOf(String(label)));
  await writeFile(join(folder, "svm.safetensors"), saveModel(new SVC().fit(X, codes)));
}
