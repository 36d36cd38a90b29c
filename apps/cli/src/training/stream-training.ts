import type { FittedModel, FittedTransformer, Label, Table, VectorizerParams } from "argmax";
import {
  DummyClassifier,
  DummyRegressor,
  guessTask,
  loadModel,
  modelCard,
  modelSettings,
  Pipeline,
  preparedFor,
  saveModel,
} from "argmax";
import { Failure, readChoice, UsageError } from "../command.js";
import { readSourceOptions } from "../data/options.js";
import { streamTables } from "../data/stream.js";
import { splitTarget } from "../data/target.js";
import { findLearner, type Learner, readSettings, type Task } from "./learners.js";
import { streamingNames } from "./streaming-names.js";
import { type TrainingData, trainingColumns } from "./training-data.js";
import { readVectorizer, type TrainingValues } from "./training-options.js";

/** Rows that are learned at once; what prepares the columns learns from the first of these batches. */
const BATCH = 50_000;

interface StreamValues extends TrainingValues {
  readonly model: string;
  readonly set?: readonly string[] | undefined;
  readonly plain?: boolean | undefined;
}

type StreamLearner = Learner & {
  partialFit(model: FittedModel | null, x: unknown, y: unknown, options?: object): FittedModel;
};

export interface Streamed {
  readonly model: FittedModel;
  readonly card: ReturnType<typeof modelCard>;
  readonly id: string;
  /** Parameters that differ from their defaults. */
  readonly settings: string;
  readonly rows: number;
  readonly task: Task;
}

/**
 * Learns from a source of any size in batches. A first pass reads the target alone, since a model must know all classes from the beginning;
 * every epoch is a pass over all columns.
 */
export async function trainInStream(
  source: string,
  values: StreamValues,
  epochs: number,
  randomState: number,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<Streamed> {
  if (source === "-")
    throw new UsageError("--stream reads its source more than once: write standard input to a file first.");
  const { target } = values;
  if (target === undefined) throw new UsageError("--target is missing: the column to predict.");
  const { task, classes } = await readTargets(source, values, target, signal);
  const { id, create, table, capabilities } = findLearner(values.model, task);
  if (!capabilities.partialFit)
    throw new UsageError(
      `${id} learns from all rows at once, not in a stream. Those that do are ${streamingNames().join(", ")}; or train on a sample, as --rows 500000.`,
    );
  const seeded = "randomState" in table ? { randomState } : {};
  const estimator = create({ ...seeded, ...readSettings(values.set) }) as StreamLearner;
  const run = new StreamRun(estimator, task, classes, values.plain === true, readVectorizer(values));
  for (let epoch = 0; epoch < epochs; epoch++) {
    for await (const batch of batches(source, values, target, signal)) {
      run.learn(batch);
      onRows(run.rows);
    }
  }
  return run.finish(target, epochs);
}

async function* batches(
  source: string,
  values: StreamValues,
  target: string,
  signal: AbortSignal,
): AsyncGenerator<Pick<TrainingData, "X" | "y">> {
  for await (const table of streamTables(source, {
    ...readSourceOptions(values, signal),
    batchRows: BATCH,
  })) {
    signal.throwIfAborted();
    const name = source;
    const column = table.column(target);
    if (column.missing === column.length) continue;
    const { X, y } = splitTarget({ name, table, remarks: [] }, target);
    yield { X: trainingColumns(name, X, values), y };
  }
}

/** The task and, for a classification, the classes of all rows. */
async function readTargets(
  source: string,
  values: StreamValues,
  target: string,
  signal: AbortSignal,
): Promise<{ readonly task: Task; readonly classes: readonly Label[] | undefined }> {
  const asked =
    values.task === undefined ? undefined : readChoice("task", values.task, ["classification", "regression"]);
  const seen = new Set<Label>();
  const options = { ...readSourceOptions(values, signal), columns: [target], batchRows: BATCH };
  for await (const table of streamTables(source, options)) {
    for (const label of table.column(target).toArray()) if (label !== null) seen.add(label as Label);
    if (seen.size > MOST_CLASSES) break;
  }
  if (seen.size === 0)
    throw new Failure(
      `Column ${JSON.stringify(target)} of ${source} has no entries: there is nothing to learn.`,
    );
  const task = asked ?? guessTask([...seen]);
  if (task === "classification" && seen.size > MOST_CLASSES)
    throw new Failure(`Column ${JSON.stringify(target)} of ${source} has more than ${MOST_CLASSES} classes.`);
  return { task, classes: task === "classification" ? [...seen] : undefined };
}

const MOST_CLASSES = 10_000;

/** The steps that prepare rows, as the first batch taught them, and the model so far. */
class StreamRun {
  #prepare: ((x: Table) => unknown) | undefined;
  /** The state of a pipeline whose last step is a placeholder. */
  #pipeline: FittedModel | undefined;
  #model: FittedModel | null = null;
  #first: Table | undefined;
  rows = 0;

  constructor(
    readonly estimator: StreamLearner,
    readonly task: Task,
    readonly classes: readonly Label[] | undefined,
    readonly plain: boolean,
    readonly vectorizer: VectorizerParams,
  ) {}

  learn({ X, y }: Pick<TrainingData, "X" | "y">): void {
    this.#prepare ??= this.#prepared(X, y);
    const options = this.#model === null && this.classes ? { classes: this.classes } : {};
    this.#model = this.estimator.partialFit(this.#model, this.#prepare(X), y, options);
    this.rows += y.length;
  }

  finish(target: string, epochs: number): Streamed {
    if (this.#model === null) throw new Failure("There are no rows to learn from.");
    const rows = this.rows / epochs;
    const card = { ...modelCard(this.#first!, { target, task: this.task }), rows };
    const { estimator, task } = this;
    const settings = modelSettings(estimator);
    return { model: this.#whole(this.#model), card, id: estimator.id, settings, rows, task };
  }

  #prepared(X: Table, y: TrainingData["y"]): (x: Table) => unknown {
    this.#first = X;
    const { plain, estimator, vectorizer } = this;
    const whole: unknown = plain ? estimator : preparedFor(estimator, X, { vectorizer });
    if (whole === this.estimator) return (x) => x;
    const last = this.task === "classification" ? new DummyClassifier() : new DummyRegressor();
    const fitted = new Pipeline({ steps: [...(whole as Pipeline).steps.slice(0, -1), last] }).fit(X, y);
    this.#pipeline = fitted;
    const before: readonly (FittedModel & Partial<FittedTransformer<unknown>>)[] = fitted.steps.slice(0, -1);
    return (x) => before.reduce<unknown>((rows, step) => step.transform!(rows), x);
  }

  /** The model behind its steps: the placeholder gives way to what was learned. */
  #whole(model: FittedModel): FittedModel {
    if (this.#pipeline === undefined) return model;
    const state = this.#pipeline.toState();
    const described = (state.params as { readonly steps: readonly unknown[] }).steps;
    const steps = [...described.slice(0, -1), this.estimator.toJSON()];
    const parts = [...state.parts!.slice(0, -1), model.toState()];
    const toState = () => ({ ...state, params: { ...state.params, steps }, parts });
    return loadModel(saveModel({ ...this.#pipeline, toState }));
  }
}
