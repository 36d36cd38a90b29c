import { computed } from "@preact/signals";
import type { Plane } from "../../state/plane.js";
import { document as current, dispatch, plane, planeProblem, roles, table } from "../../state/session.js";
import { Select } from "../fields/select.js";
import { rowName } from "../row-name.js";

/** Features that can be axes. */
const numberFeatures = computed(() => {
  const features = new Set(roles.value?.features);
  return (table.value?.data.columns ?? []).filter(
    ({ name, kind }) => kind === "number" && features.has(name),
  );
});

const planes = [
  ["slice", "Two features"],
  ["projection", "Principal components"],
] as const;

/** Which two columns are drawn, and what the others are. */
export function AxesPicker() {
  const { axes } = current.value;
  const features = roles.value?.features ?? [];
  const numbers = numberFeatures.value;
  if (numbers.length < 2) return null;
  const choose = (k: 0 | 1, name: string) => {
    const [x, y] = axes ?? [numbers[0]!.name, numbers[1]!.name];
    dispatch({ type: "setAxes", axes: k === 0 ? [name, y === name ? x : y] : [x === name ? y : x, name] });
  };
  const select = (k: 0 | 1, label: string) => (
    <label>
      {label}
      <Select
        of={numbers.map(({ name }) => name)}
        value={axes?.[k] ?? ""}
        onChange={(value) => choose(k, value)}
      >
        {axes === null && <option value="">–</option>}
      </Select>
    </label>
  );
  const isProjection = current.value.view.plane === "projection" && numbers.length > 2;
  return (
    <div class="axes">
      {numbers.length > 2 && (
        <label>
          Plane
          <Select
            of={planes}
            value={isProjection ? "projection" : "slice"}
            onChange={(value) =>
              dispatch({
                type: "setView",
                view: { plane: value === "projection" ? "projection" : "slice" },
              })
            }
          />
        </label>
      )}
      {!isProjection && select(0, "Across")}
      {!isProjection && select(1, "Up")}
      {features.length > 2 && plane.value !== null && (
        <span class="badge" title={planeSentence(plane.value, features.length, numbers.length)}>
          {planeName(plane.value)}
        </span>
      )}
    </div>
  );
}

const planeName = ({ projection, row }: Plane): string =>
  projection !== undefined ? "projection" : `slice through ${row === null ? "the middle" : rowName(row)}`;

/** What a picture of more than two features shows, so that nobody reads it wrongly. */
function planeSentence({ projection, row }: Plane, features: number, numbers: number): string {
  const faint = "Rows far from this plane are faint: for them the prediction may differ from the colour.";
  const others = row === null ? "in the middle of the table" : `as in ${rowName(row)}`;
  if (projection === undefined) {
    const left = features - 2;
    return `A slice: the other ${left === 1 ? "feature is" : `${left} features are`} ${others}. ${faint}`;
  }
  const [first, second] = projection.shares.map((share) => `${Math.round(100 * share)} %`);
  const { length } = projection.columns;
  const fixed = features > numbers ? ` The other features are ${others}.` : "";
  return `A projection: the plane of the first two principal components of ${length} standardised columns, with ${first} and ${second} of their variance. The model is asked on this plane.${fixed} ${faint}`;
}

/** What the plane of the picture means, where there are more than two features. */
export function PlaneNote() {
  const view = plane.value;
  const { length } = roles.value?.features ?? [];
  if (view === null || length < 3) return null;
  return (
    <>
      {planeProblem.value !== null && <p class="problem">{planeProblem.value}</p>}
      <p class="note">{planeSentence(view, length, numberFeatures.value.length)}</p>
    </>
  );
}
