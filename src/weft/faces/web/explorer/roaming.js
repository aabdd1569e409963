/** Moving about a drawing: dragged, pinched, by wheel and by keys; what is pointed at is left to whoever asks. */

const CLICK = 5; // pixels that a click may waver
const STEP = 1.35;

/**
 * Have `canvas` be moved about. `ways` are `pan(dx, dy)`, `zoom(factor, x, y)` about a place of the canvas, `over(x, y)`
 * while a pointer is above it (nothing, when it has left), and `press(x, y, touched)` when a place is clicked or tapped.
 */
export function roaming(canvas, ways) {
  const fingers = new Map();
  let moved = 0;
  const at = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    if (!fingers.size) moved = 0;
    fingers.set(event.pointerId, at(event));
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const to = at(event);
    const from = fingers.get(event.pointerId);
    if (!from) return ways.over(to.x, to.y);
    const before = spread(fingers);
    fingers.set(event.pointerId, to);
    moved += Math.hypot(to.x - from.x, to.y - from.y);
    if (fingers.size === 1 && moved > CLICK) ways.pan(to.x - from.x, to.y - from.y);
    if (fingers.size === 2) pinch(before, spread(fingers), ways);
    return undefined;
  });
  const lift = (event) => {
    const from = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    if (from && event.type === "pointerup" && moved <= CLICK) ways.press(from.x, from.y, event.pointerType === "touch");
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointerleave", () => !fingers.size && ways.over());
  canvas.addEventListener("wheel", (event) => wheeled(event, at(event), ways), { passive: false });
}

function spread(fingers) {
  const [one, other = one] = [...fingers.values()];
  return { far: Math.hypot(one.x - other.x, one.y - other.y), x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

function pinch(before, after, { pan, zoom }) {
  pan(after.x - before.x, after.y - before.y);
  if (before.far && after.far) zoom(after.far / before.far, after.x, after.y);
}

/** Zoom at the pointer while Ctrl is held, as a pinch does; the wheel alone goes on scrolling the page, if there is one. */
function wheeled(event, { x, y }, { zoom }) {
  if (!event.ctrlKey && !event.metaKey && !document.fullscreenElement) return;
  event.preventDefault();
  zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) / 240), x, y);
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Return what a key does on a map: `ways` are `toward(x, y)`, `zoom(factor)`, `fit`, `open` and `leave`; or nothing. */
export function keyed({ key, ctrlKey, metaKey, altKey }, ways) {
  if (ctrlKey || metaKey || altKey) return null;
  if (Object.hasOwn(ARROWS, key)) return () => ways.toward(...ARROWS[key]);
  const others = {
    "+": () => ways.zoom(STEP),
    "=": () => ways.zoom(STEP),
    "-": () => ways.zoom(1 / STEP),
    0: ways.fit,
    Enter: ways.open,
    Escape: ways.leave,
  };
  return Object.hasOwn(others, key) ? others[key] : null;
}
