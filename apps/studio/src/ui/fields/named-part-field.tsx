import { isNamedPart, type NamedPart, type ParamValue } from "../../state/param-value.js";
import type { ParamInfo } from "../../work/protocol.js";
import { NumberField } from "./number-field.js";
import { Options } from "./options.js";
import { choiceText } from "./param-kinds.js";

interface NamedPartFieldProps {
  readonly id: string;
  readonly param: ParamInfo;
  readonly value: ParamValue | undefined;
  readonly onChange: (value: ParamValue) => void;
}

/** A loss, a penalty or a solver by name, and the numbers that it has. */
export function NamedPartField({ id, param, value, onChange }: NamedPartFieldProps) {
  const { name, choices = [], default: standard } = param;
  const shown = isNamedPart(value) ? value.name : value === undefined ? standard : value;
  const settings = isNamedPart(value) ? value.settings : settingsOf(shown);
  const all =
    choices.includes(standard as string) || standard === null ? choices : [standard as string, ...choices];
  return (
    <>
      <select
        id={id}
        value={choiceText(shown)}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          onChange(standard === null && chosen === NO_CHOICE ? null : namedPart(chosen));
        }}
      >
        {standard === null && <option value={NO_CHOICE}>automatic</option>}
        <Options of={all.map(choiceText)} />
      </select>
      {Object.entries(settings).map(([key, number]) => (
        <label key={key} class="setting" for={`${id}-${key}`}>
          {key}
          <NumberField
            id={`${id}-${key}`}
            label={`${name}: ${key}`}
            value={number}
            min={0}
            max={1e6}
            step={0.1}
            onChange={(changed) =>
              onChange({ name: String(shown), settings: { ...settings, [key]: changed } })
            }
          />
        </label>
      ))}
    </>
  );
}

/** The value of null in a select, which is not the name of a part. */
const NO_CHOICE = choiceText(null);

const namedPart = (name: string): NamedPart => ({ name, settings: settingsOf(name) });

const settingsOf = (name: unknown): NamedPart["settings"] => numbers[String(name)] ?? {};

/** The numbers of losses and penalties in their order, with their defaults; balls have none, so theirs is 1. */
const numbers: Readonly<Record<string, NamedPart["settings"]>> = {
  huber: { delta: 1.35 },
  quantile: { tau: 0.5 },
  epsilonInsensitive: { epsilon: 0.1 },
  squaredEpsilonInsensitive: { epsilon: 0.1 },
  l1: { alpha: 1 },
  l2: { alpha: 1 },
  elasticNet: { alpha: 1, l1Ratio: 0.5 },
  gaussianPrior: { sigma: 1 },
  laplacePrior: { b: 1 },
  l1Ball: { radius: 1 },
  l2Ball: { radius: 1 },
};
