import * as argmax from "argmax";
import { readDoubles } from "../data/store.js";
import type { Job, Measurement } from "../workload.js";
import { timeFits } from "./measure.js";

type Rows = argmax.Matrix | argmax.CsrMatrix;
type Targets = Int32Array | Float64Array;

interface Trained {
  readonly lossCurve: readonly number[];
  readonly report: { readonly iterations: number };
  predict(x: Rows): ArrayLike<number>;
}
interface Trainable {
  fit(x: Rows, y: Targets): Trained;
}

function estimatorOf({ call, params }: Job, randomState: number): Trainable {
  const Class = (argmax as unknown as Record<string, new (params: object) => Trainable>)[call]!;
  return new Class({ ...params, randomState });
}

/** The fit of a network, judged by the mean loss of its last epoch. */
export function train(job: Job, X: Rows, y: Targets): Omit<Measurement, "version"> {
  const seeds = [...Array(job.seeds ?? 1).keys()];
  const { result, ...times } = timeFits(
    () => seeds.map((seed) => estimatorOf(job, seed).fit(X, y)),
    job,
    seeds.length,
  );
  const losses = result.map(({ lossCurve }) => lossCurve.at(-1)!);
  const checksum = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  return { ...times, iterations: result[0]!.report.iterations, checksum };
}

/** Predictions for all rows, judged by their error. */
export function trainPredict(job: Job, X: Rows, y: Targets): Omit<Measurement, "version"> {
  const model = estimatorOf(job, 0).fit(X, y);
  const { result, ...times } = timeFits(() => model.predict(X), job);
  return { ...times, checksum: Array.from(y).filter((k, i) => k !== result[i]).length / y.length };
}

/** What the benchmark uses of the tensors' kernels. */
interface Reals {
  readonly array: Float32Array;
}
interface Space {
  copy(values: Float64Array): Reals;
  reals(length: number): Reals;
}
interface Factor {
  readonly values: Reals;
  readonly rows: number;
  readonly cols: number;
}
interface Kernels {
  readonly TensorSpace: new (where: string, dtype: "float32") => Space;
  readonly gemmInto: (space: Space, a: Factor, b: Factor, out: Reals) => void;
}

/** The product of the tensors' kernels, which no entry point of the package exports: read from its files. */
export async function gemm32(job: Job): Promise<Omit<Measurement, "version">> {
  const tensors = new URL("../../../library/dist/numeric/tensors/", import.meta.url);
  const read = async (file: string) => (await import(new URL(file, tensors).href)) as Kernels;
  const { TensorSpace } = await read("space.js");
  const { gemmInto } = await read("products.js");
  const numbers = readDoubles(job.data.dense!);
  const { rows: m, cols: k } = job.data;
  const n = numbers.length / k - m;
  const space = new TensorSpace("bench", "float32");
  const a = { values: space.copy(numbers.subarray(0, m * k)), rows: m, cols: k };
  const b = { values: space.copy(numbers.subarray(m * k)), rows: k, cols: n };
  const out = space.reals(m * n);
  const { result: _, ...times } = timeFits(() => gemmInto(space, a, b, out), job);
  return { ...times, checksum: Array.from(out.array).reduce((sum, value) => sum + Math.abs(value), 0) };
}
