import { Message } from "./protobuf.js";

/** The name of a tensor in a graph. */
export type Value = string;

export type ElementType = "double" | "int64" | "string" | "uint8" | "bool";

/** Codes of TensorProto.DataType. */
const typeCodes: { readonly [T in ElementType]: number } = {
  uint8: 2,
  int64: 7,
  string: 8,
  bool: 9,
  double: 11,
};

export type Attribute =
  | { readonly int: number }
  | { readonly ints: ArrayLike<number> }
  | { readonly text: string }
  | { readonly texts: readonly string[] }
  | { readonly tensor: Message };

/** Operators of decision trees and of categories. */
export const ML = "ai.onnx.ml";

/** Versions of the operators, those of ONNX 1.16: the first with trees in 64 bits. */
const versions: Readonly<Record<string, number>> = { "": 21, [ML]: 5 };
const FORMAT_VERSION = 10;

/** Rows are known when the model is used. */
const ROWS = "rows";

interface Node {
  readonly message: Message;
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
}

/** Nodes that compute tensors from tensors, written as an ONNX model. */
export class Graph {
  readonly #nodes: Node[] = [];
  readonly #constants = new Map<Value, Message>();
  readonly #inputs = new Map<string, Message>();
  readonly #outputs = new Map<Value, Message>();
  readonly #known = new Map<string, Value>();
  /** Names of inputs in their order, then of outputs. */
  readonly #taken = new Set<string>();
  #count = 0;

  /** Adds a node with one output. */
  op(
    type: string,
    inputs: readonly Value[],
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = "",
  ): Value {
    return this.ops(type, inputs, 1, attributes, domain)[0]!;
  }

