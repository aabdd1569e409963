/**
 * Where the nodes of a map stand: related ones draw each other near, all push each other off, and what is related to
 * none stands in rows below. There is no chance in it: the same map in the same window always gets the same places.
 */

const STEPS = 260; // by then hardly anything moves any more
const REACH = 520; // how far apart two nodes no longer push each other off
const PUSH = 150;
const PULL = 0.055; // towards the middle
const FEW = 50;
const LENGTH = 26; // of a relation, beside the nodes at its ends
const DRAG = 0.62;
const APART = 7; // the least space between two nodes
const ROW = 30;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/**
 * Return a layout of nodes of these radii, `ties` being pairs of places in `radii`, in a window `aspect` times as wide
 * as high: their places (`x`, `y`), and `step()`, which moves all once and returns whether there is more to do. A step
 * takes a millisecond for 500 nodes.
 */
export function layout(radii, ties, aspect = 1.6) {
  const count = radii.length;
  const degrees = new Float64Array(count);
  for (const end of ties.flat()) degrees[end] += 1;
  const related = [...radii.keys()].filter((at) => degrees[at]);
  const [x, y, moveX, moveY] = Array.from({ length: 4 }, () => new Float64Array(count));
  const field = { x, y, moveX, moveY, radii, ties, degrees, related, aspect };
  start(field);
  let done = 0;
  const step = () => {
    const heat = 1 - done / STEPS;
    attract(field, heat);
    repel(field, heat);
    move(field, heat);
    shelve(field);
    done += 1;
    return done < STEPS;
  };
  shelve(field);
  if (!related.length) done = STEPS;
  return { x, y, step: () => done < STEPS && step() };
}

/** Begin on a spiral, the best related in the middle. */
function start({ x, y, related, degrees, aspect }) {
  const ranked = related.toSorted((a, b) => degrees[b] - degrees[a] || a - b);
  for (const [place, at] of ranked.entries()) {
    const far = 24 * Math.sqrt(place + 0.5);
    x[at] = far * Math.cos(place * GOLDEN) * Math.sqrt(aspect);
    y[at] = (far * Math.sin(place * GOLDEN)) / Math.sqrt(aspect);
  }
}

/** Draw the ends of each relation to its length; of two the less related one gives way. */
function attract({ x, y, moveX, moveY, radii, ties, degrees }, heat) {
  for (const [one, other] of ties) {
    const dx = x[other] + moveX[other] - x[one] - moveX[one] || 0.01;
    const dy = y[other] + moveY[other] - y[one] - moveY[one] || 0.01;
    const far = Math.hypot(dx, dy);
    const firm = (heat * (far - LENGTH - radii[one] - radii[other])) / far / Math.min(degrees[one], degrees[other]);
    const share = degrees[one] / (degrees[one] + degrees[other]);
    moveX[other] -= dx * firm * share;
    moveY[other] -= dy * firm * share;
    moveX[one] += dx * firm * (1 - share);
    moveY[one] += dy * firm * (1 - share);
  }
}

/**
 * Have all push each other off. The better related a node, the less it gives way, as in `attract`: else what hangs on a
 * hub would push it off for good while the hub draws it after itself, and both would run out of the window.
 */
function repel({ x, y, moveX, moveY, radii, related, degrees }, heat) {
  const weights = related.map((at) => 0.6 + Math.sqrt(degrees[at]) / 2.5);
  for (let i = 0; i < related.length; i += 1) {
    const one = related[i];
    for (let j = i + 1; j < related.length; j += 1) {
      const other = related[j];
      const dx = x[other] - x[one] || (i - j) * 0.01;
      const dy = y[other] - y[one] || 0.01;
      const square = Math.max(dx * dx + dy * dy, 30);
      if (square > REACH * REACH) continue;
      const force = (PUSH * heat * weights[i] * weights[j]) / square;
      const near = radii[one] + radii[other] + APART;
      const narrow = square < near * near ? (0.8 * (near - Math.sqrt(square))) / Math.sqrt(square) : 0;
      const share = degrees[one] / (degrees[one] + degrees[other]);
      const [there, back] = [force / degrees[other] + narrow * share, force / degrees[one] + narrow * (1 - share)];
      moveX[other] += dx * there;
      moveY[other] += dy * there;
      moveX[one] -= dx * back;
      moveY[one] -= dy * back;
    }
  }
}

function move({ x, y, moveX, moveY, related, aspect }, heat) {
  const pull = PULL * heat * (1 + FEW / related.length); // a few that are far apart would leave most of the window empty
  for (const at of related) {
    moveX[at] = (moveX[at] - (x[at] * pull) / aspect) * DRAG;
    moveY[at] = (moveY[at] - y[at] * pull * aspect) * DRAG;
    x[at] += moveX[at];
    y[at] += moveY[at];
  }
}

/** Put what is related to none in rows below the others, as wide as these. */
function shelve({ x, y, radii, related, degrees, aspect }) {
  const alone = [...radii.keys()].filter((at) => !degrees[at]);
  const xs = related.map((at) => x[at]);
  const [left, right] = [Math.min(0, ...xs), Math.max(0, ...xs)];
  const below = related.length ? Math.max(...related.map((at) => y[at] + radii[at])) + 3 * ROW : 0;
  const wide = Math.max(right - left, Math.ceil(Math.sqrt(alone.length * aspect)) * ROW);
  const row = Math.max(1, Math.floor(wide / ROW));
  for (const [place, at] of alone.entries()) {
    const inRow = Math.min(row, alone.length - Math.floor(place / row) * row);
    x[at] = (left + right) / 2 + ((place % row) - (inRow - 1) / 2) * ROW;
    y[at] = below + Math.floor(place / row) * ROW;
  }
}
