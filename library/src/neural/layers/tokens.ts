import { DataError, ParameterError, show } from "../../core/errors.js";
import { cos, pow, sin } from "../../core/numbers/elementary.js";
import { absent, readOptions, refuseOptions } from "../../core/params/options.js";
import { flag, integer, type ParamSpec } from "../../core/params/params.js";
import type { NestedNumbers } from "../autodiff/arrays.js";
import { add } from "../autodiff/ops/arithmetic.js";
import { conv2d } from "../autodiff/ops/images.js";
import { broadcastTo, concat, gather, reshape, slice } from "../autodiff/ops/shapes.js";
import { showShape } from "../autodiff/shape.js";
import type { Tensor } from "../autodiff/tensor.js";
import { type Start, type WeightStart, weightStart, zeros } from "../network/initialization.js";
import { type Layer, layer, type Pass } from "../network/layer.js";
import { divisors, requireTokens } from "./attention.js";
import { requireImages } from "./convolution.js";
import { optionsJson, readCount, readPositive } from "./options.js";
import { givenStart, startJson, startSpec } from "./start-options.js";

/** In the mask of padding: far below every score, and far from the largest 32-bit number. */
const PADDED = -1e9;

/** Token numbers are 32-bit floats by default, exact up to here. */
export const LARGEST_VOCABULARY = 2 ** 24;

/** Standard deviation of learned positions and class tokens at the start, as in BERT and ViT. */
const SMALL: Start = { kind: "normal", deviation: 0.02 };

export interface EmbeddingOptions {
  /** The token that fills short texts: attention and pooling leave it out. */
  readonly padding?: number | undefined;
  /** How the vectors start; given ones are vocabulary × dimensions. Standard normal unless given. */
  readonly start?: WeightStart | NestedNumbers | undefined;
  /** Whether training changes the vectors. */
  readonly trainable?: boolean | undefined;
}

const embeddingOptions = {
  padding: absent(
    integer({ atLeast: 0, default: 0, doc: "The token that fills short texts, left out by attention." }),
  ),
  start: startSpec("How the vectors start."),
  trainable: flag({ default: true, doc: "Whether training changes the vectors." }),
} satisfies Record<keyof EmbeddingOptions, ParamSpec<unknown>>;

/** A learned vector per token: T tokens, numbers from 0 to vocabulary − 1, → T × dimensions. */
export function embedding(vocabulary: number, dimensions: number, options: EmbeddingOptions = {}): Layer {
  const sizes = integer({ atLeast: 1, atMost: LARGEST_VOCABULARY, default: 1, doc: "" });
  const rows = readPositive("embedding", "vocabulary", vocabulary, sizes);
  const d = readCount("embedding", "dimensions", dimensions);
  const given = readOptions("embedding", embeddingOptions, options);
  const { padding, trainable } = given;
  if (padding !== undefined && padding >= rows) {
    const expected = `a token of the vocabulary, from 0 to ${rows - 1}`;
    throw new ParameterError("embedding", "padding", expected, `${padding}`);
  }
  const json = {
    vocabulary: rows,
    dimensions: d,
    ...optionsJson(embeddingOptions, {
      ...given,
      start: given.start === undefined ? undefined : startJson(given.start),
    }),
  };
  return layer("embedding", json, (input, builder) => {
    if (input.length !== 1) builder.refuse("the input", "one token number per position", showShape(input));
    const named: Start =
      typeof given.start === "string" ? weightStart(given.start, rows, d) : { kind: "normal", deviation: 1 };
    const table = builder.parameter("vectors", [rows, d], givenStart(given.start) ?? named, { trainable });
    const tokens = input[0]!;
    return {
      output: [tokens, d],
      forward: (x, pass) => {
        requireVocabulary(builder.path, x, rows);
        pass.mask = padding === undefined ? undefined : paddingMask(x, padding);
        return gather(pass.parameter(table), Int32Array.from(x.values.array), x.shape);
      },
    };
  });
}

function paddingMask(x: Tensor, padding: number): Tensor {
  const mask = Float64Array.from(x.values.array, (token) => (token === padding ? PADDED : 0));
  return x.tape.constant(x.shape, mask);
}

function requireVocabulary(path: string, { tape, values, shape }: Tensor, rows: number): void {
  const tokens = values.array;
  for (let e = 0; e < tokens.length; e++) {
    const token = tokens[e]!;
    if (Number.isInteger(token) && token >= 0 && token < rows) continue;
    throw new DataError({
      where: path === "" ? tape.space.where : `${tape.space.where}, layer ${path}`,
      subject: `token ${e % shape[1]!} of a row`,
      expected: `a whole number from 0 to ${rows - 1}, as the vocabulary has ${rows} tokens`,
      received: show(token),
    });
  }
}

