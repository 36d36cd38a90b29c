export { CNNClassifier, FittedCNNClassifier } from "./cnn-classifier.js";
export { FixedNetwork, type FixedNetworkOptions, fixedNetwork } from "./fixed-network.js";
export * from "./layers/index.js";
export { FittedMLPClassifier, MLPClassifier } from "./mlp-classifier.js";
export { FittedMLPRegressor, MLPRegressor } from "./mlp-regressor.js";
export type { NetworkStep, NetworkSteps } from "./network-steps.js";
export { FittedNeuralClassifier, NeuralClassifier } from "./neural-classifier.js";
export { FittedNeuralRegressor, NeuralRegressor } from "./neural-regressor.js";
export { type Neuron, type NeuronOptions, neuron, type TruthTableRow } from "./neuron.js";
export { padSequences } from "./sequences.js";
export { adam, adamW, lbfgs, type Optimizer, rmsProp, sgd } from "./training/optimizers.js";
export {
  constant,
  cosine,
  inverseScaling,
  type Schedule,
  stepDecay,
  warmUp,
} from "./training/schedules.js";
export { FittedTransformerClassifier, TransformerClassifier } from "./transformer-classifier.js";
export { FittedViTClassifier, ViTClassifier } from "./vit-classifier.js";
