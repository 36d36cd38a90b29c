import { computed } from "@preact/signals";
import type { ModelSpec } from "../work/protocol.js";
import { type Resolved, resolveModel } from "./resolve-model.js";
import { classes, document, roles } from "./session.js";

const models = computed(() => document.value.models);

/** Every model with all that it is made of, by its id. */
const resolved = computed((): ReadonlyMap<string, Resolved> => {
  const { features = [], target = null } = roles.value ?? {};
  const bench = { models: models.value, features, target, classes: classes.value };
  return new Map(models.value.map((model) => [model.id, resolveModel(model, bench)]));
});

/** A model as workers are asked for it, or why it cannot be made. */
export const resolvedModel = (id: string): Resolved =>
  resolved.value.get(id) ?? { problem: "The model is no longer on the bench." };

/** The same; undefined where it cannot be made. */
export const modelSpec = (id: string | null): ModelSpec | undefined =>
  id === null ? undefined : resolvedModel(id).spec;
