import type { Signal } from "@preact/signals";
import { linearScale, ticks } from "argmax/plot";
import type { ComponentChildren } from "preact";
import { short } from "../ui/figures.js";

type Axis = readonly [from: number, to: number, name?: string];

interface PlotProps {
  readonly x: Axis;
  readonly y: Axis;
  /** What the plot shows, in a sentence. */
  readonly label: string;
  readonly height?: number;
  /** Draws with functions from numbers to places. */
  readonly children: (at: PlotScales) => ComponentChildren;
}

/** From numbers to places. */
export interface PlotScales {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

const WIDTH = 560;
const LEFT = 52;
const BOTTOM = 40;

/** Axes with round numbers around a drawing. */
export function Plot({ x, y, label, height = 360, children }: PlotProps) {
  const [left, right, xName] = x;
  const [lowest, highest, yName] = y;
  const at = {
    x: linearScale([left, right], LEFT, WIDTH - 12),
    y: linearScale([lowest, highest], height - BOTTOM, 10),
  };
  return (
    <svg class="story-plot" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      <g class="axis">
        {ticks(left, right, 8).map((value) => (
          <g key={`x${value}`}>
            <path d={`M${at.x(value)} 10V${height - BOTTOM}`} />
            <text x={at.x(value)} y={height - BOTTOM + 16}>
              {short(value)}
            </text>
          </g>
        ))}
        {ticks(lowest, highest, 6).map((value) => (
          <g key={`y${value}`}>
            <path d={`M${LEFT} ${at.y(value)}H${WIDTH - 12}`} />
            <text x={LEFT - 6} y={at.y(value) + 4} class="end">
              {short(value)}
            </text>
          </g>
        ))}
        <text x={(WIDTH + LEFT) / 2} y={height - 6} class="name">
          {xName}
        </text>
        <text transform={`translate(12 ${height / 2}) rotate(-90)`} class="name">
          {yName}
        </text>
      </g>
      {children(at)}
    </svg>
  );
}

/** The path of a function between two ends. */
export function curve(
  f: (x: number) => number,
  [from, to]: readonly [number, number],
  at: PlotScales,
  [least, most]: readonly [number, number] = [-Infinity, Infinity],
): string {
  const steps = 240;
  let path = "";
  let open = false;
  for (let s = 0; s <= steps; s++) {
    const x = from + ((to - from) * s) / steps;
    const y = f(x);
    const inside = y >= least && y <= most;
    if (inside) path += `${open ? "L" : "M"}${at.x(x).toFixed(1)} ${at.y(y).toFixed(1)}`;
    open = inside;
  }
  return path;
}

interface RangeProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onInput: (value: number) => void;
  readonly text?: string;
}

/** A number to play with. */
export function RangeField({ label, value, onInput, text, ...range }: RangeProps) {
  return (
    <label class="story-slider">
      <span>
        {label} <output>{text ?? short(value)}</output>
      </span>
      <input
        type="range"
        {...range}
        value={value}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

interface SliderProps extends Omit<RangeProps, "value" | "onInput"> {
  readonly of: Signal<number>;
  /** Where it stands if that is not the value of the signal. */
  readonly value?: number;
}

/** The number of a signal to play with. */
export const Slider = ({ of, value = of.value, ...range }: SliderProps) => (
  <RangeField
    {...range}
    value={value}
    onInput={(given) => {
      of.value = given;
    }}
  />
);

interface SlidersProps {
  readonly of: readonly (readonly [
    label: string,
    number: Signal<number>,
    range: readonly [min: number, max: number],
    step: number,
  ])[];
}

/** The numbers of a figure to play with. */
export const Sliders = ({ of }: SlidersProps) => (
  <div class="story-controls">
    {of.map(([label, number, [min, max], step]) => (
      <Slider key={label} {...{ label, min, max, step }} of={number} />
    ))}
  </div>
);
