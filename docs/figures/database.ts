import { colours, grey, Plane, type Point } from "./plane.js";

/** The figure of docs/guide/database-growth.md. */

/** Seconds and peak memory (MB) by rows (millions), as `node bench/dist/database/main.js --alone` has measured them. */
const measured = {
  "k-means": [
    [5, 5.8, 340],
    [20, 22.2, 366],
    [40, 44.8, 405],
  ],
  "logistic regression": [
    [5, 4.5, 305],
    [20, 17.2, 319],
    [40, 33.7, 327],
  ],
  ridge: [
    [5, 3.2, 199],
    [20, 12.4, 218],
    [40, 24.3, 236],
  ],
  "naive Bayes": [
    [5, 2.2, 190],
    [20, 8.6, 219],
    [40, 17.2, 238],
  ],
} as const satisfies Record<string, readonly (readonly [rows: number, seconds: number, megabytes: number])[]>;

const MOST_ROWS = 40;
const MOST_SECONDS = 50;

/** Seconds over rows, and the largest memory in words. */
function growth(): string {
  const plane = new Plane("Seconds over millions of rows", { x: [-5, 66], y: [-7, MOST_SECONDS + 5] });
  for (const tick of [0, 10, 20, 30, 40, 50]) {
    plane.line([0, tick], [MOST_ROWS, tick], 'stroke="#ddd"');
    plane.text([-0.7, tick - 0.7], String(tick), `fill="${grey}" text-anchor="end"`);
  }
  for (const tick of [0, 10, 20, 30, 40])
    plane.text([tick, -3.5], String(tick), `fill="${grey}" text-anchor="middle"`);
  plane
    .text([MOST_ROWS + 2, -3.5], "million rows", `fill="${grey}"`)
    .text([-0.7, MOST_SECONDS + 2.5], "seconds", `fill="${grey}"`);
  for (const [k, [name, points]] of Object.entries(measured).entries()) {
    const colour = colours[k]!;
    const places = points.map(([rows, seconds]): Point => [rows, seconds]);
    for (const [p, place] of places.entries()) {
      plane.dot(place, 3, `fill="${colour}"`);
      if (p > 0) plane.line(places[p - 1]!, place, `stroke="${colour}" stroke-width="2"`);
    }
    const [x, y] = places.at(-1)!;
    const memory = points.reduce((most, [, , megabytes]) => Math.max(most, megabytes), 0);
    plane.text([x + 0.8, y - 0.7], `${name}, ${memory} MB`, `fill="${colour}"`);
  }
  return plane.toString();
}

export const figures = { "database-growth.svg": growth };
