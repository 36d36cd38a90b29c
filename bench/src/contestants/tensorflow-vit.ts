import * as tf from "@tensorflow/tfjs-core";

/**
 * A vision transformer by the operations of TensorFlow.js, whose layers have no attention: the network of ViTClassifier,
 *
 *   patches·E + positions → [x + attention(norm x), x + feed-forward(norm x)]… → norm → mean over the patches → dense
 */
export interface VitShape {
  /** Height and width of an image, and of a patch. */
  readonly side: number;
  readonly patch: number;
  readonly dimensions: number;
  readonly depth: number;
  readonly heads: number;
  readonly hidden: number;
  readonly classes: number;
}

type Forward = (x: tf.Tensor) => tf.Tensor;

const matrix = (rows: number, cols: number) =>
  tf.variable(tf.randomNormal([rows, cols], 0, Math.sqrt(2 / (rows + cols))));

function dense(inputs: number, outputs: number): Forward {
  const weights = matrix(inputs, outputs);
  const bias = tf.variable(tf.zeros([outputs]));
  return (x) => {
    const rows = tf.add(tf.matMul(tf.reshape(x, [-1, inputs]), weights), bias);
    return tf.reshape(rows, [...x.shape.slice(0, -1), outputs]);
  };
}

function layerNorm(dimensions: number): Forward {
  const gain = tf.variable(tf.ones([dimensions]));
  const shift = tf.variable(tf.zeros([dimensions]));
  return (x) => {
    const centred = tf.sub(x, tf.mean(x, -1, true));
    const variance = tf.mean(tf.square(centred), -1, true);
    return tf.add(tf.mul(tf.mul(centred, tf.rsqrt(tf.add(variance, 1e-5))), gain), shift);
  };
}

function attention(tokens: number, dimensions: number, heads: number): Forward {
  const [query, keys, values, output] = [0, 1, 2, 3].map(() => dense(dimensions, dimensions)) as [
    Forward,
    Forward,
    Forward,
    Forward,
  ];
  const each = dimensions / heads;
  const split = (x: tf.Tensor) => tf.transpose(tf.reshape(x, [-1, tokens, heads, each]), [0, 2, 1, 3]);
  return (x) => {
    const scores = tf.matMul(tf.mul(split(query(x)), 1 / Math.sqrt(each)), split(keys(x)), false, true);
    const mixed = tf.matMul(tf.softmax(scores), split(values(x)));
    return output(tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [-1, tokens, dimensions]));
  };
}

const gelu: Forward = (x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1));

function feedForward(dimensions: number, hidden: number): Forward {
  const [first, second] = [dense(dimensions, hidden), dense(hidden, dimensions)];
  return (x) => second(gelu(first(x)));
}

const residual =
  (norm: Forward, work: Forward): Forward =>
  (x) =>
    tf.add(x, work(norm(x)));

function vit({ side, patch, dimensions: d, depth, heads, hidden, classes }: VitShape): Forward {
  const across = side / patch;
  const tokens = across ** 2;
  const positions = tf.variable(tf.randomNormal([tokens, d], 0, 0.02));
  const embed = dense(patch ** 2, d);
  const blocks = Array.from({ length: depth }, () => [
    residual(layerNorm(d), attention(tokens, d, heads)),
    residual(layerNorm(d), feedForward(d, hidden)),
  ]).flat();
  const norm = layerNorm(d);
  const classify = dense(d, classes);
  return (images) => {
    const cut = tf.transpose(tf.reshape(images, [-1, across, patch, across, patch]), [0, 1, 3, 2, 4]);
    const start = tf.add(embed(tf.reshape(cut, [-1, tokens, patch ** 2])), positions);
    return classify(tf.mean(norm(blocks.reduce((x, block) => block(x), start)), 1));
  };
}

/** Trains on shuffled batches; returns the mean loss of the last epoch. */
export async function trainVit(
  shape: VitShape,
  X: tf.Tensor2D,
  y: tf.Tensor1D,
  { batchSize, epochs }: { readonly batchSize: number; readonly epochs: number },
): Promise<number> {
  const forward = vit(shape);
  const optimizer = tf.train.adam(0.001);
  const [n] = X.shape;
  let total = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = tf.util.createShuffledIndices(n);
    total = 0;
    for (let from = 0; from < n; from += batchSize) {
      const rows = Int32Array.from(order.subarray(from, Math.min(n, from + batchSize)));
      total += rows.length * tf.tidy(() => step(rows));
    }
  }
  optimizer.dispose();
  tf.disposeVariables();
  return total / n;

  function step(rows: Int32Array): number {
    const indices = tf.tensor1d(rows, "int32");
    const images = tf.gather(X, indices);
    const truth = tf.oneHot(tf.cast(tf.gather(y, indices), "int32"), shape.classes);
    const loss = optimizer.minimize(() => {
      const logits = forward(images);
      const logSum = tf.logSumExp(logits, 1);
      return tf.mean(tf.sub(logSum, tf.sum(tf.mul(logits, truth), 1))) as tf.Scalar;
    }, true)!;
    return loss.dataSync()[0]!;
  }
}
