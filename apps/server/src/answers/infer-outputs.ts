import type { Label } from "argmax";
import type { Field } from "../model/input-schema.js";
import type { Prediction } from "../model/prediction.js";
import type { ServedModel } from "../model/served-model.js";
import type { Datatype } from "./tensors.js";

/** A tensor in the metadata of a model; −1 stands for any length. */
interface TensorMetadata {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
}

interface OutputTensor extends TensorMetadata {
  readonly data: readonly unknown[];
}

/** Numbers only: one tensor `input` of all columns; otherwise one tensor per column. `infer` takes both in either case. */
export function inputMetadata({ schema: { form, fields } }: ServedModel): readonly TensorMetadata[] {
  if (form === "matrix") return [{ name: "input", datatype: "FP64", shape: [-1, fields.length] }];
  return fields.map(({ name, kind }) => ({ name, datatype: datatypeOf(kind), shape: [-1] }));
}

function datatypeOf(kind: Field["kind"]): Datatype {
  if (kind === "numeric") return "FP64";
  return kind === "boolean" ? "BOOL" : "BYTES";
}

/** Outputs as the example row has them. */
export function outputMetadata(model: ServedModel): readonly TensorMetadata[] {
  if (model.sample === undefined) return [];
  return outputTensors(model, model.sample).map(({ name, datatype, shape }) => ({
    name,
    datatype,
    shape: [-1, ...shape.slice(1)],
  }));
}

export const outputNames = (model: ServedModel): readonly string[] => {
  const names = outputMetadata(model).map(({ name }) => name);
  return names.length > 0 ? names : ["label", "probabilities", "prediction"];
};

export function outputTensors(model: ServedModel, prediction: Prediction): readonly OutputTensor[] {
  switch (prediction.kind) {
    case "labels": {
      const n = prediction.labels.length;
      const label = labelTensor("label", [n], prediction.labels);
      if (prediction.probabilities === undefined) return [label];
      const K = model.classes?.length ?? 1;
      return [label, numberTensor("probabilities", [n, K], prediction.probabilities)];
    }
    case "labelRows": {
      const shape = [prediction.rows.length, prediction.rows[0]?.length ?? 0];
      return [labelTensor("label", shape, prediction.rows.flat())];
    }
    case "numbers": {
      const { values } = prediction;
      if (model.task !== "clustering") return [numberTensor("prediction", [values.length], values)];
      return [{ ...numberTensor("cluster", [values.length], values), datatype: "INT32" }];
    }
    case "rows": {
      const { values, cols } = prediction;
      const name = model.task === "transform" ? "transformed" : "prediction";
      return [numberTensor(name, [values.length / cols, cols], values)];
    }
  }
}

const numberTensor = (name: string, shape: readonly number[], values: ArrayLike<number>): OutputTensor => ({
  name,
  datatype: "FP64",
  shape,
  data: Array.from(values),
});

function labelTensor(
  name: string,
  shape: readonly number[],
  labels: readonly (Label | undefined)[],
): OutputTensor {
  const type = typeof labels[0];
  const datatype: Datatype = type === "boolean" ? "BOOL" : type === "number" ? "FP64" : "BYTES";
  return { name, datatype, shape, data: labels };
}
