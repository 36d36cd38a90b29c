export { onnxEstimators, toOnnx } from "./to-onnx.js";
