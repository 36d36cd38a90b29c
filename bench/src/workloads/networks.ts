import type { DataSpec } from "../data/spec.js";
import type { Workload } from "../workload.js";
import { argmax, pytorch, sklearn, tensorflow } from "./contestants.js";

const images = (rows: number): DataSpec => ({ kind: "images", rows, unit: true });

/** All epochs: the losses of networks that stopped at different times cannot be compared. */
const allEpochs = (epochs: number) => ({ maxIter: epochs, tol: 0, nIterNoChange: 10_000 });
const allTheirEpochs = (epochs: number) => ({ max_iter: epochs, tol: 0, n_iter_no_change: 10_000 });

interface Network {
  readonly id: string;
  readonly title: string;
  readonly data: DataSpec;
  readonly hidden: readonly number[];
  readonly epochs: number;
  readonly ratio: number;
  /** Standard deviation of the last loss over seeds, relative, the larger of both sides': measured on four seeds or more. */
  readonly spread: number;
  readonly regression?: true;
  readonly seeds?: number;
}

/**
 * How far the losses of two equally good networks lie apart: four standard deviations of the difference of their means over seeds. The
 * random starts and the order of the rows are of different generators, so that losses agree no better.
 */
const tolerance = (spread: number, seeds = 1) => 4 * spread * Math.sqrt(2 / seeds);

/**
 * The same network, batches of 200 rows, Adam and penalty on both sides; the random start and the order of the rows differ. scikit-learn runs
 * with its default, rows of 64 bits; that it also trains in 32 bits, as argmax does, is shown as information.
 */
const train = ({ id, title, data, hidden, epochs, ratio, spread, regression, seeds }: Network): Workload => {
  const name = regression ? "MLPRegressor" : "MLPClassifier";
  const theirs = { hidden_layer_sizes: hidden, ...allTheirEpochs(epochs) };
  return {
    id,
    title: `${name} ${title}, ${epochs} epochs`,
    group: "networks",
    action: "train",
    data,
    ...(seeds === undefined ? {} : { seeds }),
    contestants: [
      argmax(name, { hiddenLayerSizes: hidden, ...allEpochs(epochs) }),
      sklearn(`neural_network.${name}`, theirs),
      { ...sklearn(`neural_network.${name}`, { ...theirs, dtype: "float32" }, "float32"), information: true },
    ],
    pledge: { ratio, objective: tolerance(spread, seeds) },
  };
};

const vit = { side: 8, patch: 2, dimensions: 64, depth: 2, heads: 4, hidden: 128 } as const;

