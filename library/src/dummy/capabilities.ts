/** What a model can do that does not look at X. */
export const anyRows = { sparse: true, missing: true, manyColumns: true, form: "constant" } as const;
