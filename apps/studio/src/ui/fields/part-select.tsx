import { modelName } from "../../state/model-names.js";
import type { Part } from "../../state/param-value.js";
import { catalogue, document as current, task } from "../../state/session.js";

interface PartSelectProps {
  readonly id?: string;
  readonly label?: string;
  /** The model whose parameter it is: it cannot be a part of itself. */
  readonly owner: string;
  /** Undefined for the default. */
  readonly value: Part | undefined;
  /** What the default is; absent where there is none. */
  readonly standard?: string;
  readonly onChange: (value: Part | undefined) => void;
}

/** Another estimator: the default, a model as it is set on the bench, or one with its defaults. */
export function PartSelect({ id, label, owner, value, standard, onChange }: PartSelectProps) {
  const fits = (catalogue.value ?? []).filter((one) => one.task === task.value);
  const models = current.value.models.filter(
    (model) => model.id !== owner && fits.some((one) => one.id === model.estimator),
  );
  const shown = keyOf(value);
  const isListed =
    value === undefined ||
    ("model" in value
      ? models.some((model) => model.id === value.model)
      : fits.some((one) => one.id === value.estimator && one.hasDefaults));
  return (
    <select
      id={id}
      aria-label={label}
      value={shown}
      onChange={(event) => onChange(partOf(event.currentTarget.value))}
    >
      {standard !== undefined && <option value="">Default: {standard}</option>}
      {!isListed && <option value={shown}>{missingText(value)}</option>}
      <optgroup label="As set on the bench">
        {models.map((model) => (
          <option key={model.id} value={keyOf({ model: model.id })}>
            {modelName(model.estimator)} ({model.id})
          </option>
        ))}
      </optgroup>
      <optgroup label="With its defaults">
        {fits
          .filter((one) => one.hasDefaults)
          .map((one) => (
            <option key={one.id} value={keyOf({ estimator: one.id })}>
              {modelName(one.id)}
            </option>
          ))}
      </optgroup>
    </select>
  );
}

const keyOf = (value: Part | undefined): string =>
  value === undefined ? "" : "model" in value ? `model ${value.model}` : `estimator ${value.estimator}`;

function partOf(key: string): Part | undefined {
  const [kind, name] = key.split(" ");
  if (name === undefined) return undefined;
  return kind === "model" ? { model: name } : { estimator: name };
}

const missingText = (value: Part): string =>
  "model" in value ? `${value.model}, which does not fit` : `${value.estimator}, which does not fit`;
