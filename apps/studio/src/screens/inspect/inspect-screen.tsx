import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Layer, layers } from "../../state/document.js";
import {
  cancel,
  document as current,
  dispatch,
  modelEntry,
  plane,
  planeProblem,
  retry,
  roles,
  runOf,
  task,
} from "../../state/session.js";
import { AxesPicker, planeSentence } from "../../ui/axes-picker.js";
import { modelName } from "../../ui/figures.js";
import { Legend } from "../../ui/legend.js";
import { ModelSettings } from "../bench/model-settings.js";
import { Boundary } from "./boundary.js";
import { Internals } from "./internals.js";
import "./inspect.css";
import { followSelected } from "./playback.js";
import { Scrubber } from "./scrubber.js";
import { WhatIf } from "./what-if.js";

/** One model in full: what it says everywhere, how it came to that, and what it consists of. */
export function InspectScreen() {
  const { models, selected } = current.value;
  const model = modelEntry(selected);
  useEffect(followSelected, []);
  if (model === undefined)
    return (
      <>
        <h1>Inspect</h1>
        <p>There is no model to look into: add one on the Bench.</p>
      </>
    );
  return (
    <div class="inspect">
      <header class="part-head">
        <h1>{modelName(model.estimator)}</h1>
        <label>
          Model{" "}
          <select
            value={model.id}
            onChange={(event) => dispatch({ type: "select", id: event.currentTarget.value })}
          >
            {models.map(({ id, estimator }) => (
              <option key={id} value={id}>
                {modelName(estimator)} ({id})
              </option>
            ))}
          </select>
        </label>
        <AxesPicker />
      </header>
      <RunState id={model.id} />
      <section class="boundary" aria-label="What the model says everywhere">
        {plane.value === null ? (
          <p>Pictures need two columns of numbers among the features: choose them in Data.</p>
        ) : (
          <Boundary id={model.id} estimator={model.estimator} />
        )}
        <PlaneNote />
        <Scrubber />
        <Layers />
        <Legend />
      </section>
      <div class="inspect-side">
        <WhatIf id={model.id} />
        <Internals id={model.id} />
        <ModelSettings id={model.id} />
      </div>
    </div>
  );
}

/** How far the training is, while there is nothing to look into. */
function RunState({ id }: { readonly id: string }) {
  const { state, stage, progress, message, trained } = runOf(id).value;
  if (state === "queued" || state === "running")
    return (
      <p class="run-state">
        <progress max={1} value={progress ?? undefined} aria-label="Training" />
        <span>
          {state === "queued"
            ? "Waiting for a free worker."
            : stage === "folds"
              ? "The model is fitted; it is measured on folds."
              : "The model is being fitted."}
        </span>
        <button type="button" onClick={() => cancel(id)}>
          Cancel
        </button>
      </p>
    );
  if (state === "waiting") return <p class="run-state note">It is trained when you say so on the Bench.</p>;
  if (state === "cancelled" || state === "failed")
    return (
      <p class="run-state problem" role="status">
        {state === "failed" ? message : "The training was cancelled."}{" "}
        <button type="button" onClick={() => retry(id)}>
          Train again
        </button>
      </p>
    );
  const warnings = trained?.warnings ?? [];
  if (warnings.length === 0) return null;
  return (
    <div class="run-state" role="note">
      {warnings.slice(0, 4).map((warning) => (
        <p key={warning} class="note">
          {warning}
        </p>
      ))}
    </div>
  );
}

/** What the plane of the picture means, where there are more than two features. */
function PlaneNote() {
  const view = plane.value;
  const { length } = roles.value?.features ?? [];
  if (view === null || length < 3) return null;
  return (
    <>
      {planeProblem.value !== null && <p class="problem">{planeProblem.value}</p>}
      <p class="plane-note note">{planeSentence(view, length)}</p>
    </>
  );
}

const layerNames: { readonly [L in Layer]: string } = {
  probability: "How sure",
  contours: "Boundaries",
  margin: "Margins ±1",
  supportVectors: "Support vectors",
  slack: "Slack",
  trail: "Earlier steps",
  points: "Rows",
  mistakes: "Mistakes",
};

function Layers() {
  const { layers: on } = current.value.view;
  const shown = useComputed(() =>
    layers.filter(
      (layer) => task.value === "classification" || !/margin|support|slack|trail|mistakes/.test(layer),
    ),
  );
  return (
    <fieldset class="layers">
      <legend>Layers</legend>
      {shown.value.map((layer) => (
        <label key={layer}>
          <input
            type="checkbox"
            checked={on[layer]}
            onChange={(event) => dispatch({ type: "setLayer", layer, on: event.currentTarget.checked })}
          />{" "}
          {layerNames[layer]}
        </label>
      ))}
    </fieldset>
  );
}
