import { ArgmaxError, FittedSVC, FittedSVR, formatLibsvmModel, modelToJson, toOnnx } from "argmax";
import { defineCommand, Failure, readChoice, UsageError } from "../command.js";
import { type OpenedModel, openModel } from "../model-file.js";
import { requireOther } from "../model-output.js";
import { writeWhole } from "../write-whole.js";

const targets = ["json", "onnx", "libsvm"] as const;

export const convert = defineCommand({
  description: [
    "json: the description of the model, its numbers and its card as plain JSON, to be read by any language. onnx: what the model computes, " +
      "preprocessing included, for ONNX Runtime. libsvm: an SVC of integer classes or an SVR in the text format of LIBSVM, for svm-predict.",
  ],
  args: [{ name: "MODEL", doc: "a model file" }],
  options: {
    to: { type: "string", value: "FORMAT", doc: "Format of the output: json, onnx or libsvm" },
    output: {
      type: "string",
      short: "o",
      value: "FILE",
      doc: "Write to this file; otherwise to standard output",
    },
  },
  examples: [
    {
      words: "convert iris.safetensors --to json -o iris.json",
      doc: "The numbers of a model, for another program",
    },
    { words: "convert iris.safetensors --to onnx -o iris.onnx", doc: "For ONNX Runtime, in any language" },
    { words: "convert svm.safetensors --to libsvm -o svm.model", doc: "For svm-predict of LIBSVM" },
  ],
  async run({ values, args, terminal }) {
    const [path] = args as [string];
    if (values.to === undefined) throw new UsageError("--to is missing: json, onnx or libsvm.");
    const to = readChoice("to", values.to, targets);
    requireOther(values.output, [path]);
    const opened = await openModel(path);
    if (to === "onnx" && values.output === undefined)
      throw new UsageError("--output is missing: an ONNX file is not text.");
    const content = to === "onnx" ? asOnnx(path, opened) : textOf(to, path, opened);
    if (values.output === undefined) {
      const text = String(content);
      terminal.emit({ type: "model", format: to, text: to === "json" ? JSON.parse(text) : text });
      terminal.print(text.trimEnd());
      return;
    }
    await writeWhole(values.output, content);
    terminal.emit({ type: "converted", format: to, file: values.output });
    terminal.note(`${path} → ${values.output}`);
  },
});

const textOf = (to: "json" | "libsvm", path: string, opened: OpenedModel): string =>
  to === "json" ? modelToJson(opened.model, { card: opened.card }) : asLibsvm(path, opened);

const asOnnx = (path: string, { model }: OpenedModel): Uint8Array => orFailure(path, () => toOnnx(model));

/** What the library refuses, with the name of the file. */
function orFailure<T>(path: string, format: () => T): T {
  try {
    return format();
  } catch (error) {
    if (!(error instanceof ArgmaxError)) throw error;
    throw new Failure(
      `${path}: ${error.subject} must be ${error.expected}, got ${error.received}. ${error.advice}`.trim(),
    );
  }
}

function asLibsvm(path: string, { model }: OpenedModel): string {
  if (!(model instanceof FittedSVC || model instanceof FittedSVR))
    throw new Failure(
      `${path} holds a ${model.toState().kind}; LIBSVM's format is for SVC and SVR. Any model can be converted with --to json.`,
    );
  return orFailure(path, () => formatLibsvmModel(model as FittedSVR));
}
