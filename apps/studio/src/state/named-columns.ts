import { computed } from "@preact/signals";
import { roles, table } from "./session.js";

/** Features that a parameter can name: all but free text. */
export const namedColumns = computed((): readonly string[] => {
  const kinds = new Map((table.value?.data.columns ?? []).map(({ name, kind }) => [name, kind]));
  return (roles.value?.features ?? []).filter((name) => kinds.get(name) !== "text");
});
