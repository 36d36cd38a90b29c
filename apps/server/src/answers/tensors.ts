import { isObject, RequestProblem } from "./request-problem.js";

/** Types of the Open Inference Protocol that a column may have. */
const datatypes = [
  "BOOL",
  "UINT8",
  "UINT16",
  "UINT32",
  "UINT64",
  "INT8",
  "INT16",
  "INT32",
  "INT64",
  "FP16",
  "FP32",
  "FP64",
  "BYTES",
] as const;
export type Datatype = (typeof datatypes)[number];

/** A tensor of a request, checked: as many entries as its shape says, all of its type. */
export interface Tensor {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly data: readonly (number | string | boolean)[];
}

const MOST_AXES = 8;

/** Ranges of the integer types, which JSON does not know. */
const ranges: Readonly<Partial<Record<Datatype, readonly [number, number]>>> = {
  UINT8: [0, 255],
  UINT16: [0, 65_535],
  UINT32: [0, 4_294_967_295],
  UINT64: [0, 2 ** 64],
  INT8: [-128, 127],
  INT16: [-32_768, 32_767],
  INT32: [-2_147_483_648, 2_147_483_647],
  INT64: [-(2 ** 63), 2 ** 63],
};

const fail = (message: string): never => {
  throw new RequestProblem(400, message);
};

export function readTensor(given: unknown, index: number): Tensor {
  if (!isObject(given)) return fail(`inputs[${index}] must be an object.`);
  const { name, datatype, shape, data, parameters } = given;
  if (typeof name !== "string" || name === "") return fail(`inputs[${index}].name must be text.`);
  const which = `input ${JSON.stringify(name)}`;
  if (!datatypes.includes(datatype as Datatype))
    return fail(`The datatype of ${which} must be one of ${datatypes.join(", ")}.`);
  if (!isShape(shape))
    return fail(`The shape of ${which} must be a list of up to ${MOST_AXES} integers ≥ 0.`);
  if (isObject(parameters) && Object.hasOwn(parameters, "binary_data_size"))
    return fail(`${which} has binary data, which this server does not take; send the data as JSON.`);
  if (!Array.isArray(data)) return fail(`The data of ${which} must be a list.`);
  const count = shape.reduce((product, length) => product * length, 1);
  const flat = flattened(data, shape.length);
  if (flat.length !== count)
    return fail(`The data of ${which} must have ${count} entries, as its shape says, got ${flat.length}.`);
  const wrong = flat.findIndex((value) => !fitsType(datatype as Datatype, value));
  if (wrong >= 0) return fail(`Entry ${wrong} of ${which} is not of type ${datatype}.`);
  return { name, datatype: datatype as Datatype, shape, data: flat as Tensor["data"] };
}

const isShape = (shape: unknown): shape is number[] =>
  Array.isArray(shape) &&
  shape.length >= 1 &&
  shape.length <= MOST_AXES &&
  shape.every((length) => Number.isSafeInteger(length) && length >= 0);

/** Data may be flat or nested as the shape is. */
function flattened(data: readonly unknown[], axes: number): readonly unknown[] {
  return Array.isArray(data[0]) ? (data.flat(axes - 1) as unknown[]) : data;
}

function fitsType(datatype: Datatype, value: unknown): boolean {
  if (datatype === "BYTES") return typeof value === "string";
  // Clients write booleans as 0 and 1, too.
  if (datatype === "BOOL") return typeof value === "boolean" || value === 0 || value === 1;
  const range = ranges[datatype];
  if (range === undefined) return typeof value === "number" && Number.isFinite(value);
  return Number.isInteger(value) && (value as number) >= range[0] && (value as number) <= range[1];
}
