import { colours, grey, Plane, type Point } from "./plane.js";

/** The figure of docs/guide/database-growth.md. */

/** Seconds and peak memory (MB) by rows (millions), as `node bench/dist/database/main.js --alone` has measured them. */
const measured = {
  "logistic regression": [
    [5, 13.9, 286],
  ],
} as const satisfies Record<string, readonly (readonly [rows: number, seconds: number, megabytes: number])[]>;

const MOST_ROWS = 40;
const MOST_SECONDS = 300;

/** Seconds over rows, and the largest memory in words. */
function growth(): string {
  const plane = new Plane("Seconds over millions of rows", { x: [-5, 56], y: [-40, MOST_SECONDS + 30] });
  for (const tick of [0, 100, 200, 300]) {
    plane.line([0, tick], [MOST_ROWS, tick], 'stroke="#ddd"');
    plane.text([-0.7, tick - 4], String(tick), `fill="${grey}" text-anchor="end"`);
  }
  for (const tick of [0, 10, 20, 30, 40])
    plane.text([tick, -22], String(tick), `fill="${grey}" text-anchor="middle"`);
  plane
    .text([MOST_ROWS + 2, -22], "million rows", `fill="${grey}"`)
    .text([-0.7, MOST_SECONDS + 14], "seconds", `fill="${grey}"`);
  for (const [k, [name, points]] of Object.entries(measured).entries()) {
    const colour = colours[k]!;
    const places = points.map(([rows, seconds]): Point => [rows, seconds]);
    for (const [p, place] of places.entries()) {
      plane.dot(place, 3, `fill="${colour}"`);
      if (p > 0) plane.line(places[p - 1]!, place, `stroke="${colour}" stroke-width="2"`);
    }
    const [x, y] = places.at(-1)!;
    const memory = points.reduce((most, [, , megabytes]) => Math.max(most, megabytes), 0);
    plane.text([x + 0.8, y - 4], `${name}, ${memory} MB`, `fill="${colour}"`);
  }
  return plane.toString();
}

export const figures = { "database-growth.svg": growth };
