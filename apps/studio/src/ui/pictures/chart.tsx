import { linearScale, type Scale, tickLabels, ticks } from "argmax/plot";
import type { ComponentChildren, TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import "./chart.css";
import { ScrollRegion, TableHead } from "../table-parts.js";

/** Units of the drawing; it is scaled to the width of its place. */
export const frame = { width: 360, height: 236, left: 52, right: 12, top: 10, bottom: 40 } as const;

export interface Axis {
  readonly label: string;
  readonly range: readonly [number, number];
  /** Places and texts of ticks, where they are not the round numbers of the range. */
  readonly ticks?: readonly (readonly [number, string])[];
}

interface ChartProps {
  /** What the chart shows, in a sentence. */
  readonly label: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly table?: DataTableProps;
  /** Keyboard and pointer along the chart, as a slider. */
  readonly slider?: SliderProps;
  /** Whether it has marks to press. */
  readonly interactive?: boolean;
  readonly children: (x: Scale, y: Scale) => ComponentChildren;
}

interface SliderProps {
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly text: string;
  readonly onMove: (value: number) => void;
  readonly onPress: () => void;
  /** A pointer at a place of the plot, in values of the axes. */
  readonly onPoint: (x: number, y: number) => void;
}

/** Axes with round ticks around a drawing, and its numbers as a table. */
export function Chart({ label, x, y, table, slider, interactive = false, children }: ChartProps) {
  const { width, height, left, right, top, bottom } = frame;
  const sx = linearScale(x.range, left, width - right);
  const sy = linearScale(y.range, height - bottom, top);
  const role = slider ? "slider" : interactive ? "group" : "img";
  return (
    <div class="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role={role}
        aria-label={label}
        class={slider ? "slides" : undefined}
        {...(slider && sliderProps(slider, sx, sy))}
      >
        <g>
          {ticksOf(x).map(([at, text]) => (
            <g key={at} transform={`translate(${sx(at)} 0)`}>
              <line class="grid" y1={top} y2={height - bottom} />
              <text class="tick" y={height - bottom + 14} text-anchor="middle">
                {text}
              </text>
            </g>
          ))}
          {ticksOf(y).map(([at, text]) => (
            <g key={at} transform={`translate(0 ${sy(at)})`}>
              <line class="grid" x1={left} x2={width - right} />
              <text class="tick" x={left - 5} y={4} text-anchor="end">
                {text}
              </text>
            </g>
          ))}
          <text class="axis" x={(left + width - right) / 2} y={height - 6} text-anchor="middle">
            {clipped(x.label, 50)}
          </text>
          <text
            class="axis"
            transform={`translate(11 ${(top + height - bottom) / 2}) rotate(-90)`}
            text-anchor="middle"
          >
            {clipped(y.label, 34)}
          </text>
        </g>
        {children(sx, sy)}
      </svg>
      {table && <DataTable {...table} />}
    </div>
  );
}

/** Names of columns and classes may be long; the sentence of the chart has them whole. */
const clipped = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

const ticksOf = ({ range, ticks: given }: Axis): readonly (readonly [number, string])[] => {
  if (given !== undefined) return given;
  const at = ticks(range[0], range[1], 6);
  const texts = tickLabels(at);
  return at.map((value, k) => [value, texts[k]!]);
};

function sliderProps({ min, max, value, text, onMove, onPress, onPoint }: SliderProps, sx: Scale, sy: Scale) {
  const large = Math.max(1, Math.round((max - min) / 10));
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: value + 1,
    ArrowUp: value + 1,
    ArrowLeft: value - 1,
    ArrowDown: value - 1,
    PageUp: value + large,
    PageDown: value - large,
    Home: min,
    End: max,
  };
  const point = (event: TargetedPointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onPoint(
      sx.invert(((event.clientX - box.left) / box.width) * frame.width),
      sy.invert(((event.clientY - box.top) / box.height) * frame.height),
    );
  };
  return {
    // In SVG, names of attributes are read as they are written.
    tabindex: 0,
    "aria-valuemin": min,
    "aria-valuemax": max,
    "aria-valuenow": value,
    "aria-valuetext": text,
    onKeyDown: (event: TargetedKeyboardEvent<SVGSVGElement>) => {
      const to = moves[event.key];
      if (to !== undefined) onMove(Math.min(max, Math.max(min, to)));
      else if (event.key === "Enter" || event.key === " ") onPress();
      else return;
      event.preventDefault();
    },
    onPointerDown: (event: TargetedPointerEvent<SVGSVGElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      point(event);
    },
    onPointerMove: (event: TargetedPointerEvent<SVGSVGElement>) => {
      if (event.buttons === 1) point(event);
    },
    onPointerUp: onPress,
  };
}

interface Target {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** What it stands for, in words. */
  readonly label: string;
  readonly pressed: boolean;
  readonly onPress: () => void;
}

/** Places of a chart that can be pressed: one stop of the tab key, arrows go from one to the next. */
export function Targets({ items }: { readonly items: readonly Target[] }) {
  const [at, setAt] = useState(0);
  const group = useRef<SVGGElement>(null);
  const current = Math.min(at, items.length - 1);
  const go = (to: number) => {
    const next = Math.min(items.length - 1, Math.max(0, to));
    setAt(next);
    (group.current?.children[next] as SVGElement | undefined)?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<SVGRectElement>, k: number) => {
    const to = { ArrowRight: k + 1, ArrowDown: k + 1, ArrowLeft: k - 1, ArrowUp: k - 1, Home: 0, End: 1e9 }[
      event.key
    ];
    if (to !== undefined) go(to);
    else if (event.key === "Enter" || event.key === " ") items[k]!.onPress();
    else return;
    event.preventDefault();
  };
  return (
    <g ref={group} class="targets">
      {items.map(({ key, x, y, width, height, label, pressed, onPress }, k) => (
        // biome-ignore lint/a11y/useSemanticElements: a button cannot be drawn in SVG
        <rect
          key={key}
          x={x}
          y={y}
          width={Math.max(0, width)}
          height={Math.max(0, height)}
          role="button"
          tabindex={k === current ? 0 : -1}
          aria-label={label}
          aria-pressed={pressed}
          onClick={onPress}
          onFocus={() => setAt(k)}
          onKeyDown={(event) => onKeyDown(event, k)}
        >
          <title>{label}</title>
        </rect>
      ))}
    </g>
  );
}

interface DataTableProps {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** The numbers of a chart. */
function DataTable({ caption, head, rows }: DataTableProps) {
  return (
    <details class="as-table">
      <summary>Show as table</summary>
      <ScrollRegion label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <TableHead titles={head} />
          <tbody>
            {rows.map((cells, r) => (
              <tr key={r}>
                {cells.map((cell, c) => (
                  <td key={c}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}
