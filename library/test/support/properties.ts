import fc from "fast-check";

/**
 * The same examples on every run, so that a failure means that somebody changed something. `npm run test:deep` draws
 * new and many more ones (`test/deep/many-runs.ts`), to find what nobody has thought of.
 */
if (process.env.ARGMAX_DEEP === undefined) fc.configureGlobal({ seed: 1 });

export { fc };
