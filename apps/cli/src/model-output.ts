import { accessSync, constants, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FittedModel, type ModelCard, modelCard, saveModel } from "argmax";
import { Failure } from "./command.js";
import type { TrainingData } from "./training-data.js";
import { writeFailure } from "./write-failure.js";

/** Where a model is written: what -o says, or a file named after the data. */
export const modelPath = (given: string | undefined, { name }: Pick<TrainingData, "name">): string =>
  given ?? `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-") || "model"}.safetensors`;

/** Throws if a model could not be written there: better before the training than after it. */
export function requireWritable(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw writeFailure(path, error);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Failure(`${path} is a folder: name a file in it, as ${join(path, "model.safetensors")}.`);
}

/** Writes a model and what it expects. A reader never sees half a file. Returns its size in bytes. */
export const writeModel = (path: string, model: FittedModel, { X, target, task }: TrainingData): number =>
  writeWithCard(path, model, modelCard(X, { target, task }));

export function writeWithCard(path: string, model: FittedModel, card: ModelCard): number {
  const bytes = saveModel(model, { card });
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, bytes);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw writeFailure(path, error);
  }
  return bytes.length;
}

export const showBytes = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(1)} KB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
