import { setRole } from "../../state/change-columns.js";
import { limits, type Split } from "../../state/document.js";
import { document as current, dispatch, roles, table, task } from "../../state/session.js";

const about: { readonly [K in Split["kind"]]: { readonly title: string; readonly text: string } } = {
  folds: {
    title: "At random",
    text: "Each fold is held out once; the folds have the same share of every class.",
  },
  groups: {
    title: "By group",
    text: "Rows of a group, such as a patient, are held out together.",
  },
  time: {
    title: "In order of time",
    text: "Rows are in order of time: each fold is predicted from what came before it.",
  },
};

/** Which rows are held out when a model is measured. */
export function SplitPanel() {
  const { kind, folds, seed } = current.value.split;
  const group = roles.value?.group ?? null;
  const columns = table.value?.data.columns ?? [];
  const set = (split: Partial<Split>) => dispatch({ type: "setSplit", split });
  if (task.value === "clustering") return null;
  return (
    <section class="split" aria-labelledby="split-title">
      <h2 id="split-title">Held-out rows</h2>
      <fieldset class="ways">
        <legend class="unseen">How rows are held out</legend>
        {(Object.keys(about) as Split["kind"][]).map((name) => (
          <label key={name} class={name === kind ? "way chosen" : "way"}>
            <input type="radio" name="split" checked={name === kind} onChange={() => set({ kind: name })} />
            {about[name].title}
          </label>
        ))}
      </fieldset>
      <p class="note">{about[kind].text}</p>
      <div class="split-numbers">
        <label>
          Folds
          <input
            type="number"
            min={2}
            max={limits.folds}
            value={folds}
            onChange={(event) => set({ folds: whole(event.currentTarget, folds, 2, limits.folds) })}
          />
        </label>
        {kind === "folds" && (
          <label>
            Seed
            <input
              type="number"
              min={0}
              max={2 ** 31}
              value={seed}
              onChange={(event) => set({ seed: whole(event.currentTarget, seed, 0, 2 ** 31) })}
            />
          </label>
        )}
        {kind === "groups" && (
          <label>
            Group
            <select
              value={group ?? ""}
              onChange={(event) => {
                const name = event.currentTarget.value;
                if (name !== "") setRole(name, "group");
              }}
            >
              {group === null && <option value="">choose a column</option>}
              {columns
                .filter(({ name }) => name !== roles.value?.target)
                .slice(0, 500)
                .map(({ name }) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
            </select>
          </label>
        )}
      </div>
      {kind === "groups" && group === null && (
        <p class="problem">No column is the group yet: until you choose one, rows are held out at random.</p>
      )}
    </section>
  );
}

/** A number of a field, clamped; what was there before if it is none. */
function whole(input: HTMLInputElement, before: number, least: number, most: number): number {
  const value = Number.isNaN(input.valueAsNumber)
    ? before
    : Math.round(Math.min(most, Math.max(least, input.valueAsNumber)));
  input.value = String(value);
  return value;
}
