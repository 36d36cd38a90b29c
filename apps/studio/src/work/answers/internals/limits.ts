/** More bars are not read. */
export const MOST = 24;
/** Nor more lines and columns of a table. */
export const MOST_LINES = 200;
export const MOST_COLUMNS = 8;
/** More classes have no panels of their own. */
export const MOST_CLASSES = 12;

/** Of many classes, the last panel says how many there are. */
export const firstOf = (k: number, classes: number): string =>
  k === MOST_CLASSES - 1 && classes > MOST_CLASSES
    ? ` The other ${classes - MOST_CLASSES} classes are not shown.`
    : "";
