export function InspectScreen() {
  return <h1>Inspect</h1>;
}
