import type { Panel, SmallImage } from "../../protocol.js";

interface Array4 {
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
}

/** What a fitted network shows of its inside. */
export interface NetworkParts {
  activations?(x: unknown): ReadonlyMap<string, Array4>;
  readonly network?: {
    readonly summaries: readonly { readonly path: string; readonly kind: string; readonly depth: number }[];
  };
}

/** More pictures are not looked at. */
const MOST = 32;
/** Larger layers are left out. */
const MOST_NUMBERS = 8192;
/** Layers that only pass numbers on. */
const passive = /^(dropout|flatten|reshape|sequential)$/;

/** What every layer returns for a row, as small pictures; attention as maps. */
export function networkPanels(model: NetworkParts, row: unknown): Panel[] {
  if (typeof model.activations !== "function" || row === undefined) return [];
  const found = model.activations(row);
  const kinds = new Map(model.network?.summaries.map((layer) => [layer.path, layer]));
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
    });
  if (layers.length > 0)
    panels.push({
      kind: "images",
      title: "Layers, for the selected row",
      note: "Dark is small, bright is large; the range is that of each layer. Channels of images lie side by side.",
      images: layers
        .slice(0, MOST)
        .map(([path, values]) => layerImage(`${path} ${nameOf(kinds.get(path)?.kind)}`.trim(), values)),
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
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const caption = `${name}: ${sizes.join(" × ")}, ${digits(least)} to ${digits(most)}`;
  const shares = scaled(values);
  if (sizes.length === 3) return { caption, ...mosaic(shares, sizes as [number, number, number]) };
  const cols = sizes.length === 2 ? sizes[1]! : Math.ceil(Math.sqrt(4 * values.length));
  const rows = Math.ceil(values.length / cols);
  const rest = new Array<number>(rows * cols - values.length).fill(Number.NaN);
  return { caption, rows, cols, values: [...shares, ...rest] };
}

/** The channels of height × width × channels side by side, with a gap of one pixel between them. */
export function mosaic(
  values: readonly number[],
  [height, width, channels]: readonly [number, number, number],
): Pick<SmallImage, "rows" | "cols" | "values"> {
  const across = Math.ceil(Math.sqrt(channels));
  const down = Math.ceil(channels / across);
  const [rows, cols] = [down * (height + 1) - 1, across * (width + 1) - 1];
  const out = new Array<number>(rows * cols).fill(Number.NaN);
  for (let c = 0; c < channels; c++) {
    const [top, left] = [Math.floor(c / across) * (height + 1), (c % across) * (width + 1)];
    for (let i = 0; i < height; i++)
      for (let j = 0; j < width; j++)
        out[(top + i) * cols + left + j] = values[(i * width + j) * channels + c]!;
  }
  return { rows, cols, values: out };
}

function scaled(values: ArrayLike<number>): number[] {
  const all = Array.from(values);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return all.map((value) => (value - least) / (most - least || 1));
}

const digits = (value: number): number => Number(value.toPrecision(3));
