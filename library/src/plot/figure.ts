import { absent, option, readOptions } from "../core/params/options.js";
import { integer, type ParamSpec, type TableOf } from "../core/params/params.js";
import { okabeIto } from "./colours.js";
import { element, escaped, text } from "./svg.js";

/** What every plot takes. */
export interface PlotOptions {
  /** Stands above the plot, and is its name for screen readers. */
  readonly title?: string | undefined;
  /** In pixels. */
  readonly width?: number | undefined;
  /** In pixels. */
  readonly height?: number | undefined;
}

const pixels = (what: string): ParamSpec<number | undefined> =>
  absent(integer({ atLeast: 120, default: 120, doc: `${what} in pixels.` }));

export const textOption = (doc: string): ParamSpec<string | undefined> =>
  option("union", doc, "a string", (value) => typeof value === "string");

export const plotOptions = {
  title: textOption("Stands above the plot, and is its name for screen readers."),
  width: pixels("Width"),
  height: pixels("Height"),
} satisfies TableOf<PlotOptions>;

/**
 * Colours for light and dark paper. Curves and dots of a figure have no outline, so only four of Okabe and Ito have the contrast to be
 * seen on white; the others are darker.
 */
const light = [...okabeIto.slice(0, 4), "#b98900", "#3f9bd0", "#7a5195", "#8a6d5b"];
const dark = ["#56a8e0", "#f28e52", "#3cc79e", "#e3a3c9", "#e6b93c", "#8fcdf2", "#b28fd0", "#c4a48e"];

/** The colour of series, class or group k. */
export const colour = (k: number): string => `var(--c${k % light.length})`;
/** Steps of `blend`. */
const BLENDS = 24;

/** The class of a colour from the first one (0) by way of purple to the second one (1). */
export const blend = (part: number): string => `b${Math.round(BLENDS * part)}`;

/** The classes of `blend`, for figures that use them. */
export const blends: string = Array.from({ length: BLENDS + 1 }, (_, b) => {
  const part = Math.round((100 * b) / BLENDS);
  return `.argmax-plot .b${b}{fill:color-mix(in oklch,var(--c1) ${part}%,var(--c0))}`;
}).join("");

export const ink = "var(--ink)";
export const muted = "var(--muted)";
export const paper = "var(--paper)";

const variables = (ink: string, muted: string, grid: string, paper: string, colours: readonly string[]) =>
  `--ink:${ink};--muted:${muted};--grid:${grid};--paper:${paper};${colours.map((c, k) => `--c${k}:${c}`).join(";")}`;

const style = [
  `.argmax-plot{${variables("#1b1e23", "#5c636e", "#e4e6ea", "#ffffff", light)}}`,
  `@media(prefers-color-scheme:dark){.argmax-plot{${variables("#e8eaee", "#a4abb6", "#343a43", "#14171c", dark)}}}`,
  ".argmax-plot text{fill:var(--ink);font:12px system-ui,sans-serif}",
  ".argmax-plot .muted{fill:var(--muted)}",
  ".argmax-plot .title{font-size:14px;font-weight:600}",
  ".argmax-plot .grid{stroke:var(--grid)}",
].join("");

/** Height of a title. */
export const TITLE = 30;

/**
 * A whole figure: light or dark as the reader prefers, named for screen readers. `summary` says in words what it shows; `classes` are its own
 * rules of style. */
export function figure(
  title: string,
  summary: string,
  [width, height]: readonly [number, number],
  shapes: readonly string[],
  classes = "",
): string {
  const head = {
    xmlns: "http://www.w3.org/2000/svg",
    class: "argmax-plot",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": `${title}. ${summary}`,
  };
  const body = [
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(summary)}</desc>`,
    `<style>${style}${classes}</style>`,
    element("rect", { width, height, fill: paper }),
    text(16, 21, title, { class: "title" }),
    ...shapes,
  ];
  return `${element("svg", head, `\n${body.join("\n")}\n`)}\n`;
}

/** The options of a plot, with its own title and size where none are given. */
export function readPlotOptions(
  where: string,
  given: PlotOptions,
  defaults: { readonly title: string; readonly width?: number; readonly height?: number },
): { readonly title: string; readonly width: number; readonly height: number } {
  const { title, width, height } = readOptions(where, plotOptions, given);
  return {
    title: title ?? defaults.title,
    width: width ?? defaults.width ?? 480,
    height: height ?? defaults.height ?? 360,
  };
}