  /** Adds a node with several outputs. */
  ops(
    type: string,
    inputs: readonly Value[],
    outputs: number,
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = "",
  ): readonly Value[] {
    const names = Array.from({ length: outputs }, () => this.#name(type));
    const node = new Message();
    for (const input of inputs) node.text(1, input);
    for (const name of names) node.text(2, name);
    node.text(3, names[0]!).text(4, type);
    for (const [name, attribute] of Object.entries(attributes))
      node.message(5, attributeMessage(name, attribute));
    if (domain !== "") node.text(7, domain);
    this.#nodes.push({ message: node, inputs, outputs: names });
    return names;
  }

  /** A constant of 64-bit floats. */
  numbers(data: ArrayLike<number>, shape: readonly number[]): Value {
    return this.#constant(numberTensor(data, shape));
  }

  number(value: number): Value {
    return this.numbers([value], []);
  }

  integers(data: readonly number[], shape: readonly number[]): Value {
    return this.#constant(integerTensor(data, shape));
  }

  flags(data: readonly boolean[], shape: readonly number[]): Value {
    return this.#constant(tensorMessage("bool", shape).bytes(9, Uint8Array.from(data, Number)));
  }

  texts(data: readonly string[], shape: readonly number[]): Value {
    const tensor = tensorMessage("string", shape);
    for (const text of data) tensor.text(6, text);
    return this.#constant(tensor);
  }

  /** Names that inputs may have, in their order: no node has one of them. */
  reserve(names: readonly string[]): void {
    for (const name of names) this.#taken.add(name);
  }

  /** Columns that are given to the model. */
  input(name: string, type: ElementType, cols: number): Value {
    this.#inputs.set(name, valueInfo(name, type, [ROWS, cols]));
    this.#taken.add(name);
    return name;
  }

  /** A tensor that the model answers with: `cols` is null for one entry per row. An underscore follows a name that is taken. */
  output(wanted: string, value: Value, type: ElementType, cols: number | null): void {
    let name = wanted;
    while (this.#taken.has(name)) name += "_";
    this.#taken.add(name);
    const message = new Message().text(1, value).text(2, name).text(3, name).text(4, "Identity");
    this.#nodes.push({ message, inputs: [value], outputs: [name] });
    this.#outputs.set(name, valueInfo(name, type, cols === null ? [ROWS] : [ROWS, cols]));
  }

  /** The model file. */
  finish(metadata: Readonly<Record<string, string>>): Uint8Array {
    const graph = new Message();
    const { nodes, used } = this.#needed();
    for (const { message } of nodes) graph.message(1, message);
    graph.text(2, "argmax");
    for (const [name, constant] of this.#constants) if (used.has(name)) graph.message(5, constant);
    for (const name of this.#taken) if (this.#inputs.has(name)) graph.message(11, this.#inputs.get(name)!);
    for (const output of this.#outputs.values()) graph.message(12, output);
    const model = new Message().integer(1, FORMAT_VERSION).text(2, "argmax").message(7, graph);
    for (const [domain, version] of Object.entries(versions))
      model.message(8, new Message().text(1, domain).integer(2, version));
    for (const [key, value] of Object.entries(metadata))
      model.message(14, new Message().text(1, key).text(2, value));
    return model.finish();
  }

  /** The nodes that outputs depend on, and all that they read: of a member, an ensemble may use the probabilities and not the label. */
  #needed(): { readonly nodes: readonly Node[]; readonly used: ReadonlySet<Value> } {
    const used = new Set<Value>(this.#outputs.keys());
    const nodes: Node[] = [];
    for (const node of [...this.#nodes].reverse()) {
      if (!node.outputs.some((name) => used.has(name))) continue;
      for (const input of node.inputs) used.add(input);
      nodes.push(node);
    }
    return { nodes: nodes.reverse(), used };
  }

  #name(type: string): string {
    let name: string;
    do name = `${type}_${this.#count++}`;
    while (this.#taken.has(name));
    return name;
  }

  /** Constants are kept once: the same numbers have the same name. */
  #constant(tensor: Message): Value {
    const bytes = tensor.finish();
    // spread: at most SMALL bytes.
    const key = bytes.length <= SMALL ? String.fromCharCode(...bytes) : undefined;
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known !== undefined) return known;
    const name = this.#name("constant");
    this.#constants.set(name, tensor.text(8, name));
    if (key !== undefined) this.#known.set(key, name);
    return name;
  }
}

/** Bytes of a constant that is looked up before it is written again. */
const SMALL = 200;

export const numberTensor = (data: ArrayLike<number>, shape: readonly number[]): Message =>
  tensorMessage("double", shape).bytes(9, bytesOf(Float64Array.from(data)));

export const integerTensor = (data: readonly number[], shape: readonly number[]): Message =>
  tensorMessage("int64", shape).bytes(9, bytesOf(BigInt64Array.from(data, BigInt)));

export const byteTensor = (data: readonly number[], shape: readonly number[]): Message =>
  tensorMessage("uint8", shape).bytes(9, Uint8Array.from(data));

function tensorMessage(type: ElementType, shape: readonly number[]): Message {
  return new Message().integers(1, shape).integer(2, typeCodes[type]);
}

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Little-endian, as ONNX has it. */
function bytesOf(data: Float64Array | BigInt64Array): Uint8Array {
  const bytes = new Uint8Array(data.buffer);
  if (!isLittleEndian) for (let at = 0; at < bytes.length; at += 8) bytes.subarray(at, at + 8).reverse();
  return bytes;
}

function valueInfo(name: string, type: ElementType, shape: readonly (number | string)[]): Message {
  const dims = new Message();
  for (const size of shape)
    dims.message(1, typeof size === "number" ? new Message().integer(1, size) : new Message().text(2, size));
  const tensor = new Message().integer(1, typeCodes[type]).message(2, dims);
  return new Message().text(1, name).message(2, new Message().message(1, tensor));
}

/** Codes of AttributeProto.AttributeType. */
const [INT, TEXT, TENSOR, INTS, TEXTS] = [2, 3, 4, 7, 8];

function attributeMessage(name: string, attribute: Attribute): Message {
  const out = new Message().text(1, name);
  if ("int" in attribute) return out.integer(3, attribute.int).integer(20, INT);
  if ("ints" in attribute) return out.integers(8, attribute.ints).integer(20, INTS);
  if ("text" in attribute) return out.text(4, attribute.text).integer(20, TEXT);
  if ("tensor" in attribute) return out.message(5, attribute.tensor).integer(20, TENSOR);
  for (const text of attribute.texts) out.text(9, text);
  return out.integer(20, TEXTS);
}
