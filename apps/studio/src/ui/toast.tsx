import { dispatch, toast } from "../state/session.js";

/** The last thing done, with a way back. */
export function Toast() {
  const shown = toast.value;
  return (
    <div class="toast" role="status">
      {shown !== null && (
        <p>
          {shown.text}{" "}
          {shown.undo !== undefined && (
            <button
              type="button"
              onClick={() => {
                dispatch(shown.undo!);
                toast.value = null;
              }}
            >
              Undo
            </button>
          )}
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => {
              toast.value = null;
            }}
          >
            ×
          </button>
        </p>
      )}
    </div>
  );
}
