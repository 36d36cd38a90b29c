import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { columnOf } from "../data/table.js";
import { drawBoundary, type Points } from "../draw/boundary.js";
import type { Layer } from "../state/document.js";
import { classes, plane, selectedRows, table, targetColumn, task } from "../state/session.js";
import type { Grid, Trained } from "../work/protocol.js";
import { modelName } from "./figures.js";
import { Picture } from "./picture.js";
import { theme } from "./theme.js";

interface BoundaryProps {
  readonly name: string;
  readonly grid: Grid | undefined;
  readonly trained: Trained | undefined;
  readonly size: number;
  readonly layers: Readonly<Record<Layer, boolean>>;
  readonly radius?: number;
  readonly points?: Partial<Points>;
  readonly class?: string;
}

/** The regions of a model with the points of the table. */
export function BoundaryPicture({
  name,
  grid,
  trained,
  size,
  layers,
  radius = 3,
  points,
  ...others
}: BoundaryProps) {
  const data = useComputed(() => pointsOf());
  const shown = data.value;
  const colors = theme.value;
  const chosen = selectedRows.value;
  const wrong = useMemo(() => wrongRows(trained), [trained]);
  const view = plane.value;
  const drawn = useMemo(() => {
    if (view === null) return undefined;
    return drawBoundary({
      width: size,
      height: size,
      theme: colors,
      grid,
      probability: layers.probability,
      contours: layers.contours,
      levels: layers.margin ? [-1, 0, 1] : layers.contours ? [0] : [],
      mistakes: layers.mistakes,
      radius,
      x: view.x,
      y: view.y,
      points:
        shown === undefined || !layers.points
          ? undefined
          : {
              ...shown,
              wrong: (i) => wrong.has(i),
              ...(chosen !== null && { alpha: (i: number) => (chosen.has(i) ? 255 : 60) }),
              ...points,
            },
    });
  }, [view, size, colors, grid, layers, shown, wrong, chosen, radius, points]);
  const [x, y] = view?.axes ?? ["", ""];
  const label = `${modelName(name)}: regions of ${task.value === "regression" ? "values" : classes.value.join(", ") || "clusters"} over ${x} and ${y}${wrong.size > 0 ? `; ${wrong.size} rows predicted wrongly when held out` : ""}.`;
  return <Picture pixels={drawn} label={label} {...others} />;
}

/** The rows of the table in the plane; a sample of many. */
function pointsOf(): Points | undefined {
  const loaded = table.value;
  const view = plane.value;
  if (loaded === null || view === null) return undefined;
  const [x, y] = view.axes.map((name) => columnOf(loaded.data, name));
  if (x?.kind !== "number" || y?.kind !== "number") return undefined;
  const target = targetColumn.value;
  const names = classes.value;
  let label: ArrayLike<number>;
  if (target?.kind === "category") {
    const numberOf = target.levels.map((level) => names.indexOf(level));
    label = Int32Array.from(target.codes, (code) => (code < 0 ? -1 : numberOf[code]!));
  } else if (target?.kind === "number") {
    const [least, most] = [Math.min(...sample(target.values)), Math.max(...sample(target.values))];
    label = Float64Array.from(target.values, (value) => (value - least) / (most - least || 1));
  } else label = new Int32Array(loaded.data.rows).fill(-1);
  return { x: x.values, y: y.values, label };
}

const sample = (values: Float64Array): Float64Array =>
  values.filter((value) => !Number.isNaN(value)).slice(0, 50_000);

/** Rows whose class was predicted wrongly while they were held out. */
export function wrongRows(trained: Trained | undefined): ReadonlySet<number> {
  const held = trained?.held;
  const rows = new Set<number>();
  if (!held || trained.task !== "classification") return rows;
  for (let i = 0; i < held.rows.length; i++) if (held.truth[i] !== held.predicted[i]) rows.add(held.rows[i]!);
  return rows;
}
