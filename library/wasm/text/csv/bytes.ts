/** Codes of bytes in CSV files. */
export const NEWLINE: i32 = 10;
export const RETURN: i32 = 13;
export const SPACE: i32 = 32;
export const PLUS: i32 = 43;
export const MINUS: i32 = 45;
export const ZERO: i32 = 48;

// @inline
export function byteAt(text: usize, at: i32): i32 {
  return <i32>load<u8>(text + <usize>at);
}
