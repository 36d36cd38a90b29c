import type { Table } from "argmax/data";
import type { InferenceSession, Tensor } from "onnxruntime-web/wasm";
import type { Answers } from "../protocol.js";

/** ONNX Runtime, loaded when somebody first asks for it: it has 14 MB. What did not arrive is asked for again the next time. */
async function loadRuntime(): Promise<typeof import("onnxruntime-web/wasm")> {
  const [ort, { default: address }] = await Promise.all([
    import("onnxruntime-web/wasm"),
    import("onnxruntime-web/ort-wasm-simd-threaded.wasm?url"),
  ]);
  const { wasm } = ort.env;
  // Each worker of the studio computes on its own.
  wasm.numThreads = 1;
  // Outside browsers it finds its own file.
  if (!import.meta.env.SSR) wasm.wasmBinary ??= await fetched(address);
  return ort;
}

async function fetched(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address).catch(() => undefined);
  if (response?.ok !== true)
    throw new Error("ONNX Runtime could not be fetched from this site: is the connection there?");
  return response.arrayBuffer();
}

/** What a file says about rows: numbers of classes among `classes`, values or clusters, and its scores by class. */
export async function onnxAnswers(file: Uint8Array, x: Table, classes: readonly string[]): Promise<Answers> {
  const ort = await loadRuntime();
  const session = await ort.InferenceSession.create(file);
  try {
    // Columns that the model does not read are not inputs.
    const feeds = Object.fromEntries(session.inputNames.map((name) => [name, tensorOf(ort, x, name)]));
    return answersFrom(session, await session.run(feeds), classes);
  } finally {
    await session.release();
  }
}

/** A column as an input: true and false are 1 and 0; gaps are NaN, or the empty text. */
function tensorOf(ort: typeof import("onnxruntime-web/wasm"), x: Table, name: string): Tensor {
  const column = x.column(name);
  if (column.kind === "numeric") return new ort.Tensor("float64", column.values.slice(), [x.rows, 1]);
  const cells = Array.from({ length: x.rows }, (_, i) => column.at(i));
  if (column.kind === "boolean") {
    const flags = Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : Number(cell)));
    return new ort.Tensor("float64", flags, [x.rows, 1]);
  }
  const texts = cells.map((cell) => String(cell ?? ""));
  return new ort.Tensor("string", texts, [x.rows, 1]);
}

function answersFrom(
  { outputNames }: InferenceSession,
  found: InferenceSession.OnnxValueMapType,
  classes: readonly string[],
): Answers {
  const [first, second] = outputNames;
  const { data: predicted, type } = found[first!] as Tensor;
  if (classes.length === 0)
    return {
      predicted: Float64Array.from(predicted as ArrayLike<number>, Number),
      scores: null,
      scale: "score",
    };
  const numberOf = new Map(classes.map((name, c) => [name, c]));
  const codes = Float64Array.from(
    predicted as ArrayLike<string | number | bigint>,
    (label) => numberOf.get(String(type === "bool" ? label === 1 : label)) ?? Number.NaN,
  );
  const scores = second === undefined ? undefined : (found[second] as Tensor);
  if (scores === undefined) return { predicted: codes, scores: null, scale: "score" };
  const scale = second!.startsWith("probabilities") ? "probability" : "score";
  const data = scores.data as Float64Array;
  // Two classes have one score, which speaks for the second.
  if (scores.dims[1] !== 1) return { predicted: codes, scores: Float64Array.from(data), scale };
  return {
    predicted: codes,
    scores: Float64Array.from({ length: 2 * data.length }, (_, e) => (e % 2 === 0 ? -1 : 1) * data[e >> 1]!),
    scale,
  };
}
