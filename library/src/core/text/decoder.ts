/** What a TextDecoder does with bytes of a known encoding. */
export interface Decoder {
  /** By its standard name. */
  readonly encoding: string;
  decode(bytes: Uint8Array, options?: { readonly stream?: boolean }): string;
}
