export function DataScreen() {
  return <h1>Data</h1>;
}
