import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { screens } from "../state/document.js";
import { document as current, dispatch } from "../state/session.js";
import { cancel, cancelAll } from "../state/training.js";
import { Switch } from "./fields/tick.js";
import { boardRows, tick } from "./models/board.js";

/** Keys of a screen, while it is shown: the scrubber's, for example. */
export const screenKeys = signal<Readonly<Record<string, () => void>>>({});

const helpOpen = signal(false);
const enabled = signal(true);

const rows: readonly (readonly [string, string])[] = [
  ["?", "This help"],
  ["1 – 6", "Data, Bench, Inspect, Evaluate, Ship, Learn"],
  ["/", "Add a model"],
  ["j, k", "Next and previous model of the leaderboard"],
  ["x", "Tick the model, to compare up to four"],
  ["Enter", "Inspect the model"],
  ["Delete", "Remove the model"],
  ["c, Shift C", "Cancel the model, cancel all"],
  ["Space", "Play and pause"],
  [", and .", "One step back and forward"],
  ["Home, End", "First and last step"],
  ["Arrow keys", "On a picture: move the crosshair, with Shift by ten steps"],
  ["Enter, Escape", "On a picture: follow the nearest row, leave"],
];

/** Listens until the returned function is called. */
export function listenToKeys(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (!enabled.value || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest("dialog") !== null) return;
    // Buttons and links keep the keys that press them.
    if ((event.key === " " || event.key === "Enter") && /^(BUTTON|A|SUMMARY)$/.test(target.tagName)) return;
    const own = screenKeys.value[event.key];
    const act = own ?? general(event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}

function general(event: KeyboardEvent): (() => void) | undefined {
  const { selected } = current.value;
  const ids = boardRows.value.map(({ model }) => model.id);
  const at = ids.indexOf(selected ?? "");
  const select = (k: number) => {
    const id = ids[Math.min(ids.length - 1, Math.max(0, k))];
    if (id !== undefined) dispatch({ type: "select", id });
  };
  const screen = screens[Number(event.key) - 1];
  if (screen !== undefined) return () => dispatch({ type: "show", screen });
  switch (event.key) {
    case "?":
      return () => {
        helpOpen.value = true;
      };
    case "/":
      return () => {
        dispatch({ type: "show", screen: "bench" });
        requestAnimationFrame(openAddModel);
      };
    case "j":
      return () => select(at + 1);
    case "k":
      return () => select(at - 1);
    case "x":
      return selected === null ? undefined : () => tick(selected);
    case "Enter":
      return () => dispatch({ type: "show", screen: "inspect" });
    case "Delete":
      return selected === null ? undefined : () => dispatch({ type: "removeModel", id: selected });
    case "c":
      return selected === null ? undefined : () => cancel(selected);
    case "C":
      return cancelAll;
  }
  return undefined;
}

/** Opens the list, whose search then has the focus. */
function openAddModel(): void {
  const summary = globalThis.document.getElementById("add-model");
  const details = summary?.closest("details");
  if (details?.open) details.querySelector("input")?.focus();
  else summary?.click();
}

/** The list of keys, and the switch that turns them off. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const close = () => {
    helpOpen.value = false;
  };
  return (
    <>
      <button
        type="button"
        class="help"
        aria-label="Keys and help"
        onClick={() => {
          helpOpen.value = true;
        }}
      >
        ?
      </button>
      <dialog ref={dialog} aria-labelledby="help-title" onClose={close}>
        <h2 id="help-title">Keys</h2>
        <dl class="keys">
          {rows.map(([key, does]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <Switch of={enabled}>Single keys do this</Switch>
        <p>
          <button type="button" onClick={close}>
            Close
          </button>
        </p>
      </dialog>
    </>
  );
}
