import { document as current, dispatch } from "../../state/session.js";
import { countsAt, positionText, type Ranking } from "../../work/measures/ranking.js";
import type { Judged } from "./judged.js";

const costs = [
  ["costFalsePositive", "Cost of a false alarm"],
  ["costFalseNegative", "Cost of a miss"],
] as const;

/** The threshold, the costs of mistakes, and, of more than two classes, which rule decides. */
export function DecisionBar({
  names,
  positive,
  threshold,
  byThreshold,
  ranking,
}: Judged & { readonly ranking: Ranking }) {
  const { decision } = current.value;
  const name = names[positive]!;
  const set = (change: Partial<typeof decision>) => dispatch({ type: "setDecision", decision: change });
  const setThreshold = (value: number) => {
    if (value >= 0 && value <= 1) set({ threshold: value, rule: "threshold" });
  };
  const { tp, fp, fn } = countsAt(ranking, threshold);
  return (
    <section class="decision" aria-labelledby="decision-title">
      <h2 id="decision-title">Decision</h2>
      {names.length > 2 && (
        <RuleChoice
          name={name}
          rule={byThreshold ? "threshold" : "likeliest"}
          onChange={(rule) => set({ rule })}
        />
      )}
      <div class="sliders">
        <SliderField
          label={`Threshold of ${name}`}
          value={threshold}
          max={1}
          step={0.01}
          most={1}
          onChange={setThreshold}
          text={ranking.scale === "score" ? `margin ${positionText("score", threshold)}` : undefined}
        />
        {costs.map(([key, label]) => (
          <SliderField
            key={key}
            label={label}
            value={decision[key]}
            max={20}
            step={0.5}
            most={1e6}
            onChange={(value) => set({ [key]: value })}
          />
        ))}
      </div>
      <p class="note">
        From {positionText(ranking.scale, threshold)} on: {tp} rows of {name} found, {fn} missed, {fp} false
        alarms.
      </p>
    </section>
  );
}

type Rule = "likeliest" | "threshold";

interface RuleChoiceProps {
  readonly name: string;
  readonly rule: Rule;
  readonly onChange: (rule: Rule) => void;
}

/** Which rule decides between three and more classes. */
function RuleChoice({ name, rule, onChange }: RuleChoiceProps) {
  const texts: Readonly<Record<Rule, string>> = {
    likeliest: "the class that the model predicts",
    threshold: `${name} from the threshold on, else the likeliest other`,
  };
  return (
    <fieldset class="rule">
      <legend>A row is given</legend>
      {(Object.keys(texts) as Rule[]).map((one) => (
        <label key={one}>
          <input type="radio" name="rule" checked={one === rule} onChange={() => onChange(one)} />{" "}
          {texts[one]}
        </label>
      ))}
    </fieldset>
  );
}

interface SliderFieldProps {
  readonly label: string;
  readonly value: number;
  /** Of the slider; the field beside it goes to `most`. */
  readonly max: number;
  readonly most: number;
  readonly step: number;
  readonly text?: string | undefined;
  readonly onChange: (value: number) => void;
}

/** A slider, and the same value as a number. */
export function SliderField({ label, value, max, most, step, text, onChange }: SliderFieldProps) {
  const give = (given: string) => {
    const number = Number(given);
    if (given.trim() !== "" && number >= 0 && number <= most) onChange(number);
  };
  return (
    <fieldset class="slider-field">
      <legend>
        {label}
        {text !== undefined && <span class="note"> {text}</span>}
      </legend>
      <input
        type="range"
        aria-label={`${label}, slider`}
        min={0}
        max={Math.max(max, value)}
        step={step}
        value={value}
        aria-valuetext={text}
        onInput={(event) => give(event.currentTarget.value)}
      />
      <input
        type="number"
        aria-label={label}
        min={0}
        max={most}
        step="any"
        value={Number(value.toPrecision(4))}
        onChange={(event) => give(event.currentTarget.value)}
      />
    </fieldset>
  );
}
