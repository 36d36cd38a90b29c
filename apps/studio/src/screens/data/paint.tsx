import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { PaintedPoint } from "../../data/source.js";
import { limits } from "../../state/document.js";
import { document as current, openSource } from "../../state/session.js";
import { Picture } from "../../ui/picture.js";
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
  const { source } = current.value;
  const points = useSignal<readonly PaintedPoint[]>(source.kind === "painted" ? source.points : []);
  const before = useSignal<readonly (readonly PaintedPoint[])[]>([]);
  const tool = useSignal<number | "eraser">(0);
  const crosshair = useSignal<Place | null>(null);
  const stroke = useRef<Place | null>(null);
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
  const apply = ([x, y]: Place) => {
    if (tool.value === "eraser") {
      const kept = erased(points.value, [x, y], REACH);
      if (kept !== points.value) show(kept);
    } else if (points.value.length < limits.painted)
      show([...points.value, [rounded(x), rounded(y), tool.value]]);
  };
  const placeOf = (event: PointerEvent): Place => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height];
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 0.1 : 0.01;
    const [x, y] = crosshair.value ?? [0.5, 0.5];
    const moves: Readonly<Record<string, Place>> = {
      ArrowLeft: [x - step, y],
      ArrowRight: [x + step, y],
      ArrowUp: [x, y + step],
      ArrowDown: [x, y - step],
    };
    const to = moves[event.key];
    if (to !== undefined) crosshair.value = [rounded(to[0]), rounded(to[1])];
    else if (event.key === " " || event.key === "Enter") {
      crosshair.value = [x, y];
      remember();
      apply([x, y]);
    } else return;
    event.preventDefault();
  };
  const colors = theme.value;
  const drawn = useMemo(
    () => drawPainting(points.value, SIZE, colors, crosshair.value),
    [points.value, colors, crosshair.value],
  );
  const counts = Array.from(
    { length: CLASSES },
    (_, c) => points.value.filter(([, , label]) => label === c).length,
  );
  const used = counts.filter((n) => n > 0);
  return (
    <div class="paint">
      <div class="paint-canvas">
        <Picture
          pixels={drawn}
          label={`Canvas with ${points.value.length} points${used.length > 0 ? `: ${counts.flatMap((n, c) => (n > 0 ? [`${n} of class ${letter(c)}`] : [])).join(", ")}` : ""}. Arrow keys move a crosshair, Space puts a point.`}
          focusable
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
            crosshair.value = null;
            remember();
            stroke.current = placeOf(event);
            apply(stroke.current);
          }}
          onPointerMove={(event) => {
            if (stroke.current === null || event.buttons === 0) {
              stroke.current = null;
              return;
            }
            const place = placeOf(event);
            const far = Math.hypot(place[0] - stroke.current[0], place[1] - stroke.current[1]);
            if (tool.value !== "eraser" && far < APART) return;
            stroke.current = place;
            apply(place);
          }}
          onKeyDown={onKeyDown}
        />
        <p class="note" aria-live="polite">
          {crosshair.value === null
            ? "Click or drag; or focus the canvas and use the arrow keys and Space."
            : `x ${crosshair.value[0]}, y ${crosshair.value[1]}: Space ${tool.value === "eraser" ? "erases" : `puts a point of class ${letter(tool.value)}`}.`}
        </p>
      </div>
      <div class="paint-tools">
        <fieldset class="ways">
          <legend>Class of new points</legend>
          {counts.map((n, c) => (
            <label key={c} class={tool.value === c ? "way chosen" : "way"}>
              <input
                type="radio"
                name="class"
                checked={tool.value === c}
                onChange={() => {
                  tool.value = c;
                }}
              />
              {letter(c)}
              {n > 0 && <span class="note"> {n}</span>}
            </label>
          ))}
          <label class={tool.value === "eraser" ? "way chosen" : "way"}>
            <input
              type="radio"
              name="class"
              checked={tool.value === "eraser"}
              onChange={() => {
                tool.value = "eraser";
              }}
            />
            Eraser
          </label>
        </fieldset>
        <div class="buttons">
          <button
            type="button"
            disabled={before.value.length === 0}
            onClick={() => {
              show(before.value.at(-1)!);
              before.value = before.value.slice(0, -1);
            }}
          >
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
            if (points.value.length >= limits.painted) return;
            remember();
            show([...points.value, point]);
          }}
        />
        <p class="note" role="status">
          {points.value.length >= limits.painted
            ? `There are ${limits.painted} points, as many as a link can hold.`
            : used.length < 2
              ? "Put points of at least two classes."
              : used.some((n) => n < 5)
                ? "Put at least five points of each class."
                : `${points.value.length} points: the models learn as you draw.`}
        </p>
      </div>
      {source.kind === "painted" && <Answer />}
    </div>
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
          {Array.from({ length: CLASSES }, (_, c) => (
            <option key={c} value={c}>
              {letter(c)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Put the point</button>
    </form>
  );
}
