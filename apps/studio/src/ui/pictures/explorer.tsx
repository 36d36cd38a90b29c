import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Plane } from "../../state/plane.js";
import { classes } from "../../state/session.js";
import type { Grid } from "../../work/protocol.js";
import { ScrollRegion, TableHead } from "../table-parts.js";
import { nearest, planePoints } from "./boundary-picture.js";
import { placeIn } from "./picture.js";
import { answerText, crosshairText, placeValues, readingAt } from "./readings.js";

interface ExplorerProps {
  readonly view: Plane;
  readonly grid: Grid | undefined;
  /** The row that is followed: the crosshair begins there. */
  readonly row: number | null;
  readonly onPick: (row: number) => void;
  /** The picture in its axes; what is given lies over it. */
  readonly children: (over: (picture: ComponentChildren) => ComponentChildren) => ComponentChildren;
}

type Place = readonly [number, number];

interface Pointing {
  /** Between 0 and 1 from the lower left corner. */
  readonly at: Place;
  readonly by: "keys" | "pointer";
}

const within = (place: number): number => Math.min(1, Math.max(0, place));

/** A picture that answers at every place: under the pointer, and under a crosshair that keys move. */
export function Explorer({ view, grid, row, onPick, children }: ExplorerProps) {
  const pointing = useSignal<Pointing | null>(null);
  const now = pointing.value;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = now?.by === "keys" ? now.at : placeOfRow(row, view);
    const move = moves[event.key];
    if (move !== undefined) {
      const step = event.shiftKey ? 0.1 : 0.01;
      pointing.value = {
        at: [within(from[0] + step * move[0]), within(from[1] + step * move[1])],
        by: "keys",
      };
    } else if (event.key === "Enter" && planePoints.value !== undefined) {
      const found = nearest(planePoints.value, view, ...from);
      if (found >= 0) onPick(found);
    } else if (event.key === "Escape" && now !== null) {
      pointing.value = null;
      (event.currentTarget as HTMLElement).blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPointerMove = (event: PointerEvent) => {
    const [x, y] = placeIn(event);
    pointing.value = { at: [within(x), within(y)], by: "pointer" };
  };
  const text = now === null ? "" : textAt(view, grid, now.at);
  return (
    <>
      {children((picture) => (
        <div
          class="explorer"
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application is interactive
          tabIndex={0}
          aria-label="Crosshair over the picture: arrow keys move it, with Shift by ten steps; Enter follows the nearest row, Escape leaves."
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerLeave={() => {
            if (pointing.peek()?.by === "pointer") pointing.value = null;
          }}
          onBlur={() => {
            pointing.value = null;
          }}
        >
          {picture}
          {now?.by === "keys" && <Crosshair at={now.at} />}
        </div>
      ))}
      <p class="readout" aria-hidden="true">
        {text ||
          `Point at the picture, or focus it and press arrow keys, to read ${grid === undefined ? "values" : "answers"}.`}
      </p>
      <p class="unseen" aria-live="polite">
        {now?.by === "keys" ? text : ""}
      </p>
    </>
  );
}

/** Where a row is in the picture; the middle for none. */
function placeOfRow(row: number | null, view: Plane): Place {
  const points = planePoints.value;
  const [x, y] =
    row === null || points === undefined ? [Number.NaN, Number.NaN] : [points.x[row]!, points.y[row]!];
  if (Number.isNaN(x) || Number.isNaN(y)) return [0.5, 0.5];
  return [(x - view.x[0]) / (view.x[1] - view.x[0]), (y - view.y[0]) / (view.y[1] - view.y[0])];
}

const moves: Readonly<Record<string, Place>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

const textAt = (view: Plane, grid: Grid | undefined, at: Place): string =>
  crosshairText(view, at, grid === undefined ? null : answerText(readingAt(grid, ...at), classes.value));

function Crosshair({ at: [x, y] }: { readonly at: Place }) {
  return (
    <svg class="crosshair" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path class="halo" d={`M${100 * x} 0V100M0 ${100 * (1 - y)}H100`} />
      <path d={`M${100 * x} 0V100M0 ${100 * (1 - y)}H100`} />
    </svg>
  );
}

/** Cells per side of the table. */
const CELLS = 6;

/** The answers at some places of the picture, as a table. */
export function PictureTable({ view, grid }: { readonly view: Plane; readonly grid: Grid }) {
  const open = useSignal(false);
  const places = Array.from({ length: CELLS }, (_, k) => (k + 0.5) / CELLS);
  const names = classes.value;
  return (
    <details
      class="picture-table"
      onToggle={(event) => {
        open.value = event.currentTarget.open;
      }}
    >
      <summary>Show as a table</summary>
      {open.value && (
        <ScrollRegion label="Answers of the model as a table">
          <table>
            <caption>
              Answers where {view.axes[0]} (across) and {view.axes[1]} (down) have these values.
            </caption>
            <TableHead titles={["", ...places.map((x) => placeValues(view, [x, 0])[0]!)]} />
            <tbody>
              {places.toReversed().map((y) => (
                <tr key={y}>
                  <th scope="row">{placeValues(view, [0, y])[1]}</th>
                  {places.map((x) => (
                    <td key={x}>{answerText(readingAt(grid, x, y), names)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </details>
  );
}
