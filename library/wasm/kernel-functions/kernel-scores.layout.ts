/** Points whose kernel values are computed at a time. */
export const STRETCH: i32 = 512;
/** Rows that are multiplied with a panel together. */
export const ROWS: i32 = 4;

/**
 * The points x_t of a kernel expansion, and the kernel; doubles in this order, some of them addresses.
 */
@unmanaged
export class Points {
  /** In panels of eight, feature by feature, padded with zeros; 0 when they are sparse. */
  x: f64;
  /** Sparse points: start of the entries of each point, columns and values. */
  starts: f64;
  columns: f64;
  values: f64;
  count: f64;
  d: f64;
  /** ‖x_t‖², padded to a multiple of eight. */
  norms: f64;
  program: f64;
  length: f64;
}
