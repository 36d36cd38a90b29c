import { useSignal } from "@preact/signals";
import { extent } from "argmax/plot";
import { useEffect, useMemo } from "preact/hooks";
import type { Points } from "../../draw/boundary.js";
import { winnersAt } from "../../draw/field.js";
import { document as current, dispatch, plane, roles, table } from "../../state/session.js";
import { gridOf, runOf } from "../../state/training.js";
import "../../ui/pictures/boundary.css";
import { BoundaryPicture, planePoints, valueRange } from "../../ui/pictures/boundary-picture.js";
import { ColorBar } from "../../ui/pictures/color-bar.js";
import { Explorer, PictureTable } from "../../ui/pictures/explorer.js";
import { ClusterLegend } from "../../ui/pictures/legend.js";
import { marginNote, noMarginNote } from "../../ui/pictures/margins.js";
import { PlotArea } from "../../ui/pictures/plot-area.js";
import type { Frames, Grid, Trained } from "../../work/protocol.js";
import { playback, shownFrame } from "./playback.js";

/** Fewer rows have larger marks. */
const FEW_ROWS = 60;

/** Points per side of the large picture. */
const POINTS = 300;

/** Milliseconds that a finer picture may take. */
const PATIENCE = 2000;

/** Earlier steps of linear models whose boundaries are drawn. */
const TRAIL = 12;

/** The regions of a model, large, at the step where the scrubber is. */
export function Boundary({ id, estimator }: { readonly id: string; readonly estimator: string }) {
  const { trained, grid: tile } = runOf(id).value;
  const fine = useFineGrid(id);
  const { frames } = playback.value;
  const at = shownFrame();
  const frame = frames?.frames[at];
  const isLast = frames === null || at >= frames.frames.length - 1;
  const { layers: on, row } = current.value.view;
  const placed = planePoints.value;
  const marks = useMemo(
    () => ({
      ...marksOf(frames, frame, on.supportVectors),
      ...(!isLast && clustersAt(frame?.grid, placed)),
    }),
    [frames, frame, on.supportVectors, isLast, placed],
  );
  const trail = useMemo(
    () =>
      frames?.isLinear === true
        ? frames.frames.slice(Math.max(0, at - TRAIL), at).map(({ grid }) => grid)
        : undefined,
    [frames, at],
  );
  const view = plane.value;
  if (view === null) return null;
  const grid = isLast ? (fine ?? tile) : frame?.grid;
  const clusters = isLast ? clustersOf(trained) : marks.label;
  const pick = (picked: number) => dispatch({ type: "setView", view: { row: picked } });
  return (
    <figure class="plot">
      <Explorer view={view} grid={grid} row={row} onPick={pick}>
        {(over) => (
          <>
            <PlotArea>
              {over(
                <BoundaryPicture
                  name={estimator}
                  grid={grid}
                  trained={isLast ? trained : undefined}
                  size={640}
                  layers={on}
                  radius={(table.value?.data.rows ?? 0) < FEW_ROWS ? 8 : 4.5}
                  points={marks}
                  trail={trail}
                  outlines={frame?.outlines}
                  row={row}
                  onPick={pick}
                />,
              )}
            </PlotArea>
            {grid?.task === "regression" && <ColorBar />}
            {clusters !== undefined && <ClusterLegend labels={clusters} hasNoise={isLast} />}
          </>
        )}
      </Explorer>
      <figcaption>{notesOf({ trained, grid, frames, frame, trail, isLast })}</figcaption>
      {grid !== undefined && <PictureTable view={view} grid={grid} />}
    </figure>
  );
}

interface Shown {
  readonly trained: Trained | undefined;
  readonly grid: Grid | undefined;
  readonly frames: Frames | null;
  readonly frame: Frames["frames"][number] | undefined;
  readonly trail: readonly Grid[] | undefined;
  readonly isLast: boolean;
}

