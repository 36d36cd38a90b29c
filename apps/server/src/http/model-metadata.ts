import type { ServedModel } from "../model/served-model.js";
import { fieldSchema } from "./json-schema.js";

/** What `GET /v1/models/:name` returns. */
export function modelMetadata(model: ServedModel, versions: readonly string[]) {
  const { name, version, kind, task, target, classes, targetNames, schema, example } = model;
  return {
    name,
    version,
    versions,
    kind,
    task,
    target,
    classes,
    targets: targetNames,
    probabilities: model.sample?.kind === "labels" && model.sample.probabilities !== undefined,
    input: {
      fields: schema.fields.map(({ name, kind, nullable, required, categories, min, max }) => ({
        name,
        kind,
        nullable,
        required,
        categories,
        min,
        max,
      })),
      schema: fieldSchema(schema),
    },
    example,
  };
}
