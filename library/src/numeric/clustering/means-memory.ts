import type { Matrix } from "../../data/matrix.js";
import {
  assignChunk,
  distancesChunk,
  gainsChunk,
  measureChunk,
  measureGaps,
  packCandidates,
  packCenters,
  packRowsChunk,
  seedChosenChunk,
  seedFirstChunk,
  sumChunk,
} from "../generated/k-means.js";
import {
  CHUNK,
  GROUP,
  MOST_TRIALS,
  meansBytes,
  meansF64,
  meansI32,
  meansUsize,
  PANEL,
} from "../generated/k-means.layout.js";
import { powerBelow } from "../rows/power-below.js";
import { type Arena, ArenaOwner, type F64, type I32 } from "../runtime/arena.js";
import { addPartials, chunksOf } from "../runtime/chunks.js";
import { MixedFields } from "../runtime/fields.js";
import { parallel } from "../runtime/threads.js";

/** Filter values that a chunk holds at a time: 32 KB. */
const VALUES = 8192;

const integers = { ...meansI32, ...meansUsize };

/** Origin and scale of the filter coordinates: all rows of the frame are within a length of 1. */
export interface Frame {
  readonly shift: Float64Array;
  readonly scale: number;
}

/** The mean of the rows, and the largest power of two that keeps them within a length of 1. */
export function frameOf({ rows, cols, data }: Matrix): Frame {
  const shift = new Float64Array(cols);
  const lowest = new Float64Array(cols).fill(Infinity);
  const highest = new Float64Array(cols).fill(-Infinity);
  const share = 1 / rows;
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, e++) {
      const value = data[e]!;
      shift[j]! += value * share;
      if (value < lowest[j]!) lowest[j] = value;
      if (value > highest[j]!) highest[j] = value;
    }
  }
  return frameAround(shift, lowest, highest);
}

/** The same, for columns between two ends. */
export function frameAround(shift: Float64Array, lowest: Float64Array, highest: Float64Array): Frame {
  const cols = shift.length;
  let most = 0;
  for (let j = 0; j < cols; j++) most = Math.max(most, highest[j]! - shift[j]!, shift[j]! - lowest[j]!);
  return { shift, scale: most === 0 ? 1 : powerBelow(1 / (most * Math.sqrt(cols)), 400) };
}

/** The vectors that are read or written here; see wasm/clustering/k-means.layout.ts. */
const vectorsOf = (
  arena: Arena,
  n: number,
  d: number,
  k: number,
  chunks: number,
  sums: number,
  distances: number,
) => ({
  x: arena.f64(n * d),
  lengths: arena.f64(n),
  centers: arena.f64(k * d),
  labels: arena.i32(n),
  distances: arena.f64(distances),
  changed: arena.i32(chunks),
  partial: arena.f64(chunks),
  sums: arena.f64(sums),
  moves: arena.f64(k),
  gaps: arena.zeros(k),
  candidates: arena.f64(MOST_TRIALS * d),
  gains: arena.f64(chunks * MOST_TRIALS),
});

/** Rows and k centres in the kernels' memory: see wasm/clustering/k-means.layout.ts. Closed by whoever makes it. */
export class MeansMemory extends ArenaOwner {
  readonly #fields: MixedFields<keyof typeof meansF64, keyof typeof integers>;
  readonly #chunks: number;
  readonly #sumChunks: number;
  readonly #weights: F64 | undefined;
  readonly #vectors: ReturnType<typeof vectorsOf>;

  /** `all`: distances to all centres are asked for, n × k. */
  constructor(
    readonly where: string,
    readonly n: number,
    readonly d: number,
    readonly k: number,
    private readonly frame: Frame,
    weights?: Float64Array | undefined,
    all = false,
  ) {
    super(where);
    const { arena } = this;
    this.#chunks = Math.ceil(n / CHUNK);
    // Candidates take the place of centres in starts.
    const padded = PANEL * Math.ceil(Math.max(k, MOST_TRIALS) / PANEL);
    // Working memory of all chunks together stays small beside the rows, also with thousands of centres.
    const group = Math.max(4, Math.min(GROUP, 4 * Math.floor(VALUES / padded / 4)));
    const area = CHUNK * 4 + Math.max(group * padded, GROUP * MOST_TRIALS) * 4;
    this.#weights = weights && arena.copy(weights);
    const { rows: sumRows, count } = chunksOf(n, k * (d + 1));
    this.#sumChunks = count;
    this.#vectors = vectorsOf(arena, n, d, k, this.#chunks, count * k * (d + 1), all ? n * k : n);
    this.#fields = new MixedFields(arena, meansBytes, meansF64, integers);
    this.#fields.writePointers(this.#vectors);
    this.#fields.write({
      scale: frame.scale,
      n,
      d,
      k,
      weights: this.#weights?.ptr ?? 0,
      shift: arena.copy(frame.shift).ptr,
      singles: arena.f32(n * d).ptr,
      panels: arena.f32(padded * d).ptr,
      halves: arena.f32(padded).ptr,
      limits: arena.f32(n).ptr,
      nearer: arena.i32(n).ptr,
      upper: arena.f64(n).ptr,
      lower: arena.f64(n).ptr,
      work: arena.f64((this.#chunks * area) / 8).ptr,
      area,
      group,
      sumRows,
    });
  }

