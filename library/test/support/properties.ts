import fc from "fast-check";

/**
 * The same examples on every run, so that a failure means that somebody changed something. `ARGMAX_DEEP=1` draws new
 * and many more ones, to find what nobody has thought of.
 */
const deep = process.env.ARGMAX_DEEP !== undefined;
fc.configureGlobal(deep ? { numRuns: 5000 } : { seed: 1 });

export { fc };
