import { useComputed } from "@preact/signals";
import { document as current } from "../state/session.js";
import { cancelAll, runOf } from "../state/training.js";

/** What is running, for eyes and for screen readers. */
export function StatusLine() {
  const counts = useComputed(() => {
    const runs = current.value.models.map(({ id }) => runOf(id).value);
    const running = runs.filter(({ state }) => state === "running" || state === "queued").length;
    const done = runs.filter(({ state }) => state === "done");
    const milliseconds = done.reduce((sum, { trained }) => sum + (trained?.fitMilliseconds ?? 0), 0);
    return { running, done: done.length, all: runs.length, milliseconds };
  });
  const { running, done, all, milliseconds } = counts.value;
  const seconds = (milliseconds / 1000).toFixed(milliseconds < 1000 ? 2 : 1);
  return (
    <footer class="tray">
      <p role="status">
        {running > 0
          ? `${done} of ${all} models are trained.`
          : `${done} ${done === 1 ? "model" : "models"} trained in your browser in ${seconds} s. Nothing was uploaded.`}
      </p>
      {running > 0 && (
        <>
          <progress max={all} value={done} aria-label="Trained models" />
          <button type="button" onClick={cancelAll}>
            Cancel all
          </button>
        </>
      )}
    </footer>
  );
}
