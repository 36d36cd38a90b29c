/** Numbers as people read them. */
export const milliseconds = (value: number): string =>
  value < 1
    ? `${Number((1000 * value).toPrecision(2))} µs`
    : value < 1000
      ? `${Number(value.toPrecision(3))} ms`
      : `${(value / 1000).toPrecision(3)} s`;

export const bytes = (value: number): string =>
  value < 1024
    ? `${value} B`
    : value < 1024 ** 2
      ? `${(value / 1024).toPrecision(3)} KB`
      : `${(value / 1024 ** 2).toPrecision(3)} MB`;

export const count = (value: number): string => value.toLocaleString("en");

/** Four significant digits, without trailing zeros. */
export const short = (value: number): string => String(Number(value.toPrecision(4)));

/** With a minus sign as wide as a plus. */
export const fixed = (value: number, digits: number): string => value.toFixed(digits).replace("-", "−");

/** Three decimals; of large numbers, four digits. */
export const metricText = (value: number): string =>
  Math.abs(value) < 100 ? fixed(value, 3) : short(value).replace("-", "−");

const conjunction = new Intl.ListFormat("en-GB");

/** "a, b and c"; of more than `most`, "a, b and 7 more". */
export const listed = (names: readonly string[], most = Infinity): string =>
  conjunction.format(
    names.length <= most ? names : [...names.slice(0, most - 1), `${count(names.length - most + 1)} more`],
  );
