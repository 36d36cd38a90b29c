export function EvaluateScreen() {
  return <h1>Evaluate</h1>;
}
