import "./ship.css";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ModelEntry } from "../../state/document.js";
import { modelName } from "../../state/model-names.js";
import { modelSpec } from "../../state/model-specs.js";
import { document as current, pool, roles, table } from "../../state/session.js";
import { modelKey, runOf } from "../../state/training.js";
import { bytes, count } from "../../ui/figures.js";
import { ModelScreen } from "../../ui/models/model-screen.js";
import { NotTrained } from "../../ui/models/not-trained.js";
import { Stopped } from "../../work/pool.js";
import type { Described, ModelSpec, Trained } from "../../work/protocol.js";
import { fileStem } from "../../work/ship/quoting.js";
import { cardText } from "./card-text.js";
import { type Cargo, Checked, CopyText } from "./checked.js";
import { httpCommands } from "./http-commands.js";
import { pythonCode } from "./python-code.js";

/** A model to take along: as code, as a file, as a service. Each is run here and compared before it can be downloaded. */
export function Shipping() {
  return (
    <ModelScreen title="Ship" class="ship">
      {(model) => <OneModel key={model.id} model={model} />}
    </ModelScreen>
  );
}

function OneModel({ model }: { readonly model: ModelEntry }) {
  const { state, trained, stopped } = runOf(model.id).value;
  const name = modelName(model.estimator);
  const spec = modelSpec(model.id);
  if (
    trained === undefined ||
    state !== "done" ||
    spec === undefined ||
    table.value === null ||
    roles.value === null
  )
    return <NotTrained id={model.id} name={name} />;
  if (trained.fitted.rows.length === 0)
    return (
      <p>{name} has no predictions for new rows, so there is nothing to take along: choose another model.</p>
    );
  return (
    <Artefacts key={modelKey(model.id)} id={model.id} model={spec} trained={trained} stopped={stopped} />
  );
}

const tabs = [
  ["code", "TypeScript"],
  ["file", "Model file"],
  ["http", "HTTP"],
  ["card", "Model card"],
  ["json", "JSON"],
  ["onnx", "ONNX"],
] as const;
type Tab = (typeof tabs)[number][0];

interface ArtefactsProps {
  readonly id: string;
  readonly model: ModelSpec;
  readonly trained: Trained;
  /** Where the training was stopped, if it was. */
  readonly stopped: string;
}

function Artefacts({ id, model, trained, stopped }: ArtefactsProps) {
  const tab = useSignal<Tab>(stopped === "" ? "code" : "file");
  const loaded = table.value!;
  const given = roles.value!;
  const { split } = current.value;
  const key = modelKey(id);
  const stem = fileStem(loaded.data.name, model.estimator);
  const cargo: Cargo = useMemo(
    () => ({
      roles: given,
      model,
      split,
      key,
      stem,
      classes: trained.classes,
      fitted: trained.fitted,
      heldOut: trained.task === "clustering" ? null : trained.held,
    }),
    [key],
  );
  const { described, problem } = useDescribed(cargo, loaded.key);
  const name = modelName(model.estimator);
  const from = given.features.length > 3 ? `${given.features.length} columns` : given.features.join(" and ");
  return (
    <>
      <p class="lead">
        {name} {given.target === null ? `groups rows by ${from}` : `predicts ${given.target} from ${from}`},
        trained on {count(described?.card.rows ?? loaded.data.rows)} rows. The model file has{" "}
        {bytes(trained.file.length)}.
      </p>
      <TabList tab={tab} />
      <div id="ship-panel" class="ship-panel" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
        {problem !== null ? (
          <p class="problem">{problem}</p>
        ) : described === null ? (
          <p role="status">Preparing…</p>
        ) : (
          <Panel tab={tab.value} cargo={cargo} described={described} trained={trained} stopped={stopped} />
        )}
      </div>
    </>
  );
}

