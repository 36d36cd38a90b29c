import { useSignal } from "@preact/signals";
import { maxOf, minOf } from "argmax/numeric";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { cividis } from "../../draw/colors.js";
import { pixels } from "../../draw/pixels.js";
import { document as current, dispatch, pool, roles, table } from "../../state/session.js";
import { modelKey, runOf } from "../../state/training.js";
import { short } from "../../ui/figures.js";
import { Picture } from "../../ui/pictures/picture.js";
import { rowId } from "../../ui/row-name.js";
import { ScrollRegion, TableHead } from "../../ui/table-parts.js";
import { theme } from "../../ui/theme.js";
import type { Bar, Panel, SmallImage } from "../../work/protocol.js";
import { goTo, playback, shownFrame } from "./playback.js";
import { stepOf } from "./step-text.js";
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
  const { frames } = playback.value;
  const steps = useMemo(() => frames?.frames.map((frame) => frame.panels) ?? [], [frames]);
  const final = panels.value;
  const scales = useMemo(
    () => (Array.isArray(final) ? barScales([...steps, final as readonly Panel[]]) : new Map()),
    [steps, final],
  );
  if (trained === undefined || final === null) return null;
  if (typeof final === "string") return <p class="problem">{final}</p>;
  const at = shownFrame();
  const isFollowed = playback.value.row === row;
  const here = at < steps.length - 1 ? steps[at] : undefined;
  const shown = here === undefined ? final : atStep(final, isFollowed ? here : here.map(withoutPath));
  return (
    <section aria-labelledby="internals-title" class="internals">
      <h2 id="internals-title">What it has learned</h2>
      <StepHead isFollowed={isFollowed} />
      {shown.length === 0 && <p class="note">This model stores nothing that can be shown here.</p>}
      {shown.map((panel) => (
        <PanelView
          key={panel.title}
          panel={panel}
          final={final.find(({ title, kind }) => title === panel.title && kind === panel.kind) ?? panel}
          scale={scales.get(panel.title)}
        />
      ))}
    </section>
  );
}

/** The panels of a step in the order of those of the fitted model, whose curves have all steps. */
function atStep(final: readonly Panel[], here: readonly Panel[]): readonly Panel[] {
  const byTitle = new Map(here.map((panel) => [panel.title, panel]));
  const known = new Set(final.map(({ title }) => title));
  return [
    ...final.flatMap((panel) => (panel.kind === "curve" ? [panel] : (byTitle.get(panel.title) ?? []))),
    ...here.filter(({ title }) => !known.has(title)),
  ];
}

/** A tree without the path of a row that is no longer the selected one. */
const withoutPath = (panel: Panel): Panel => (panel.kind === "tree" ? { ...panel, path: [] } : panel);

/** The largest absolute bar of every panel over all steps: bars grow while one goes through them. */
function barScales(steps: readonly (readonly Panel[])[]): ReadonlyMap<string, number> {
  const scales = new Map<string, number>();
  for (const panel of steps.flat()) {
    if (panel.kind !== "bars") continue;
    const sizes = panel.bars.map(({ value }) => Math.abs(value)).filter(Number.isFinite);
    scales.set(panel.title, maxOf(sizes, scales.get(panel.title) ?? Number.MIN_VALUE));
  }
  return scales;
}

/** At which step the panels are, and a way to the next. */
function StepHead({ isFollowed }: { readonly isFollowed: boolean }) {
  const { frames } = playback.value;
  if (frames === null || frames.unit === null || frames.frames.length < 2) return null;
  const at = shownFrame();
  const last = frames.frames.length - 1;
  const number = (frame: number): number => frames.frames[frame]!.at;
  return (
    <p class="step-head">
      <button type="button" aria-label="Earlier step" disabled={at === 0} onClick={() => goTo(at - 1)}>
        ◀
      </button>
      <button type="button" aria-label="Later step" disabled={at === last} onClick={() => goTo(at + 1)}>
        ▶
      </button>
      <span>
        {`At ${stepOf(frames.unit, number(at), number(last))}.`}
        {isFollowed || at === last ? "" : " What depends on the row is being computed."}
      </span>
    </p>
  );
}

interface Shown<P> {
  readonly panel: P;
  /** The same panel of the fitted model. */
  readonly final: P;
}

function PanelView({ panel, final, scale }: Shown<Panel> & { readonly scale: number | undefined }) {
  switch (panel.kind) {
    case "bars":
      return <Bars panel={panel} final={final as typeof panel} scale={scale ?? 1} />;
    case "table":
      return <Lines {...panel} />;
    case "curve":
      return <Curve {...panel} />;
    case "tree":
      return <TreePanel panel={panel} grown={final as typeof panel} />;
    case "images":
      return <Images {...panel} />;
  }
}

type BarsPanel = Extract<Panel, { kind: "bars" }>;

