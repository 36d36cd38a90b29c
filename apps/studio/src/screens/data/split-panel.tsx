import { setRole } from "../../state/change-columns.js";
import { limits } from "../../state/document.js";
import { document as current, dispatch, roles, table, task } from "../../state/session.js";
import { NumberField } from "../../ui/fields/number-field.js";
import { Options } from "../../ui/fields/options.js";
import type { Split } from "../../work/protocol.js";

const about: { readonly [K in Split["kind"]]: { readonly title: string; readonly text: string } } = {
  folds: {
    title: "At random",
    text: "Each fold is held out once; the folds have the same fraction of every class.",
  },
  holdout: {
    title: "Once",
    text: "One part is held out, once: fast for large tables, without an interval.",
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
        <label for="split-folds">
          {kind === "holdout" ? "Parts" : "Folds"}
          <NumberField
            id="split-folds"
            min={2}
            max={limits.folds}
            step={1}
            value={folds}
            onChange={(value) => set({ folds: value })}
          />
        </label>
        {(kind === "folds" || kind === "holdout") && (
          <label for="split-seed">
            Seed
            <NumberField
              id="split-seed"
              min={0}
              max={2 ** 31}
              step={1}
              value={seed}
              onChange={(value) => set({ seed: value })}
            />
          </label>
        )}
        {kind === "groups" && <GroupPicker group={group} />}
      </div>
      {kind === "groups" && group === null && (
        <p class="problem">No column is the group yet: until you choose one, rows are held out at random.</p>
      )}
    </section>
  );
}

function GroupPicker({ group }: { readonly group: string | null }) {
  const columns = (table.value?.data.columns ?? []).filter(({ name }) => name !== roles.value?.target);
  return (
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
        <Options of={columns.slice(0, 500).map(({ name }) => name)} />
      </select>
    </label>
  );
}
