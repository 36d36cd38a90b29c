import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { PaintedPoint } from "../../data/source.js";
import { limits } from "../../state/document.js";
import { document as current, openSource } from "../../state/session.js";
import { Options } from "../../ui/fields/options.js";
import { Picture, placeIn } from "../../ui/pictures/picture.js";
import { theme } from "../../ui/theme.js";
import { Answer } from "./answer.js";
import { drawPainting, erased, rounded } from "./painting.js";

const SIZE = 400;
/** Distance of the points of a stroke, and how far the eraser reaches. */
const APART = 0.035;
const REACH = 0.03;
/** How long after the last point models learn from them. */
const MILLISECONDS = 350;
const CLASSES = 8;

type Place = readonly [number, number];

/** A canvas for points: by a stroke, by keys, or by numbers. */
export function Paint() {
  const painting = usePainting();
  return (
    <div class="paint">
      <Canvas painting={painting} />
      <Tools painting={painting} />
      {current.value.source.kind === "painted" && <Answer />}
    </div>
  );
}

/** The points, what was there before, and the tool in use. */
function usePainting() {
  const { source } = current.value;
  const points = useSignal<readonly PaintedPoint[]>(source.kind === "painted" ? source.points : []);
  const before = useSignal<readonly (readonly PaintedPoint[])[]>([]);
  const tool = useSignal<number | "eraser">(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** The models follow once there is something to learn. */
  const show = (next: readonly PaintedPoint[]) => {
    points.value = next;
    clearTimeout(timer.current);
    if (next.length > 0)
      timer.current = setTimeout(() => void openSource({ kind: "painted", points: next }), MILLISECONDS);
  };
  const remember = () => {
    before.value = [...before.value.slice(-50), points.value];
  };
  const undo = () => {
    show(before.value.at(-1)!);
    before.value = before.value.slice(0, -1);
  };
  const isFull = () => points.value.length >= limits.painted;
  const apply = ([x, y]: Place) => {
    if (tool.value === "eraser") {
      const kept = erased(points.value, [x, y], REACH);
      if (kept !== points.value) show(kept);
    } else if (!isFull()) show([...points.value, [rounded(x), rounded(y), tool.value]]);
  };
  const counts = Array.from(
    { length: CLASSES },
    (_, c) => points.value.filter(([, , label]) => label === c).length,
  );
  return { points, before, tool, counts, show, remember, undo, isFull, apply };
}

type Painting = ReturnType<typeof usePainting>;

function Canvas({ painting }: { readonly painting: Painting }) {
  const { points, tool, counts, remember, apply } = painting;
  const crosshair = useSignal<Place | null>(null);
  const stroke = useRef<Place | null>(null);
  const colors = theme.value;
  const drawn = useMemo(
    () => drawPainting(points.value, SIZE, colors, crosshair.value),
    [points.value, colors, crosshair.value],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const [x, y] = crosshair.value ?? [0.5, 0.5];
    const to = movedBy(event, [x, y]);
    if (to !== undefined) crosshair.value = to;
    else if (event.key === " " || event.key === "Enter") {
      crosshair.value = [x, y];
      remember();
      apply([x, y]);
    } else return;
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    crosshair.value = null;
    remember();
    stroke.current = placeIn(event);
    apply(stroke.current);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (stroke.current === null || event.buttons === 0) {
      stroke.current = null;
      return;
    }
    const place = placeIn(event);
    const far = Math.hypot(place[0] - stroke.current[0], place[1] - stroke.current[1]);
    if (tool.value !== "eraser" && far < APART) return;
    stroke.current = place;
    apply(place);
  };
  const label = `Canvas with ${points.value.length} points${countsText(counts)}. Arrow keys move a crosshair, Space puts a point.`;
  return (
    <div class="paint-canvas">
      <Picture pixels={drawn} label={label} focusable {...{ onPointerDown, onPointerMove, onKeyDown }} />
      <p class="note" aria-live="polite">
        {crosshair.value === null
          ? "Click or drag; or focus the canvas and use the arrow keys and Space."
          : `x ${crosshair.value[0]}, y ${crosshair.value[1]}: Space ${tool.value === "eraser" ? "erases" : `puts a point of class ${letter(tool.value)}`}.`}
      </p>
    </div>
  );
}

/** Where an arrow key moves a place; undefined for other keys. */
function movedBy({ key, shiftKey }: KeyboardEvent, [x, y]: Place): Place | undefined {
  const step = shiftKey ? 0.1 : 0.01;
  const moves: Readonly<Record<string, Place>> = {
    ArrowLeft: [x - step, y],
    ArrowRight: [x + step, y],
    ArrowUp: [x, y + step],
    ArrowDown: [x, y - step],
  };
  const to = moves[key];
  return to && [rounded(to[0]), rounded(to[1])];
}

/** ": 3 of class A, 5 of class B". */
const countsText = (counts: readonly number[]): string => {
  const texts = counts.flatMap((n, c) => (n > 0 ? [`${n} of class ${letter(c)}`] : []));
  return texts.length > 0 ? `: ${texts.join(", ")}` : "";
};

function Tools({ painting }: { readonly painting: Painting }) {
  const { points, before, counts, show, remember, undo, isFull } = painting;
  return (
    <div class="paint-tools">
      <fieldset class="ways">
        <legend>Class of new points</legend>
        {counts.map((n, c) => (
          <ToolChoice key={c} painting={painting} value={c}>
            {letter(c)}
            {n > 0 && <span class="note"> {n}</span>}
          </ToolChoice>
        ))}
        <ToolChoice painting={painting} value="eraser">
          Eraser
        </ToolChoice>
      </fieldset>
      <div class="buttons">
        <button type="button" disabled={before.value.length === 0} onClick={undo}>
          Undo
        </button>
        <button
          type="button"
          disabled={points.value.length === 0}
          onClick={() => {
            remember();
            show([]);
          }}
        >
          Clear
        </button>
      </div>
      <PointForm
        onPut={(point) => {
          if (isFull()) return;
          remember();
          show([...points.value, point]);
        }}
      />
      <p class="note" role="status">
        {isFull() ? `There are ${limits.painted} points, as many as a link can hold.` : advice(counts)}
      </p>
    </div>
  );
}

function advice(counts: readonly number[]): string {
  const used = counts.filter((n) => n > 0);
  if (used.length < 2) return "Put points of at least two classes.";
  if (used.some((n) => n < 5)) return "Put at least five points of each class.";
  return `${used.reduce((sum, n) => sum + n, 0)} points: the models are trained as you draw.`;
}

interface ToolChoiceProps {
  readonly painting: Painting;
  readonly value: number | "eraser";
  readonly children: ComponentChildren;
}

function ToolChoice({ painting: { tool }, value, children }: ToolChoiceProps) {
  const choose = () => {
    tool.value = value;
  };
  return (
    <label class={tool.value === value ? "way chosen" : "way"}>
      <input type="radio" name="class" checked={tool.value === value} onChange={choose} />
      {children}
    </label>
  );
}

const letter = (c: number): string => String.fromCharCode(65 + c);

/** The same without a pointer. */
function PointForm({ onPut }: { readonly onPut: (point: PaintedPoint) => void }) {
  return (
    <form
      class="point-form"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        onPut([rounded(Number(given.get("x"))), rounded(Number(given.get("y"))), Number(given.get("label"))]);
      }}
    >
      <label>
        x
        <input name="x" type="number" min={0} max={1} step={0.001} defaultValue="0.5" required />
      </label>
      <label>
        y
        <input name="y" type="number" min={0} max={1} step={0.001} defaultValue="0.5" required />
      </label>
      <label>
        Class
        <select name="label">
          <Options of={Array.from({ length: CLASSES }, (_, c) => [c, letter(c)])} />
        </select>
      </label>
      <button type="submit">Put the point</button>
    </form>
  );
}
