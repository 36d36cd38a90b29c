import { maxOf } from "argmax/numeric";
import { useMemo, useState } from "preact/hooks";
import { type ColumnData, columnOf } from "../../data/table.js";
import { chooseRows, isChosen } from "../../state/choose-rows.js";
import { selectedRows, table } from "../../state/session.js";
import { Select } from "../../ui/fields/select.js";
import { type Axis, Chart, frame, Targets } from "../../ui/pictures/chart.js";
import { SelectedRows } from "../../ui/selected-rows.js";
import { ScrollRegion } from "../../ui/table-parts.js";
import type { Held } from "../../work/protocol.js";
import { contingencyOf } from "./contingency.js";
import { rowsWhere } from "./judged.js";
import { RowsButton } from "./rows-button.js";
import { box } from "./scores-card.js";

/** Bars and columns beyond these are left out, and the text says so. */
const MOST_CLUSTERS = 40;
const MOST_LEVELS = 30;

interface ClusterProps {
  readonly id: string;
  /** The cluster of every row. */
  readonly held: Held;
}

/** Clusters: their sizes, and how they agree with a column of categories. */
export function ClusterEvaluation({ id, held }: ClusterProps) {
  const columns = (table.value?.data.columns ?? []).filter(({ kind }) => kind === "category");
  const [against, setAgainst] = useState(columns[0]?.name ?? "");
  const column = table.value === null ? undefined : columnOf(table.value.data, against);
  const sizes = useMemo(() => {
    const counts = new Map<number, number>();
    for (const cluster of held.predicted) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
    return [...counts].sort(([a], [b]) => a - b);
  }, [held]);
  return (
    <>
      <p class="note">Clusters are found without a target: all rows were used, none held out.</p>
      <SelectedRows />
      <div class="eval-cards">
        <Sizes id={id} held={held} sizes={sizes} />
        <section class="eval-card" aria-labelledby="contingency-title">
          <div class="part-head">
            <h2 id="contingency-title">Against a column</h2>
            {columns.length > 0 && (
              <label class="inline">
                Column
                <Select of={columns.map(({ name }) => name)} value={against} onChange={setAgainst} />
              </label>
            )}
          </div>
          {column === undefined ? (
            <p>The table has no column of categories to compare clusters with.</p>
          ) : (
            <ContingencyTable id={id} held={held} column={column} />
          )}
        </section>
      </div>
    </>
  );
}

const clusterName = (cluster: number): string => (cluster < 0 ? "noise" : `cluster ${cluster}`);

type Size = readonly [cluster: number, rows: number];

/** Rows of each cluster that are selected. */
function chosenCounts({ rows, predicted }: Held): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const selected = selectedRows.value;
  if (selected === null) return counts;
  for (let e = 0; e < rows.length; e++)
    if (selected.has(rows[e]!)) counts.set(predicted[e]!, (counts.get(predicted[e]!) ?? 0) + 1);
  return counts;
}

const clusterAxis = (shown: readonly Size[], all: number): Axis => ({
  label: all > shown.length ? `The first ${shown.length} of ${all} clusters` : "Cluster",
  range: [-0.5, shown.length - 0.5],
  ticks: shown.length > 16 ? [] : shown.map(([cluster], k) => [k, cluster < 0 ? "noise" : String(cluster)]),
});

function Sizes({ id, held, sizes }: ClusterProps & { readonly sizes: readonly Size[] }) {
  const shown = sizes.slice(0, MOST_CLUSTERS);
  const most = maxOf(
    shown.map(([, count]) => count),
    1,
  );
  const chosen = chosenCounts(held);
  const key = (cluster: number) => `cluster ${id} ${cluster}`;
  const select = (cluster: number) =>
    chooseRows(
      key(cluster),
      rowsWhere(held, (e) => held.predicted[e] === cluster),
    );
  return (
    <section class="eval-card" aria-labelledby="sizes-title">
      <h2 id="sizes-title">Sizes</h2>
      <Chart
        interactive
        label={`Rows per cluster: ${sizes.length} clusters.`}
        x={clusterAxis(shown, sizes.length)}
        y={{ label: "Rows", range: [0, most * 1.05] }}
        table={{
          caption: "Rows per cluster",
          head: ["Cluster", "Rows"],
          rows: sizes.map(([cluster, count]) => [
            clusterName(cluster),
            <RowsButton key="rows" of={key(cluster)} rows={count} onPress={() => select(cluster)} />,
          ]),
        }}
      >
        {(sx, sy) => {
          const width = 0.8 * (sx(1) - sx(0));
          const bar = (k: number, rows: number, wide: number) =>
            box(sx(k) - width / 2, sy(rows), sy(0), wide);
          return (
            <>
              <g>
                {shown.map(([cluster, count], k) => (
                  <g key={cluster}>
                    <rect class="count" {...bar(k, count, width)} />
                    <rect class="count picked" {...bar(k, chosen.get(cluster) ?? 0, width / 3)} />
                  </g>
                ))}
              </g>
              <Targets
                items={shown.map(([cluster, count], k) => ({
                  key: String(cluster),
                  ...box(sx(k) - width / 2, frame.top, sy(0), width),
                  label: `${count} rows of ${clusterName(cluster)}`,
                  pressed: isChosen(key(cluster)),
                  onPress: () => select(cluster),
                }))}
              />
            </>
          );
        }}
      </Chart>
    </section>
  );
}

/** A sentence where not all are shown. */
const firstShown = (most: number, all: number, what: string): string =>
  all > most ? ` The first ${most} of ${all} ${what} are shown.` : "";

const noCategories = { codes: new Int32Array(0), levels: [] };

function ContingencyTable({ id, held, column }: ClusterProps & { readonly column: ColumnData }) {
  const { codes, levels } = column.kind === "category" ? column : noCategories;
  const { clusters, used, counts, adjustedRand } = useMemo(
    () => contingencyOf(held.predicted, held.rows, codes),
    [held, column],
  );
  const shownLevels = used.slice(0, MOST_LEVELS);
  const name = (code: number) => (code < 0 ? "missing" : levels[code]!);
  const cell = (cluster: number, code: number, own: ArrayLike<number>, c: number) => {
    const key = `contingency ${id} ${column.name} ${cluster} ${code}`;
    const rows = own[c]!;
    const total = used.reduce((sum, _, u) => sum + own[u]!, 0);
    const isHere = (e: number) => held.predicted[e] === cluster && codes[held.rows[e]!] === code;
    return (
      <td key={code} class="right" style={{ "--share": rows / (total || 1) }}>
        <RowsButton
          of={key}
          rows={rows}
          label={`${rows} rows of ${clusterName(cluster)} with ${name(code)}`}
          onPress={() => chooseRows(key, rowsWhere(held, isHere))}
        />
      </td>
    );
  };
  return (
    <>
      <ScrollRegion label={`Clusters against ${column.name}`} class="scroll eval-tall">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">Cluster</span>
              </th>
              {shownLevels.map((code) => (
                <th key={code} scope="col" title={name(code)}>
                  <span class="clip">{name(code)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {clusters.slice(0, MOST_CLUSTERS).map((cluster, r) => (
              <tr key={cluster}>
                <th scope="row">{clusterName(cluster)}</th>
                {shownLevels.map((code, c) => cell(cluster, code, counts.subarray(r * used.length), c))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p class="note">
        Adjusted Rand index {adjustedRand.toFixed(3)}: 1 where clusters and {column.name} agree, about 0 by
        chance.
        {firstShown(MOST_LEVELS, used.length, "categories")}
        {firstShown(MOST_CLUSTERS, clusters.length, "clusters")}
      </p>
    </>
  );
}