/** Bars of one scale at all steps, in the order of the fitted model; shares from the left, up to the largest of their step. */
function Bars({ panel, final, scale }: Shown<BarsPanel> & { readonly scale: number }) {
  const { title, note, areShares = false } = panel;
  const most = areShares
    ? maxOf(
        panel.bars.map(({ value }) => value),
        Number.MIN_VALUE,
      )
    : scale;
  const width = areShares ? 98 : 49;
  const order = new Map(final.bars.map(({ name }, k) => [name, k]));
  const place = ({ name }: Bar): number => order.get(name) ?? order.size;
  const bars = panel === final ? panel.bars : panel.bars.toSorted((a, b) => place(a) - place(b));
  return (
    <PanelFigure title={title} note={note}>
      <table class="bars">
        <caption class="unseen">{title}</caption>
        <tbody>
          {bars.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row" title={name}>
                <span class="bar-name">{name}</span>
              </th>
              <td>
                <svg
                  viewBox={areShares ? "-1 0 100 10" : "-50 0 100 10"}
                  preserveAspectRatio="none"
                  class="weight-bar"
                  aria-hidden="true"
                >
                  <path
                    d={`M0 1h${(width * value) / most}v8H0z`}
                    class={value < 0 ? "negative" : "positive"}
                  />
                  <path d="M0 0v10" class="zero" />
                </svg>
              </td>
              <td class="number">{short(value).replace("-", "−")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </PanelFigure>
  );
}

interface PanelFigureProps {
  readonly title: string;
  readonly note: string;
  readonly children: ComponentChildren;
}

function PanelFigure({ title, note, children }: PanelFigureProps) {
  return (
    <figure class="panel">
      <figcaption>
        <h3>{title}</h3>
        <p class="note">{note}</p>
      </figcaption>
      {children}
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
    <PanelFigure title={title} note={note}>
      {rows.length > 0 && <LinesTable {...panel} />}
    </PanelFigure>
  );
}

function LinesTable({ title, head, rows, about }: LinesPanel) {
  const step = stepShown(head[0]!.toLowerCase());
  const region = useRef<HTMLElement>(null);
  const seen = useRef(step);
  // The line of another step is brought into sight; the rest stays where it is.
  useLayoutEffect(() => {
    if (seen.current !== undefined && seen.current !== step) showLine(region.current);
    seen.current = step;
  }, [step]);
  return (
    <ScrollRegion label={title} class="scroll tall" region={region}>
      <table>
        <TableHead titles={head} />
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
                      {[cell, rowId(about[i]!)].filter((text) => text !== "").join(", ")}
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
    </ScrollRegion>
  );
}

/** Scrolls a table, and nothing else, as little as is needed to show the line of the step. */
function showLine(region: HTMLElement | null): void {
  const line = region?.querySelector("tr.now");
  if (region === null || line == null) return;
  const [box, place] = [region.getBoundingClientRect(), line.getBoundingClientRect()];
  if (place.bottom > box.bottom) region.scrollTop += place.bottom - box.bottom;
  else if (place.top < box.top) region.scrollTop -= box.top - place.top;
}

function Curve({ title, unit, values }: Extract<Panel, { kind: "curve" }>) {
  const [least, most] = [minOf(values), maxOf(values)];
  const step = stepShown(unit);
  const path = values
    .map((value, k) => {
      const x = (k / (values.length - 1)) * 300;
      const y = 90 - (80 * (value - least)) / (most - least || 1);
      return `${k === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
  return (
    <PanelFigure
      title={title}
      note={`From ${short(values[0]!)} in the first ${unit} to ${short(values.at(-1)!)} in the last of ${values.length}.`}
    >
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
    </PanelFigure>
  );
}

function Images({ title, note, images }: Extract<Panel, { kind: "images" }>) {
  return (
    <PanelFigure title={title} note={note}>
      {images.length > 0 && (
        <ul class="images">
          {images.map((image, k) => (
            /* A layer has its place at every step; its caption changes. */
            <li key={k}>
              <Small image={image} />
              <span class="note">{image.caption}</span>
            </li>
          ))}
        </ul>
      )}
    </PanelFigure>
  );
}

/** Pictures that are longer than this have no square pixels. */
const FLAT = 6;

function Small({ image }: { readonly image: SmallImage }) {
  const { ground } = theme.value;
  const drawn = useMemo(() => {
    const out = pixels(image.cols, image.rows, ground);
    for (const [e, value] of image.values.entries())
      if (!Number.isNaN(value)) out.data.set(cividis(value), 4 * e);
    return out;
  }, [image, ground]);
  const isFlat = Math.max(image.rows / image.cols, image.cols / image.rows) > FLAT;
  return (
    <Picture pixels={drawn} label={image.caption} class={isFlat ? "small-image stretched" : "small-image"} />
  );
}
