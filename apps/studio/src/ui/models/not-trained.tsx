import { retry, runOf } from "../../state/training.js";
import { TrainNow } from "./train-now.js";

interface NotTrainedProps {
  readonly id: string;
  readonly name: string;
}

/** Why a model cannot be shown yet, and what to do about it. */
export function NotTrained({ id, name }: NotTrainedProps) {
  const { state, message, progress } = runOf(id).value;
  if (state === "waiting") return <TrainNow />;
  if (state === "failed" || state === "cancelled")
    return (
      <p class="problem">
        {state === "failed" ? `${name} could not be trained: ${message}` : `${name} was cancelled.`}{" "}
        <button type="button" onClick={() => retry(id)}>
          Train again
        </button>
      </p>
    );
  return (
    <p role="status">
      {name} is being trained. <progress max={1} value={progress ?? undefined} aria-label={name} />
    </p>
  );
}
