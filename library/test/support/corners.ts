/** The four rows of a truth table of two inputs. */
export const corners = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];

/** Exclusive or of the corners, which no line separates. */
export const xor = [0, 1, 1, 0];
