import { setRole } from "../../state/change-columns.js";
import { roles, table } from "../../state/session.js";
import { Options } from "../../ui/fields/options.js";
import { count } from "../../ui/figures.js";

/** Columns in the list; of wider tables, the cards give the role. */
const LISTED = 500;

/** What models learn to predict: the first thing to decide about a table. */
export function TargetPicker() {
  const { columns } = table.value!.data;
  const { target, features } = roles.value!;
  const names = columns.filter(({ kind }) => kind !== "text").map(({ name }) => name);
  const listed = names.slice(0, LISTED);
  if (target !== null && !listed.includes(target)) listed.unshift(target);
  return (
    <div class="predict">
      <label>
        Predict
        <select
          value={target === null ? "" : listed.indexOf(target)}
          onChange={({ currentTarget: { value } }) => {
            if (value !== "") setRole(listed[Number(value)]!, "target");
            else if (target !== null) setRole(target, "ignore");
          }}
        >
          <option value="">nothing: find clusters</option>
          <Options of={listed.map((name, k) => [k, name])} />
        </select>
      </label>
      <span>
        from {count(features.length)} {features.length === 1 ? "column" : "columns"}
      </span>
    </div>
  );
}
