import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ownValue } from "../../data/table.js";
import { limits, type ModelEntry } from "../../state/document.js";
import { modelLabel } from "../../state/model-names.js";
import { type OpenWay, openWay } from "../../state/open-way.js";
import {
  document as current,
  dispatch,
  modelEntry,
  plane,
  roles,
  table,
  tableProblem,
  task,
} from "../../state/session.js";
import { runOf } from "../../state/training.js";
import { count, fixed, listed } from "../../ui/figures.js";
import { Later } from "../../ui/later.js";
import { lazy } from "../../ui/lazy.js";
import { TrainNow } from "../../ui/models/train-now.js";
import { AxesPicker } from "../../ui/pictures/axes-picker.js";
import { BoundaryPicture } from "../../ui/pictures/boundary-picture.js";
import { Legend } from "../../ui/pictures/legend.js";
import type { Trained } from "../../work/protocol.js";
import { Boundary } from "../inspect/boundary.js";
import { followSelected, playback, playOnce } from "../inspect/playback.js";
import { Scrubber } from "../inspect/scrubber.js";
import { AddModel } from "./add-model.js";
import { clustersText } from "./clusters.js";
import { Leaderboard } from "./leaderboard.js";
import { ModelSettings } from "./model-settings.js";

/** Models side by side: a picture of each, and the leaderboard. */
export function BenchScreen() {
  const { models, selected, board } = current.value;
  const { compared } = board;
  const problem = tableProblem.value;
  return (
    <div class="bench">
      <div class="bench-head">
        <Opening />
        {problem !== null && <p class="problem">{problem}</p>}
      </div>
      {compared.length > 1 ? (
        <Compare />
      ) : (
        selected !== null &&
        plane.value !== null && (
          <Later turn={1}>
            <Featured id={selected} />
          </Later>
        )
      )}
      <div class="bench-side">
        <section class="wall-part" aria-labelledby="wall-title">
          <TrainNow />
          <div class="part-head">
            <h2 id="wall-title">What each has learned</h2>
            <AxesPicker />
          </div>
          {plane.value === null ? (
            <NoPlane />
          ) : (
            <Later turn={2}>
              <Wall />
            </Later>
          )}
        </section>
        <section aria-labelledby="board-title" class="board-part">
          <div class="part-head">
            <h2 id="board-title">Leaderboard</h2>
            <AddModel />
          </div>
          <Later turn={3}>
            <Leaderboard />
          </Later>
          <Ticked />
          {models.length === 0 && <p>There is no model yet: add one.</p>}
        </section>
      </div>
      {selected !== null && (
        <Later turn={3}>
          <ModelSettings id={selected} />
        </Later>
      )}
    </div>
  );
}

const Compare = lazy(() => import("./compare/compare.js").then(({ Comparison }) => Comparison));

/** How many models are ticked, and the way to where they are compared. */
function Ticked() {
  const { compared } = current.value.board;
  if (compared.length === 0) return null;
  return (
    <p class="ticked">
      <span role="status">
        {compared.length === 1
          ? "One model is ticked: tick another to compare them."
          : `${compared.length} of at most ${limits.compared} models are compared.`}
      </span>{" "}
      {compared.length > 1 && (
        <button type="button" onClick={() => globalThis.document.getElementById("compare-title")?.focus()}>
          Show the comparison
        </button>
      )}
      <button type="button" onClick={() => dispatch({ type: "compareNone" })}>
        Untick all
      </button>
    </p>
  );
}

/** The selected model, large; the first one plays once. */
function Featured({ id }: { readonly id: string }) {
  useEffect(followSelected, []);
  const model = modelEntry(id);
  const { state, frames } = playback.value;
  useEffect(() => {
    if (state === "ready" && frames?.unit === "round") playOnce();
  }, [state, frames]);
  if (model === undefined) return null;
  return (
    <section class="featured" aria-labelledby="featured-title">
      <div class="part-head">
        <h2 id="featured-title">{modelLabel(model, current.value.models)}</h2>
        <button type="button" onClick={() => dispatch({ type: "show", screen: "inspect" })}>
          Look inside
        </button>
      </div>
      <Boundary id={id} estimator={model.estimator} />
      <Scrubber />
    </section>
  );
}

