/** fast-check as the suites know it, with twenty times as many examples, new ones every time. */
import fastCheck from "../../../node_modules/fast-check/lib/fast-check.js";

const TIMES = 20;
/** What fast-check draws when it is not told. */
const USUAL = 100;

const assert: typeof fastCheck.assert = ((property: never, parameters: { numRuns?: number } = {}) =>
  fastCheck.assert(property, {
    ...parameters,
    numRuns: TIMES * (parameters.numRuns ?? USUAL),
  })) as typeof fastCheck.assert;

export default { ...fastCheck, assert };
