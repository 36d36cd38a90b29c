import { literal } from "../../work/ship/quoting.js";

/** A program that asks an ONNX file for a row, given as JSON; texts of JSON are texts of Python. Gaps are NaN, or the empty text. */
export const pythonCode = (stem: string, row: string): string =>
  `import json
import numpy
import onnxruntime

row = json.loads(${literal(row)})
session = onnxruntime.InferenceSession(${literal(`${stem}.onnx`)})
inputs = {}
for column in session.get_inputs():
    cell = row[column.name]
    if column.type == "tensor(string)":
        inputs[column.name] = numpy.array([["" if cell is None else str(cell)]], dtype=object)
    else:
        inputs[column.name] = numpy.array([[cell]], dtype=float)
print(session.run(None, inputs))
`;
