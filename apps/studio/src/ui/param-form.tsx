import type { ParamValue } from "../state/document.js";
import { dispatch } from "../state/session.js";
import type { ParamInfo } from "../work/protocol.js";
import { listed } from "./figures.js";
import { useDraft } from "./use-draft.js";

interface ParamFormProps {
  readonly params: readonly ParamInfo[];
  readonly values: Readonly<Record<string, ParamValue>>;
  /** Undefined for the default. */
  readonly onChange: (name: string, value: ParamValue | undefined) => void;
}

/** A form for the parameters of an estimator, made of its table. What only code can give is named, not shown as a field. */
export function ParamForm({ params, values, onChange }: ParamFormProps) {
  const fields = params.filter(isField);
  const others = params.filter((param) => !isField(param)).map(({ name }) => name);
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
      {others.length > 0 && <OnlyInCode names={others} />}
    </form>
  );
}

function OnlyInCode({ names }: { readonly names: readonly string[] }) {
  const isOne = names.length === 1;
  return (
    <p class="note only-in-code">
      {listed(names)} {isOne ? "is" : "are"} not here: {isOne ? "its value is an object" : "they are objects"}{" "}
      of the library, such as another model or a function. To set {isOne ? "it" : "them"}, take{" "}
      <button type="button" class="link" onClick={() => dispatch({ type: "show", screen: "ship" })}>
        the TypeScript of this model
      </button>{" "}
      and train in code.
    </p>
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
          <option value={String(shown)}>{choiceText(shown)}</option>
        )}
        {choices.map((choice) => (
          <option key={String(choice)} value={String(choice)}>
            {choiceText(choice)}
          </option>
        ))}
      </select>
    );
  } else control = <TextField id={input} param={param} shown={shown} onChange={onChange} />;
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

const choiceText = (choice: unknown): string => (choice === null ? "none" : String(choice));

interface TextFieldProps extends Pick<FieldProps, "param" | "onChange"> {
  readonly id: string;
  readonly shown: ParamValue | undefined;
}

/** Numbers and lists, taken once they have been typed. */
function TextField({ id, param, shown, onChange }: TextFieldProps) {
  const list = param.kind === "numbers" || Array.isArray(shown);
  const given = shown === null || shown === undefined ? "" : textOf(shown);
  const draft = useDraft(given, (text) => {
    if (text !== given) onChange(readNumber(text, list));
  });
  return (
    <input
      id={id}
      type="text"
      inputMode={list ? "text" : param.kind === "integer" ? "numeric" : "decimal"}
      autocomplete="off"
      placeholder={param.default === null ? "none" : textOf(param.default ?? "")}
      {...draft}
    />
  );
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : String(value));

/** Empty text is the default; text that is no number is given to the estimator, whose error says what is legal. */
function readNumber(text: string, list: boolean): ParamValue | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (list)
    return trimmed
      .split(/[\s,]+/)
      .filter((word) => word !== "")
      .map(Number);
  const value = Number(trimmed);
  return Number.isNaN(value) ? trimmed : value;
}
