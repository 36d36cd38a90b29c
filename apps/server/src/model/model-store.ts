import { readFile } from "node:fs/promises";
import { compareVersions, findModelFiles, type ModelFile } from "./model-files.js";
import { type ServedModel, serveModel } from "./served-model.js";

/** A file that could not be loaded. The model that was loaded from it before, if any, stays in use. */
interface LoadProblem {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly message: string;
  /** Whether an earlier model of that name and version answers instead. */
  readonly kept: boolean;
}

interface StoreNews {
  loaded?(model: ServedModel, path: string, milliseconds: number): void;
  unloaded?(model: ServedModel): void;
  failed?(problem: LoadProblem): void;
  /** The files could not be listed. Called once per reason. */
  scanFailed?(message: string): void;
}

interface Slot {
  readonly stamp: string;
  readonly model: ServedModel | undefined;
  readonly problem: LoadProblem | undefined;
  /** Scans since the file was last seen. */
  readonly absent: number;
}

/** A file that is replaced by "remove, then write" is gone for a moment: a model is dropped at the second scan without its file. */
const SCANS_WITHOUT_FILE = 2;

/** The models of files and of a folder by name and version, as of the latest scan. */
export class ModelStore {
  readonly #files: readonly string[];
  readonly #folder: string | undefined;
  readonly #news: StoreNews;
  #slots: ReadonlyMap<string, Slot> = new Map();
  /** By name, then by version; the map is replaced as a whole, so that a request sees one state. */
  #models: ReadonlyMap<string, ReadonlyMap<string, ServedModel>> = new Map();
  #scanning: Promise<void> | undefined;
  #scanProblem: string | undefined;
  #isScanned = false;

  constructor(files: readonly string[], folder: string | undefined, news: StoreNews = {}) {
    this.#files = files;
    this.#folder = folder;
    this.#news = news;
  }

  /** Names in alphabetical order. */
  get names(): readonly string[] {
    return [...this.#models.keys()].sort();
  }

  get all(): readonly ServedModel[] {
    return this.names.flatMap((name) => this.versions(name).map((version) => this.find(name, version)!));
  }

  /** Versions of a model, the latest last. */
  versions(name: string): readonly string[] {
    return [...(this.#models.get(name)?.keys() ?? [])];
  }

  /** A model; without a version, the latest. */
  find(name: string, version?: string): ServedModel | undefined {
    const versions = this.#models.get(name);
    if (versions === undefined) return undefined;
    if (version !== undefined) return versions.get(version);
    let latest: ServedModel | undefined;
    for (const model of versions.values()) latest = model;
    return latest;
  }

  get problems(): readonly LoadProblem[] {
    return [...this.#slots.values()].flatMap(({ problem }) => problem ?? []);
  }

  /** Why the folder could not be read at the latest scan. */
  get scanProblem(): string | undefined {
    return this.#scanProblem;
  }

  /** Whether all files were looked at once and there is a model to answer with. */
  get isReady(): boolean {
    return this.#isScanned && this.#models.size > 0;
  }

  /** Loads what is new or changed. Calls during a scan wait for it: there is one at a time. */
  async scan(): Promise<void> {
    while (this.#scanning !== undefined) await this.#scanning;
    this.#scanning = this.#scan().finally(() => {
      this.#scanning = undefined;
    });
    await this.#scanning;
  }

  async #scan(): Promise<void> {
    let files: readonly ModelFile[];
    try {
      files = await findModelFiles(this.#files, this.#folder);
      this.#scanProblem = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#scanProblem) this.#news.scanFailed?.(message);
      this.#scanProblem = message;
      this.#isScanned = true;
      return;
    }
    const slots = new Map<string, Slot>();
    for (const file of files) {
      const key = `${file.name}@${file.version}`;
      const before = this.#slots.get(key);
      if (before?.stamp === file.stamp) slots.set(key, { ...before, absent: 0 });
      else slots.set(key, await this.#load(file, before?.model));
    }
    for (const [key, slot] of this.#slots)
      if (!slots.has(key) && slot.model && slot.absent + 1 < SCANS_WITHOUT_FILE)
        slots.set(key, { ...slot, problem: undefined, absent: slot.absent + 1 });
    this.#swap(slots);
  }

  async #load(file: ModelFile, before: ServedModel | undefined): Promise<Slot> {
    const { name, version, path, stamp } = file;
    const start = performance.now();
    try {
      const model = serveModel(name, version, await readFile(path));
      this.#news.loaded?.(model, path, performance.now() - start);
      return { stamp, model, problem: undefined, absent: 0 };
    } catch (error) {
      const problem = { path, name, version, message: (error as Error).message, kept: before !== undefined };
      this.#news.failed?.(problem);
      return { stamp, model: before, problem, absent: 0 };
    }
  }

  /** From one line to the next all requests see the new models; those that run keep theirs. */
  #swap(slots: ReadonlyMap<string, Slot>): void {
    const before = this.all;
    const models = new Map<string, Map<string, ServedModel>>();
    const loaded = [...slots.values()].flatMap(({ model }) => model ?? []);
    loaded.sort((a, b) => compareVersions(a.version, b.version));
    for (const model of loaded) {
      const versions = models.get(model.name) ?? new Map<string, ServedModel>();
      models.set(model.name, versions.set(model.version, model));
    }
    this.#slots = slots;
    this.#models = models;
    this.#isScanned = true;
    const kept = new Set(loaded);
    for (const model of before) if (!kept.has(model)) this.#news.unloaded?.(model);
  }
}
