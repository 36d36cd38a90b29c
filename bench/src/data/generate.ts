import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { loadDataset } from "argmax/datasets";
import { pushAll } from "argmax/numeric";
import { Noise } from "./random.js";
import type { DataSpec } from "./spec.js";
import { texts } from "./texts.js";

/** A set in memory, before it becomes files. */
export interface Generated {
  readonly rows: number;
  readonly cols: number;
  readonly classes: number;
  /** Columns of y, row-major; one if absent. */
  readonly targets?: number;
  readonly y: Int32Array | Float64Array;
  readonly dense?: Float64Array;
  readonly sparse?: {
    readonly indptr: Int32Array;
    readonly indices: Int32Array;
    readonly values: Float64Array;
  };
  readonly texts?: readonly string[];
  readonly csv?: string;
}

type Of<K extends DataSpec["kind"]> = Extract<DataSpec, { kind: K }>;

export async function generate(spec: DataSpec): Promise<Generated> {
  switch (spec.kind) {
    case "classification":
      return classification(spec);
    case "regression":
      return regression(spec);
    case "documents":
      return documents(spec);
    case "messages":
      return messages(spec);
    case "mixed":
      return mixed(spec);
    case "included":
      return included(spec);
    case "clusters":
      return clusters(spec);
    case "images":
      return images(spec);
    case "csv":
      return csv(spec);
    case "texts":
      return texts(spec.megabytes);
    case "normals": {
      const dense = new Noise(spec.seed).normals(spec.rows * spec.cols);
      return { rows: spec.rows, cols: spec.cols, classes: 0, y: new Float64Array(0), dense };
    }
    case "factors": {
      const { m, k, n } = spec;
      const dense = new Noise(spec.seed).normals(m * k + k * n);
      return { rows: m, cols: k, classes: 0, y: new Float64Array(0), dense };
    }
  }
}

function csv({ rows, seed }: Of<"csv">): Generated {
  const noise = new Noise(seed);
  const from = (list: readonly string[]) => list[Math.floor(noise.uniform() * list.length)]!;
  const cities = Array.from({ length: 300 }, (_, c) => `City of ${String.fromCharCode(65 + (c % 26))}${c}`);
  const lines = ["id,price,change,count,code,city,kind,note,day,rating"];
  for (let i = 0; i < rows; i++) {
    const [a, b] = noise.normals(2);
    const day = new Date(Date.UTC(2020, 0, 1) + 86_400_000 * Math.floor(noise.uniform() * 2000))
      .toISOString()
      .slice(0, 10);
    const rating = noise.uniform() < 0.1 ? "" : (5 * noise.uniform()).toFixed(2);
    const note = `"said ""${from(["yes", "no", "perhaps"])}"", then left"`;
    lines.push(
      [
        i,
        100 + 10 * a!,
        b,
        Math.floor(noise.uniform() * 1000),
        from(["A", "B", "C", "D"]),
        from(cities),
        from(["new", "used"]),
        note,
        day,
        rating,
      ].join(","),
    );
  }
  return { rows, cols: 10, classes: 0, y: new Float64Array(0), csv: `${lines.join("\n")}\n` };
}

function classification(spec: Of<"classification">): Generated {
  const { rows, cols, classes } = spec;
  const informative = spec.informative ?? cols;
  const noise = new Noise(spec.seed);
  const weights = noise.normals(classes * informative);
  const dense = noise.normals(rows * cols);
  const y = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    let best = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < classes; k++) {
      let z = 0;
      for (let j = 0; j < informative; j++) z += dense[i * cols + j]! * weights[k * informative + j]!;
      z = (2 * z) / Math.sqrt(informative) + noise.gumbel();
      if (z > best) {
        best = z;
        y[i] = k;
      }
    }
  }
  return { rows, cols, classes, y, dense };
}

function regression({ rows, cols, informative, targets = 1, seed }: Of<"regression">): Generated {
  const noise = new Noise(seed);
  const weights = noise.normals(informative * targets);
  const dense = noise.normals(rows * cols);
  const y = new Float64Array(rows * targets);
  for (let i = 0; i < rows; i++) {
    for (let t = 0; t < targets; t++) {
      let z = 0;
      for (let j = 0; j < informative; j++) z += dense[i * cols + j]! * weights[t * informative + j]!;
      y[i * targets + t] = z / Math.sqrt(informative) + 0.5 * noise.normal();
    }
  }
  return { rows, cols, classes: 0, ...(targets > 1 ? { targets } : {}), y, dense };
}

function documents({ rows, cols, nonZeros, seed }: Of<"documents">): Generated {
  const noise = new Noise(seed);
  const weights = noise.normals(cols);
  const indptr = new Int32Array(rows + 1);
  const indices = new Int32Array(rows * nonZeros);
  const values = new Float64Array(rows * nonZeros);
  const y = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    const words = new Set<number>();
    // The cube of a uniform number makes low columns common words.
    while (words.size < nonZeros) words.add(Math.floor(cols * noise.uniform() ** 3));
    const row = Int32Array.from(words).sort();
    const counts = Float64Array.from(row, () => Math.abs(noise.normal()));
    // spread: the entries of one row.
    const length = Math.hypot(...counts);
    let z = 0;
    for (let e = 0; e < nonZeros; e++) {
      indices[i * nonZeros + e] = row[e]!;
      values[i * nonZeros + e] = counts[e]! / length;
      z += (counts[e]! / length) * weights[row[e]!]!;
    }
    indptr[i + 1] = (i + 1) * nonZeros;
    y[i] = 4 * z + noise.gumbel() > noise.gumbel() ? 1 : 0;
  }
  return { rows, cols, classes: 2, y, sparse: { indptr, indices, values } };
}

