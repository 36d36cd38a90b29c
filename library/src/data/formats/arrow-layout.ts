import { type FlatTable, refuseMetadata } from "./flat-buffer.js";

/**
 * How the entries of a column lie in the buffers of a record batch (arrow.apache.org/docs/format/Columnar.html). `bits` per entry
 * are those of a buffer of entries; `offsets` are the bytes of an offset.
 */
export type Layout =
  | { readonly kind: "null" }
  | { readonly kind: "fixed"; readonly bits: number }
  | { readonly kind: "text"; readonly offsets: 4 | 8 }
  | { readonly kind: "list"; readonly offsets: 4 | 8; readonly child: Layout }
  | { readonly kind: "fixedList"; readonly size: number; readonly child: Layout }
  | { readonly kind: "struct"; readonly children: readonly Layout[] }
  | { readonly kind: "union"; readonly isDense: boolean; readonly children: readonly Layout[] }
  | {
      readonly kind: "dictionary";
      readonly bits: number;
      readonly isSigned: boolean;
      readonly id: bigint;
    };

/** The columns of a schema, and the entries of its dictionaries by their identifiers. */
export interface ArrowSchema {
  readonly columns: readonly Layout[];
  readonly dictionaries: ReadonlyMap<bigint, Layout>;
}

/** Numbers of the types in Schema.fbs. */
const TYPES = {
  none: 0,
  null: 1,
  int: 2,
  float: 3,
  binary: 4,
  utf8: 5,
  bool: 6,
  decimal: 7,
  date: 8,
  time: 9,
  timestamp: 10,
  interval: 11,
  list: 12,
  struct: 13,
  union: 14,
  fixedSizeBinary: 15,
  fixedSizeList: 16,
  map: 17,
  duration: 18,
  largeBinary: 19,
  largeUtf8: 20,
  largeList: 21,
} as const;

/** A schema that is fit to be read: `table` is a Schema of Schema.fbs. */
export function readArrowSchema(table: FlatTable): ArrowSchema {
  if (table.short(0) !== 0) refuseMetadata("numbers in big-endian order, which is not supported");
  const dictionaries = new Map<bigint, Layout>();
  const columns = Array.from(table.children(1), (field) => readField(field, dictionaries));
  checkCustomMetadata(table, 2);
  return { columns, dictionaries };
}

/** A list of keys and values. */
export function checkCustomMetadata(table: FlatTable, index: number): void {
  for (const pair of table.children(index)) {
    pair.checkText(0);
    pair.checkText(1);
  }
}

function readField(field: FlatTable, dictionaries: Map<bigint, Layout>): Layout {
  return field.buffer.nested(() => {
    field.checkText(0);
    checkCustomMetadata(field, 6);
    const children = Array.from(field.children(5), (child) => readField(child, dictionaries));
    const encoding = field.child(4);
    const layout = readType(field, children);
    if (encoding === undefined) return layout;
    const id = encoding.identifier(0);
    const index = encoding.child(1);
    const bits = index === undefined ? 32 : integerBits(index);
    if (!dictionaries.has(id)) dictionaries.set(id, layout);
    return { kind: "dictionary", bits, isSigned: index === undefined || index.byte(1) !== 0, id };
  });
}

const integerBits = (type: FlatTable): number => oneOf(type.int(0), [8, 16, 32, 64], "an integer");

function oneOf(bits: number, allowed: readonly number[], what: string): number {
  if (!allowed.includes(bits)) refuseMetadata(`${what} of ${bits} bits`);
  return bits;
}

function readType(field: FlatTable, children: readonly Layout[]): Layout {
  const id = field.byte(2);
  const type = field.child(3);
  const only = () => (children.length === 1 ? children[0]! : refuseMetadata("a list of several types"));
  switch (id) {
    case TYPES.none:
    case TYPES.null:
      return { kind: "null" };
    case TYPES.bool:
      return { kind: "fixed", bits: 1 };
    case TYPES.binary:
    case TYPES.utf8:
      return { kind: "text", offsets: 4 };
    case TYPES.largeBinary:
    case TYPES.largeUtf8:
      return { kind: "text", offsets: 8 };
    case TYPES.list:
    case TYPES.map:
      return { kind: "list", offsets: 4, child: only() };
    case TYPES.largeList:
      return { kind: "list", offsets: 8, child: only() };
    case TYPES.struct:
      return { kind: "struct", children };
  }
  if (type === undefined) return refuseMetadata("a column without its type");
  switch (id) {
    case TYPES.int:
      return { kind: "fixed", bits: integerBits(type) };
    case TYPES.float:
      return { kind: "fixed", bits: enumerated(type.short(0), [16, 32, 64]) };
    case TYPES.decimal:
      return { kind: "fixed", bits: oneOf(type.int(2, 128), [32, 64, 128, 256], "a decimal") };
    case TYPES.date:
      return {
        kind: "fixed",
        bits: enumerated(type.field(0, 2) === undefined ? 1 : type.short(0), [32, 64]),
      };
    case TYPES.time:
      return { kind: "fixed", bits: oneOf(type.int(1, 32), [32, 64], "a time") };
    case TYPES.timestamp:
      type.checkText(1);
      return { kind: "fixed", bits: 64 };
    case TYPES.duration:
      return { kind: "fixed", bits: 64 };
    case TYPES.interval:
      return { kind: "fixed", bits: enumerated(type.short(0), [32, 64, 128]) };
    case TYPES.fixedSizeBinary:
      return { kind: "fixed", bits: 8 * size(type.int(0)) };
    case TYPES.fixedSizeList:
      return { kind: "fixedList", size: size(type.int(0)), child: only() };
    case TYPES.union:
      type.vector(1, 4);
      return { kind: "union", isDense: type.short(0) === 1, children };
    default:
      return refuseMetadata(`a type that is not supported (${id})`);
  }
}

const enumerated = (value: number, bits: readonly number[]): number =>
  bits[value] ?? refuseMetadata(`an unknown precision (${value})`);

const size = (value: number): number => (value >= 0 ? value : refuseMetadata(`a size of ${value}`));
