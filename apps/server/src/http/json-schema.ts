import type { Label } from "argmax";
import type { Field, InputSchema } from "../model/input-schema.js";
import type { ServedModel } from "../model/served-model.js";

/** A schema of JSON (draft 2020-12), as OpenAPI 3.1 has it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The schema of a row. */
export function fieldSchema({ fields }: InputSchema): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, cellSchema(field)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function cellSchema(field: Field): JsonSchema {
  const { kind, nullable, categories, min, max, example } = field;
  const seen =
    min !== undefined && max !== undefined
      ? { description: `From ${min} to ${max} in the training rows.` }
      : {};
  const known = categories
    ? { description: `Categories of the training rows: ${categories.join(", ")}.` }
    : {};
  return {
    ...(kind === "date" ? { format: "date-time" } : {}),
    type: typesOf(kind, nullable),
    ...seen,
    ...known,
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

function typesOf(kind: Field["kind"], nullable: boolean): string | string[] {
  const types: Readonly<Record<Field["kind"], readonly string[]>> = {
    numeric: ["number"],
    boolean: ["boolean"],
    date: ["string", "number"],
    categorical: ["string"],
    text: ["string"],
    any: ["number", "string", "boolean"],
  };
  const all = nullable ? [...types[kind], "null"] : types[kind];
  return all.length === 1 ? all[0]! : [...all];
}

const number: JsonSchema = { type: ["number", "null"] };

const labelsSchema = (classes: readonly Label[] | undefined): JsonSchema =>
  classes === undefined ? { type: ["string", "number", "boolean"] } : { enum: [...classes] };

/** The schema of the prediction of a row. */
export function predictionSchema({ sample, classes, targetNames }: ServedModel): JsonSchema {
  switch (sample?.kind) {
    case "labels": {
      const names = (classes ?? []).map(String);
      const probabilities = {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, number])),
        required: names,
      };
      const label = labelsSchema(classes);
      return {
        type: "object",
        properties: sample.probabilities === undefined ? { label } : { label, probabilities },
        required: ["label"],
      };
    }
    case "labelRows":
      return { type: "array", items: labelsSchema(undefined) };
    case "numbers":
      return number;
    case "rows":
      return targetNames === undefined
        ? { type: "array", items: number, minItems: sample.cols, maxItems: sample.cols }
        : { type: "object", properties: Object.fromEntries(targetNames.map((name) => [name, number])) };
    default:
      return {};
  }
}
