import { computed } from "@preact/signals";
import { extent, linearScale } from "argmax/plot";
import { useMemo } from "preact/hooks";
import { columnOf } from "../../data/table.js";
import { boundarySteps, type Points } from "../../draw/boundary.js";
import type { Color, Theme } from "../../draw/colors.js";
import { ring } from "../../draw/marks.js";
import { line, type Pixels } from "../../draw/pixels.js";
import { slackSegments } from "../../draw/slack.js";
import type { Layer } from "../../state/document.js";
import { modelName } from "../../state/model-names.js";
import { noRows, RowSet } from "../../state/row-set.js";
import { classes, places, plane, selectedRows, table, targetColumn, task } from "../../state/session.js";
import type { Grid, Trained } from "../../work/protocol.js";
import { theme } from "../theme.js";
import { useDrawing } from "./draw-soon.js";
import { Picture, placeIn } from "./picture.js";

/** Layers of small pictures. */
const tileLayers: Readonly<Record<Layer, boolean>> = {
  probability: true,
  contours: true,
  margin: false,
  supportVectors: false,
  slack: false,
  trail: false,
  points: true,
  mistakes: false,
};

interface BoundaryProps {
  readonly name: string;
  readonly grid: Grid | undefined;
  readonly trained: Trained | undefined;
  readonly size: number;
  /** Those of small pictures unless given. */
  readonly layers?: Readonly<Record<Layer, boolean>>;
  readonly radius?: number;
  readonly points?: Partial<Points>;
  /** Grids of earlier steps. */
  readonly trail?: readonly Grid[] | undefined;
  /** Centres and ellipses. */
  readonly outlines?: readonly (readonly (readonly [number, number])[])[] | undefined;
  /** The row that is followed. */
  readonly row?: number | null;
  /** Called with the row nearest to a click. */
  readonly onPick?: (row: number) => void;
  readonly onClick?: () => void;
  readonly class?: string;
}

/** The regions of a model with the points of the table. */
export function BoundaryPicture({ name, onPick, onClick, class: look, ...given }: BoundaryProps) {
  const { grid, trained, size, layers = tileLayers, radius = 3, points, trail, outlines, row } = given;
  const view = plane.value;
  const shown = planePoints.value;
  const wrong = useMemo(() => wrongRows(trained), [trained]);
  const around = { view, shown, wrong, values: valueRange.value, colors: theme.value };
  const inputs = { ...around, chosen: selectedRows.value, grid, trained, size, layers, radius };
  const drawing = { ...inputs, points, trail, outlines, row };
  const drawn = useDrawing(() => boundaryDrawing(drawing), Object.values(drawing));
  const [x, y] = view?.axes ?? ["", ""];
  const label = `${modelName(name)}: regions of ${task.value === "regression" ? "values" : classes.value.join(", ") || "clusters"} over ${x} and ${y}${wrong.size > 0 ? `; ${wrong.size} rows predicted wrongly when held out` : ""}.`;
  const pick = (event: MouseEvent) => {
    if (onPick === undefined || shown === undefined || view === null) return;
    const found = nearest(shown, view, ...placeIn(event));
    if (found >= 0) onPick(found);
  };
  const press = onPick === undefined ? onClick : pick;
  return (
    <Picture pixels={drawn} label={label} {...(press && { onClick: press })} {...(look && { class: look })} />
  );
}

/** What a picture depends on. */
interface Drawing
  extends Omit<BoundaryProps, "name" | "onPick" | "onClick" | "class" | "points" | "row" | "layers"> {
  readonly view: Ranges | null;
  readonly shown: Points | undefined;
  /** Rows that were predicted wrongly. */
  readonly wrong: RowSet;
  readonly values: readonly [number, number] | null;
  readonly colors: Theme;
  readonly chosen: RowSet | null;
  readonly layers: Readonly<Record<Layer, boolean>>;
  readonly radius: number;
  readonly points: Partial<Points> | undefined;
  readonly row: number | null | undefined;
}

function* boundaryDrawing(drawing: Drawing) {
  const { view, shown, values, colors, grid, size, layers, radius, points, trail, outlines, row } = drawing;
  if (view === null) return undefined;
  const out = yield* boundarySteps({
    width: size,
    height: size,
    theme: colors,
    grid,
    probability: layers.probability,
    contours: layers.contours,
    margins: layers.margin,
    ...(values !== null && { values }),
    mistakes: layers.mistakes,
    ...(layers.trail && trail !== undefined && { trail }),
    ...(layers.slack && grid !== undefined && shown !== undefined && { slack: slackOf(grid, shown) }),
    radius,
    x: view.x,
    y: view.y,
    points: shown === undefined || !layers.points ? undefined : { ...marked(shown, drawing), ...points },
  });
  const [placeX, placeY] = [linearScale(view.x, 0, size), linearScale(view.y, size, 0)];
  const at = ([x, y]: readonly [number, number]) => [placeX(x), placeY(y)] as const;
  for (const outline of outlines ?? []) drawOutline(out, outline.map(at), colors.ink);
  if (row != null && shown !== undefined && !Number.isNaN(shown.x[row]!) && !Number.isNaN(shown.y[row]!))
    ring(out, ...at([shown.x[row]!, shown.y[row]!]), radius + 6, 2.5, colors.ink);
  return out;
}