/** The tabs, which arrow keys go through. */
function TabList({ tab }: { readonly tab: Signal<Tab> }) {
  const list = useRef<HTMLDivElement>(null);
  const go = (to: number) => {
    const at = (to + tabs.length) % tabs.length;
    tab.value = tabs[at]![0];
    list.current?.querySelectorAll("button")[at]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="What to take along" ref={list}>
      {tabs.map(([id, title], k) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-selected={tab.value === id}
          aria-controls="ship-panel"
          tabIndex={tab.value === id ? 0 : -1}
          onClick={() => {
            tab.value = id;
          }}
          onKeyDown={(event) => {
            const to = { ArrowRight: k + 1, ArrowLeft: k - 1, Home: 0, End: tabs.length - 1 }[event.key];
            if (to === undefined) return;
            event.preventDefault();
            go(to);
          }}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

interface PanelProps {
  readonly tab: Tab;
  readonly cargo: Cargo;
  readonly described: Described;
  readonly trained: Trained;
  readonly stopped: string;
}

function Panel({ tab, ...props }: PanelProps) {
  const Body = panels[tab];
  return <Body {...props} />;
}

type TabProps = Omit<PanelProps, "tab">;

const CodePanel = ({ cargo, described, stopped }: TabProps) => (
  <>
    <p>
      Trains this model on the rows of {cargo.stem}.rows.json, saves it, and predicts typed rows. It has the
      steps that the columns need.
    </p>
    {stopped === "" ? (
      <Checked cargo={cargo} artefact="code" />
    ) : (
      <p class="note">
        It trains to the end, while the model here was stopped {stopped}: the model file has exactly this one.
      </p>
    )}
    <CopyText label="TypeScript code" text={described.code} />
  </>
);

const FilePanel = ({ cargo }: TabProps) => (
  <>
    <p>
      One .safetensors file with the whole model: preparation of columns, numbers and card. loadModel of
      argmax reads it in Node and in browsers.
    </p>
    <Checked cargo={cargo} artefact="file" />
    <CopyText label="Code that reads the file" text={loadingCode(cargo.stem)} />
  </>
);

function HttpPanel({ cargo, described }: TabProps) {
  const { serve, request, client } = httpCommands(cargo.stem, described.example.row);
  return (
    <>
      <p>Download the model file, then run these where it is.</p>
      <Checked cargo={cargo} artefact="file" />
      <h2>Start the server</h2>
      <CopyText label="Command that serves the model" text={serve} />
      <h2>Ask for a row of your table</h2>
      <CopyText label="Request for one row" text={request} />
      <p>The prediction in its answer:</p>
      <CopyText label="Prediction of the row" text={described.example.answer} />
      <h2>A typed client</h2>
      <CopyText label="Command that writes a client" text={client} />
    </>
  );
}

function CardPanel({ cargo, described, trained }: TabProps) {
  const { stem, model, roles, split } = cargo;
  const tableName = table.value!.data.name;
  const text = cardText({ tableName, model, roles, split, trained, card: described.card });
  const content = new TextEncoder().encode(text);
  return (
    <>
      <p>What the model predicts, from what, how well, and what to beware of. It goes with the file.</p>
      <Checked
        cargo={cargo}
        artefact="file"
        instead={{ name: `${stem}.md`, type: "text/markdown", content }}
      />
      <CopyText label="Model card in Markdown" text={text} />
    </>
  );
}

const JsonPanel = ({ cargo }: TabProps) => (
  <>
    <p>
      Every number of the model with its name and shape, as plain JSON for any language: what{" "}
      <code>argmax convert --to json</code> writes. It has the description of{" "}
      {modelName(cargo.model.estimator)} and of the steps before it.
    </p>
    <Checked cargo={cargo} artefact="json" preview />
  </>
);

const OnnxPanel = ({ cargo, described }: TabProps) => (
  <>
    <p>
      What the model computes, with the preparation of columns, for ONNX Runtime in Python, C#, Java, C++ or a
      browser. The check runs it here in ONNX Runtime, which is fetched for it from this site: 14 MB.
    </p>
    <Checked cargo={cargo} artefact="onnx" />
    <CopyText label="Python that runs the file" text={pythonCode(cargo.stem, described.example.row)} />
  </>
);

const panels: { readonly [T in Tab]: (props: TabProps) => preact.JSX.Element } = {
  code: CodePanel,
  file: FilePanel,
  http: HttpPanel,
  card: CardPanel,
  json: JsonPanel,
  onnx: OnnxPanel,
};

const loadingCode = (stem: string): string =>
  `import { readFileSync } from "node:fs";
import { loadModel } from "argmax";

const model = loadModel(readFileSync("${stem}.safetensors"));
`;

function useDescribed(
  { roles: given, model, key, stem, classes }: Cargo,
  tableKey: string,
): { described: Described | null; problem: string | null } {
  const found = useSignal<{ described: Described | null; problem: string | null }>({
    described: null,
    problem: null,
  });
  useEffect(() => {
    const stop = new AbortController();
    const ask = { roles: given, model, key, stem, classes };
    pool.hold(tableKey, table.value!.data);
    pool.run("artefacts", ask, { needs: [tableKey, key], signal: stop.signal, urgent: true }).then(
      (described) => {
        found.value = { described, problem: null };
      },
      (error: Error) => {
        if (error instanceof Stopped) return;
        found.value = { described: null, problem: `This model cannot be described: ${error.message}` };
      },
    );
    return () => stop.abort();
  }, [key]);
  return found.value;
}
