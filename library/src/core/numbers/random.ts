import { ParameterError, show } from "../errors.js";
import { checkList } from "../labels.js";
import { log } from "./elementary.js";

/**
 * The one random generator: xoshiro128** [Blackman & Vigna 2018], seeded by splitmix32.
 * 32-bit integer arithmetic only, so every engine draws the same numbers from the same seed.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  #spare = Number.NaN;

  constructor(seed: number) {
    if (!Number.isSafeInteger(seed)) throw new ParameterError("Random", "the seed", "an integer", show(seed));
    // Both halves of the seed matter: 1 and 1 + 2³² give different streams.
    const next = splitmix32((seed >>> 0) ^ Math.imul(Math.floor(seed / 4294967296) | 0, 0x9e3779b1));
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next();
  }

  /** The generator as it stands, as JSON: what a checkpoint keeps. */
  get state(): readonly (number | null)[] {
    const spare = Number.isNaN(this.#spare) ? null : this.#spare;
    return [this.#a, this.#b, this.#c, this.#d, spare];
  }

  /** A generator that goes on where another one stood; undefined if `state` is not one. */
  static resume(state: unknown): Random | undefined {
    if (!Array.isArray(state) || state.length !== 5) return undefined;
    const [a, b, c, d, spare] = state as (number | null)[];
    if (![a, b, c, d].every((word) => Number.isInteger(word))) return undefined;
    const random = new Random(0);
    random.#a = a!;
    random.#b = b!;
    random.#c = c!;
    random.#d = d!;
    random.#spare = typeof spare === "number" ? spare : Number.NaN;
    return random;
  }

  /** A uniform 32-bit unsigned integer. */
  uint32(): number {
    const product = Math.imul(this.#b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** Uniform in [0, 1) with 53 random bits. */
  uniform(): number {
    const upper = this.uint32() >>> 5;
    const lower = this.uint32() >>> 6;
    return (upper * 67108864 + lower) / 9007199254740992;
  }

  /** A uniform integer in [0, bound), without modulo bias. */
  below(bound: number): number {
    if (bound > 4294967296) return Math.floor(this.uniform() * bound);
    let draw = this.uint32();
    // Only the last `bound` of all draws can be beyond the largest multiple of it.
    if (draw >= 4294967296 - bound) {
      const limit = 4294967296 - (4294967296 % bound);
      while (draw >= limit) draw = this.uint32();
    }
    return draw % bound;
  }

  /** Standard normal, by Marsaglia's polar method. */
  normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const spare = this.#spare;
      this.#spare = Number.NaN;
      return spare;
    }
    for (;;) {
      const u = 2 * this.uniform() - 1;
      const v = 2 * this.uniform() - 1;
      const s = u * u + v * v;
      if (s > 0 && s < 1) {
        const scale = Math.sqrt((-2 * log(s)) / s);
        this.#spare = v * scale;
        return u * scale;
      }
    }
  }

  /** Shuffles in place (Fisher–Yates). */
  shuffleInto<A extends { [i: number]: unknown; readonly length: number }>(out: A): A {
    checkList("Random.shuffleInto", "out", out);
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const held = out[i];
      out[i] = out[j];
      out[j] = held;
    }
    return out;
  }

  /** A random order of 0 … n−1. */
  permutation(n: number): Int32Array {
    if (!Number.isSafeInteger(n) || n < 0) {
      throw new ParameterError("Random.permutation", "n", "an integer ≥ 0", show(n));
    }
    const order = new Int32Array(n);
    for (let i = 0; i < n; i++) order[i] = i;
    return this.shuffleInto(order);
  }

  /** An independent generator, for a part of the work that must not disturb the rest. */
  split(): Random {
    return new Random(this.uint32());
  }
}

function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) | 0;
  };
}
