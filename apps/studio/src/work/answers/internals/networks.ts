import type { MatrixLike } from "argmax/core";
import type { FittedMLPClassifier } from "argmax/neural";
import { maxOf, minOf } from "argmax/numeric";
import type { Panel, SmallImage } from "../../protocol.js";
import type { About } from "./about.js";
import { viewAs } from "./view.js";

interface Array4 {
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
}

/** More pictures are not looked at. */
const MOST = 32;
/** Larger layers are left out. */
const MOST_NUMBERS = 8192;
/** Layers that only pass numbers on. */
const passive = /^(dropout|flatten|reshape|sequential)$/;

/** Attention as maps and what every layer returns for a row; then the weights of layers as small pictures. */
export function networkPanels(model: object, { row }: About): Panel[] {
  const network = viewAs<Network>(model, "activations", "network");
  if (network === undefined) return [];
  const kinds = new Map(network.network.summaries.map((layer) => [layer.path, layer]));
  return [...rowPanels(network, kinds, row), ...weightPanels(network, kinds)];
}

type Network = FittedMLPClassifier;
type Kinds = ReadonlyMap<string, { readonly path: string; readonly kind: string; readonly depth: number }>;

function weightPanels({ weights }: Network, kinds: Kinds): Panel[] {
  const images = [...weights].flatMap(([name, values]): SmallImage[] => {
    const path = name.replace(/\.[^.]*$/, "");
    const { shape, data } = values;
    if ((shape.length !== 2 && shape.length !== 4) || data.length > MOST_NUMBERS) return [];
    const most = maxOf(Array.from(data, Math.abs));
    const caption = `${path} ${nameOf(kinds.get(path)?.kind)}: ${shape.join(" × ")}, up to ±${digits(most)}`;
    const shares = Float32Array.from(data, (value) => 0.5 + value / (2 * most || 1));
    const [height, width, ...filters] = shape as [number, number, ...number[]];
    if (filters.length === 0) return [{ caption, rows: height, cols: width, values: shares }];
    return [{ caption, ...mosaic(shares, [height, width, filters[0]! * filters[1]!]) }];
  });
  if (images.length === 0) return [];
  const hasFilters = [...weights.values()].some(({ shape }) => shape.length === 4);
  return [
    {
      kind: "images",
      title: "Weights of layers",
      note: `A line is an input of the layer, a column one of its neurons${hasFilters ? "; filters lie side by side" : ""}. Dark is negative, bright is positive, the middle is 0.`,
      images: images.slice(0, MOST),
    },
  ];
}

function rowPanels(model: Network, kinds: Kinds, row: MatrixLike | undefined): Panel[] {
  if (row === undefined)
    return [
      {
        kind: "images",
        title: "Layers, for the selected row",
        note: "Choose a row above to see what every layer returns for it.",
        images: [],
        ofRow: true,
      },
    ];
  const found = model.activations(row);
  const layers = [...found].filter(([path, { shape }]) => {
    const layer = kinds.get(path);
    const isInner = layer === undefined ? path.includes(".") : layer.depth > 0;
    return (
      !isInner && !path.includes("/") && !passive.test(layer?.kind ?? "") && sizeOf(shape) <= MOST_NUMBERS
    );
  });
  const panels: Panel[] = [];
  const maps = [...found].filter(([path]) => path.endsWith("/attention"));
  if (maps.length > 0)
    panels.push({
      kind: "images",
      title: "Attention, for the selected row",
      note: "In the maps of heads a line is the patch or word that looks, a column the one that it looks at; bright is much. Looked at: how much each gets from all others, over all heads.",
      images: maps.flatMap(([, map], block) => attentionImages(map, block + 1)).slice(0, MOST),
      ofRow: true,
    });
  if (layers.length > 0)
    panels.push({
      kind: "images",
      title: "Layers, for the selected row",
      note: "Dark is small, bright is large; the range is that of each layer. Channels of images lie side by side.",
      images: layers
        .slice(0, MOST)
        .map(([path, values]) => layerImage(`${path} ${nameOf(kinds.get(path)?.kind)}`.trim(), values)),
      ofRow: true,
    });
  return panels;
}

const sizeOf = (shape: readonly number[]): number =>
  shape.slice(1).reduce((product, size) => product * size, 1);

/** "batchNorm" → "batch norm". */
const nameOf = (kind = ""): string => kind.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();

/** heads × words × words. */
function attentionImages({ shape, data }: Array4, block: number): SmallImage[] {
  const [, heads = 1, rows = 1, cols = 1] = shape;
  const area = rows * cols;
  const received = new Float64Array(cols);
  for (let e = 0; e < heads * area; e++) received[e % cols]! += data[e]!;
  const side = Math.sqrt(cols);
  const width = Number.isInteger(side) ? side : cols;
  return [
    {
      caption: `block ${block}: looked at`,
      rows: cols / width,
      cols: width,
      values: scaled(received),
    },
    ...Array.from({ length: Math.min(heads, 8) }, (_, h) => ({
      caption: `block ${block}, head ${h + 1}`,
      rows,
      cols,
      values: scaled(Array.from({ length: area }, (_, e) => data[h * area + e]!)),
    })),
  ];
}

function layerImage(name: string, { shape, data }: Array4): SmallImage {
  const sizes = shape.slice(1);
  const values = Array.from({ length: sizeOf(shape) }, (_, e) => data[e]!);
  const [least, most] = [minOf(values), maxOf(values)];
  const caption = `${name}: ${sizes.join(" × ")}, ${digits(least)} to ${digits(most)}`;
  const shares = scaled(values);
  if (sizes.length === 3) return { caption, ...mosaic(shares, sizes as [number, number, number]) };
  const cols = sizes.length === 2 ? sizes[1]! : Math.ceil(Math.sqrt(4 * values.length));
  const rows = Math.ceil(values.length / cols);
  const filled = new Float32Array(rows * cols).fill(Number.NaN);
  filled.set(shares);
  return { caption, rows, cols, values: filled };
}

/** The channels of height × width × channels side by side, with a gap of one pixel between them. */
export function mosaic(
  values: ArrayLike<number>,
  [height, width, channels]: readonly [number, number, number],
): Pick<SmallImage, "rows" | "cols" | "values"> {
  const across = Math.ceil(Math.sqrt(channels));
  const down = Math.ceil(channels / across);
  const [rows, cols] = [down * (height + 1) - 1, across * (width + 1) - 1];
  const out = new Float32Array(rows * cols).fill(Number.NaN);
  for (let c = 0; c < channels; c++) {
    const [top, left] = [Math.floor(c / across) * (height + 1), (c % across) * (width + 1)];
    for (let i = 0; i < height; i++)
      for (let j = 0; j < width; j++)
        out[(top + i) * cols + left + j] = values[(i * width + j) * channels + c]!;
  }
  return { rows, cols, values: out };
}

function scaled(values: ArrayLike<number>): Float32Array {
  const all = Array.from(values);
  const [least, most] = [minOf(all), maxOf(all)];
  return Float32Array.from(all, (value) => (value - least) / (most - least || 1));
}

const digits = (value: number): number => Number(value.toPrecision(3));
