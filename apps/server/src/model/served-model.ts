import { type Label, type LoadedModel, loadModel, loadModelCard, type ModelCard } from "argmax";
import { type Cell, exampleCell } from "./cells.js";
import { type InputSchema, inputSchema } from "./input-schema.js";
import { type Prediction, predict, type ServedTask, taskOf } from "./prediction.js";
import { type RowReader, rowReader } from "./row-reader.js";

/** A model of a file, ready to answer requests. Never changes: a new file makes a new one. */
export interface ServedModel {
  readonly name: string;
  readonly version: string;
  /** Distinct for every load, so that batch workers never mix up a model and its successor. */
  readonly key: string;
  /** The name of its class, such as FittedPipeline. */
  readonly kind: string;
  readonly task: ServedTask;
  readonly target: string | undefined;
  readonly classes: readonly Label[] | undefined;
  /** Names of the targets of a model of several. */
  readonly targetNames: readonly string[] | undefined;
  readonly schema: InputSchema;
  readonly reader: RowReader;
  readonly model: LoadedModel;
  readonly bytes: Uint8Array;
  /** A row that the model accepts. */
  readonly example: Readonly<Record<string, Cell>>;
  /** What the model predicts for the example; undefined if it refuses it. */
  readonly sample: Prediction | undefined;
  /** Text that every answer begins with, written once. */
  readonly opening: string;
}

let loads = 0;

/** Loads a model and predicts its example row, which also compiles what the first request needs. */
export function serveModel(name: string, version: string, bytes: Uint8Array, key?: string): ServedModel {
  const model = loadModel(bytes);
  if (!("predict" in model || "transform" in model || "scoreSamples" in model))
    throw new Error(`${model.constructor.name} cannot predict rows that it was not fitted to.`);
  const card: ModelCard | undefined = loadModelCard(bytes);
  const schema = inputSchema(model, card);
  const reader = rowReader(schema);
  const { targetNames, classes } = model as LoadedModel & { targetNames?: readonly string[] };
  const example = Object.fromEntries(schema.fields.map((field) => [field.name, exampleCell(field)]));
  return {
    name,
    version,
    key: key ?? `${name}@${version}#${loads++}`,
    kind: model.constructor.name,
    task: taskOf(model),
    target: card?.target,
    classes: classes?.every((label) => typeof label !== "object") ? classes : undefined,
    targetNames,
    schema,
    reader,
    model,
    bytes,
    example,
    sample: samplePrediction(model, reader, example),
    opening: `{"model":${JSON.stringify(name)},"version":${JSON.stringify(version)},`,
  };
}

function samplePrediction(model: LoadedModel, reader: RowReader, example: object): Prediction | undefined {
  try {
    return predict(model, reader.read([example]), { probabilities: true });
  } catch {
    return undefined;
  }
}
