import { document as current, dispatch, plane, roles, table } from "../state/session.js";

/** Which two columns are drawn, and what the others are. */
export function AxesPicker() {
  const loaded = table.value;
  const { axes } = current.value;
  const features = roles.value?.features ?? [];
  const numbers = (loaded?.data.columns ?? []).filter(
    ({ name, kind }) => kind === "number" && features.includes(name),
  );
  if (numbers.length < 2) return null;
  const choose = (k: 0 | 1, name: string) => {
    const [x, y] = axes ?? [numbers[0]!.name, numbers[1]!.name];
    dispatch({ type: "setAxes", axes: k === 0 ? [name, y === name ? x : y] : [x === name ? y : x, name] });
  };
  const select = (k: 0 | 1, label: string) => (
    <label>
      {label}
      <select value={axes?.[k] ?? ""} onChange={(event) => choose(k, event.currentTarget.value)}>
        {axes === null && <option value="">–</option>}
        {numbers.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div class="axes">
      {select(0, "Across")}
      {select(1, "Up")}
      {features.length > 2 && plane.value !== null && (
        <span
          class="badge"
          title="The other features stay as they are in one row, or in the middle of the table."
        >
          slice through {plane.value.row === null ? "the middle" : `row ${plane.value.row + 1}`}
        </span>
      )}
    </div>
  );
}