/** One sentence about what is seen, and what to do next. */
function Opening() {
  const loaded = table.value;
  const what = roles.value;
  if (loaded === null || what === null) return <h1>Opening the table…</h1>;
  const { models, source } = current.value;
  const verb = task.value === "clustering" ? "find groups in" : `predict ${what.target} from`;
  const names = what.features.length > 3 ? "" : listed(what.features);
  const features =
    names === "" || names.length > LONGEST
      ? `${count(what.features.length)} ${what.features.length === 1 ? "column" : "columns"}`
      : names;
  const rows = `${count(loaded.data.rows)} ${loaded.data.rows === 1 ? "row" : "rows"}`;
  return (
    <div class="opening-row">
      <div>
        <h1>{loaded.data.name}</h1>
        <p class="lead">
          {models.length === 1 ? "1 model learns" : `${models.length} models learn`} to {verb} {features} of{" "}
          {rows}.{plane.value !== null && " Each tile shows what a model would answer everywhere."}
        </p>
        <LeftOut />
      </div>
      <div class="opening-buttons">{source.kind === "file" ? <OwnTable /> : <FirstSteps />}</div>
    </div>
  );
}

/** Letters of the names of features; longer ones would hide the sentence. */
const LONGEST = 60;

/** Columns that no model sees. */
function LeftOut() {
  const { roles: given } = current.value;
  const names = (table.value?.data.columns ?? [])
    .filter(({ name }) => ownValue(given, name) === "ignore")
    .map(({ name, kind }) => (kind === "text" ? `${name} (free text)` : name));
  if (names.length === 0) return null;
  return (
    <p class="note">
      {listed(names, MOST_NAMED)} {names.length === 1 ? "is" : "are"} left out.{" "}
      <button type="button" class="link" onClick={() => dispatch({ type: "show", screen: "data" })}>
        Choose columns
      </button>
    </p>
  );
}

const MOST_NAMED = 5;

function FirstSteps() {
  const open = (way: OpenWay) => {
    openWay.value = way;
    dispatch({ type: "show", screen: "data" });
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => open("file")}>
        Use your own table
      </button>
      <button type="button" onClick={() => open("paint")}>
        Draw points
      </button>
      <button type="button" onClick={() => open("included")}>
        Try another set
      </button>
      <button type="button" class="link" onClick={() => dispatch({ type: "show", screen: "learn" })}>
        Show me how it works
      </button>
    </>
  );
}

/** What follows once models have learned from a file. */
function OwnTable() {
  const isTrained = useComputed(() =>
    current.value.models.some(({ id }) => runOf(id).value.state === "done"),
  ).value;
  return (
    <>
      {isTrained && (
        <button type="button" class="primary" onClick={() => dispatch({ type: "show", screen: "ship" })}>
          Download a model
        </button>
      )}
      <button type="button" onClick={() => dispatch({ type: "show", screen: "data" })}>
        Change the table
      </button>
    </>
  );
}

function NoPlane() {
  return <p>Pictures need two columns of numbers among the features: give two columns this role in Data.</p>;
}

function Wall() {
  const { models } = current.value;
  return (
    <>
      <Legend />
      <ul class="wall">
        {models.map((model) => (
          <Tile key={model.id} {...model} name={modelLabel(model, models)} />
        ))}
      </ul>
    </>
  );
}

interface TileProps extends Pick<ModelEntry, "id" | "estimator"> {
  readonly name: string;
}

function Tile({ id, estimator, name }: TileProps) {
  const run = runOf(id);
  const isSelected = useComputed(() => current.value.selected === id).value;
  const { grid, trained, state, message, stopped } = run.value;
  const select = () => dispatch({ type: "select", id });
  return (
    <li class={isSelected ? "tile selected" : "tile"} data-state={state} data-model={estimator}>
      <BoundaryPicture
        name={estimator}
        grid={grid}
        trained={trained}
        size={300}
        radius={3.5}
        onClick={select}
      />
      <div class="tile-foot">
        <button type="button" class="tile-name" aria-pressed={isSelected} onClick={select}>
          {name}
        </button>
        <span class="tile-score">{stopped === "" ? scoreText(trained, state, message) : "not measured"}</span>
      </div>
    </li>
  );
}

function scoreText(trained: Trained | undefined, state: string, message: string): string {
  if (state === "failed") return message.length > 60 ? "failed" : message;
  if (trained === undefined || state !== "done") return state === "done" ? "" : state;
  if (trained.task === "clustering") return clustersText(trained);
  const mean = trained.scores.reduce((sum, score) => sum + score, 0) / trained.scores.length;
  return trained.task === "regression" ? `R² ${fixed(mean, 3)}` : `${(100 * mean).toFixed(1)} %`;
}
