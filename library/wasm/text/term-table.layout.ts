/** Bytes after a text that may be read. */
export const PADDING: i32 = 64;

/** Bytes of a slot: of a string its first eight bytes, length and term + 1; of a pair its two terms, term + 1 and nothing. */
export const SLOT_BYTES: i32 = 16;

/**
 * The terms of a vocabulary and the counts of one document. Terms are numbered; those from `stop` on are stop words. Tables have open
 * addressing, 2^(64 − shift) slots, at most half of them in use.
 */
@unmanaged
export class TermTable {
  slots: usize;
  shift: i32;
  /** Bytes of all strings; string t starts at byte `starts[t]`. */
  bytes: usize;
  starts: usize;
  stop: i32;
  /** Pairs (term, word): n-grams of words. */
  pairSlots: usize;
  pairShift: i32;
  /** Column of each term, −1 without one; 0 if terms are columns. */
  columns: usize;
  /** Shortest and longest n-gram. */
  least: i32;
  greatest: i32;
  /** `greatest` terms: those of 1, 2, … words that end with the word before this one. */
  ending: usize;
  /** Number of columns, and the count of each (i32), all 0 between documents. */
  cols: i32;
  counts: usize;
  /** Bit j: column j occurs. */
  present: usize;
  /** Bit b: 64-bit word b of `present` is not 0. */
  groups: usize;
}
