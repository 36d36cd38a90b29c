import { limits } from "../../state/document.js";
import { namedColumns } from "../../state/named-columns.js";
import { Tick } from "./tick.js";

interface ColumnChoiceProps {
  readonly label: string;
  /** Of the label: a parameter's name, or one of several lists. */
  readonly labelClass: "param-name" | "columns-of";
  readonly columns: readonly string[];
  readonly onChange: (columns: readonly string[]) => void;
}

/** Features that are not free text, as boxes to tick. */
export function ColumnChoice({ label, labelClass, columns, onChange }: ColumnChoiceProps) {
  const all = namedColumns.value;
  const listed = all.slice(0, limits.columns);
  const chosen = new Set(columns);
  const count = all.filter((name) => chosen.has(name)).length;
  return (
    <fieldset class="columns">
      <legend class={labelClass}>
        {label}
        {count > 0 && `: ${count} of ${all.length}`}
      </legend>
      <ul>
        {listed.map((name) => (
          <li key={name}>
            <Tick
              checked={chosen.has(name)}
              onChange={(isChosen) => {
                const others = columns.filter((one) => one !== name);
                onChange(isChosen ? [...others, name] : others);
              }}
            >
              {name}
            </Tick>
          </li>
        ))}
      </ul>
      {all.length > listed.length && (
        <p class="note">
          Of {all.length} columns the first {listed.length} can be chosen here.
        </p>
      )}
    </fieldset>
  );
}
