import { useSignal } from "@preact/signals";
import { catalogue, dispatch, loadCatalogue, task } from "../../state/session.js";
import { modelName } from "../../ui/figures.js";

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
    dispatch({ type: "addModel", estimator });
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
              const first = found.find(({ needs }) => needs === null);
              if (event.key === "Enter" && first !== undefined) add(first.id);
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
                  .map(({ id, needs }) => (
                    <li key={id}>
                      {needs === null ? (
                        <button type="button" class="link" onClick={() => add(id)}>
                          {modelName(id)}
                        </button>
                      ) : (
                        <span title={needs}>
                          {modelName(id)}, only in code: it is made of other estimators
                        </span>
                      )}{" "}
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
