export { toOnnx } from "./to-onnx.js";
