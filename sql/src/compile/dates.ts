import type { DateOutput } from "argmax";
import {
  add,
  call,
  choose,
  compare,
  divide,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
  when,
} from "../expressions/expression.js";

type DatePartName = DateOutput["part"];

/** Milliseconds of a day. */
const DAY = 86_400_000;

const whole = (a: Expression, b: number): Expression => shared(call("floor", divide(a, number(b))));
const less = (a: Expression, ...parts: readonly Expression[]): Expression =>
  shared(parts.reduce(subtract, a));
const times = (factor: number, a: Expression): Expression => multiply(number(factor), a);

/** a less the largest multiple of b that is not above it. */
const remainder = (a: Expression, b: number): Expression => less(a, times(b, whole(a, b)));

/** The parts of a point in time, given in milliseconds since 1970: `momentOf` of the library says the same in numbers. */
export function dateParts(given: Expression): Readonly<Record<DatePartName, Expression>> {
  const milliseconds = shared(given);
  const days = whole(milliseconds, DAY);
  const rest = less(milliseconds, times(DAY, days));
  const shifted = shared(add(days, number(719_468)));
  const era = whole(shifted, 146_097);
  const dayOfEra = less(shifted, times(146_097, era));
  const counted = add(
    less(dayOfEra, whole(dayOfEra, 1460), whole(dayOfEra, 146_096)),
    whole(dayOfEra, 36_524),
  );
  const yearOfEra = whole(shared(counted), 365);
  const leapDays = less(whole(yearOfEra, 4), whole(yearOfEra, 100));
  const dayFromMarch = less(dayOfEra, times(365, yearOfEra), leapDays);
  const monthFromMarch = whole(shared(add(times(5, dayFromMarch), number(2))), 153);
  const month = shared(
    add(
      monthFromMarch,
      choose([
        { test: compare(monthFromMarch, "<", number(10)), value: number(3) },
        { test: compare(monthFromMarch, ">=", number(10)), value: number(-9) },
      ]),
    ),
  );
  const isEarly = compare(month, "<=", number(2));
  const year = shared(add(add(yearOfEra, times(400, era)), when(isEarly, number(1), number(0))));
  const isDivisible = (by: number) => compare(remainder(year, by), "=", number(0));
  const isLeap = choose(
    [
      { test: isDivisible(400), value: number(1) },
      { test: isDivisible(100), value: number(0) },
      { test: isDivisible(4), value: number(1) },
    ],
    number(0),
  );
  const monthStart = whole(shared(add(times(153, monthFromMarch), number(2))), 5);
  return {
    time: divide(milliseconds, number(DAY)),
    year,
    month,
    day: add(subtract(dayFromMarch, monthStart), number(1)),
    weekday: remainder(shared(add(days, number(3))), 7),
    dayOfYear: when(isEarly, subtract(dayFromMarch, number(305)), add(dayFromMarch, add(number(60), isLeap))),
    hour: whole(rest, 3_600_000),
    minute: remainder(whole(rest, 60_000), 60),
    second: remainder(whole(rest, 1000), 60),
  };
}

/** One output of a transform of dates. */
export function dateOutput(parts: Readonly<Record<DatePartName, Expression>>, { part, wave }: DateOutput) {
  const value = parts[part];
  if (wave === null) return value;
  const angle = divide(times(2 * Math.PI, subtract(value, number(wave.from))), number(wave.length));
  return call(wave.of, angle);
}