  get centers(): F64 {
    return this.#vectors.centers;
  }

  get labels(): I32 {
    return this.#vectors.labels;
  }

  get distances(): F64 {
    return this.#vectors.distances;
  }

  get candidates(): F64 {
    return this.#vectors.candidates;
  }

  load(rows: Float64Array): void {
    this.#vectors.x.array.set(rows);
  }

  /** The rows, to be written in place before `packRows`. */
  get rows(): F64 {
    return this.#vectors.x;
  }

  /** The weights, to be written in place; undefined if there are none. */
  get weights(): F64 | undefined {
    return this.#weights;
  }

  /** Filter coordinates of the rows, before the first `assign`. */
  packRows(): void {
    this.#run(packRowsChunk, this.#chunks, 8 * this.d * this.n);
  }

  /** Mean variance of the columns, after `packRows`: that of the filter coordinates, to 1e-12. */
  meanVariance(): number {
    const lengths = this.#vectors.lengths.array;
    const { scale } = this.frame;
    let sum = 0;
    for (let i = 0; i < this.n; i++) sum += lengths[i]! * lengths[i]!;
    return sum / this.n / this.d / scale / scale;
  }

  /** Assigns all rows to their nearest centres, by the bounds of the last time if `bounded`; returns how many labels have changed. */
  assign(bounded: boolean): number {
    this.#call(packCenters);
    this.#fields.write({ bounded: bounded ? 1 : 0 });
    // Rows that bounds keep cost little, but how many there are is not known before.
    const cost = bounded ? 10 + this.k * this.d * 0.1 : 2 * this.k * this.d * 0.4;
    this.#run(assignChunk, this.#chunks, cost * this.n);
    let changed = 0;
    for (const count of this.#vectors.changed.array) changed += count;
    return changed;
  }

  /** Σ w (x − shift) and Σ w per centre, k (d + 1) numbers. */
  sums(): Float64Array {
    this.#run(sumChunk, this.#sumChunks, 3 * this.d * this.n);
    const out = new Float64Array(this.k * (this.d + 1));
    addPartials(this.#vectors.sums.array, this.#sumChunks, out);
    return out;
  }

  /** `distances` of all rows to their centres, squared; returns their weighted sum. */
  measure(): number {
    this.#run(measureChunk, this.#chunks, 3 * this.d * this.n);
    return this.#partialSum();
  }

  /** Distances of all rows to all centres, in `distances`. */
  measureAll(): void {
    this.#run(distancesChunk, this.#chunks, 3 * this.d * this.n * this.k);
  }

  /** Reports how far each centre has moved since the last assignment; `gaps`: the next one may use distances between centres. */
  moved(moves: Float64Array, gaps: boolean): void {
    // Rounded up: squares and their root have a relative error below (d + 4) 2⁻⁵³.
    const up = 1 + (this.d + 16) * 4.5e-16;
    this.#vectors.moves.array.set(moves.map((move) => move * up));
    let most = 0;
    for (let c = 1; c < this.k; c++) if (moves[c]! > moves[most]!) most = c;
    let second = 0;
    for (let c = 0; c < this.k; c++) if (c !== most && moves[c]! > second) second = moves[c]!;
    this.#fields.write({ mostMoved: most, mostMove: moves[most]! * up, secondMove: second * up });
    if (gaps) this.#call(measureGaps);
  }

  /** Starts k-means++ with centre 0; returns Σ w · squared distance. */
  seedFirst(): number {
    // Rows are within a length of 1, and so are all candidates.
    this.#fields.write({ radius: 1.001 });
    this.#run(seedFirstChunk, this.#chunks, 3 * this.d * this.n);
    return this.#partialSum();
  }

  /** By how much each of the candidates in `candidates` would lower Σ w · squared distance. */
  gains(trials: number): Float64Array {
    this.#fields.write({ trials });
    this.#call(packCandidates);
    this.#run(gainsChunk, this.#chunks, 20 * this.d * this.n);
    const out = new Float64Array(MOST_TRIALS);
    addPartials(this.#vectors.gains.array, this.#chunks, out);
    return out.subarray(0, trials);
  }

  /** Makes candidate t the next centre; returns Σ w · squared distance. */
  seedChosen(t: number): number {
    this.#fields.write({ chosen: t });
    this.#run(seedChosenChunk, this.#chunks, 3 * this.d * this.n);
    return this.#partialSum();
  }

  /** Rows of chunk c, and Σ w · squared distance of each chunk, for drawing rows by their distance. */
  get partial(): Float64Array<ArrayBufferLike> {
    return this.#vectors.partial.array;
  }

  #partialSum(): number {
    let sum = 0;
    for (const value of this.#vectors.partial.array) sum += value;
    return sum;
  }

  #call(kernel: typeof packCenters): void {
    this.arena.heap.call(kernel({ means: this.#fields.ptr }));
  }

  #run(kernel: typeof assignChunk, chunks: number, operations: number): void {
    // Every job is one of many.
    const whole = 20 * operations;
    parallel(this.arena.heap, kernel({ means: this.#fields.ptr }), chunks, operations, undefined, whole);
  }
}

export { CHUNK };
