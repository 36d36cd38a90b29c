/** A number of bytes. The build takes every `usize` of a kernel for an address; this is what else a `usize` may be. */
export type Bytes = usize;
