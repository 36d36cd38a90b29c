export function LearnScreen() {
  return <h1>Learn</h1>;
}
