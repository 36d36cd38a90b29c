import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type FittedModel, type ModelCard, modelCard, saveModel } from "argmax";
import { Failure, UsageError } from "./command.js";
import {
  type Described,
  describeFitted,
  differenceOf,
  isSameModel,
  readDescribed,
  showDescribed,
} from "./described-model.js";
import { shellWord } from "./shell.js";
import type { TrainingData } from "./training/training-data.js";
import { writeFailure } from "./write-failure.js";

/** The option of every command that saves a model. */
export const forceOption = {
  type: "boolean",
  doc: "Replace a file that holds another model",
} as const;

/** The option that names the file of a model. */
export const outputOption = (doc: string) => ({ type: "string", short: "o", value: "MODEL", doc }) as const;

/** Where a model is written: what -o says, or a file named after the data and, of `train` and `tune`, the model. */
export function modelPath(given: string | undefined, ...words: readonly string[]): string {
  const plain = words
    .map((word) => word.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-"))
    .filter((word) => word !== "");
  return given ?? `${plain.join("-") || "model"}.safetensors`;
}

/** A model that was written. */
export interface Written {
  readonly path: string;
  readonly bytes: number;
  /** The file that was expected to hold it and was left as it is, with what it holds; undefined if there was none. */
  readonly kept: { readonly path: string; readonly held: string } | undefined;
}

/**
 * The file of a model. It is replaced by the same model trained again: the same estimator and parameters, target and columns, of whatever
 * rows. Another model is never replaced without --force: commands that know the model beforehand refuse before the training, and others
 * save it under a name that is free.
 */
export class ModelOutput {
  /** Refuses a path that cannot be written, that is read by the same command, or that holds something other than a model. */
  constructor(
    readonly path: string,
    readonly force: boolean,
    sources: readonly string[],
  ) {
    requireOther(path, sources);
    requireWritable(path);
    if (this.#occupant() === "no model")
      throw new Failure(`${path} exists and is not a model of Argmax. ${this.#ways()}`);
  }

  /** What the file holds now; undefined where anything may replace it. */
  #occupant(): Described | "no model" | undefined {
    if (this.force || !existsSync(this.path) || statSync(this.path).size === 0) return undefined;
    return readDescribed(readFileSync(this.path)) ?? "no model";
  }

  /** Refuses before the training what would replace another model; `wanted` is what is known of it by now. */
  requireFree(wanted: Described): void {
    const occupant = this.#occupant();
    if (occupant === undefined || occupant === "no model" || isSameModel(occupant, wanted)) return;
    throw new Failure(
      `${this.path} holds another model: ${showDescribed(occupant)}${differenceOf(occupant, wanted)}. ${this.#ways()}`,
    );
  }

  /** What becomes of a model that is there, where the training decides which one comes; undefined if there is none. */
  get note(): string | undefined {
    const occupant = this.#occupant();
    if (occupant === undefined || occupant === "no model") return undefined;
    return `${this.path} holds ${showDescribed(occupant)}. Only the same model, trained again, replaces it; another one is saved as ${freePath(this.path)}. --force replaces it in any case.`;
  }

  /** Writes a model and what it expects, under another name if the file holds another model. A reader never sees half a file. */
  write(model: FittedModel, card: ModelCard): Written {
    const occupant = this.#occupant();
    const isReplaced =
      occupant === undefined ||
      (occupant !== "no model" && isSameModel(occupant, describeFitted(model, card)));
    const path = isReplaced ? this.path : freePath(this.path);
    const bytes = writeFile(path, saveModel(model, { card }));
    if (isReplaced) return { path, bytes, kept: undefined };
    const held = occupant === "no model" ? occupant : showDescribed(occupant);
    return { path, bytes, kept: { path: this.path, held } };
  }

  #ways(): string {
    return `Keep it and save under another name, as --output ${shellWord(freePath(this.path))}, or replace it with --force.`;
  }
}

/** `iris-2.safetensors`: the first of these names that is free. */
function freePath(path: string): string {
  const [, stem, ending] = /^(.*?)(\.[^./]*)?$/s.exec(path)!;
  for (let k = 2; ; k++) {
    const other = `${stem}-${k}${ending ?? ""}`;
    if (!existsSync(other)) return other;
  }
}

/** Throws if a model could not be written there: better before the training than after it. */
function requireWritable(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw writeFailure(path, error);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Failure(`${path} is a folder: name a file in it, as ${join(path, "model.safetensors")}.`);
}

/** Throws if an output is one of the files that the command reads. */
export function requireOther(output: string | undefined, sources: readonly string[]): void {
  const real = (path: string) => {
    try {
      return realpathSync(path);
    } catch {
      return undefined;
    }
  };
  const own = output === undefined ? undefined : real(output);
  if (own !== undefined && sources.some((source) => real(source) === own))
    throw new UsageError(`${output} is read by this command: write to another file.`);
}

export const cardOf = ({ X, target, task }: TrainingData): ModelCard => modelCard(X, { target, task });

function writeFile(path: string, bytes: Uint8Array): number {
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

const showBytes = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(1)} KB`
      : `${(bytes / 1e6).toFixed(1)} MB`;

/** `in iris.safetensors (3.2 KB)`, and why it is not where it was expected. */
export function showWritten({ path, bytes, kept }: Written): string {
  const place = `in ${path} (${showBytes(bytes)})`;
  return kept === undefined
    ? `${place}.`
    : `${place}. ${kept.path} was kept: it holds ${kept.held}. --force replaces it.`;
}
