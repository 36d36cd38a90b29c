import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { limits } from "../../state/document.js";
import { modelName } from "../../state/model-names.js";
import { namedColumns } from "../../state/named-columns.js";
import {
  catalogue,
  classes,
  document as current,
  dispatch,
  loadCatalogue,
  task,
  toast,
} from "../../state/session.js";
import { firstParts } from "./first-parts.js";

/** A searchable list of every estimator for the task. */
export function AddModel() {
  const open = useSignal(false);
  const wanted = useSignal("");
  const all = catalogue.value;
  const fits = (all ?? []).filter(
    (one) => one.task === task.value || (task.value === "clustering" && one.task === "density"),
  );
  const words = wanted.value.trim().toLowerCase();
  const found = fits.filter(({ id, family }) =>
    `${id} ${modelName(id)} ${family}`.toLowerCase().includes(words),
  );
  const families = [...new Set(found.map(({ family }) => family))];
  const search = useRef<HTMLInputElement>(null);
  const close = () => {
    open.value = false;
    globalThis.document.getElementById("add-model")?.focus();
  };
  const add = (estimator: string) => {
    const { models, decision } = current.value;
    if (models.length >= limits.models)
      toast.value = { text: `There are ${limits.models} models already: remove one of them first.` };
    const positive = classes.value[decision.positive];
    const around = { models, fits, task: task.value, columns: namedColumns.value, positive };
    dispatch({ type: "addModel", estimator, params: firstParts(estimator, around) });
    wanted.value = "";
    close();
  };
  return (
    <details
      class="add"
      open={open.value}
      onToggle={(event) => {
        open.value = event.currentTarget.open;
        if (!open.value) return;
        loadCatalogue();
        search.current?.focus();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape" && open.value) close();
      }}
    >
      <summary id="add-model">Add a model</summary>
      <div class="menu">
        <label>
          Search
          <input
            ref={search}
            type="search"
            value={wanted.value}
            onInput={(event) => {
              wanted.value = event.currentTarget.value;
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || found.length === 0) return;
              // The button that gets the focus is not to be pressed by the same key.
              event.preventDefault();
              add(found[0]!.id);
            }}
          />
        </label>
        {all === null && <p>Loading the list…</p>}
        {all !== null && found.length === 0 && <p>No model has “{wanted.value}” in its name.</p>}
        <ul class="menu-list">
          {families.map((family) => (
            <li key={family}>
              <h3>{family}</h3>
              <ul>
                {found
                  .filter((one) => one.family === family)
                  .map(({ id }) => (
                    <li key={id}>
                      <button type="button" class="link" onClick={() => add(id)}>
                        {modelName(id)}
                      </button>{" "}
                      <code>{id}</code>
                    </li>
                  ))}
              </ul>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
