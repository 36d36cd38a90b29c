/**
 * The only file that contains `import.meta`, loaded only when a worker is started: test runners that convert modules to CommonJS
 * keep the expression, which is a syntax error there.
 */
export const here: string = import.meta.url;

/** Bundlers recognise this expression only as a whole. */
export const startWebWorker = (): Worker =>
  new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
