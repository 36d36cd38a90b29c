/**
 * What each operation passes to its inputs, for graphs that people read: g is the gradient of the output y, a, b, x are the inputs.
 * A test holds this list to the operations that exist.
 */
const rules: Readonly<Record<string, readonly string[]>> = {
  add: ["g", "g"],
  subtract: ["g", "−g"],
  multiply: ["g·b", "g·a"],
  divide: ["g/b", "−g·y/b"],
  maximum: ["g where y = a", "g where y ≠ a"],
  minimum: ["g where y = a", "g where y ≠ a"],
  matmul: ["g·bᵀ", "aᵀ·g"],
  dense: ["gz·Wᵀ, gz = g·f′(z)", "xᵀ·gz", "Σ rows of gz"],
  linear: ["g"],
  negative: ["−g"],
  exp: ["g·y"],
  log: ["g/x"],
  sqrt: ["g/(2y)"],
  square: ["g·2x"],
  reciprocal: ["−g·y²"],
  abs: ["g·sign(x)"],
  sin: ["g·cos(x)"],
  cos: ["−g·sin(x)"],
  sigmoid: ["g·a·y(1 − y)"],
  tanh: ["g·(1 − y²)"],
  relu: ["g where x > 0"],
  leakyRelu: ["g where x > 0, else a·g"],
  gelu: ["g·(Φ(x) + x·φ(x))"],
  softplus: ["g·σ(x)"],
  gaussian: ["−g·y(x − c)/a²"],
  inverseMultiquadric: ["−g·y³(x − c)"],
  sign: ["nothing"],
  heaviside: ["nothing"],
  twoStep: ["nothing"],
  scale: ["a·g"],
  power: ["g·a·xᵃ⁻¹"],
  sum: ["g to every entry"],
  mean: ["g/n to every entry"],
  max: ["g to the largest entry"],
  reshape: ["g, reshaped"],
  transpose: ["gᵀ"],
  slice: ["g in its place, else 0"],
  pad: ["the inner part of g"],
  broadcastTo: ["Σ g over the repetitions"],
  gather: ["g added to the rows taken"],
  softmax: ["y(g − Σ g·y)"],
  logSoftmax: ["g − eʸ Σ g"],
  softmaxCrossEntropy: ["g·(softmax(z) − 1 at the class)"],
  sigmoidCrossEntropy: ["g·(σ(z) − t)"],
  squaredError: ["g·(z − t)"],
  layerNorm: ["(ĝ − mean ĝ − x̂ mean(ĝ x̂))/σ, ĝ = g·gain", "Σ g·x̂", "Σ g"],
  batchNorm: ["(ĝ − mean ĝ − x̂ mean(ĝ x̂))/σ, ĝ = g·gain", "Σ g·x̂", "Σ g"],
  batchNormFixed: ["nothing", "nothing", "nothing"],
  dropout: ["g·mask"],
  conv2d: ["windows added back (g·filtersᵀ)", "windowsᵀ·g", "Σ g"],
  maxPool: ["g to the largest entry of the window"],
  averagePool: ["g/n to every entry of the window"],
};

export const operationNames: readonly string[] = [...Object.keys(rules), "concat"];

/** The rule per input. */
export function localDerivatives(op: string, inputs: number): readonly string[] {
  if (op === "concat") return Array.from({ length: inputs }, (_, e) => `part ${e} of g`);
  return (rules[op] ?? []).slice(0, inputs);
}
