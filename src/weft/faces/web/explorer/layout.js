/**
 * Where the neighbourhood of a node is drawn: the node in the middle, what leads to it on its left, what it leads to on
 * its right, each further step a column further out. The same neighbourhood always gets the same places.
 */

const COLUMN = 240;
const ROW = 38;
const ROWS_MAX = 10; // of a column beside the root; more stand in two, one behind the other
const BEHIND = 190;

/**
 * Return the places of the nodes that `kin` lists under each id as {id, side}; `side` (-1 left, 1 right, 0 either) counts
 * for those beside the root, further ones stay on the side of what they hang on. The result maps ids to {x, y}.
 */
export function placed(root, kin) {
  const places = new Map([[root, { x: 0, y: 0 }]]);
  const [left, right] = sides(kin.get(root) || []);
  for (const [side, ids] of [
    [-1, left],
    [1, right],
  ])
    column(ids, { side, kin, places });
  return places;
}

function sides(beside) {
  const left = beside.filter((each) => each.side < 0).map((each) => each.id);
  const right = beside.filter((each) => each.side > 0).map((each) => each.id);
  for (const { id } of beside.filter((each) => !each.side)) (left.length < right.length ? left : right).push(id);
  return [left, right];
}

function column(ids, { side, kin, places }) {
  const heights = ids.map((id) => height(id, kin));
  const rows = heights.reduce((sum, each) => sum + each, 0);
  const shared = rows === ids.length && rows > ROWS_MAX;
  let top = -rows / 2;
  for (const [place, id] of ids.entries()) {
    branch(id, top + heights[place] / 2, { side, depth: 1, kin, places });
    if (shared) shift(places.get(id), place % 2 ? side * BEHIND : 0);
    top += heights[place];
  }
}

/** Have a node share its row with the next: two columns are read at half the height of one. */
function shift(place, behind) {
  place.x += behind;
  place.y *= 0.6;
}

function branch(id, middle, { side, depth, kin, places }) {
  places.set(id, { x: side * depth * COLUMN, y: middle * ROW });
  const farther = (kin.get(id) || []).map((each) => each.id);
  let top = middle - height(id, kin) / 2;
  for (const each of farther) {
    const rows = height(each, kin);
    branch(each, top + rows / 2, { side, depth: depth + 1, kin, places });
    top += rows;
  }
}

/** Return how many rows a node and what hangs on it take: those of its leaves. */
function height(id, kin) {
  const farther = kin.get(id) || [];
  return farther.length ? farther.reduce((sum, each) => sum + height(each.id, kin), 0) : 1;
}
