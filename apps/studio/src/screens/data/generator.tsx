import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Shape, type Source, shapes } from "../../data/source.js";
import { limits } from "../../state/document.js";
import { document as current, openSource } from "../../state/session.js";
import { NumberField } from "../../ui/fields/number-field.js";
import { Answer } from "./answer.js";

type Generated = Extract<Source, { kind: "generated" }>;

const first: Generated = { kind: "generated", shape: "moons", rows: 300, noise: 0.2, balance: 0.5, seed: 0 };

/** How long after the last change points are made anew. */
const MILLISECONDS = 120;

const names: { readonly [S in Shape]: string } = {
  moons: "Moons",
  rings: "Rings",
  spirals: "Spirals",
  blobs: "Blobs",
  xor: "XOR",
};

/** Points of a known shape: how a model answers is seen at once. */
export function Generator() {
  const { wanted, isOpen, change } = useGenerated();
  const { shape, rows, noise, balance, seed } = wanted;
  return (
    <div class="generator-parts">
      <form class="generator" onSubmit={(event) => event.preventDefault()}>
        <ShapeChoice chosen={isOpen ? shape : null} onChange={(name) => change({ shape: name })} />
        <Slider
          label="Rows"
          value={rows}
          min={10}
          max={2000}
          most={limits.rows}
          step={10}
          onChange={(value) => change({ rows: Math.round(value) })}
        />
        <Slider
          label="Noise"
          value={noise}
          min={0}
          max={1}
          most={2}
          step={0.01}
          onChange={(value) => change({ noise: value })}
        />
        <Slider
          label="Fraction of class A"
          value={balance}
          min={0.02}
          max={0.98}
          most={0.98}
          step={0.01}
          onChange={(value) => change({ balance: value })}
        />
        <div class="slider">
          <label for="seed-of-points">Seed</label>
          <NumberField
            id="seed-of-points"
            min={0}
            max={2 ** 31}
            step={1}
            value={seed}
            onChange={(value) => change({ seed: value })}
          />
          <button type="button" onClick={() => change({ seed: seed + 1 })}>
            Other points
          </button>
        </div>
      </form>
      {current.value.source.kind === "generated" && <Answer />}
    </div>
  );
}

/** What points are wanted; they are made anew shortly after the last change. */
function useGenerated() {
  const { source } = current.value;
  const wanted = useSignal<Generated>(source.kind === "generated" ? source : first);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** No shape is chosen while the table is another one. */
  const isOpen = useSignal(source.kind === "generated");
  const change = (part: Partial<Generated>) => {
    wanted.value = { ...wanted.value, ...part };
    isOpen.value = true;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void openSource(wanted.value), MILLISECONDS);
  };
  return { wanted: wanted.value, isOpen: isOpen.value, change };
}

interface ShapeChoiceProps {
  readonly chosen: Shape | null;
  readonly onChange: (shape: Shape) => void;
}

const ShapeChoice = ({ chosen, onChange }: ShapeChoiceProps) => (
  <fieldset class="shapes">
    <legend class="unseen">Shape</legend>
    {shapes.map((name) => (
      <label key={name} class={name === chosen ? "way chosen" : "way"}>
        <input type="radio" name="shape" checked={name === chosen} onChange={() => onChange(name)} />
        {names[name]}
      </label>
    ))}
  </fieldset>
);

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  /** The end of the slider; larger numbers, up to `most`, can be typed. */
  readonly max: number;
  readonly most: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}

function Slider({ label, value, min, max, most, step, onChange }: SliderProps) {
  const id = `slider-${label.replaceAll(" ", "-")}`;
  return (
    <div class="slider">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={Math.min(max, value)}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <NumberField
        label={`${label}, as a number`}
        min={min}
        max={most}
        step={step}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}
