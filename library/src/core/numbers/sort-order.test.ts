import { describe, expect, it } from "vitest";
import { Random } from "./random.js";
import { ascendingOrder, descendingOrder, type NumberBits, sortedGroups } from "./sort-order.js";

const twin = (values: Float64Array, sign: 1 | -1) =>
  Array.from(values, (_, i) => i).sort((a, b) => sign * (values[a]! - values[b]!) || a - b);

const random = new Random(3);

/** The numbers of a group in order, −0 as 0. */
const group = (values: Float64Array, flags: Uint8Array, flag: number) => [
  ...values
    .filter((_, i) => flags[i] === flag)
    .map((value) => value + 0)
    .sort(),
];

/** From bits in the order of the numbers to the numbers. */
const numbersOf = ({ upper, lower }: NumberBits) =>
  Array.from(upper, (key, e) => {
    const view = new DataView(new ArrayBuffer(8));
    const isNegative = key >>> 31 === 0;
    view.setUint32(0, isNegative ? ~key : key & 0x7fffffff);
    view.setUint32(4, isNegative ? ~lower[e]! : lower[e]!);
    return view.getFloat64(0);
  });
const draws: readonly [string, () => number][] = [
  ["normal numbers", () => random.normal()],
  ["few distinct numbers", () => random.below(5) - 2],
  ["numbers of all magnitudes", () => (random.below(2) ? 1 : -1) * 2 ** (random.below(2000) - 1000)],
  ["neighbours of 1", () => 1 + random.below(100) * 2 ** -52],
  ["zeros of both signs", () => (random.below(2) ? 0 : -0)],
];

describe("ascendingOrder", () => {
  for (const [name, draw] of draws)
    for (const n of [0, 1, 2, 47, 48, 49, 1000])
      it(`is a stable sort of ${n} ${name}, in both directions`, () => {
        const values = Float64Array.from({ length: n }, draw);
        expect(Array.from(ascendingOrder(values))).toEqual(twin(values, 1));
        expect(Array.from(descendingOrder(values))).toEqual(twin(values, -1));
        const flags = Uint8Array.from(values, () => random.below(2));
        const [ones, zeros] = sortedGroups(values, flags);
        expect(numbersOf(ones)).toEqual(group(values, flags, 1));
        expect(numbersOf(zeros)).toEqual(group(values, flags, 0));
      });

  it("puts the infinities at the ends and tells subnormal numbers apart", () => {
    const values = Float64Array.from({ length: 60 }, (_, i) => (30 - i) * Number.MIN_VALUE);
    values[10] = -Infinity;
    values[50] = Infinity;
    expect(Array.from(ascendingOrder(values))).toEqual(twin(values, 1));
    const [all] = sortedGroups(values, new Uint8Array(60).fill(1));
    expect(numbersOf(all)).toEqual([...values.slice().sort()]);
  });
});
