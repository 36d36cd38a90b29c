import { maxOf } from "argmax/numeric";
import { widthOf, wrap } from "../terminal/table.js";
import { Canvas, GUIDE, markOf } from "./canvas.js";
import { type Look, padLeft, paintSeries, shorten } from "./look.js";
import { type Range, rangeOf, ticks, tickTexts } from "./scale.js";

/** A curve, or a cloud of points. */
interface Series {
  readonly name: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Points that are not joined. */
  readonly points?: boolean;
}

export interface LineChart {
  readonly series: readonly Series[];
  readonly xLabel: string;
  readonly yLabel: string;
  /** The range of an axis; by default that of the data. */
  readonly x?: Range;
  readonly y?: Range;
  /** A dotted line through all points with x = y, or at a height. */
  readonly guide?: "diagonal" | number;
  /** Of an axis of categories: their names, at 0, 1, … */
  readonly xNames?: readonly string[] | undefined;
}

/** Curves over two axes, drawn in dots. Several curves have a letter each, so that they differ without colours. */
export function lineChart(chart: LineChart, look: Look, height = 14): string[] {
  const { series, xNames } = chart;
  const x =
    chart.x ?? (xNames ? [-0.5, xNames.length - 0.5] : rangeOf(series.flatMap((own) => Array.from(own.x))));
  const y = chart.y ?? rangeOf(series.flatMap((own) => Array.from(own.y)));
  const yTicks = ticks(y, Math.max(2, Math.floor(height / 3)));
  const yTexts = tickTexts(yTicks);
  const margin = maxOf(yTexts.map(widthOf), 1);
  const canvas = new Canvas(Math.max(8, look.width - margin - 2), height, look.unicode);
  const place = placer(canvas, x, y);
  drawGuide(canvas, place, x, y, chart.guide);
  for (const [k, own] of series.entries()) drawSeries(canvas, place, own, k);
  if (series.length > 1 && look.unicode) drawLetters(canvas, place, series);
  return [
    ...wrap(chart.yLabel, look.width).map((line) => look.style.dim(line)),
    ...leftAxis(canvas, place, yTicks, yTexts, margin, look),
    ...bottomAxis(canvas, place, x, xNames, margin, look),
    look.style.dim(axisLabel(chart.xLabel, margin + 2, look)),
    ...legend(series, look),
  ];
}

/** The label in the middle of the axis, which begins at column `left`. */
function axisLabel(label: string, left: number, { width, unicode }: Look): string {
  const text = shorten(label, width, unicode);
  const start = left + Math.floor((width - left - widthOf(text)) / 2);
  return `${" ".repeat(Math.max(0, Math.min(start, width - widthOf(text))))}${text}`;
}

type Place = (x: number, y: number) => readonly [number, number];

/** The dot of a point; both ends of an axis are dots. */
function placer(canvas: Canvas, [left, right]: Range, [low, high]: Range): Place {
  const [across, down] = [canvas.dotsAcross - 1, canvas.dotsDown - 1];
  return (x, y) => [
    Math.round(((x - left) / (right - left)) * across),
    Math.round(((high - y) / (high - low)) * down),
  ];
}

function drawGuide(canvas: Canvas, place: Place, x: Range, y: Range, guide: LineChart["guide"]): void {
  if (guide === undefined) return;
  const [from, to] = guide === "diagonal" ? [Math.max(x[0], y[0]), Math.min(x[1], y[1])] : x;
  const ends =
    guide === "diagonal" ? [place(from, from), place(to, to)] : [place(from, guide), place(to, guide)];
  canvas.line(...ends[0]!, ...ends[1]!, GUIDE);
}

function drawSeries(canvas: Canvas, place: Place, { x, y, points }: Series, owner: number): void {
  for (let p = 0; p < x.length; p++) {
    const [column, row] = place(x[p]!, y[p]!);
    if (points || p === 0) canvas.dot(column, row, owner);
    else canvas.line(...place(x[p - 1]!, y[p - 1]!), column, row, owner);
  }
}

