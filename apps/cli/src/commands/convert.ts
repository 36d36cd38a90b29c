import { rename, rm, writeFile } from "node:fs/promises";
import { ArgmaxError, FittedSVC, FittedSVR, formatLibsvmModel, type ModelState } from "argmax";
import { defineCommand, Failure, readChoice, UsageError } from "../command.js";
import { type OpenedModel, openModel } from "../model-file.js";
import { writeFailure } from "../write-failure.js";

const targets = ["json", "libsvm"] as const;

export const convert = defineCommand({
  description: [
    "json: the description of the model, its numbers and its card as plain JSON, to be read by any language. libsvm: an SVC of integer " +
      "classes or an SVR in the text format of LIBSVM, for svm-predict.",
  ],
  args: [{ name: "MODEL", doc: "a model file" }],
  options: {
    to: { type: "string", value: "FORMAT", doc: `Format of the output: ${targets.join(" or ")}` },
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
    { words: "convert svm.safetensors --to libsvm -o svm.model", doc: "For svm-predict of LIBSVM" },
  ],
  async run({ values, args, terminal }) {
    const [path] = args as [string];
    if (values.to === undefined) throw new UsageError(`--to is missing: ${targets.join(" or ")}.`);
    const to = readChoice("to", values.to, targets);
    const opened = await openModel(path);
    const text = to === "json" ? asJson(opened) : asLibsvm(path, opened);
    if (values.output === undefined) {
      terminal.emit({ type: "model", format: to, text: to === "json" ? JSON.parse(text) : text });
      terminal.print(text.trimEnd());
      return;
    }
    const temporary = `${values.output}.${process.pid}.partial`;
    try {
      await writeFile(temporary, text);
      await rename(temporary, values.output);
    } catch (error) {
      await rm(temporary, { force: true });
      throw writeFailure(values.output, error);
    }
    terminal.emit({ type: "converted", format: to, file: values.output });
    terminal.note(`${path} → ${values.output}`);
  },
});

/** Tensors as { shape, data }, so that 2 × 3 numbers can be told from 3 × 2. */
function described({ kind, params, values, tensors, parts }: ModelState): unknown {
  return {
    kind,
    params,
    values,
    tensors: Object.fromEntries(
      Object.entries(tensors).map(([name, { shape, data }]) => [
        name,
        { shape, data: Array.from(data, plain) },
      ]),
    ),
    ...(parts && { parts: parts.map(described) }),
  };
}

/** JSON has no infinities. */
const plain = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

function asJson({ model, card }: OpenedModel): string {
  return `${JSON.stringify({ format: "argmax", card, model: described(model.toState()) })}\n`;
}

function asLibsvm(path: string, { model }: OpenedModel): string {
  if (!(model instanceof FittedSVC || model instanceof FittedSVR))
    throw new Failure(
      `${path} holds a ${model.toState().kind}; LIBSVM's format is for SVC and SVR. Any model can be converted with --to json.`,
    );
  try {
    return formatLibsvmModel(model as FittedSVR);
  } catch (error) {
    if (!(error instanceof ArgmaxError)) throw error;
    throw new Failure(
      `${path}: ${error.subject} must be ${error.expected}, got ${error.received}. ${error.advice}`.trim(),
    );
  }
}
