import { useSignal } from "@preact/signals";
import type { IncludedSet } from "../../data/source.js";
import { openFile } from "../../state/open-file.js";
import { type OpenWay, openWay, openWays } from "../../state/open-way.js";
import { document as current, openSource } from "../../state/session.js";
import { Generator } from "./generator.js";
import { Paint } from "./paint.js";

/** The ways to a table. */
export function OpenPanel() {
  const way = openWay.value;
  return (
    <section class="open-panel" aria-labelledby="open-title">
      <fieldset class="ways">
        <legend id="open-title">Open a table</legend>
        {(Object.keys(openWays) as OpenWay[]).map((name) => (
          <label key={name} class={name === way ? "way chosen" : "way"}>
            <input
              type="radio"
              name="way"
              value={name}
              checked={name === way}
              onChange={() => {
                openWay.value = name;
              }}
            />
            {openWays[name]}
          </label>
        ))}
      </fieldset>
      <div class="way-body">
        {way === "file" && <FileWay />}
        {way === "paste" && <PasteWay />}
        {way === "included" && <IncludedWay />}
        {way === "generate" && <Generator />}
        {way === "paint" && <Paint />}
      </div>
    </section>
  );
}

function FileWay() {
  return (
    <div class="drop-zone">
      <p>
        <strong>Drop a file anywhere on this page</strong>, or{" "}
        <label class="file-button">
          choose one
          <input
            type="file"
            class="unseen"
            accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,.parquet,.gz"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = "";
              if (file !== undefined) void openFile(file, file.name);
            }}
          />
        </label>
      </p>
      <p class="note">
        CSV, TSV, JSON, NDJSON or Parquet, also packed with gzip. It is read in this page and never sent;
        links hold its name only.
      </p>
    </div>
  );
}

function PasteWay() {
  const text = useSignal("");
  return (
    <form
      class="paste"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.value.trim() !== "") void openFile(new Blob([text.value]), "pasted table");
      }}
    >
      <label for="paste-text">Rows from a spreadsheet, CSV or JSON</label>
      <textarea
        id="paste-text"
        rows={5}
        spellcheck={false}
        value={text.value}
        placeholder={"length,width,kind\n4.1,2.0,a\n5.9,1.2,b"}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <div class="buttons">
        <button type="submit" class="primary" disabled={text.value.trim() === ""}>
          Read the text
        </button>
        <span class="note">Ctrl V on this screen does the same.</span>
      </div>
    </form>
  );
}

const sets: { readonly [S in IncludedSet]: { readonly title: string; readonly about: string } } = {
  penguins: {
    title: "Penguins",
    about: "344 birds of three species; bills, flippers, weight. Some cells are missing.",
  },
  iris: { title: "Iris", about: "150 flowers of three species, four lengths each." },
  wine: { title: "Wine", about: "178 wines of three growers, 13 chemical figures." },
  breastCancer: {
    title: "Breast cancer",
    about: "569 tumours, benign or malignant, 30 figures of cell nuclei.",
  },
  titanic: { title: "Titanic", about: "1,309 passengers: who survived? Text, categories and gaps." },
  digits: { title: "Digits", about: "1,797 pictures of handwritten digits, 8 × 8 pixels." },
  diabetes: { title: "Diabetes", about: "442 patients: how far the disease went in a year, a number." },
};

function IncludedWay() {
  const { source } = current.value;
  return (
    <ul class="included">
      {(Object.keys(sets) as IncludedSet[]).map((name) => {
        const isOpen = source.kind === "included" && source.name === name;
        return (
          <li key={name}>
            <button
              type="button"
              class="set"
              aria-pressed={isOpen}
              onClick={() => void openSource({ kind: "included", name })}
            >
              <strong>{sets[name].title}</strong>
              <span class="note">{sets[name].about}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
