import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import "@tensorflow/tfjs-backend-cpu";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import * as tf from "@tensorflow/tfjs-core";
import { type LayersModel, layers, sequential } from "@tensorflow/tfjs-layers";
import { readDoubles, readIntegers } from "../data/store.js";
import type { Job } from "../workload.js";
import { readJob, report, timeAsyncFits } from "./measure.js";
import { trainVit, type VitShape } from "./tensorflow-vit.js";

/**
 * Networks by TensorFlow.js. Tensors of the rows are made before the clock starts; a fit builds the model and trains it.
 *
 * In Node the WASM backend has SIMD but one thread: the package turns threads off there, and if they are forced on, its worker is a blob:
 * address, which Node refuses (ERR_WORKER_PATH).
 */
interface Params {
  readonly backend: "cpu" | "wasm";
  readonly batchSize: number;
  readonly epochs: number;
  /** Neurons of the hidden layers of an "mlp". */
  readonly hidden?: readonly number[];
  /** Adds the filter gradient, without which the WASM backend cannot train convolutions. */
  readonly filterGradient?: true;
  /** The network of a "vit". */
  readonly vit?: Omit<VitShape, "classes">;
}

const mlp = ({ hidden = [] }: Params, inputs: number, outputs: number): LayersModel =>
  sequential({
    layers: [
      ...hidden.map((units, e) =>
        layers.dense({ units, activation: "relu", ...(e === 0 ? { inputShape: [inputs] } : {}) }),
      ),
      layers.dense({ units: outputs, activation: "softmax" }),
    ],
  });

/** A convolution as CNNClassifier's, which starts from He's weights. */
const convolution = (filters: number) =>
  layers.conv2d({
    filters,
    kernelSize: 3,
    padding: "same",
    activation: "relu",
    kernelInitializer: "heNormal",
  });

/** Images of one channel, 28 × 28: the network of CNNClassifier without batch norm and dropout. */
const cnn = (outputs: number): LayersModel =>
  sequential({
    layers: [
      layers.reshape({ targetShape: [28, 28, 1], inputShape: [28 * 28] }),
      convolution(8),
      layers.maxPooling2d({ poolSize: 2 }),
      convolution(16),
      layers.maxPooling2d({ poolSize: 2 }),
      layers.flatten(),
      layers.dense({ units: outputs, activation: "softmax" }),
    ],
  });

/**
 * The gradient of a convolution's filters, for stride 1 and zeros around the images that keep their size: itself a convolution, of the images
 * with the gradients, where rows and channels change places.
 */
function addFilterGradient(): void {
  tf.registerKernel({
    kernelName: "Conv2DBackpropFilter",
    backendName: "wasm",
    kernelFunc: ({ inputs, attrs }) => {
      const { x, dy } = inputs as { x: tf.Tensor4D; dy: tf.Tensor4D };
      const [size] = (attrs as unknown as { filterShape: readonly [number] }).filterShape;
      const border: [number, number] = [(size - 1) / 2, (size - 1) / 2];
      return tf.tidy(() => {
        const images = tf.transpose(tf.pad(x, [[0, 0], border, border, [0, 0]]), [3, 1, 2, 0]);
        const gradients = tf.transpose(dy, [1, 2, 0, 3]);
        return tf.transpose(tf.conv2d(images, gradients, 1, "valid"), [1, 2, 0, 3]);
      });
    },
  });
}

async function train(job: Job, params: Params) {
  const { rows, cols, classes } = job.data;
  const X = tf.tensor2d(Float32Array.from(readDoubles(job.data.dense!)), [rows, cols]);
  const y = tf.tensor1d(Float32Array.from(readIntegers(job.data.y)));
  const { vit } = params;
  const trainLayers = async () => {
    const { batchSize, epochs } = params;
    const model = job.call === "mlp" ? mlp(params, cols, classes) : cnn(classes);
    const optimizer = tf.train.adam(0.001);
    model.compile({ optimizer, loss: "sparseCategoricalCrossentropy" });
    const { history } = await model.fit(X, y, { epochs, batchSize, verbose: 0, yieldEvery: "never" });
    model.dispose();
    optimizer.dispose();
    return history["loss"]!.at(-1) as number;
  };
  const once = vit ? () => trainVit({ ...vit, classes }, X, y, params) : trainLayers;
  const { result, ...times } = await timeAsyncFits(once, job);
  return { ...times, checksum: result };
}

const job = readJob();
const params = job.params as unknown as Params;
const home = dirname(createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm/package.json"));
setWasmPaths(`${join(home, "dist")}/`);
// The first thing that the package writes is an advertisement; the report goes to the same stream, as its last line.
if (!(await tf.setBackend(params.backend))) throw new Error(`the ${params.backend} backend does not start`);
if (params.filterGradient) addFilterGradient();
report({ version: tf.version_core, ...(await train(job, params)) });
