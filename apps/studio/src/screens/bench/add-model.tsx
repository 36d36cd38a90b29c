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
import type { EstimatorInfo } from "../../work/protocol.js";
import { firstParts } from "./first-parts.js";

/** Estimators for the task; densities are among those for clusters. */
const fitting = (all: readonly EstimatorInfo[]): readonly EstimatorInfo[] =>
  all.filter((one) => one.task === task.value || (task.value === "clustering" && one.task === "density"));

function addModel(estimator: string, fits: readonly EstimatorInfo[]): void {
  const { models, decision } = current.value;
  if (models.length >= limits.models)
    toast.value = { text: `There are ${limits.models} models already: remove one of them first.` };
  const positive = classes.value[decision.positive];
  const around = { models, fits, task: task.value, columns: namedColumns.value, positive };
  dispatch({ type: "addModel", estimator, params: firstParts(estimator, around) });
}

/** Whether a search finds an estimator by its id, its name or its family. */
const hasWords = ({ id, family }: EstimatorInfo, wanted: string): boolean =>
  `${id} ${modelName(id)} ${family}`.toLowerCase().includes(wanted.trim().toLowerCase());

/** A searchable list of every estimator for the task. */
export function AddModel() {
  const open = useSignal(false);
  const wanted = useSignal("");
  const all = catalogue.value;
  const fits = fitting(all ?? []);
  const found = fits.filter((one) => hasWords(one, wanted.value));
  const search = useRef<HTMLInputElement>(null);
  const close = () => {
    open.value = false;
    globalThis.document.getElementById("add-model")?.focus();
  };
  const toggle = (isOpen: boolean) => {
    open.value = isOpen;
    if (!isOpen) return;
    loadCatalogue();
    search.current?.focus();
  };
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || found.length === 0) return;
    // The button that gets the focus is not to be pressed by the same key.
    event.preventDefault();
    add(found[0]!.id);
  };
  const add = (estimator: string) => {
    addModel(estimator, fits);
    wanted.value = "";
    close();
  };
  return (
    <details
      class="add"
      open={open.value}
      onToggle={(event) => toggle(event.currentTarget.open)}
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
            onKeyDown={onSearchKey}
          />
        </label>
        {found.length === 0 && (
          <p>{all === null ? "Loading the list…" : `No model has “${wanted.value}” in its name.`}</p>
        )}
        <FoundModels found={found} onAdd={add} />
      </div>
    </details>
  );
}

interface FoundModelsProps {
  readonly found: readonly EstimatorInfo[];
  readonly onAdd: (estimator: string) => void;
}

/** Estimators by family. */
const FoundModels = ({ found, onAdd }: FoundModelsProps) => (
  <ul class="menu-list">
    {[...new Set(found.map(({ family }) => family))].map((family) => (
      <li key={family}>
        <h3>{family}</h3>
        <ul>
          {found
            .filter((one) => one.family === family)
            .map(({ id }) => (
              <li key={id}>
                <button type="button" class="link" onClick={() => onAdd(id)}>
                  {modelName(id)}
                </button>{" "}
                <code>{id}</code>
              </li>
            ))}
        </ul>
      </li>
    ))}
  </ul>
);
