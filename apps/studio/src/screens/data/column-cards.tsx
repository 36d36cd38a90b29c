import { useSignal } from "@preact/signals";
import { maxOf } from "argmax/numeric";
import type { ColumnSummary } from "../../data/describe.js";
import { type Role, roles } from "../../data/roles.js";
import { type ColumnData, type ColumnKind, ownValue } from "../../data/table.js";
import { barsPath } from "../../draw/bars.js";
import { setKind, setRole, setRoles } from "../../state/change-columns.js";
import { document as current, table } from "../../state/session.js";
import { summaries } from "../../state/table-figures.js";
import { Select } from "../../ui/fields/select.js";
import { count } from "../../ui/figures.js";
import { Later } from "../../ui/later.js";
import { Pager } from "./pager.js";

const PER_PAGE = 24;

/** A card per column: what it holds, what kind it is and what it is used for. */
export function ColumnCards({ isLarge }: { readonly isLarge: boolean }) {
  const wanted = useSignal("");
  const page = useSignal(0);
  const loaded = table.value!;
  const known = summaries.value?.key === loaded.key ? summaries.value.list : undefined;
  const found = foundColumns(loaded.data.columns, known, wanted.value);
  const from = Math.min(page.value, Math.max(0, Math.ceil(found.length / PER_PAGE) - 1)) * PER_PAGE;
  const isMany = loaded.data.columns.length > PER_PAGE;
  const search = (text: string) => {
    wanted.value = text;
    page.value = 0;
  };
  return (
    <section aria-labelledby="columns-title">
      <div class="part-head">
        <h2 id="columns-title">Columns</h2>
        {isMany && <ColumnTools wanted={wanted.value} found={found} onSearch={search} />}
      </div>
      {found.length === 0 && <p>No column has “{wanted.value}” in its name.</p>}
      <ul class="cards">
        {found.slice(from, from + PER_PAGE).map(({ column, summary }, k) => (
          <Later key={column.name} turn={isLarge ? Math.floor(k / 4) : 0}>
            <Card column={column} summary={summary} rows={loaded.data.rows} />
          </Later>
        ))}
      </ul>
      <Pager what="columns" from={from} per={PER_PAGE} all={found.length} page={page} />
    </section>
  );
}

interface FoundColumn {
  readonly column: ColumnData;
  readonly summary: ColumnSummary | undefined;
}

/** The columns with a text in their names; where not all are seen, the target comes first. */
function foundColumns(
  columns: readonly ColumnData[],
  known: readonly ColumnSummary[] | undefined,
  wanted: string,
): readonly FoundColumn[] {
  const words = wanted.trim().toLowerCase();
  const found = columns
    .map((column, j) => ({ column, summary: known?.[j] }))
    .filter(({ column: { name } }) => name.toLowerCase().includes(words));
  const aim = found.findIndex(({ column: { name } }) => roleOf(name) === "target");
  // spread: one column.
  if (found.length > PER_PAGE && aim > 0) found.unshift(...found.splice(aim, 1));
  return found;
}

interface ColumnToolsProps {
  readonly wanted: string;
  readonly found: readonly FoundColumn[];
  readonly onSearch: (text: string) => void;
}

function ColumnTools({ wanted, found, onSearch }: ColumnToolsProps) {
  const others = found
    .map(({ column: { name } }) => name)
    .filter((name) => roleOf(name) === "feature" || roleOf(name) === "ignore");
  const which = wanted.trim() === "" ? "all" : `these ${count(others.length)}`;
  return (
    <div class="column-tools">
      <label>
        Search <input type="search" value={wanted} onInput={(event) => onSearch(event.currentTarget.value)} />
      </label>
      <button type="button" disabled={others.length === 0} onClick={() => setRoles(others, "ignore")}>
        Ignore {which}
      </button>
      <button type="button" disabled={others.length === 0} onClick={() => setRoles(others, "feature")}>
        Use {which}
      </button>
    </div>
  );
}

const roleOf = (name: string): Role => ownValue(current.value.roles, name) ?? "feature";

const kinds: readonly ColumnKind[] = ["number", "category", "text"];

interface CardProps {
  readonly column: ColumnData;
  readonly summary: ColumnSummary | undefined;
  readonly rows: number;
}

function Card({ column, summary, rows }: CardProps) {
  const { name } = column;
  const role = roleOf(name);
  const kind = ownValue(current.value.kinds, name) ?? column.kind;
  return (
    <li class="card" data-role={role}>
      <h3 title={name}>{name}</h3>
      <div class="card-choices">
        <select
          aria-label={`Kind of ${name}`}
          value={kind}
          onChange={(event) => setKind(name, event.currentTarget.value as ColumnKind)}
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {one === "number" && column.kind === "number" && column.isDate ? "date" : one}
            </option>
          ))}
        </select>
        <Select
          of={roles}
          label={`Role of ${name}`}
          value={role}
          onChange={(value) => setRole(name, value as Role)}
        />
      </div>
      {summary === undefined ? (
        <p class="note">Counting…</p>
      ) : (
        <>
          {summary.histogram !== null && (
            <Histogram counts={summary.histogram} summary={summary} name={name} />
          )}
          {summary.top !== null && <Top summary={summary} rows={rows} />}
          <p class="note figures">{figures(summary, rows)}</p>
        </>
      )}
    </li>
  );
}

function figures({ distinct, missing, infinite }: ColumnSummary, rows: number): string {
  const parts = [`${count(distinct)} different`];
  if (missing > 0) parts.push(`${count(missing)} missing (${share(missing / rows)})`);
  if (infinite > 0) parts.push(`${count(infinite)} infinite`);
  return parts.join(", ");
}

const share = (value: number): string =>
  value > 0 && value < 0.01
    ? "<\u00a01\u00a0%"
    : value < 1 && value > 0.99
      ? ">\u00a099\u00a0%"
      : `${Math.round(100 * value)}\u00a0%`;

const [WIDTH, HEIGHT] = [192, 48];

function Histogram({
  counts,
  summary: { range },
  name,
}: {
  readonly counts: readonly number[];
  readonly summary: ColumnSummary;
  readonly name: string;
}) {
  const { min, mean, max } = range!;
  return (
    <figure class="histogram">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Histogram of ${name}: from ${min} to ${max}, mean ${mean}.`}
      >
        <path d={barsPath(counts, WIDTH, HEIGHT)} />
      </svg>
      <figcaption class="note">
        <span>{min}</span>
        <span title="mean">mean {mean}</span>
        <span>{max}</span>
      </figcaption>
    </figure>
  );
}

function Top({ summary, rows }: { readonly summary: ColumnSummary; readonly rows: number }) {
  const shown = summary.top!;
  const most = maxOf(
    shown.map(({ count: n }) => n),
    1,
  );
  const rest = summary.distinct - shown.length;
  return (
    <ul class="frequent">
      {shown.map(({ text, count: n }) => (
        <li key={text}>
          <span class="frequent-name" title={text}>
            {text}
          </span>
          <span class="frequent-count">{count(n)}</span>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(100 * n) / most} height="4" />
          </svg>
        </li>
      ))}
      {rest > 0 && <li class="note">and {count(rest)} more</li>}
      {shown.length === 0 && <li class="note">{count(rows)} empty cells</li>}
    </ul>
  );
}
