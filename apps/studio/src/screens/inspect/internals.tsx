import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { cividis } from "../../draw/colors.js";
import { pixels } from "../../draw/pixels.js";
import { document as current, dispatch, pool, roles, table } from "../../state/session.js";
import { modelKey, runOf } from "../../state/training.js";
import { short } from "../../ui/figures.js";
import { Picture } from "../../ui/picture.js";
import { theme } from "../../ui/theme.js";
import type { Panel, SmallImage } from "../../work/protocol.js";
import { playback, shownFrame } from "./playback.js";
import { TreePanel } from "./tree-panel.js";

/** What the model consists of, by family. */
export function Internals({ id }: { readonly id: string }) {
  const panels = useSignal<readonly Panel[] | string | null>(null);
  const { trained } = runOf(id).value;
  const what = roles.value;
  const loaded = table.value;
  const { row } = current.value.view;
  useEffect(() => {
    if (trained === undefined || what === null || loaded === null) return;
    const stop = new AbortController();
    pool.hold(loaded.key, loaded.data);
    const key = modelKey(id);
    pool
      .run(
        "internals",
        { roles: what, model: key, row },
        { needs: [loaded.key, key], signal: stop.signal, urgent: true },
      )
      .then(
        (found) => {
          panels.value = found;
        },
        (error: Error) => {
          if (!stop.signal.aborted) panels.value = error.message;
        },
      );
    return () => stop.abort();
  }, [id, trained, what, loaded, row]);
  if (trained === undefined || panels.value === null) return null;
  if (typeof panels.value === "string") return <p class="problem">{panels.value}</p>;
  return (
    <section aria-labelledby="internals-title" class="internals">
      <h2 id="internals-title">What it has learned</h2>
      {panels.value.length === 0 && <p class="note">This model keeps nothing that could be shown here.</p>}
      {panels.value.map((panel) => (
        <PanelView key={panel.title} panel={panel} />
      ))}
    </section>
  );
}

function PanelView({ panel }: { readonly panel: Panel }) {
  switch (panel.kind) {
    case "bars":
      return <Bars {...panel} />;
    case "table":
      return <Lines {...panel} />;
    case "curve":
      return <Curve {...panel} />;
    case "tree":
      return <TreePanel {...panel} />;
    case "images":
      return <Images {...panel} />;
  }
}

function Bars({ title, note, bars }: Extract<Panel, { kind: "bars" }>) {
  const most = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return (
    <figure class="panel">
      <figcaption>
        <h3>{title}</h3>
        <p class="note">{note}</p>
      </figcaption>
      <table class="bars">
        <caption class="unseen">{title}</caption>
        <tbody>
          {bars.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row" title={name}>
                <span class="bar-name">{name}</span>
              </th>
              <td>
                <svg viewBox="-50 0 100 10" preserveAspectRatio="none" class="weight-bar" aria-hidden="true">
                  <path d={`M0 1h${(49 * value) / most}v8H0z`} class={value < 0 ? "negative" : "positive"} />
                  <path d="M0 0v10" class="zero" />
                </svg>
              </td>
              <td class="number">{short(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** The number of the step that the scrubber shows, where it counts in this unit. */
function stepShown(unit: string): number | undefined {
  const { frames } = playback.value;
  return frames?.unit === unit ? frames.frames[shownFrame()]?.at : undefined;
}

type LinesPanel = Extract<Panel, { kind: "table" }>;

function Lines(panel: LinesPanel) {
  const { title, note, rows } = panel;
  return (
    <figure class="panel">
      <figcaption>
        <h3>{title}</h3>
        <p class="note">{note}</p>
      </figcaption>
      {rows.length > 0 && <LinesTable {...panel} />}
    </figure>
  );
}

function LinesTable({ title, head, rows, about }: LinesPanel) {
  const step = stepShown(head[0]!.toLowerCase());
  return (
    /* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys */
    <section class="scroll tall" tabIndex={0} aria-label={title}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, i) => (
            <tr key={`${i} ${cells[0]}`} class={cells[0] === step ? "now" : undefined}>
              {cells.map((cell, j) => (
                <td key={head[j]}>
                  {j === 0 && about !== undefined ? (
                    <button
                      type="button"
                      class="link"
                      onClick={() => dispatch({ type: "setView", view: { row: about[i]! } })}
                    >
                      {cell}
                    </button>
                  ) : (
                    cell
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Curve({ title, unit, values }: Extract<Panel, { kind: "curve" }>) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = stepShown(unit);
  const path = values
    .map((value, k) => {
      const x = (k / (values.length - 1)) * 300;
      const y = 90 - (80 * (value - least)) / (most - least || 1);
      return `${k === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
  return (
    <figure class="panel">
      <figcaption>
        <h3>{title}</h3>
        <p class="note">
          From {short(values[0]!)} in the first {unit} to {short(values.at(-1)!)} in the last of{" "}
          {values.length}.
        </p>
      </figcaption>
      <svg
        viewBox="0 0 300 100"
        class="loss-curve"
        role="img"
        aria-label={`${title} over ${values.length} steps`}
      >
        <path d={path} />
        {step !== undefined && step <= values.length && (
          <path class="now" d={`M${(300 * (step - 1)) / (values.length - 1)} 0V100`} />
        )}
      </svg>
    </figure>
  );
}

function Images({ title, note, images }: Extract<Panel, { kind: "images" }>) {
  return (
    <figure class="panel">
      <figcaption>
        <h3>{title}</h3>
        <p class="note">{note}</p>
      </figcaption>
      <ul class="images">
        {images.map((image) => (
          <li key={image.caption}>
            <Small image={image} />
            <span class="note">{image.caption}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function Small({ image }: { readonly image: SmallImage }) {
  const { ground } = theme.value;
  const drawn = useMemo(() => {
    const out = pixels(image.cols, image.rows, ground);
    for (const [e, value] of image.values.entries())
      if (!Number.isNaN(value)) out.data.set(cividis(value), 4 * e);
    return out;
  }, [image, ground]);
  return <Picture pixels={drawn} label={image.caption} class="small-image" />;
}
