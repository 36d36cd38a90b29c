import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { ArgmaxError, type LoadedModel, loadModel, loadModelCard, type ModelCard } from "argmax";
import { Failure } from "./command.js";
import { requireFile } from "./data/locate.js";

export interface OpenedModel {
  /** `titanic` for `models/titanic.safetensors`. */
  readonly name: string;
  readonly model: LoadedModel;
  /** What it predicts, and from which columns; undefined if it was saved without. */
  readonly card: ModelCard | undefined;
}

/** Reads a model file. Throws a Failure of one sentence if it is not one. */
export async function openModel(path: string): Promise<OpenedModel> {
  await requireFile(path);
  const bytes = await readFile(path);
  const name = basename(path).replace(/(?<=.)\.(?:safetensors|argmax|model|bin)$/i, "");
  try {
    return { name, model: loadModel(bytes), card: loadModelCard(bytes) };
  } catch (error) {
    if (!(error instanceof ArgmaxError)) throw error;
    const { subject, expected, received } = error;
    throw new Failure(
      `${path} is not a model file of Argmax, or it is damaged: ${subject} must be ${shortened(expected)}, got ${received}.`,
    );
  }
}

/** The list of all estimators is no help. */
const shortened = (text: string): string => (text.length > 160 ? "one that this version has" : text);

/** The columns that a model needs, by the card or by the names of its training table; undefined if neither is known. */
export function inputNames({ model, card }: OpenedModel): readonly string[] | undefined {
  if (card !== undefined) return card.inputs.map(({ name }) => name);
  return (model as { readonly featureNamesIn?: readonly string[] }).featureNamesIn;
}
