import { computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import { extent } from "argmax/plot";
import { columnOf, type TableData } from "../data/table.js";
import type { Pool } from "../work/pool.js";
import type { GridView, Places, PlacesAsk, Roles } from "../work/protocol.js";
import type { StudioDocument } from "./document.js";

export type Plane = Omit<GridView, "n">;

interface Given {
  readonly document: ReadonlySignal<StudioDocument>;
  readonly table: ReadonlySignal<{ readonly key: string; readonly data: TableData } | null>;
  readonly roles: ReadonlySignal<Roles | null>;
  readonly reader: Pool;
}

interface PlaneSignals {
  /** The part of the plane that pictures show: all points and a little around them. Null where no two columns can be drawn. */
  readonly plane: ReadonlySignal<Plane | null>;
  /** Where rows are in that plane; null while that is computed, and for two features. */
  readonly places: ReadonlySignal<Places | null>;
  /** Why there is no projection. */
  readonly planeProblem: ReadonlySignal<string | null>;
}

/** Room around the points, as a proportion of their extent. */
const MARGIN = 0.06;

/** The names of the axes of a projection. */
const components = ["component 1", "component 2"] as const;

/** Planes follow the document; a slice is shown until a projection is computed. */
export function planeSignals({ document, table, roles, reader }: Given): PlaneSignals {
  const axes = computed(() => document.value.axes);
  const kind = computed(() => document.value.view.plane);
  const row = computed(() => {
    const { row: wanted } = document.value.view;
    return wanted !== null && wanted < (table.value?.data.rows ?? 0) ? wanted : null;
  });
  const placed = signal<{ readonly key: string; readonly found: Places | string } | null>(null);

  const slice = computed((): Plane | null => {
    const [loaded, what, pair] = [table.value, roles.value, axes.value];
    if (loaded === null || what === null || pair === null) return null;
    // Of two features nothing is left to be fixed.
    return sliceOf(loaded.data, what.features, pair, what.features.length > 2 ? row.value : null);
  });

  const ask = computed((): PlacesAsk | null => {
    const what = roles.value;
    if (table.value === null || what === null || what.features.length < 3) return null;
    // A projection does not depend on axes and row.
    if (kind.value === "projection" && numbersIn(table.value.data, what.features) > 2)
      return { roles: what, axes: components, row: null, plane: "projection" };
    const here = slice.value;
    return here && { roles: what, axes: here.axes, row: here.row, plane: "slice" };
  });
  const key = computed(() => (ask.value === null ? null : JSON.stringify(ask.value)));

  const find = (wanted: string) => {
    if (placed.value?.key === wanted) return;
    const loaded = table.value!;
    const stop = new AbortController();
    reader.hold(loaded.key, loaded.data);
    const put = (found: Places | string) => {
      if (!stop.signal.aborted) placed.value = { key: wanted, found };
    };
    reader
      .run("places", ask.value!, { needs: [loaded.key], signal: stop.signal })
      .then(put, (error: Error) => put(error.message));
    return () => stop.abort();
  };
  effect(() => {
    const wanted = key.value;
    return wanted === null ? undefined : untracked(() => find(wanted));
  });

  const ready = computed(() => (placed.value?.key === key.value ? (placed.value?.found ?? null) : null));
  const places = computed(() => (typeof ready.value === "string" ? null : ready.value));
  const planeProblem = computed(() => (typeof ready.value === "string" ? ready.value : null));
  const plane = computed((): Plane | null => {
    const projected = places.value?.projection;
    if (projected == null) return slice.value;
    const { features } = roles.value!;
    // The row gives the columns that are not numbers.
    const isWhole = numbersIn(table.value!.data, features) === features.length;
    return projectionOf(projected, isWhole ? null : row.value);
  });
  return { plane, places, planeProblem };
}

function projectionOf({ x, y, ...projection }: NonNullable<Places["projection"]>, row: number | null): Plane {
  return { axes: components, x: extent(x, MARGIN), y: extent(y, MARGIN), row, projection };
}

/** The plane of two features; null where they are not columns of numbers. */
function sliceOf(
  data: TableData,
  features: readonly string[],
  axes: readonly [string, string],
  row: number | null,
): Plane | null {
  if (!axes.every((name) => features.includes(name))) return null;
  const [x, y] = axes.map((name) => {
    const column = columnOf(data, name);
    return column?.kind === "number" ? extent(column.values, MARGIN) : undefined;
  });
  return x === undefined || y === undefined ? null : { axes, x, y, row };
}

function numbersIn({ columns }: TableData, features: readonly string[]): number {
  const names = new Set(features);
  return columns.filter(({ name, kind }) => kind === "number" && names.has(name)).length;
}
