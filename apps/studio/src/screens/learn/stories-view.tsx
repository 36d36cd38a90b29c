import { useEffect } from "preact/hooks";
import type { ParamValue, StudioDocument } from "../../state/document.js";
import { modelName } from "../../state/model-names.js";
import { document as current, dispatch } from "../../state/session.js";
import { runOf } from "../../state/training.js";
import { stories } from "../../stories/index.js";
import { RangeField } from "../../stories/plot.js";
import type { Control, ModelScene, Page, Story } from "../../stories/story.js";
import { short } from "../../ui/figures.js";
import { BoundaryPicture } from "../../ui/pictures/boundary-picture.js";
import { Legend } from "../../ui/pictures/legend.js";
import { Boundary } from "../inspect/boundary.js";
import { followSelected, play, playback } from "../inspect/playback.js";
import { Scrubber } from "../inspect/scrubber.js";
import "./learn.css";
import { Options } from "../../ui/fields/options.js";
import { reducedMotion } from "../../ui/theme.js";

/** What was shown before the first story, to return to. */
let before: StudioDocument | undefined;

/** The list of stories, or the page of one. */
export function StoriesView() {
  const { story: at } = current.value;
  const story = stories.find(({ name }) => name === at?.name);
  if (story === undefined || at === null) return <StoryList />;
  const page = Math.min(at.page, story.pages.length - 1);
  return <StoryPage key={`${story.name} ${page}`} story={story} page={page} />;
}