/** Puts the letter of each series on a cell of it, as far as possible from the other series. */
function drawLetters(canvas: Canvas, place: Place, series: readonly Series[]): void {
  const cells = series.map((own) => cellsOf(canvas, place, own));
  for (const [k, own] of cells.entries()) {
    const others = cells.filter((_, other) => other !== k).flat();
    let best: readonly [number, number] | undefined;
    let widest = -1;
    for (const [column, row] of own) {
      if (canvas.hasLetter(column, row)) continue;
      // A cell is twice as high as it is wide.
      const gap = others.reduce(
        (least, [c, r]) => Math.min(least, Math.hypot(c - column, 2 * (r - row))),
        Infinity,
      );
      if (gap > widest) [best, widest] = [[column, row], gap];
    }
    if (best) canvas.letter(...best, letterOf(k), k);
  }
}

/** The cells with points of a series, each once: a curve may have many more points. */
function cellsOf(canvas: Canvas, place: Place, { x, y }: Series): (readonly [number, number])[] {
  const cells = new Map<number, readonly [number, number]>();
  for (let p = 0; p < x.length; p++) {
    const [across, down] = place(x[p]!, y[p]!);
    const column = Math.min(canvas.width - 1, Math.max(0, Math.floor(across / 2)));
    const row = Math.min(canvas.height - 1, Math.max(0, Math.floor(down / 4)));
    cells.set(row * canvas.width + column, [column, row]);
  }
  return [...cells.values()];
}

const letterOf = (k: number): string => String.fromCodePoint(97 + (k % 26));

function leftAxis(
  canvas: Canvas,
  place: Place,
  yTicks: readonly number[],
  yTexts: readonly string[],
  margin: number,
  look: Look,
): string[] {
  const [stroke, tick] = look.unicode ? ["│", "┤"] : ["|", "+"];
  const dotsPerRow = canvas.dotsDown / canvas.height;
  const textOf = new Map(yTicks.map((v, t) => [Math.floor(place(0, v)[1] / dotsPerRow), yTexts[t]!]));
  return canvas.lines(look.style).map((line, row) => {
    const text = textOf.get(row);
    return `${look.style.dim(`${padLeft(text ?? "", margin)} ${text === undefined ? stroke : tick}`)}${line}`;
  });
}

/** The line under the chart and its numbers or names; those that would touch another one are left out. */
function bottomAxis(
  canvas: Canvas,
  place: Place,
  x: Range,
  xNames: readonly string[] | undefined,
  margin: number,
  look: Look,
): string[] {
  const [corner, stroke, tick] = look.unicode ? ["└", "─", "┬"] : ["+", "-", "+"];
  const values = xNames ? [...xNames.keys()] : ticks(x, Math.max(2, Math.floor(canvas.width / 10)));
  const room = xNames ? Math.max(3, Math.floor(canvas.width / xNames.length) - 1) : canvas.width;
  const texts = xNames ? xNames.map((name) => shorten(name, room, look.unicode)) : tickTexts(values);
  const axis = Array.from({ length: canvas.width }, () => stroke);
  const offset = margin + 2;
  let numbers = "";
  for (const [t, value] of values.entries()) {
    const column = Math.floor((place(value, 0)[0] * canvas.width) / canvas.dotsAcross);
    const width = widthOf(texts[t]!);
    const start = Math.min(offset + column - Math.floor((width - 1) / 2), look.width - width);
    axis[column] = tick;
    if (numbers === "" || start > widthOf(numbers)) numbers = numbers.padEnd(start) + texts[t]!;
  }
  return [look.style.dim(`${" ".repeat(margin + 1)}${corner}${axis.join("")}`), look.style.dim(numbers)];
}

/** Names of several series; of one the title says what it is. */
function legend(series: readonly Series[], look: Look): string[] {
  if (series.length < 2) return [];
  const lines: { text: string; painted: string }[] = [{ text: "", painted: "" }];
  for (const [k, { name }] of series.entries()) {
    const mark = look.unicode ? letterOf(k) : markOf(k);
    const text = `${mark} ${shorten(name, look.width - 4, look.unicode)}`;
    const painted = `${paintSeries(k, mark, look.style)}${text.slice(mark.length)}`;
    const last = lines.at(-1)!;
    if (last.text === "") [last.text, last.painted] = [text, painted];
    else if (widthOf(last.text) + 3 + widthOf(text) <= look.width) {
      last.text += `   ${text}`;
      last.painted += `   ${painted}`;
    } else lines.push({ text, painted });
  }
  return lines.map(({ painted }) => painted);
}