function messages({ rows, cols, words, seed }: Of<"messages">): Generated {
  const noise = new Noise(seed);
  const indptr = new Int32Array(rows + 1);
  const indices: number[] = [];
  const values: number[] = [];
  const y = Int32Array.from({ length: rows }, () => (noise.uniform() < 0.13 ? 1 : 0));
  // Every tenth word is one that spam prefers.
  const prefers = (j: number, spam: number) => (j % 10 === 7 ? (spam ? 1 : 0.1) : spam ? 0.4 : 1);
  for (let i = 0; i < rows; i++) {
    const counts = new Map<number, number>();
    const wanted = Math.max(1, Math.round(words * (0.4 + 1.2 * noise.uniform())));
    while (counts.size < wanted) {
      // The logarithm of the rank is even: a word is as common as 1/rank.
      const j = Math.floor(cols ** noise.uniform()) - 1;
      if (noise.uniform() < prefers(j, y[i]!)) counts.set(j, (counts.get(j) ?? 0) + 1);
    }
    const row = [...counts.keys()].sort((a, b) => a - b);
    const weighed = row.map((j) => counts.get(j)! * Math.log(2 + j));
    // spread: the entries of one row.
    const length = Math.hypot(...weighed);
    pushAll(indices, row);
    pushAll(
      values,
      weighed.map((v) => v / length),
    );
    indptr[i + 1] = indices.length;
  }
  const sparse = { indptr, indices: Int32Array.from(indices), values: Float64Array.from(values) };
  return { rows, cols, classes: 2, y, sparse };
}

function clusters({ rows, cols, centres, seed }: Of<"clusters">): Generated {
  const noise = new Noise(seed);
  const middles = Float64Array.from({ length: centres * cols }, () => 20 * noise.uniform() - 10);
  const dense = noise.normals(rows * cols);
  const y = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    y[i] = Math.floor(centres * noise.uniform());
    for (let j = 0; j < cols; j++) dense[i * cols + j]! += middles[y[i]! * cols + j]!;
  }
  return { rows, cols, classes: centres, y, dense };
}

const FASHION = "/usr/share/datasets/fashion-mnist";

/** Training images first, then test images. */
function images({ rows, unit }: Of<"images">): Generated {
  const read = (name: string, header: number) => {
    try {
      return gunzipSync(readFileSync(`${FASHION}/${name}.gz`)).subarray(header);
    } catch {
      throw new Error("the images are Debian's: apt-get install dataset-fashion-mnist");
    }
  };
  const both = (name: string, header: number) =>
    Buffer.concat([read(`train-${name}`, header), read(`t10k-${name}`, header)]);
  const pixels = both("images-idx3-ubyte", 16).subarray(0, rows * 784);
  const dense = Float64Array.from(pixels, (pixel) => (unit ? pixel / 255 : pixel));
  const y = Int32Array.from(both("labels-idx1-ubyte", 8).subarray(0, rows));
  return { rows, cols: 784, classes: 10, y, dense };
}

function mixed({ rows, numbers, categories, seed }: Of<"mixed">): Generated {
  const noise = new Noise(seed);
  const cols = numbers + categories.length;
  const weights = noise.normals(numbers);
  const effects = categories.map((count) => noise.normals(count));
  const dense = new Float64Array(rows * cols);
  const y = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    let z = -1.5;
    for (let j = 0; j < numbers; j++) {
      const v = noise.normal();
      dense[i * cols + j] = j % 2 === 0 ? Math.round(40 + 13 * v) : Math.round(Math.exp(2 * v));
      z += 0.6 * weights[j]! * v;
    }
    for (const [c, count] of categories.entries()) {
      // Low codes are common.
      const code = Math.floor(count * noise.uniform() ** 2);
      dense[i * cols + numbers + c] = code;
      z += 0.6 * effects[c]![code]!;
    }
    y[i] = z + noise.gumbel() > noise.gumbel() ? 1 : 0;
  }
  return { rows, cols, classes: 2, y, dense };
}

/** A set of the library: its classes as codes, or the last column predicted from the others. Pixels become 0 … 1. */
async function included({ name, target }: Of<"included">): Promise<Generated> {
  const { X, y } = await loadDataset(name);
  const { rows } = X;
  const scale = name === "digits" ? 1 / 16 : 1;
  if (target === "class") {
    const labels = Array.from(y as ArrayLike<string | number>);
    const classes = [...new Set(labels)].sort((a, b) => (a < b ? -1 : 1));
    const codes = Int32Array.from(labels, (label) => classes.indexOf(label));
    const dense = Float64Array.from(X.data, (value) => value * scale);
    return { rows, cols: X.cols, classes: classes.length, y: codes, dense };
  }
  const cols = X.cols - 1;
  const dense = new Float64Array(rows * cols);
  const values = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) dense[i * cols + j] = X.data[i * X.cols + j]! * scale;
    values[i] = X.data[i * X.cols + cols]! * scale;
  }
  return { rows, cols, classes: 0, y: values, dense };
}
