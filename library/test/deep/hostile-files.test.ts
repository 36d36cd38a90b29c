/** The suites of forged and mutated model files: all forgeries, and a hundred times as many mutations as every day. */
import "../properties/hostile-files.test.js";
import "../properties/mutated-files.test.js";
