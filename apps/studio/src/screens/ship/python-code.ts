import { literal } from "../../work/ship/quoting.js";

/** A program that asks an ONNX file for a row, given as JSON; texts of JSON are texts of Python. */
export const pythonCode = (stem: string, row: string): string =>
  `import json
import numpy
import onnxruntime

row = json.loads(${literal(row)})
session = onnxruntime.InferenceSession("${stem}.onnx")
inputs = {
    name: numpy.array([[cell]], dtype=object if isinstance(cell, str) else float)
    for name, cell in row.items()
}
print(session.run(None, inputs))
`;
