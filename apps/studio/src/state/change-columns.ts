import { effect, untracked } from "@preact/signals";
import type { Role } from "../data/roles.js";
import type { Source } from "../data/source.js";
import type { ColumnKind } from "../data/table.js";
import { firstModels } from "./document.js";
import { dispatch, document, roles, table, task, toast } from "./session.js";

export function setRole(column: string, role: Role): void {
  dispatch({ type: "setRole", column, role });
  keepAxes();
}

export function setRoles(columns: readonly string[], role: "feature" | "ignore"): void {
  dispatch({ type: "setRoles", columns, role });
  keepAxes();
}

export function setKind(column: string, kind: ColumnKind): void {
  dispatch({ type: "setKind", column, kind });
  keepAxes();
}

/** The plots show two features with numbers, if there are two. */
function keepAxes(): void {
  const { axes } = document.value;
  const isFeature = new Set(roles.value?.features);
  const numbers = (table.value?.data.columns ?? [])
    .filter(({ name, kind }) => kind === "number" && isFeature.has(name))
    .map(({ name }) => name);
  if (axes?.every((name) => numbers.includes(name))) return;
  const [x, y] = [...(axes ?? []).filter((name) => numbers.includes(name)), ...numbers].filter(
    (name, k, all) => all.indexOf(name) === k,
  );
  dispatch({ type: "setAxes", axes: x === undefined || y === undefined ? null : [x, y] });
}

/** Models for another task take the place of those before once a role or a kind changes the task. Until the returned function is called. */
export function followTask(): () => void {
  let before: { readonly source: Source; readonly task: typeof task.value } | undefined;
  return effect(() => {
    const [source, now, loaded] = [document.value.source, task.value, table.value];
    if (loaded === null) return;
    const changed = before !== undefined && before.source === source && before.task !== now;
    before = { source, task: now };
    if (!changed) return;
    untracked(() => {
      keepAxes();
      const { models } = document.value;
      dispatch({ type: "setModels", models: firstModels(now) });
      toast.value = {
        text: `Models for ${now} replaced those before.`,
        undo: { type: "setModels", models },
      };
    });
  });
}
