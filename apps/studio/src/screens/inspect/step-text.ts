/** Units that are counted: "5 leaves". Others are numbered: "round 5". */
const isCounted = (unit: string): boolean => unit === "leaves" || unit === "neighbours";

/** "round 12", "5 leaves". */
export const stepText = (unit: string, at: number): string =>
  isCounted(unit) ? `${at} ${unit}` : `${unit} ${at}`;

/** "round 12 of 60", "5 of 12 leaves". */
export const stepOf = (unit: string, at: number, last: number): string =>
  isCounted(unit) ? `${at} of ${last} ${unit}` : `${unit} ${at} of ${last}`;
