import * as ort from "onnxruntime-web";

/** Answers of a model file, by the names of its outputs. */
export type Answers = Readonly<Record<string, Answer>>;

interface Answer {
  readonly data: ArrayLike<unknown>;
  readonly dims: readonly number[];
  readonly type: string;
}

/** A matrix is the input `x`; the columns of a table are inputs of their own, numbers or texts. */
export type Given = { readonly data: Float64Array; readonly rows: number; readonly cols: number } | Columns;
export type Columns = Readonly<Record<string, Float64Array | readonly string[]>>;

ort.env.wasm.numThreads = 1;

/** Runs a model file in ONNX Runtime. */
export async function run(file: Uint8Array, given: Given): Promise<Answers> {
  const session = await ort.InferenceSession.create(file);
  const answers = (await session.run(feeds(given, session.inputNames))) as unknown as Answers;
  await session.release();
  return answers;
}

/** Columns that the model does not read are not inputs. */
function feeds(given: Given, names: readonly string[]): Record<string, ort.Tensor> {
  if (isMatrix(given)) return { x: new ort.Tensor("float64", given.data, [given.rows, given.cols]) };
  return Object.fromEntries(
    names.map((name) => {
      const values = given[name]!;
      return [
        name,
        values instanceof Float64Array
          ? new ort.Tensor("float64", values, [values.length, 1])
          : new ort.Tensor("string", values as string[], [values.length, 1]),
      ];
    }),
  );
}

const isMatrix = (given: Given): given is Extract<Given, { rows: number }> =>
  typeof (given as { rows?: unknown }).rows === "number";
