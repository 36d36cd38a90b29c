import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Points } from "../../draw/boundary.js";
import { document as current, dispatch, gridOf, plane, runOf, table } from "../../state/session.js";
import "../../ui/boundary.css";
import { BoundaryPicture } from "../../ui/boundary-picture.js";
import { PlotArea } from "../../ui/plot-area.js";
import type { Grid } from "../../work/protocol.js";
import { playback, shownFrame } from "./playback.js";

/** Fewer rows have larger marks. */
const FEW_ROWS = 60;

/** Points per side of the large picture. */
const POINTS = 300;

/** The regions of a model, large, at the step where the scrubber is. */
export function Boundary({ id, estimator }: { readonly id: string; readonly estimator: string }) {
  const { trained, grid: tile } = runOf(id).value;
  const fine = useSignal<{ readonly tile: Grid; readonly grid: Grid } | null>(null);
  // A finer picture follows once the model is trained.
  useEffect(() => {
    const view = plane.value;
    if (trained === undefined || tile === undefined || view === null) return;
    const stop = new AbortController();
    gridOf(id, { ...view, n: POINTS }, stop.signal).then(
      (grid) => {
        fine.value = { tile, grid };
      },
      () => {},
    );
    return () => stop.abort();
  }, [id, trained, tile]);
  const { frames } = playback.value;
  const at = shownFrame();
  const frame = frames?.frames[at];
  const isLast = frames === null || at >= frames.frames.length - 1;
  const still = fine.value?.tile === tile ? fine.value?.grid : tile;
  const { layers: on, row } = current.value.view;
  const marks = useMemo((): Partial<Points> => {
    if (frames == null || frame === undefined) return {};
    const positions = new Map(Array.from(frames.rows, (i, k) => [i, k]));
    const { weights, support } = frame;
    const held = support === null ? undefined : new Set(Array.from(support.rows, (k) => frames.rows[k]!));
    return {
      ...(weights !== null && {
        // The area of a mark is the weight of its row, but every row is seen.
        size: (i: number) => Math.min(4, Math.max(0.35, Math.sqrt(weights[positions.get(i) ?? -1] ?? 1))),
      }),
      ...(held !== undefined && on.supportVectors && { ringed: (i: number) => held.has(i) }),
    };
  }, [frames, frame, on.supportVectors]);
  const weighted = frame?.weights != null;
  return (
    <figure class="plot">
      <PlotArea>
        <BoundaryPicture
          name={estimator}
          grid={isLast ? still : frame?.grid}
          trained={isLast ? trained : undefined}
          size={640}
          layers={on}
          radius={(table.value?.data.rows ?? 0) < FEW_ROWS ? 8 : 4.5}
          points={marks}
          outlines={frame?.outlines}
          row={row}
          onPick={(picked) => dispatch({ type: "setView", view: { row: picked } })}
        />
      </PlotArea>
      <figcaption>
        Colour: the answer; strength: how sure.{weighted ? " Size: the weight of the row in this round." : ""}
        {isLast && trained?.held != null && on.mistakes
          ? " Ring and cross: predicted wrongly while held out."
          : ""}{" "}
        Click a point to follow it.
      </figcaption>
    </figure>
  );
}