/** What the marks of the layers that are on mean. */
function notesOf({ trained, grid, frames, frame, trail = [], isLast }: Shown): string {
  const { screen, view } = current.value;
  const { layers: on } = view;
  const notes = [
    trained?.canPredict === false
      ? "Colour: the cluster. This clustering assigns the training rows only: it predicts nothing between them."
      : colourNote(grid),
    on.margin && grid !== undefined && marginNote(grid),
    // The layer is chosen in Inspect.
    on.margin && grid !== undefined && screen === "inspect" && noMarginNote(grid),
    frames?.outlineNote,
    frame?.weights != null && "Size: the weight of the row in this round.",
    frame?.support != null && on.supportVectors && "Ring: support vector; with a dot: at the bound C.",
    isSlack(grid, on.slack) && "Line from a row: its slack, up to its margin f = ±1.",
    trail.length > 0 && on.trail && "Faint lines: earlier steps.",
    isLast && hasMistakes(trained) && on.mistakes && "Ring and cross: predicted wrongly while held out.",
    "Click a point to follow it.",
  ];
  return notes.filter(Boolean).join(" ");
}

/** What colours mean. */
function colourNote(grid: Grid | undefined): string {
  if (grid?.scale === "label") return "Colour: the answer.";
  if (grid?.task !== "regression") return "Colour: the answer; strength: how sure.";
  const [least, most] = extent(grid.value!);
  // For a moment the grid may be older than the target.
  const [low, high] = valueRange.value ?? [least, most];
  const beyond = least < low || most > high ? " Values beyond that range have the colour of its end." : "";
  return `Colour: the predicted value, of rows the true one; lines: tenths of the range of the table.${beyond}`;
}

/** The cluster of every row. */
const clustersOf = (trained: Trained | undefined): ArrayLike<number> | undefined =>
  trained?.task === "clustering" ? trained.held?.predicted : undefined;

const isSlack = (grid: Grid | undefined, on: boolean): boolean =>
  on && grid?.task === "classification" && grid.value !== null;

const hasMistakes = (trained: Trained | undefined): boolean =>
  trained?.task === "classification" && trained.held !== null;

/** A finer picture follows once the model is trained, if it does not take long. */
function useFineGrid(id: string): Grid | undefined {
  const { trained, grid: tile } = runOf(id).value;
  const fine = useSignal<{ readonly tile: Grid; readonly grid: Grid } | null>(null);
  useEffect(() => {
    const view = plane.value;
    if (trained === undefined || tile === undefined || view === null) return;
    const affordable = Math.floor(Math.sqrt((1000 * PATIENCE) / trained.predictMicroseconds));
    const n = Math.min(POINTS, affordable);
    if (n <= tile.view.n) return;
    const stop = new AbortController();
    gridOf(id, { ...view, n }, stop.signal).then(
      (grid) => {
        fine.value = { tile, grid };
      },
      () => {},
    );
    return () => stop.abort();
  }, [id, trained, tile]);
  return fine.value?.tile === tile ? fine.value?.grid : undefined;
}

/** The clusters of the rows at an earlier step: those of the plane, where it has all features. */
function clustersAt(grid: Grid | undefined, points: Points | undefined): Partial<Points> | undefined {
  if (grid?.task !== "clustering" || points === undefined || roles.value?.features.length !== 2)
    return undefined;
  return { label: winnersAt(grid, points.x, points.y), isValue: false };
}

/** Sizes by weight, rings around support vectors. */
function marksOf(
  frames: Frames | null,
  frame: Frames["frames"][number] | undefined,
  supportVectors: boolean,
): Partial<Points> {
  if (frames === null || frame === undefined) return {};
  const { weights, support } = frame;
  const positions = new Map(Array.from(frames.rows, (i, k) => [i, k]));
  const held =
    support === null || !supportVectors
      ? undefined
      : new Map(Array.from(support.rows, (k, s) => [frames.rows[k]!, support.bounded[s] === 1]));
  return {
    ...(weights !== null && {
      // The area of a mark is the weight of its row, but every row is seen.
      size: (i: number) => Math.min(4, Math.max(0.35, Math.sqrt(weights[positions.get(i) ?? -1] ?? 1))),
    }),
    ...(held !== undefined && {
      ringed: (i: number) => held.has(i),
      dotted: (i: number) => held.get(i) === true,
    }),
  };
}
