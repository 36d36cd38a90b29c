/** All lanes the number at the address. */
// @inline
export function splatOf<T>(at: usize): v128 {
  return sizeof<T>() == 4 ? v128.load32_splat(at) : v128.load64_splat(at);
}

/** The same of the number after it. */
// @inline
export function nextOf<T>(at: usize): v128 {
  return sizeof<T>() == 4 ? v128.load32_splat(at, 4) : v128.load64_splat(at, 8);
}

/** The same of the second number after it. */
// @inline
export function overnextOf<T>(at: usize): v128 {
  return sizeof<T>() == 4 ? v128.load32_splat(at, 8) : v128.load64_splat(at, 16);
}
