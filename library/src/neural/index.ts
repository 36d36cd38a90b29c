export { CNNClassifier, FittedCNNClassifier } from "./cnn-classifier.js";
export { FittedMLPClassifier, MLPClassifier } from "./mlp-classifier.js";
export { FittedMLPRegressor, MLPRegressor } from "./mlp-regressor.js";
export { FittedTransformerClassifier, TransformerClassifier } from "./transformer-classifier.js";
export { FittedViTClassifier, ViTClassifier } from "./vit-classifier.js";
