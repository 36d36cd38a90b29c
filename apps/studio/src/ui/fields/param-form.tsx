import "./param-form.css";
import { modelName } from "../../state/model-names.js";
import { isListOf, isPart, type ParamValue, type Part } from "../../state/param-value.js";
import { classes } from "../../state/session.js";
import type { ParamInfo } from "../../work/protocol.js";
import { ColumnChoice } from "./column-choice.js";
import { BlocksField, LayersField, PartsField, StagesField } from "./composite-fields.js";
import { NamedPartField } from "./named-part-field.js";
import type { FieldKind } from "./param-kinds.js";
import { choiceText, codeReason, fieldKind, readRows, readText, textOf } from "./param-kinds.js";
import { PartSelect } from "./part-select.js";
import { Select } from "./select.js";
import { useDraft } from "./use-draft.js";

interface ParamFormProps {
  /** The model. */
  readonly owner: string;
  readonly params: readonly ParamInfo[];
  readonly values: Readonly<Record<string, ParamValue>>;
  /** Undefined for the default. */
  readonly onChange: (name: string, value: ParamValue | undefined) => void;
}

/** A form for the parameters of an estimator, made of its table. What only code can give is named with what it is. */
export function ParamForm({ owner, params, values, onChange }: ParamFormProps) {
  const wide = params.filter((param) => isWide(fieldKind(param)));
  const others = params.filter((param) => !isWide(fieldKind(param)));
  return (
    <form class="params" onSubmit={(event) => event.preventDefault()}>
      {[...wide, ...others].map((param) => (
        <Field
          key={param.name}
          owner={owner}
          param={param}
          value={Object.hasOwn(values, param.name) ? values[param.name] : undefined}
          onChange={(value) => onChange(param.name, value)}
        />
      ))}
    </form>
  );
}

interface FieldProps {
  readonly owner: string;
  readonly param: ParamInfo;
  readonly value: ParamValue | undefined;
  readonly onChange: (value: ParamValue | undefined) => void;
}

/** Fields that are lists have the whole width. */
const lists = { parts: PartsField, stages: StagesField, blocks: BlocksField, layers: LayersField };

const isWide = (kind: FieldKind): kind is keyof typeof lists => Object.hasOwn(lists, kind);

function Field({ owner, param, value, onChange }: FieldProps) {
  const kind = fieldKind(param);
  if (isWide(kind)) {
    const List = lists[kind];
    return <List owner={owner} param={param} value={value} onChange={onChange} />;
  }
  const { name, doc } = param;
  const changed = value !== undefined;
  const id = `param-${name}`;
  return (
    <div class={changed ? "field changed" : "field"}>
      {kind === "code" && <p class="param-name">{name}</p>}
      {kind !== "code" && kind !== "columns" && (
        <label class="param-name" for={id}>
          {name}
        </label>
      )}
      <Control id={id} kind={kind} owner={owner} param={param} value={value} onChange={onChange} />
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

interface ControlProps extends FieldProps {
  readonly id: string;
  readonly kind: Exclude<FieldKind, keyof typeof lists>;
}

function Control({ id, kind, owner, param, value, onChange }: ControlProps) {
  const shown = value === undefined ? (param.default as ParamValue | undefined) : value;
  switch (kind) {
    case "flag":
      return (
        <input
          id={id}
          type="checkbox"
          checked={shown === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "choice":
      return <ChoiceSelect id={id} choices={param.choices ?? []} shown={shown} onChange={onChange} />;
    case "label":
      return <ChoiceSelect id={id} choices={labelsFor(param)} shown={shown} onChange={onChange} />;
    case "part":
      return (
        <PartSelect
          id={id}
          owner={owner}
          value={isPart(value) ? value : undefined}
          standard={standardText(param.default)}
          onChange={onChange}
        />
      );
    case "transformer":
      return (
        <ChoiceSelect
          id={id}
          choices={[null, ...(param.choices ?? [])]}
          shown={isPart(value) ? transformerOf(value) : null}
          onChange={(name) => onChange(typeof name === "string" ? { estimator: name } : undefined)}
        />
      );
    case "namedPart":
      return <NamedPartField id={id} param={param} value={value} onChange={onChange} />;
    case "columns":
      return (
        <ColumnChoice
          label={param.name}
          labelClass="param-name"
          columns={isListOf(value, isText) ? value : []}
          onChange={(columns) => onChange(columns.length === 0 ? undefined : columns)}
        />
      );
    case "rows":
    case "text":
      return <TextField id={id} param={param} shown={shown} isRows={kind === "rows"} onChange={onChange} />;
    case "code":
      return <p class="note">{codeReason(param)}.</p>;
  }
}

/** The classes of the target, and the words that stand for one of them. */
const labelsFor = ({ expected }: FieldProps["param"]) => [
  null,
  ...(expected.includes('"mostFrequent"') ? ["mostFrequent"] : []),
  ...classes.value,
];

const isText = (value: unknown): value is string => typeof value === "string";

const transformerOf = (part: Part): string => ("estimator" in part ? part.estimator : part.model);

/** "DecisionTreeRegressor({ maxDepth: 3 })" → "Decision tree({ maxDepth: 3 })". */
function standardText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  const [id, params] = String(value).split(/(?=\()/);
  return `${modelName(id!)}${params === undefined || params === "()" ? "" : ` ${params}`}`;
}

interface ChoiceSelectProps {
  readonly id: string;
  readonly choices: readonly (string | number | boolean | null)[];
  readonly shown: ParamValue | undefined;
  readonly onChange: (value: ParamValue | undefined) => void;
}

function ChoiceSelect({ id, choices, shown, onChange }: ChoiceSelectProps) {
  // Numbers, since a class may be called "none".
  const at = choices.indexOf(shown as string | null);
  return (
    <Select
      of={choices.map((choice, k) => [k, choiceText(choice)])}
      id={id}
      value={String(at)}
      onChange={(value) => onChange(choices[Number(value)])}
    >
      {at < 0 && <option value="-1">{choiceText(shown ?? null)}</option>}
    </Select>
  );
}

interface TextFieldProps extends Pick<FieldProps, "param" | "onChange"> {
  readonly id: string;
  readonly shown: ParamValue | undefined;
  readonly isRows: boolean;
}

/** Numbers, lists and names, taken once they have been typed. */
function TextField({ id, param, shown, isRows, onChange }: TextFieldProps) {
  const { kind, choices = [], default: standard } = param;
  const given = textOf(shown);
  const draft = useDraft(given, (text) => {
    if (text !== given) onChange(isRows ? readRows(text) : readText(text, param));
  });
  const isNumber = choices.length === 0 && !isRows && kind !== "numbers" && kind !== "union";
  return (
    <>
      <input
        id={id}
        type="text"
        inputMode={isNumber ? (kind === "integer" ? "numeric" : "decimal") : "text"}
        autocomplete="off"
        placeholder={isRows ? "0, 1; 1, 0" : standard === null ? "none" : textOf(standard)}
        list={choices.length > 0 ? `${id}-choices` : undefined}
        {...draft}
      />
      {choices.length > 0 && (
        <datalist id={`${id}-choices`}>
          {choices.map((choice) => (
            <option key={choiceText(choice)} value={choiceText(choice)} />
          ))}
        </datalist>
      )}
    </>
  );
}
