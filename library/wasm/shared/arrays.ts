/** Entries of arrays: doubles, 32-bit floats and 32-bit integers from the address `base` on. */
// @inline
export function real(base: usize, at: i32): f64 {
  return load<f64>(base + ((<usize>at) << 3));
}
// @inline
export function setReal(base: usize, at: i32, value: f64): void {
  store<f64>(base + ((<usize>at) << 3), value);
}
// @inline
export function small(base: usize, at: i32): f32 {
  return load<f32>(base + ((<usize>at) << 2));
}
// @inline
export function integer(base: usize, at: i32): i32 {
  return load<i32>(base + ((<usize>at) << 2));
}
// @inline
export function setInteger(base: usize, at: i32, value: i32): void {
  store<i32>(base + ((<usize>at) << 2), value);
}