export const networks: readonly Workload[] = [
  train({
    id: "mlp-images",
    title: "784–100–10, images 10,000 × 784",
    data: images(10_000),
    hidden: [100],
    epochs: 10,
    ratio: 1.5,
    spread: 0.008,
  }),
  train({
    id: "mlp-50",
    title: "50–64–64–5, 20,000 rows",
    data: { kind: "classification", rows: 20_000, cols: 50, classes: 5, seed: 51 },
    hidden: [64, 64],
    epochs: 10,
    ratio: 1.5,
    spread: 0.003,
  }),
  train({
    id: "mlp-16",
    title: "16–128–26, 15,000 rows",
    data: { kind: "classification", rows: 15_000, cols: 16, classes: 26, seed: 52 },
    hidden: [128],
    epochs: 10,
    ratio: 1.5,
    spread: 0.001,
  }),
  train({
    id: "mlp-iris",
    title: "4–100–3, iris",
    data: { kind: "included", name: "iris", target: "class" },
    hidden: [100],
    epochs: 200,
    seeds: 20,
    ratio: 5,
    spread: 0.19,
  }),
  train({
    id: "mlp-regression",
    title: "20–64–1, 10,000 rows",
    data: { kind: "regression", rows: 10_000, cols: 20, informative: 20, seed: 53 },
    hidden: [64],
    epochs: 20,
    regression: true,
    ratio: 1.5,
    spread: 0.006,
  }),
  train({
    id: "mlp-sparse",
    title: "2,000–32–1, sparse 5,000 × 2,000, 40 non-zeros per row",
    data: { kind: "documents", rows: 5000, cols: 2000, nonZeros: 40, seed: 54 },
    hidden: [32],
    epochs: 3,
    ratio: 1.5,
    spread: 0.017,
  }),
  {
    id: "mlp-predict",
    title: "MLPClassifier 784–100–10: classes of 10,000 rows",
    group: "networks",
    action: "trainPredict",
    data: images(10_000),
    contestants: [
      argmax("MLPClassifier", { maxIter: 10 }),
      sklearn("neural_network.MLPClassifier", { max_iter: 10 }),
    ],
    pledge: { ratio: 1 },
  },
  {
    id: "mlp-predict-one",
    title: "MLPClassifier 784–100–10: class of one row",
    group: "latency",
    action: "predictOne",
    data: images(1000),
    contestants: [
      argmax("MLPClassifier", { maxIter: 10, randomState: 0 }),
      sklearn("neural_network.MLPClassifier", { max_iter: 10, random_state: 0 }),
    ],
    pledge: { seconds: 2e-5, ratio: 1 },
    note: "The row comes as number[][] / a list of lists. The two networks start from other weights: their predictions need not agree.",
  },
  {
    id: "mlp-epoch",
    title: "784–100–10, images 10,000 × 784, one epoch, batches of 200",
    group: "epochs",
    action: "train",
    data: images(10_000),
    contestants: [
      argmax("MLPClassifier", { alpha: 0, ...allEpochs(1) }),
      tensorflow("mlp", { backend: "cpu", hidden: [100], batchSize: 200, epochs: 1 }, "cpu", true),
      tensorflow("mlp", { backend: "wasm", hidden: [100], batchSize: 200, epochs: 1 }, "wasm"),
      pytorch("mlp", { hidden: [100], batch_size: 200, epochs: 1 }),
    ],
    pledge: { ratio: 10, objective: tolerance(0.025) },
    note: "The loss of a first epoch depends on the start: biases are random as in scikit-learn, zero in TensorFlow.js. In Node the WASM backend of TensorFlow.js has SIMD, but one thread; PyTorch has two.",
  },
  {
    id: "cnn-epoch",
    title: "CNN, 28 × 28 images, 8 and 16 filters of 3 × 3, 2,000 images, one epoch, batches of 32",
    group: "epochs",
    action: "train",
    data: images(2000),
    contestants: [
      argmax("CNNClassifier", {
        filters: [8, 16],
        batchNorm: false,
        hiddenLayerSizes: [],
        dropout: 0,
        optimizer: "adam",
        batchSize: 32,
        ...allEpochs(1),
      }),
      tensorflow("cnn", { backend: "cpu", batchSize: 32, epochs: 1 }, "cpu", true),
      tensorflow(
        "cnn",
        { backend: "wasm", batchSize: 32, epochs: 1, filterGradient: true },
        "wasm and a filter gradient",
      ),
      pytorch("cnn", { batch_size: 32, epochs: 1 }),
    ],
    pledge: { ratio: 10, objective: tolerance(0.055) },
    note: "The WASM backend of TensorFlow.js cannot train convolutions: it has no kernel Conv2DBackpropFilter. The benchmark adds one, made of its convolution.",
  },
  {
    id: "vit-epoch",
    title: "ViT, digits 8 × 8, patches of 2, 64 dimensions, 2 blocks, one epoch, batches of 32",
    group: "epochs",
    action: "train",
    data: { kind: "included", name: "digits", target: "class" },
    contestants: [
      argmax("ViTClassifier", {
        patchSize: vit.patch,
        dimensions: vit.dimensions,
        depth: vit.depth,
        heads: vit.heads,
        feedForwardSize: vit.hidden,
        dropout: 0.1,
        rescale: false,
        optimizer: {
          optimizer: "adamW",
          learningRate: 0.003,
          weightDecay: 0.1,
          schedule: { schedule: "cosine" },
        },
        batchSize: 32,
        ...allEpochs(1),
      }),
      tensorflow("vit", { backend: "cpu", batchSize: 32, epochs: 1, vit }, "cpu", true),
      tensorflow("vit", { backend: "wasm", batchSize: 32, epochs: 1, vit }, "wasm"),
      pytorch("vit", { batch_size: 32, epochs: 1, vit }),
    ],
    pledge: { ratio: 10, objective: tolerance(0.085) },
    note: "The layers of TensorFlow.js have no attention; the network is written with its operations.",
  },
];
