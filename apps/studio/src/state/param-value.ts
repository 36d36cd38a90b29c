/** The value of a parameter, as the document holds it: plain JSON. */
export type ParamValue =
  | number
  | string
  | boolean
  | null
  | readonly number[]
  /** Rows of a matrix. */
  | readonly (readonly number[])[]
  /** Names of columns. */
  | readonly string[]
  | Part
  | readonly Part[]
  | NamedPart
  | readonly Stage[]
  | readonly EventBlock[]
  | readonly HiddenLayer[];

/** Another estimator: with its defaults, or as a model of the bench is set. */
export type Part = { readonly estimator: string } | { readonly model: string };

/** A loss, a penalty or a solver with its numbers. */
export type NamedPart = {
  readonly name: string;
  readonly settings: Readonly<Record<string, number>>;
};

/** A stage of the estimator `Cascade`. */
export type Stage = {
  readonly part: Part;
  readonly columns: readonly string[];
  readonly cost: number;
  /** Null for a part of the cascade's. */
  readonly sensitivity: number | null;
};

/** Columns of `MixedNB` and their event model. */
export type EventBlock = {
  readonly event: EventModel;
  readonly columns: readonly string[];
};

export const eventModels = ["gaussian", "bernoulli", "categorical", "multinomial"] as const;
type EventModel = (typeof eventModels)[number];

/** A layer before the outputs of `NeuralClassifier` or `NeuralRegressor`. */
export type HiddenLayer =
  | { readonly layer: "dense"; readonly units: number; readonly activation: ActivationName }
  | { readonly layer: "dropout"; readonly rate: number }
  | { readonly layer: "batchNorm" | "layerNorm" };

export const hiddenLayers = ["dense", "dropout", "batchNorm", "layerNorm"] as const;

export const activationNames = ["relu", "tanh", "sigmoid", "gelu", "linear"] as const;
type ActivationName = (typeof activationNames)[number];

export const isPart = (value: unknown): value is Part =>
  isRecord(value) && (typeof value["estimator"] === "string" || typeof value["model"] === "string");

export const isNamedPart = (value: unknown): value is NamedPart =>
  isRecord(value) && typeof value["name"] === "string" && isRecord(value["settings"]);

export const isStage = (value: unknown): value is Stage => isRecord(value) && isPart(value["part"]);

export const isEventBlock = (value: unknown): value is EventBlock =>
  isRecord(value) && typeof value["event"] === "string";

export const isHiddenLayer = (value: unknown): value is HiddenLayer =>
  isRecord(value) && typeof value["layer"] === "string";

/** Ids of the models that a value is made of. */
export function modelsIn(value: ParamValue): readonly string[] {
  if (isPart(value)) return "model" in value ? [value.model] : [];
  if (isListOf(value, isPart)) return value.flatMap(modelsIn);
  return isListOf(value, isStage) ? value.flatMap(({ part }) => modelsIn(part)) : [];
}

/** A list of one kind of entries that is not empty. */
export const isListOf = <T>(value: unknown, isEntry: (entry: unknown) => entry is T): value is readonly T[] =>
  Array.isArray(value) && value.length > 0 && value.every(isEntry);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
