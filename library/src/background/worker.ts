/**
 * The script of a worker: `import "argmax/worker";` is all that one needs.
 *
 * No `await` at the top level: bundlers that write workers as classic scripts do not support it.
 */
import { listenToAll } from "./listen-to-all.js";

void listenToAll();
