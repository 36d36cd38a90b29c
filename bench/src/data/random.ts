/**
 * The benchmark's own generator (sfc32, 128 bits of state), so that no contestant's random numbers are involved.
 * Data are generated once per machine and read by all contestants as bytes.
 */
export class Noise {
  #a: number;
  #b = 0x9e3779b9;
  #c = 0x243f6a88;
  #counter = 1;
  #spare = Number.NaN;

  constructor(seed: number) {
    this.#a = seed | 0;
    for (let i = 0; i < 16; i++) this.uniform();
  }

  /** In (0, 1): the middle of one of 2³² equal steps. */
  uniform(): number {
    const t = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t;
    return ((t >>> 0) + 0.5) / 4294967296;
  }

  /** Standard normal, by Box and Muller. */
  normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const value = this.#spare;
      this.#spare = Number.NaN;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  normals(count: number): Float64Array {
    const values = new Float64Array(count);
    for (let i = 0; i < count; i++) values[i] = this.normal();
    return values;
  }

  gumbel(): number {
    return -Math.log(-Math.log(this.uniform()));
  }
}
