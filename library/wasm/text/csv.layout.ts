/** How `findFields` ended: all rows were found, `most` rows were, the lists are full, or a row is wrong. */
export const DONE: i32 = 0;
export const FULL: i32 = 1;
/** A row is wider or narrower than the first; it was passed over. */
export const BAD_WIDTH: i32 = 2;
/** A quoted cell has no end. */
export const NOT_CLOSED: i32 = 3;
/** Something else than a delimiter or a line break follows a quoted cell. */
export const TEXT_AFTER_QUOTE: i32 = 4;

/** Bytes after the text that may be read. */
export const PADDING: i32 = 16;

/**
 * A CSV file in memory, and its cells in row order: cell f is text[starts[f]] … text[ends[f] − 1]. A quoted one is without its
 * quotes; if it has doubled quotes inside, its end is stored as ~end.
 */
@unmanaged
export class CsvFile {
  /** `length` bytes that end with a line break, then PADDING bytes. */
  text: usize;
  length: i32;
  /** Codes of single bytes; a quote of 256 stands for no quotes. */
  delimiter: i32;
  quote: i32;
  /** 1: blanks around cells that are not quoted are not part of them. */
  trim: i32;
  /** 32-bit integers, room for `capacity` cells. */
  starts: usize;
  ends: usize;
  capacity: i32;
  /** Where the next row starts, 0 at first. */
  at: i32;
  /** Cells and rows that were found before it, 0 at first. */
  cells: i32;
  rows: i32;
  /** Cells of the first row, −1 at first. */
  cols: i32;
  /** Where a row went wrong. @result */
  wrongAt: i32;
  /** Cells of a row of another width. @result */
  width: i32;
}
