import { cos, sin } from "../../core/numbers/elementary.js";
import { Random } from "../../core/numbers/random.js";
import { flag, integer, type Params, randomState, readParams, real } from "../../core/params/params.js";
import { type ClassSample, finish, spread } from "./sample.js";

const common = {
  nSamples: integer({ atLeast: 1, default: 100, doc: "Points in all." }),
  noise: real({
    atLeast: 0,
    default: 0,
    doc: "Standard deviation of the Gaussian noise added to the points.",
  }),
  shuffle: flag({ default: true, doc: "Put the points in random order." }),
  randomState: randomState(),
};

export const makeMoonsParams = common;

/** Two interleaved half circles. Parity: scikit-learn's make_moons, with other random numbers. */
export function makeMoons(params: Params<typeof makeMoonsParams> = {}): ClassSample {
  const given = readParams("makeMoons", makeMoonsParams, params);
  const outer = Math.floor(given.nSamples / 2);
  const inner = given.nSamples - outer;
  const points = [...arc(outer, (t) => [cos(t), sin(t)]), ...arc(inner, (t) => [1 - cos(t), 0.5 - sin(t)])];
  const labels = points.map((_, i) => (i < outer ? 0 : 1));
  return finish(new Random(given.randomState), points, labels, given);
}

/** n points for t from 0 to π, ends included. */
function arc(n: number, at: (t: number) => number[]): number[][] {
  return Array.from({ length: n }, (_, i) => at(n > 1 ? (Math.PI * i) / (n - 1) : 0));
}

export const makeCirclesParams = {
  ...common,
  factor: real({
    atLeast: 0,
    below: 1,
    default: 0.8,
    doc: "Radius of the inner circle; the outer has radius 1.",
  }),
};

/** A circle (class 0) around a smaller one (class 1). Parity: scikit-learn's make_circles, with other random numbers. */
export function makeCircles(params: Params<typeof makeCirclesParams> = {}): ClassSample {
  const given = readParams("makeCircles", makeCirclesParams, params);
  const outer = Math.floor(given.nSamples / 2);
  const points = [...circle(outer, 1), ...circle(given.nSamples - outer, given.factor)];
  const labels = points.map((_, i) => (i < outer ? 0 : 1));
  return finish(new Random(given.randomState), points, labels, given);
}

function circle(n: number, radius: number): number[][] {
  return Array.from({ length: n }, (_, i) => {
    const t = (2 * Math.PI * i) / n;
    return [radius * cos(t), radius * sin(t)];
  });
}

export const makeSpiralsParams = {
  ...common,
  nClasses: integer({ atLeast: 1, atMost: 100, default: 2, doc: "Arms of the spiral, one per class." }),
  turns: real({ above: 0, atMost: 100, default: 1.5, doc: "Times that each arm winds around the origin." }),
};

/** Archimedean spirals from the origin to the unit circle, one arm a class. */
export function makeSpirals(params: Params<typeof makeSpiralsParams> = {}): ClassSample {
  const given = readParams("makeSpirals", makeSpiralsParams, params);
  const points: number[][] = [];
  const labels: number[] = [];
  for (const [k, size] of spread(given.nSamples, given.nClasses).entries()) {
    for (let i = 0; i < size; i++) {
      const radius = (i + 1) / size;
      const angle = 2 * Math.PI * (given.turns * radius + k / given.nClasses);
      points.push([radius * cos(angle), radius * sin(angle)]);
      labels.push(k);
    }
  }
  return finish(new Random(given.randomState), points, labels, given);
}

export const makeXorParams = common;

/**
 * Points spread evenly over the square [−1, 1]²; class 1 where exactly one coordinate is positive. Each quadrant
 * holds a quarter of them. Noise moves the points after they have got their class.
 */
export function makeXor(params: Params<typeof makeXorParams> = {}): ClassSample {
  const given = readParams("makeXor", makeXorParams, params);
  const random = new Random(given.randomState);
  const points: number[][] = [];
  const labels: number[] = [];
  for (const [quadrant, size] of spread(given.nSamples, 4).entries()) {
    const right = quadrant & 1;
    const upper = quadrant >> 1;
    for (let i = 0; i < size; i++) {
      // 1 − u is in (0, 1]: no point lies on the axes.
      const x = 1 - random.uniform();
      const y = 1 - random.uniform();
      points.push([right ? x : -x, upper ? y : -y]);
      labels.push(right ^ upper);
    }
  }
  return finish(random, points, labels, given);
}
