import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type FittedModel, type ModelCard, modelCard, saveModel } from "argmax";
import type { TrainingData } from "./training-data.js";

/** Where a model is written: what -o says, or a file named after the data. */
export const modelPath = (given: string | undefined, { name }: Pick<TrainingData, "name">): string =>
  given ?? `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-") || "model"}.safetensors`;

/** Writes a model and what it expects. A reader never sees half a file. Returns its size in bytes. */
export const writeModel = (path: string, model: FittedModel, { X, target, task }: TrainingData): number =>
  writeWithCard(path, model, modelCard(X, { target, task }));

export function writeWithCard(path: string, model: FittedModel, card: ModelCard): number {
  const bytes = saveModel(model, { card });
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, path);
  return bytes.length;
}

export const showBytes = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(1)} KB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
