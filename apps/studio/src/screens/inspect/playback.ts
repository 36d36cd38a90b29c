import { batch, computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import { modelSpec } from "../../state/model-specs.js";
import { document as current, dispatch, plane, pool, roles, table } from "../../state/session.js";
import { runOf } from "../../state/training.js";
import { milliseconds } from "../../ui/figures.js";
import { reducedMotion } from "../../ui/theme.js";
import { Stopped } from "../../work/pool.js";
import type { Frames, Panel } from "../../work/protocol.js";

/** Frames of the selected model, and where the scrubber is. */
interface Playback {
  /** Offered: the fit takes long, so its steps are drawn when somebody asks for them. */
  readonly state: "none" | "offered" | "loading" | "ready" | "failed";
  readonly message: string;
  readonly progress: number | null;
  readonly frames: Frames | null;
  /** The row that the panels of the frames follow; null for none. */
  readonly row: number | null;
}

const MOST_FRAMES = 60;
/** Points per side of a frame's grid. */
const FRAME_POINTS = 90;
/** Milliseconds of a fit whose steps are drawn without being asked for. */
const SHORT_FIT = 4000;
/** A whole series plays in about four seconds. */
const SECONDS = 4;

const none: Playback = { state: "none", message: "", progress: null, frames: null, row: null };
const state = signal<Playback>(none);
export const playback: ReadonlySignal<Playback> = state;
export const playing = signal(false);
export const speed = signal(1);

let key = "";
let stop: AbortController | undefined;
/** The key of the long series that somebody has asked for. */
const asked = signal("");

/** How long the selected model took; undefined until it is fitted. */
const fitTime = computed(() => {
  const { selected } = current.value;
  return selected === null ? undefined : runOf(selected).value.trained?.fitMilliseconds;
});

const shownRow = computed(() => current.value.view.row);
const shownFrames = computed(() => state.value.frames);

/** Draws the steps of a fit that takes long. */
export function drawSteps(): void {
  asked.value = key;
}

/** Makes the frames of the selected model while somebody looks; call the result to end. */
export function followSelected(): () => void {
  const ends = [effect(followRow), effect(makeFrames)];
  return () => {
    for (const end of ends) end();
  };
}

/** The panels of the steps for another row, where some of them depend on it. */
function followRow(): (() => void) | undefined {
  const frames = shownFrames.value;
  const row = shownRow.value;
  if (frames === null || row === state.peek().row) return undefined;
  return untracked(() => {
    const [what, loaded, model] = [roles.value, table.value, modelSpec(current.value.selected)];
    const isOfRow = frames.frames.some(({ panels }) => panels.some(({ ofRow }) => ofRow));
    if (!isOfRow || what === null || loaded === null || model === undefined) {
      state.value = { ...state.value, row };
      return undefined;
    }
    const own = new AbortController();
    const put = (panelsOf: (k: number) => readonly Panel[]) => {
      if (own.signal.aborted) return;
      const changed = frames.frames.map((frame, k) => ({ ...frame, panels: panelsOf(k) }));
      state.value = { ...state.value, row, frames: { ...frames, frames: changed } };
    };
    const ask = { roles: what, model, row, most: MOST_FRAMES };
    pool.run("stepPanels", ask, { needs: [loaded.key], signal: own.signal }).then(
      (panels) => put((k) => panels[k] ?? []),
      () => put((k) => frames.frames[k]!.panels.filter(({ ofRow }) => !ofRow)),
    );
    return () => own.abort();
  });
}

function makeFrames(): void {
  const view = plane.value;
  const what = roles.value;
  const loaded = table.value;
  const model = modelSpec(current.value.selected);
  const time = fitTime.value;
  if (view === null || what === null || loaded === null || model === undefined || time === undefined) {
    stop?.abort();
    stop = undefined;
    key = "";
    state.value = none;
    return;
  }
  const wanted = JSON.stringify([model, what, view]);
  const isOffered = time > SHORT_FIT && asked.value !== wanted;
  if (wanted === key && state.peek().state !== "none" && (isOffered || state.peek().state !== "offered"))
    return;
  key = wanted;
  stop?.abort();
  const own = new AbortController();
  stop = own;
  playing.value = false;
  if (isOffered) {
    const message = `The model is fitted again for that, which took ${milliseconds(time)}.`;
    state.value = { ...none, state: "offered", message };
    return;
  }
  state.value = { ...none, state: "loading" };
  pool.hold(loaded.key, loaded.data);
  const row = shownRow.peek();
  const ask = { roles: what, model, view: { ...view, n: FRAME_POINTS }, most: MOST_FRAMES, row };
  const onNews = ({ done, total }: { done: number; total: number | null }) => {
    state.value = { ...state.peek(), progress: total === null ? null : done / total };
  };
  pool.run("frames", ask, { needs: [loaded.key], signal: own.signal, onNews }).then(
    (frames) => {
      if (stop !== own) return;
      state.value = { state: "ready", message: "", progress: 1, frames, row };
    },
    (error: Error) => {
      if (stop !== own) return;
      const message = error instanceof Stopped ? "Stopped." : error.message;
      state.value = { ...none, state: "failed", message };
    },
  );
}

/** The number of the frame that is shown. */
export function shownFrame(): number {
  const { frames } = state.value;
  if (frames === null) return 0;
  const { step } = current.value.view;
  return Math.min(frames.frames.length - 1, step ?? frames.frames.length - 1);
}

export function goTo(frame: number): void {
  const { frames } = state.value;
  if (frames === null) return;
  const last = frames.frames.length - 1;
  const at = Math.min(last, Math.max(0, frame));
  dispatch({ type: "setView", view: { step: at === last ? null : at } });
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Plays from the frame that is shown, or from the first if it is the last. */
export function play(): void {
  const { frames } = state.value;
  if (frames === null || frames.frames.length < 2) return;
  batch(() => {
    if (shownFrame() >= frames.frames.length - 1) goTo(0);
    playing.value = true;
  });
  tick();
}

export function pause(): void {
  playing.value = false;
  clearTimeout(timer);
}

function tick(): void {
  clearTimeout(timer);
  const { frames } = state.value;
  if (!playing.value || frames === null) return;
  const wait = Math.max(40, (1000 * SECONDS) / frames.frames.length / speed.value);
  timer = setTimeout(() => {
    // Nobody looks at a hidden page.
    if (!globalThis.document.hidden) {
      const next = shownFrame() + 1;
      goTo(next);
      if (next >= frames.frames.length - 1) {
        pause();
        return;
      }
    }
    tick();
  }, wait);
}

let played = false;

/** Plays the first series once, for those who do not mind motion. */
export function playOnce(): void {
  if (played || reducedMotion.matches) return;
  played = true;
  play();
}