/**
 * Adds to every token a pattern of its position [Vaswani et al. 2017, § 3.5]:
 *
 *   P[t, 2i] = sin(t/10000^(2i/D)),   P[t, 2i + 1] = cos(t/10000^(2i/D))
 */
export function positionalEncoding(...none: readonly never[]): Layer {
  refuseOptions("positionalEncoding", none);
  return layer("positionalEncoding", {}, (input, builder) => {
    const [t, d] = requireTokens(input, builder);
    const pattern = positions(t, d);
    return { output: input, forward: (x) => add(x, x.tape.constant(input, pattern)) };
  });
}

function positions(tokens: number, dimensions: number): Float64Array {
  const out = new Float64Array(tokens * dimensions);
  for (let t = 0; t < tokens; t++)
    for (let j = 0; j < dimensions; j++) {
      const angle = t / pow(10000, (j - (j % 2)) / dimensions);
      out[t * dimensions + j] = j % 2 === 0 ? sin(angle) : cos(angle);
    }
  return out;
}

/** Adds a learned vector per position: T × D numbers. */
export function positionalEmbedding(...none: readonly never[]): Layer {
  refuseOptions("positionalEmbedding", none);
  return layer("positionalEmbedding", {}, (input, builder) => {
    requireTokens(input, builder);
    const vectors = builder.parameter("positions", input, SMALL, { penalised: false });
    return { output: input, forward: (x, pass) => add(x, pass.parameter(vectors)) };
  });
}

/**
 * Images H × W × C as tokens [Dosovitskiy et al. 2021]: patches of `size` × `size` pixels, row by row, each
 * projected to `dimensions` numbers. (H/size · W/size) × dimensions.
 */
export function patchEmbedding(size: number, dimensions: number): Layer {
  const side = readCount("patchEmbedding", "size", size);
  const d = readCount("patchEmbedding", "dimensions", dimensions);
  return layer("patchEmbedding", { size: side, dimensions: d }, (input, builder) => {
    const [height, width, channels] = requireImages(input, builder);
    if (height % side !== 0 || width % side !== 0)
      builder.refuse(
        `size for images of ${height} × ${width}`,
        `a divisor of both (${divisors(common(height, width))})`,
        `${side}`,
      );
    const start = weightStart("xavier", side * side * channels, d);
    const filters = builder.parameter("filters", [side, side, channels, d], start);
    const bias = builder.parameter("bias", [d], zeros, { penalised: false });
    const tokens = (height / side) * (width / side);
    return {
      output: [tokens, d],
      forward: (x, pass) => {
        const patches = conv2d(x, pass.parameter(filters), pass.parameter(bias), { stride: side });
        return reshape(patches, [x.shape[0]!, tokens, d]);
      },
    };
  });
}

/** Greatest common divisor. */
const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));

/** Puts a learned token before the others, whose output can stand for all of them: T × D → (T + 1) × D. */
export function classToken(...none: readonly never[]): Layer {
  refuseOptions("classToken", none);
  return layer("classToken", {}, (input, builder) => {
    const [t, d] = requireTokens(input, builder);
    const token = builder.parameter("token", [1, 1, d], SMALL, { penalised: false });
    return {
      output: [t + 1, d],
      forward: (x, pass) => {
        const first = broadcastTo(pass.parameter(token), [x.shape[0]!, 1, d]);
        pass.mask = pass.mask && withFirst(pass.mask);
        return concat([first, x], 1);
      },
    };
  });
}

/** The mask of tokens with one more before them, which is not padding. */
function withFirst(mask: Tensor): Pass["mask"] {
  const [n, t] = mask.shape as [number, number];
  const longer = new Float64Array(n * (t + 1));
  for (let i = 0; i < n; i++) longer.set(mask.values.array.subarray(i * t, (i + 1) * t), i * (t + 1) + 1);
  return mask.tape.constant([n, t + 1], longer);
}

/** One token alone, counted from the end if negative: T × D → D. */
export function takeToken(index: number): Layer {
  const given = readPositive("takeToken", "index", index, integer({ default: 0, doc: "" }));
  return layer("takeToken", { index: given }, (input, builder) => {
    const [t, d] = requireTokens(input, builder);
    const at = given < 0 ? t + given : given;
    if (at < 0 || at >= t) builder.refuse("index", `from ${-t} to ${t - 1}`, `${given}`);
    return {
      output: [d],
      forward: (x, pass) => {
        const n = x.shape[0]!;
        pass.mask = undefined;
        return reshape(slice(x, [0, at, 0], [n, at + 1, d]), [n, d]);
      },
    };
  });
}
