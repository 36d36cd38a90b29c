export function ShipScreen() {
  return <h1>Ship</h1>;
}
