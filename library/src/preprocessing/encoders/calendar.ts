/** Milliseconds of a day. */
const DAY = 86_400_000;

/** Beyond it there are no dates in JavaScript. */
export const LATEST = 8.64e15;

/** What a point in time consists of, in UTC. */
export interface Moment {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** Of the month, from 1. */
  readonly day: number;
  /** 0 is Monday. */
  readonly weekday: number;
  /** Of the year, from 1. */
  readonly dayOfYear: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Days since 1970, with their fraction. */
  readonly time: number;
}

/** The parts of a point in time, given in milliseconds since 1970. Civil dates from days [Hinnant 2013, days_from_civil]. */
export function momentOf(milliseconds: number): Moment {
  const days = Math.floor(milliseconds / DAY);
  const rest = milliseconds - days * DAY;
  // Years begin in March, so that a leap day is their last; an era has 400 of them and 146,097 days.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayFromMarch = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayFromMarch + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return {
    year,
    month,
    day: dayFromMarch - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
    weekday: (((days + 3) % 7) + 7) % 7,
    // 1 March is day 60 of a year, or 61; January and February belong to the March before.
    dayOfYear: month > 2 ? dayFromMarch + (isLeap ? 61 : 60) : dayFromMarch - 305,
    hour: Math.floor(rest / 3_600_000),
    minute: Math.floor(rest / 60_000) % 60,
    second: Math.floor(rest / 1000) % 60,
    time: milliseconds / DAY,
  };
}
