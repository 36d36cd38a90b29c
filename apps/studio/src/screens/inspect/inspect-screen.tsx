import { useEffect } from "preact/hooks";
import { type Layer, layers } from "../../state/document.js";
import { modelLabel } from "../../state/model-names.js";
import { document as current, dispatch, modelEntry, plane, roles, table, task } from "../../state/session.js";
import { cancel, retry, runOf } from "../../state/training.js";
import { ModelPicker } from "../../ui/models/model-picker.js";
import { AxesPicker, PlaneNote } from "../../ui/pictures/axes-picker.js";
import { Legend } from "../../ui/pictures/legend.js";
import { marginName } from "../../ui/pictures/margins.js";
import { ModelSettings } from "../bench/model-settings.js";
import { Boundary } from "./boundary.js";
import { Internals } from "./internals.js";
import "./inspect.css";
import { Tick } from "../../ui/fields/tick.js";
import { followSelected, playback } from "./playback.js";
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
    <div class={plane.value === null ? "inspect without-plane" : "inspect"}>
      <header class="part-head">
        <h1>{modelLabel(model, models)}</h1>
        <ModelPicker />
        <AxesPicker />
      </header>
      <RunState id={model.id} />
      <section class="boundary" aria-label="What the model predicts everywhere">
        {plane.value === null ? (
          <p class="note">
            There is no picture and no series of steps here: both are drawn over two columns of numbers, and
            the features have {numberFeatures()}. What the model has learned is below.
          </p>
        ) : (
          <>
            <Boundary id={model.id} estimator={model.estimator} />
            {runOf(model.id).value.trained?.canPredict !== false && <PlaneNote />}
            <Scrubber />
            <Layers id={model.id} />
            <Legend />
          </>
        )}
      </section>
      <div class="inspect-side">
        <WhatIf id={model.id} />
        <Internals key={model.id} id={model.id} />
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
  if (state === "waiting") return <p class="run-state note">It is trained when you start it on the Bench.</p>;
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

const layerNames: { readonly [L in Layer]: string } = {
  probability: "How sure",
  contours: "Boundaries",
  margin: "Margins",
  supportVectors: "Support vectors",
  slack: "Slack",
  trail: "Earlier steps",
  points: "Rows",
  mistakes: "Mistakes",
};

/** "none" or "only one", of the columns of numbers among the features. */
function numberFeatures(): string {
  const features = new Set(roles.value?.features);
  const numbers = table.value?.data.columns.filter(
    ({ name, kind }) => kind === "number" && features.has(name),
  );
  return numbers?.length === 1 ? "only one" : "none";
}

/** What there is to draw of a model. */
function Layers({ id }: { readonly id: string }) {
  const { layers: on } = current.value.view;
  const { trained, grid } = runOf(id).value;
  const { frames } = playback.value;
  const isClass = task.value === "classification";
  const classCount = trained?.classes.length ?? 0;
  const margins = grid && marginName(grid);
  // Others answer for their own rows only: there is nothing between them.
  const canPredict = trained?.canPredict !== false;
  const isOffered: { readonly [L in Layer]: boolean } = {
    probability:
      canPredict && (grid === undefined || (isClass ? grid.scale !== "label" : grid.scale === "probability")),
    contours: canPredict,
    margin: margins !== undefined,
    supportVectors: isClass && frames?.frames.at(-1)?.support != null,
    slack: isClass && grid?.value != null,
    trail: isClass && frames?.isLinear === true && frames.frames.length > 1,
    points: true,
    mistakes: isClass,
  };
  return (
    <fieldset class="layers">
      <legend>Layers</legend>
      {layers
        .filter((layer) => isOffered[layer])
        .map((layer) => (
          <Tick
            key={layer}
            checked={on[layer]}
            onChange={(isOn) => dispatch({ type: "setLayer", layer, on: isOn })}
          >
            {(layer === "margin" && margins) || layerNames[layer]}
          </Tick>
        ))}
      {isOffered.supportVectors && classCount > 2 && (
        <p class="note">
          Slack belongs to the decision function of two classes; here there are {classCount}.
        </p>
      )}
    </fieldset>
  );
}
