import type { ParamValue } from "../state/document.js";
import type { ParamInfo } from "../work/protocol.js";

interface ParamFormProps {
  readonly params: readonly ParamInfo[];
  readonly values: Readonly<Record<string, ParamValue>>;
  /** Undefined for the default. */
  readonly onChange: (name: string, value: ParamValue | undefined) => void;
}

/** A form for the parameters of an estimator, made of its table. What only code can give is named, not shown as a field. */
export function ParamForm({ params, values, onChange }: ParamFormProps) {
  const fields = params.filter(isField);
  const others = params.filter((param) => !isField(param));
  return (
    <form class="params" onSubmit={(event) => event.preventDefault()}>
      {fields.map((param) => (
        <Field
          key={param.name}
          param={param}
          value={values[param.name]}
          onChange={(value) => onChange(param.name, value)}
        />
      ))}
      {others.length > 0 && <p class="note">Only in code: {others.map(({ name }) => name).join(", ")}.</p>}
    </form>
  );
}

const plainKinds = new Set(["real", "integer", "flag", "choice", "numbers", "randomState"]);

const isField = ({ kind, choices, default: value }: ParamInfo): boolean =>
  plainKinds.has(kind) ||
  (choices !== undefined && choices.length > 0) ||
  typeof value === "number" ||
  value === null;

interface FieldProps {
  readonly param: ParamInfo;
  readonly value: ParamValue | undefined;
  readonly onChange: (value: ParamValue | undefined) => void;
}

function Field({ param, value, onChange }: FieldProps) {
  const { name, kind, doc, choices } = param;
  const changed = value !== undefined;
  const shown = changed ? value : (param.default as ParamValue);
  const input = `param-${name}`;
  let control: preact.JSX.Element;
  if (kind === "flag") {
    control = (
      <input
        id={input}
        type="checkbox"
        checked={shown === true}
        onChange={(e) => onChange(e.currentTarget.checked)}
      />
    );
  } else if (
    choices !== undefined &&
    choices.length > 0 &&
    (typeof shown !== "number" || kind === "choice")
  ) {
    control = (
      <select
        id={input}
        value={String(shown)}
        onChange={(e) => onChange(choices.find((choice) => String(choice) === e.currentTarget.value))}
      >
        {!choices.some((choice) => String(choice) === String(shown)) && (
          <option value={String(shown)}>{String(shown)}</option>
        )}
        {choices.map((choice) => (
          <option key={String(choice)} value={String(choice)}>
            {String(choice)}
          </option>
        ))}
      </select>
    );
  } else {
    const whole = kind === "integer";
    const list = kind === "numbers" || Array.isArray(shown);
    control = (
      <input
        id={input}
        type="text"
        inputMode={list ? "text" : whole ? "numeric" : "decimal"}
        value={shown === null || shown === undefined ? "" : String(shown)}
        placeholder={param.default === null ? "none" : String(param.default ?? "")}
        onChange={(event) => onChange(readNumber(event.currentTarget.value, list))}
      />
    );
  }
  return (
    <div class={changed ? "field changed" : "field"}>
      <label for={input}>{name}</label>
      {control}
      {changed && (
        <button
          type="button"
          class="quiet"
          aria-label={`${name}: back to the default`}
          onClick={() => onChange(undefined)}
        >
          ↺
        </button>
      )}
      <p class="note">{doc}</p>
    </div>
  );
}

/** Empty text is the default; text that is no number is given to the estimator, whose error says what is legal. */
function readNumber(text: string, list: boolean): ParamValue | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (list) return trimmed.split(/[\s,]+/).map(Number);
  const value = Number(trimmed);
  return Number.isNaN(value) ? trimmed : value;
}
