import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { modelName } from "../../state/model-names.js";
import { document as current, holdTraining, roles } from "../../state/session.js";
import type { TrainingTime } from "../../state/table-figures.js";

/** Before long work on a large table: how long it will take, and the button that starts it. */
export function TrainNow() {
  const time = useSignal<TrainingTime | null | undefined>(undefined);
  const held = holdTraining.value;
  const key = JSON.stringify([current.value.models, current.value.split, held && roles.value]);
  useEffect(() => {
    if (!held) return;
    time.value = undefined;
    const stop = new AbortController();
    void import("../../state/table-figures.js")
      .then(({ trainingTime }) => trainingTime(stop.signal))
      .then(
        (found) => {
          time.value = found;
        },
        () => {},
      );
    return () => stop.abort();
  }, [key]);
  if (!held) return null;
  const { length } = current.value.models;
  return (
    <section class="train-now" aria-label="Training">
      <p role="status">
        The table is large, so nothing is trained until you start it.{" "}
        {time.value === undefined
          ? "Estimating the time from a sample…"
          : time.value === null
            ? "How long it takes could not be estimated."
            : `By a sample of the rows it takes about ${rounded(time.value.total)}${time.value.slowest === null ? "" : `, most of it for ${modelName(time.value.slowest)}`}.`}
      </p>
      <button
        type="button"
        class="primary"
        onClick={() => {
          holdTraining.value = false;
        }}
      >
        Train {length} {length === 1 ? "model" : "models"}
      </button>
    </section>
  );
}

/** Two digits: it is an estimate. */
function rounded(time: number): string {
  const [value, unit] =
    time < 120_000
      ? [time / 1000, "second"]
      : time < 7_200_000
        ? [time / 60_000, "minute"]
        : [time / 3.6e6, "hour"];
  const shown = Number(Math.max(1, value).toPrecision(2));
  return `${shown.toLocaleString("en")} ${unit}${shown === 1 ? "" : "s"}`;
}
