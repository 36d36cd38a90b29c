import { useSignal } from "@preact/signals";
import { namedColumns } from "../../state/named-columns.js";
import { catalogue, document as current, dispatch, loadCatalogue, task } from "../../state/session.js";
import { modelName } from "../../ui/figures.js";
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
  const add = (estimator: string) => {
    const { models } = current.value;
    const around = { models, fits, task: task.value, columns: namedColumns.value };
    dispatch({ type: "addModel", estimator, params: firstParts(estimator, around) });
    open.value = false;
    wanted.value = "";
  };
  return (
    <details
      class="add"
      open={open.value}
      onToggle={(event) => {
        open.value = event.currentTarget.open;
        if (open.value) loadCatalogue();
      }}
    >
      <summary id="add-model">Add a model</summary>
      <div class="menu">
        <label>
          Search
          <input
            type="search"
            value={wanted.value}
            onInput={(event) => {
              wanted.value = event.currentTarget.value;
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" && found.length > 0) add(found[0]!.id);
              if (event.key === "Escape") open.value = false;
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
