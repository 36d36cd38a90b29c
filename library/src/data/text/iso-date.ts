const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))?)?$/;

/** Milliseconds of a date by ISO 8601 since 1970; without a zone it is in UTC. Undefined if it is not a date. */
export function readDate(text: string): number | undefined {
  const found = ISO.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const fraction = found[7] === undefined ? 0 : Math.floor(Number(`0.${found[7]}`) * 1000);
  const time = timeOf(year!, month!, day!, hour, minute, second, fraction);
  const [zoneHours, zoneMinutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)];
  if (time === undefined || zoneHours > 23 || zoneMinutes > 59) return undefined;
  const zone = 60 * zoneHours + zoneMinutes;
  return time + (found[8] === "-" ? zone : -zone) * 60_000;
}

/** Undefined where there is no such day or time: a 31st of April would be the first of May. */
export function timeOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  fraction = 0,
): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, fraction);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour;
  return isReal && minute <= 59 && second <= 59 ? date.getTime() : undefined;
}