/** The points with what the model makes of them: clusters, mistakes, and what is not selected in the background. */
const marked = (shown: Points, { trained, wrong, chosen }: Drawing): Points => ({
  ...shown,
  ...(trained?.task === "clustering" &&
    trained.held !== null && { label: trained.held.predicted, isValue: false }),
  wrong: (i) => wrong.has(i),
  // Without answers on the plane no row is far from them.
  ...(trained?.canPredict === false && { alpha: () => 255 }),
  ...(chosen !== null && { alpha: (i: number) => (chosen.has(i) ? 255 : 60) }),
});

type Ranges = Pick<Grid["view"], "x" | "y">;

function slackOf(grid: Grid, { x, y, label, isValue, every }: Points) {
  if (isValue === true || grid.task !== "classification") return [];
  const [placeX, placeY] = [linearScale(grid.view.x, 0, 1), linearScale(grid.view.y, 0, 1)];
  return slackSegments(grid, { x: (i) => placeX(x[i]!), y: (i) => placeY(y[i]!), label, every });
}

/** The row nearest to a point of the picture, both between 0 and 1. */
export function nearest(points: Points, view: Ranges, x: number, y: number): number {
  const [placeX, placeY] = [linearScale(view.x, 0, 1), linearScale(view.y, 0, 1)];
  let best = -1;
  let least = Infinity;
  for (let i = 0; i < points.x.length; i++) {
    const distance = (placeX(points.x[i]!) - x) ** 2 + (placeY(points.y[i]!) - y) ** 2;
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

/** A closed line; a single point is a cross. */
function drawOutline(out: Pixels, corners: readonly (readonly [number, number])[], ink: Color): void {
  if (corners.length === 1) {
    const [[x, y]] = corners as [readonly [number, number]];
    line(out, [x - 7, y], [x + 7, y], ink, 3);
    line(out, [x, y - 7], [x, y + 7], ink, 3);
    return;
  }
  for (let k = 1; k < corners.length; k++) line(out, corners[k - 1]!, corners[k]!, ink, 2);
}

/** More cannot be told apart, and would take the page longer than a frame to draw. */
export const MOST_POINTS = 1500;

/** The rows of the table in the plane; those far from it are faint. For all pictures. */
export const planePoints = computed((): Points | undefined => {
  const loaded = table.value;
  const view = plane.value;
  if (loaded === null || view === null) return undefined;
  const found = places.value;
  const label = labels.value;
  const far = found?.far;
  const every = Math.ceil(loaded.data.rows / MOST_POINTS);
  const faint = far !== undefined && { alpha: (i: number) => closeness(far[i]!) };
  const projected = view.projection === undefined ? null : found?.projection;
  if (projected != null) return { x: projected.x, y: projected.y, ...label, ...faint, every };
  const [x, y] = view.axes.map((name) => columnOf(loaded.data, name));
  if (x?.kind !== "number" || y?.kind !== "number") return undefined;
  return { x: x.values, y: y.values, ...label, ...faint, every };
});

/** Opaque within half a deviation of the plane, faint from one and a half on. */
const closeness = (far: number): number => Math.round(255 - 185 * Math.min(1, Math.max(0, far - 0.5)));

/** The values of a regression from the darkest to the brightest colour, of rows and of all models: those of the table. */
export const valueRange = computed(() => {
  const target = targetColumn.value;
  return target?.kind === "number" ? extent(target.values) : null;
});

/** The class of every row, or where its value lies between the least and the largest. */
const labels = computed((): Pick<Points, "label" | "isValue"> => {
  const target = targetColumn.value;
  const names = classes.value;
  if (target?.kind === "category") {
    const numberOf = target.levels.map((level) => names.indexOf(level));
    const label = new Int32Array(target.codes.length);
    for (let i = 0; i < label.length; i++) label[i] = numberOf[target.codes[i]!] ?? -1;
    return { label };
  }
  if (target?.kind === "number") {
    return { label: target.values.map(linearScale(valueRange.value!, 0, 1)), isValue: true };
  }
  return { label: new Int32Array(table.value?.data.rows ?? 0).fill(-1) };
});

/** Rows whose class was predicted wrongly while they were held out. */
function wrongRows(trained: Trained | undefined): RowSet {
  const held = trained?.held;
  if (!held || trained.task !== "classification") return noRows;
  return new RowSet(held.rows.filter((_, e) => held.truth[e] !== held.predicted[e]));
}
