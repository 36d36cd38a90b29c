/** Kernel functions. */
export const LINEAR: i32 = 0;
export const POLYNOMIAL: i32 = 1;
export const SIGMOID: i32 = 2;
export const GAUSSIAN: i32 = 3;
export const EXPONENTIAL: i32 = 4;
export const MULTIQUADRIC: i32 = 5;
export const INVERSE_MULTIQUADRIC: i32 = 6;
export const RATIONAL_QUADRATIC: i32 = 7;
export const THIN_PLATE: i32 = 8;
/** Codes of kernel functions are below this. */
export const KERNEL_FUNCTIONS: i32 = 9;

/** Operations that combine the two values before them. */
export const SUM: i32 = -1;
export const PRODUCT: i32 = -2;

/** A step of a kernel function's program. */
@unmanaged
export class KernelStep {
  /** One of the codes above. */
  operation: f64;
  a: f64;
  c: f64;
  degree: f64;
}
