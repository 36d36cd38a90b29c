import { Matrix } from "argmax";
import type { Files } from "./files.js";

/** Images and labels in the files of MNIST: after 16 and after 8 bytes of heading. */
export function fashion(files: Files, part: "train" | "t10k"): { X: Matrix; y: number[] } {
  const folder = "fashion-mnist";
  const pixels = files.bytes(`${folder}/${part}-images-idx3-ubyte`).subarray(16);
  const labels = files.bytes(`${folder}/${part}-labels-idx1-ubyte`).subarray(8);
  return {
    X: new Matrix(Float64Array.from(pixels), labels.length, pixels.length / labels.length),
    y: Array.from(labels),
  };
}
