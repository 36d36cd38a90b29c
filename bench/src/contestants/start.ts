/** Import and first prediction of a fresh process: before the clock starts, only what the clock needs is imported. */
const started = performance.now();
const { readFileSync } = await import("node:fs");
const { loadClassifier } = await import("argmax");
const [model, row] = process.argv.slice(2) as [string, string];
const prediction = loadClassifier(readFileSync(model)).predict([JSON.parse(row) as number[]]);
const seconds = (performance.now() - started) / 1000;
process.stdout.write(`${JSON.stringify({ seconds, prediction: Number(prediction[0]) })}\n`);

export {};