function StoryList() {
  return (
    <>
      <h1>Learn</h1>
      <p class="lead">
        The ideas behind the models, one at a time. Every picture is interactive: models are trained in the
        page, and every number can be changed.
      </p>
      <ul class="story-list">
        {stories.map(({ name, title, about, pages }) => (
          <li key={name}>
            <button type="button" class="story-card" onClick={() => open(name, 0)}>
              <strong>{title}</strong>
              <span>{about}</span>
              <span class="note">
                {pages.length} {pages.length === 1 ? "page" : "pages"}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Shows a page of a story; one with models opens their document. */
function open(name: string, page: number): void {
  if (current.value.story === null) before = current.value;
  const story = stories.find((one) => one.name === name)!;
  const { scene } = story.pages[page]!;
  const place = { name, page };
  if (scene.kind === "figure") dispatch({ type: "setStory", story: place });
  else dispatch({ type: "open", document: { ...documentOf(scene, current.value), story: place } });
}

/** The document of a scene: its table and its models instead of those before. */
export function documentOf(scene: ModelScene, given: StudioDocument): StudioDocument {
  const models = scene.models.map((model, k) => ({ ...model, id: `m${k + 1}` }));
  return {
    ...given,
    screen: "learn",
    source: scene.source,
    kinds: {},
    roles: scene.roles,
    axes: scene.axes,
    models,
    selected: "m1",
    view: { ...given.view, layers: { ...given.view.layers, ...scene.layers }, step: null, row: null },
  };
}

function leave(): void {
  if (before === undefined) dispatch({ type: "setStory", story: null });
  else dispatch({ type: "open", document: { ...before, screen: "learn", story: null } });
  before = undefined;
}

function StoryPage({ story, page }: { readonly story: Story; readonly page: number }) {
  const { heading, text, scene } = story.pages[page]!;
  const last = page === story.pages.length - 1;
  const next = stories[stories.indexOf(story) + 1];
  // A link leads straight to a page: its scene is set up here.
  useEffect(() => {
    if (scene.kind === "models" && !isShown(scene)) open(story.name, page);
  }, []);
  return (
    <article class="story">
      <header>
        <p class="note">
          <button type="button" class="link" onClick={leave}>
            All stories
          </button>{" "}
          / {story.title}, page {page + 1} of {story.pages.length}
        </p>
        <h1>{heading}</h1>
        {text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <div class="story-steps">
          <button type="button" disabled={page === 0} onClick={() => open(story.name, page - 1)}>
            Previous
          </button>
          {last ? (
            next !== undefined && (
              <button type="button" class="primary" onClick={() => open(next.name, 0)}>
                Next story: {next.title}
              </button>
            )
          ) : (
            <button type="button" class="primary" onClick={() => open(story.name, page + 1)}>
              Next
            </button>
          )}
        </div>
      </header>
      <div class="story-scene">
        <SceneView page={story.pages[page]!} />
      </div>
    </article>
  );
}

const isShown = (scene: ModelScene): boolean =>
  JSON.stringify(scene.source) === JSON.stringify(current.value.source) &&
  scene.models.every((model, k) => model.estimator === current.value.models[k]?.estimator);

function SceneView({ page: { scene } }: { readonly page: Page }) {
  if (scene.kind === "figure") {
    const { Figure } = scene;
    return <Figure />;
  }
  return scene.models.length === 1 ? <OneModel scene={scene} /> : <SeveralModels scene={scene} />;
}

function OneModel({ scene }: { readonly scene: ModelScene }) {
  useEffect(followSelected, []);
  const { state, frames } = playback.value;
  const { story } = current.value;
  const model = current.value.models[0];
  useEffect(() => {
    if (scene.plays && state === "ready" && !reducedMotion.matches) play();
  }, [state, frames, story?.page]);
  if (model === undefined) return null;
  return (
    <>
      <Boundary id={model.id} estimator={model.estimator} />
      <Scrubber />
      <Controls scene={scene} />
      <Legend />
      <p>
        <button type="button" onClick={() => dispatch({ type: "show", screen: "inspect" })}>
          Look inside this model
        </button>
      </p>
    </>
  );
}

function SeveralModels({ scene }: { readonly scene: ModelScene }) {
  return (
    <>
      <Legend />
      <ul class="wall story-wall">
        {current.value.models.map(({ id, estimator }) => (
          <StoryTile key={id} id={id} estimator={estimator} />
        ))}
      </ul>
      <Controls scene={scene} />
    </>
  );
}

function StoryTile({ id, estimator }: { readonly id: string; readonly estimator: string }) {
  const { grid, trained, state, message } = runOf(id).value;
  const scores = trained?.scores ?? [];
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return (
    <li class="tile" data-state={state} data-model={estimator}>
      <BoundaryPicture name={estimator} grid={grid} trained={trained} size={300} radius={3.5} />
      <div class="tile-foot">
        <strong>{modelName(estimator)}</strong>
        <span class="tile-score">
          {state === "failed" ? message : scores.length > 0 ? `${trained!.metric} ${mean.toFixed(3)}` : ""}
        </span>
      </div>
    </li>
  );
}

function Controls({ scene }: { readonly scene: ModelScene }) {
  return (
    <div class="story-controls">
      {(scene.controls ?? []).map((control) => (
        <ControlView key={control.param} control={control} />
      ))}
    </div>
  );
}

function ControlView({ control: { param, label, values } }: { readonly control: Control }) {
  const { models } = current.value;
  const given = models[0]?.params[param];
  const same = (value: ParamValue) => JSON.stringify(value) === JSON.stringify(given);
  const at = Math.max(0, values.findIndex(same));
  const choose = (value: ParamValue) => {
    for (const { id } of models) dispatch({ type: "setParam", id, name: param, value });
  };
  if (values.every((value) => typeof value === "number"))
    return (
      <RangeField
        label={label}
        value={at}
        min={0}
        max={values.length - 1}
        step={1}
        text={short(values[at] as number)}
        onInput={(k) => choose(values[k]!)}
      />
    );
  return (
    <label>
      {label}{" "}
      <select value={at} onChange={(event) => choose(values[Number(event.currentTarget.value)]!)}>
        <Options
          of={values.map((value, k) => [k, Array.isArray(value) ? value.join(", ") : String(value)])}
        />
      </select>
    </label>
  );
}
