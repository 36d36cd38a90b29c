import { useEffect } from "preact/hooks";
import { short } from "../../ui/figures.js";
import { screenKeys } from "../../ui/keys.js";
import type { Frames } from "../../work/protocol.js";
import { ObjectiveCurve } from "./objective.js";
import { drawSteps, goTo, pause, play, playback, playing, shownFrame, speed } from "./playback.js";
import { stepText } from "./step-text.js";

/** One control for every learner: play, step, and a slider over the steps of the fit. */
export function Scrubber() {
  useEffect(() => {
    screenKeys.value = {
      " ": () => (playing.value ? pause() : play()),
      ",": () => goTo(shownFrame() - 1),
      ".": () => goTo(shownFrame() + 1),
      Home: () => goTo(0),
      End: () => goTo(Number.MAX_SAFE_INTEGER),
    };
    return () => {
      screenKeys.value = {};
      pause();
    };
  }, []);
  const { state, message, progress, frames } = playback.value;
  if (state === "loading")
    return (
      <p class="scrubber">
        <progress max={1} value={progress ?? undefined} aria-label="Steps of the fit" /> The steps are being
        drawn…
      </p>
    );
  if (state === "failed") return <p class="scrubber problem">{message}</p>;
  if (state === "offered")
    return (
      <p class="scrubber">
        <button type="button" onClick={drawSteps}>
          Draw the steps of the fit
        </button>
        <span class="note">{message}</span>
      </p>
    );
  if (frames === null) return null;
  const problem = frames.diverged !== null && (
    <p class="problem" role="status">
      The weights or the objective became infinite at {frames.unit} {frames.diverged}: lower the learning
      rate.
    </p>
  );
  if (frames.unit === null || frames.frames.length < 2)
    return (
      problem || (
        <p class="scrubber note">This model is computed at once: its fit has no steps to go through.</p>
      )
    );
  const at = shownFrame();
  return (
    <>
      <div class="scrubber">
        <StepControls unit={frames.unit} frames={frames.frames} at={at} />
        <SpeedPicker />
      </div>
      {problem}
      <ObjectiveCurve frames={frames} at={at} />
    </>
  );
}

interface StepControlsProps {
  readonly unit: string;
  readonly frames: Frames["frames"];
  readonly at: number;
}

function StepControls({ unit, frames, at }: StepControlsProps) {
  const last = frames.length - 1;
  const frame = frames[at]!;
  const text = stepText(unit, frame.at);
  return (
    <>
      <button type="button" onClick={() => (playing.value ? pause() : play())}>
        {playing.value ? "Pause" : "Play"}
      </button>
      <button type="button" aria-label="One step back" disabled={at === 0} onClick={() => goTo(at - 1)}>
        ◀
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label="Step of the fit"
        aria-valuetext={text}
        onInput={(event) => {
          pause();
          goTo(event.currentTarget.valueAsNumber);
        }}
      />
      <button type="button" aria-label="One step forward" disabled={at === last} onClick={() => goTo(at + 1)}>
        ▶
      </button>
      <output>
        {text}
        {frame.objective !== null && `, objective ${short(frame.objective)}`}
      </output>
    </>
  );
}

const SpeedPicker = () => (
  <label>
    Speed
    <select
      value={speed.value}
      onChange={(event) => {
        speed.value = Number(event.currentTarget.value);
      }}
    >
      <option value={0.25}>¼</option>
      <option value={0.5}>½</option>
      <option value={1}>1</option>
      <option value={2}>2</option>
    </select>
  </label>
);
