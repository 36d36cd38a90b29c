/** The part of papaparse that the benchmark calls; the package has no types. */
declare module "papaparse" {
  const Papa: {
    parse<R>(
      text: string,
      options: { readonly dynamicTyping: boolean; readonly skipEmptyLines: boolean },
    ): { readonly data: R[] };
  };
  export default Papa;
}
