import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { missingIn } from "../../data/table.js";
import { type Color, classColor, css, unknownColor } from "../../draw/colors.js";
import { shapeOf } from "../../draw/marks.js";
import { classes, table, targetColumn } from "../../state/session.js";
import { clusterSizes } from "../cluster-sizes.js";
import { count } from "../figures.js";
import { theme } from "../theme.js";
import { MOST_POINTS } from "./boundary-picture.js";

const shapes = [
  "M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1z",
  "M2 2h8v8H2z",
  "M6 1l5 9H1z",
  "M6 0l6 6-6 6-6-6z",
  "M4.4 1h3.2v3.4H11v3.2H7.6V11H4.4V7.6H1V4.4h3.4z",
  "M6 11L1 2h10z",
  "M2 0l4 4 4-4 2 2-4 4 4 4-2 2-4-4-4 4-2-2 4-4-4-4z",
  "M1 3.5h10v5H1z",
];

/** Entries that are listed. */
const MOST = 12;

function Mark({ shape, color }: { readonly shape: number; readonly color: Color }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <path d={shapes[shape]} fill={css(color)} />
    </svg>
  );
}

/** Whether some rows have no class: they are drawn, but not learned from. */
const hasGaps = computed(() => targetColumn.value !== undefined && missingIn(targetColumn.value) > 0);

/** Colours and shapes of the classes. */
export function Legend() {
  const names = classes.value;
  const rows = table.value?.data.rows ?? 0;
  if (names.length === 0 && rows <= MOST_POINTS) return null;
  return (
    <ul class="legend" aria-label="Classes">
      {names.slice(0, MOST).map((name, c) => (
        <li key={name}>
          <Mark shape={shapeOf(c)} color={classColor(theme.value, c)} />
          {name}
        </li>
      ))}
      {names.length > MOST && <li>and {names.length - MOST} more</li>}
      {names.length > 0 && hasGaps.value && (
        <li>
          <Mark shape={0} color={unknownColor(theme.value)} />
          no entry
        </li>
      )}
      {rows > MOST_POINTS && (
        <li>
          about {count(MOST_POINTS)} of {count(rows)} rows are drawn
        </li>
      )}
    </ul>
  );
}

interface ClusterLegendProps {
  /** The cluster of every row. */
  readonly labels: ArrayLike<number>;
  /** What −1 stands for: noise, or a row of which no cluster is known. */
  readonly hasNoise: boolean;
}

/** Colours and shapes of clusters, and how many rows each has. */
export function ClusterLegend({ labels, hasNoise }: ClusterLegendProps) {
  const sizes = useMemo(
    () => clusterSizes(labels).filter(({ cluster }) => hasNoise || cluster >= 0),
    [labels, hasNoise],
  );
  const colors = theme.value;
  const left = sizes.slice(MOST);
  return (
    <ul class="legend" aria-label="Clusters">
      {sizes.slice(0, MOST).map(({ cluster, rows }) => (
        <li key={cluster}>
          {cluster < 0 ? (
            <Mark shape={0} color={unknownColor(colors)} />
          ) : (
            <Mark shape={shapeOf(cluster)} color={classColor(colors, cluster)} />
          )}
          {cluster < 0 ? "noise" : `cluster ${cluster}`}: {rowCount(rows)}
        </li>
      ))}
      {left.length > 0 && (
        <li>
          and {count(left.length)} more with {rowCount(left.reduce((sum, { rows }) => sum + rows, 0))}
        </li>
      )}
    </ul>
  );
}

const rowCount = (rows: number): string => `${count(rows)} ${rows === 1 ? "row" : "rows"}`;
