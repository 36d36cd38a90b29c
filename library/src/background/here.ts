/**
 * The only file with `import.meta` in it, and loaded only when a worker is started: test runners that turn modules into CommonJS
 * leave the expression as it is, and there it is a syntax error.
 */
export const here: string = import.meta.url;

/** Bundlers recognise this expression, and only in one piece. */
export const startWebWorker = (): Worker =>
  new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
