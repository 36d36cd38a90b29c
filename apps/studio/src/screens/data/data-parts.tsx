import "./data.css";
import { useEffect } from "preact/hooks";
import { isLarge } from "../../data/table.js";
import { followTask } from "../../state/change-columns.js";
import { openFile } from "../../state/open-file.js";
import { dispatch, holdTraining, table } from "../../state/session.js";
import { watchTable } from "../../state/table-figures.js";
import { count } from "../../ui/figures.js";
import { Later } from "../../ui/later.js";
import { TrainNow } from "../../ui/models/train-now.js";
import { ColumnCards } from "./column-cards.js";
import { Images } from "./images.js";
import { Messages } from "./messages.js";
import { OpenPanel } from "./open-panel.js";
import { Rows } from "./rows.js";
import { SplitPanel } from "./split-panel.js";
import { TargetPicker } from "./target-picker.js";
import { WarningList } from "./warning-list.js";

/** Opening a table, what its columns are, what is wrong with it, how it is split, and its rows. */
export function DataParts() {
  useEffect(watchTable, []);
  useEffect(followTask, []);
  useEffect(listenToPaste, []);
  const loaded = table.value;
  const large = loaded !== null && isLarge(loaded.data);
  // The number of the table, without the kinds that were changed: these do not begin anew.
  const opened = large ? loaded.key.split(" ", 2).join(" ") : loaded?.data.name;
  return (
    <div class="data">
      <div class="data-head">
        <div>
          <h1>{loaded === null ? "Data" : loaded.data.name}</h1>
          {loaded !== null && (
            <p class="lead">
              {count(loaded.data.rows)} {loaded.data.rows === 1 ? "row" : "rows"} of{" "}
              {count(loaded.data.columns.length)} {loaded.data.columns.length === 1 ? "column" : "columns"}.
              Files stay in this page: nothing is uploaded.
            </p>
          )}
          {loaded !== null && <TargetPicker />}
        </div>
        {loaded !== null && !holdTraining.value && (
          <button type="button" class="primary" onClick={() => dispatch({ type: "show", screen: "bench" })}>
            See the models
          </button>
        )}
      </div>
      <div>
        <OpenPanel />
        <Messages />
      </div>
      {loaded !== null && (
        <>
          <TrainNow />
          <div class="data-checks">
            <WarningList />
            <SplitPanel />
          </div>
          <Later key={`images ${opened}`} turn={large ? 1 : 0}>
            <Images />
          </Later>
          <Later key={`cards ${opened}`} turn={large ? 2 : 0}>
            <ColumnCards isLarge={large} />
          </Later>
          <Later key={`rows ${opened}`} turn={large ? 8 : 0}>
            <Rows />
          </Later>
        </>
      )}
    </div>
  );
}

/** Ctrl-V anywhere but in a field opens a table. */
function listenToPaste(): () => void {
  const paste = (event: ClipboardEvent) => {
    const target = event.target as Element | null;
    if (target?.closest?.("input, textarea, select, [contenteditable]") != null) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (file !== undefined) void openFile(file, file.name);
    else if (text.trim() !== "") void openFile(new Blob([text]), "pasted table");
    else return;
    event.preventDefault();
  };
  addEventListener("paste", paste);
  return () => removeEventListener("paste", paste);
}
