// Pointer, wheel and keyboard control of a plot. The plot supplies the view; positions are pixels from its left edge, ranges
// are in axis coordinates (exponents on a logarithmic axis).

const CLICK_DISTANCE = 4;
const WHEEL_STEP = 0.0018;

/**
 * `view`: { area (element), plot (uPlot's overlay element), wheelNeedsKey, width(), range(), full(), setRange([from, to] | null),
 * setCursor(position | null), cursor(), stepCursor(direction, large), seek(position), brush([left, right] | null) }.
 * Returns a function that removes all listeners.
 */
export function interact(view) {
  const listeners = new AbortController();
  const { area, plot } = view;
  const on = (target, type, listener, options = {}) => {
    target.addEventListener(type, listener, { ...options, signal: listeners.signal });
  };
  let drag = null;

  const position = (event) => event.clientX - plot.getBoundingClientRect().left;
  const clamped = (x) => Math.min(view.width(), Math.max(0, x));
  const toAxis = (x) => {
    const [from, to] = view.range();
    return from + (x / view.width()) * (to - from);
  };

  on(area, "pointerdown", (event) => {
    if (event.button !== 0) return;
    const box = plot.getBoundingClientRect();
    const inside = event.clientX >= box.left && event.clientX <= box.right;
    if (!inside || event.clientY < box.top) return;
    const onAxis = event.clientY > box.bottom;
    drag = { x: position(event), range: view.range(), pan: event.shiftKey || onAxis, axis: onAxis, moved: false };
    area.setPointerCapture(event.pointerId);
    area.focus({ preventScroll: true });
    event.preventDefault();
  });

  on(area, "pointermove", (event) => {
    const x = position(event);
    if (!drag) {
      const box = plot.getBoundingClientRect();
      const inside = x >= 0 && x <= box.width && event.clientY >= box.top && event.clientY <= box.bottom;
      view.setCursor(inside ? toAxis(x) : null);
      return;
    }
    if (Math.abs(x - drag.x) >= CLICK_DISTANCE) drag.moved = true;
    if (!drag.moved) return;
    area.classList.toggle("chart-panning", drag.pan);
    if (drag.pan) {
      const [from, to] = drag.range;
      const shift = ((drag.x - x) / view.width()) * (to - from);
      view.setRange(kept([from + shift, to + shift], view.full()));
    } else {
      view.brush([Math.min(clamped(drag.x), clamped(x)), Math.max(clamped(drag.x), clamped(x))]);
      view.setCursor(toAxis(clamped(x)));
    }
  });

  const finish = (event) => {
    if (!drag) return;
    const { moved, pan, axis, x: start } = drag;
    drag = null;
    view.brush(null);
    area.classList.remove("chart-panning");
    if (event.type === "pointercancel") return;
    const end = position(event);
    if (moved && !pan) {
      view.setRange(ordered(toAxis(clamped(start)), toAxis(clamped(end))));
    } else if (!moved && !axis && !event.shiftKey) {
      view.seek(toAxis(clamped(end)));
    }
  };
  on(area, "pointerup", finish);
  on(area, "pointercancel", finish);
  on(area, "pointerleave", () => { if (!drag) view.setCursor(null); });
  on(area, "dblclick", () => view.setRange(null));

  on(area, "wheel", (event) => {
    if (view.wheelNeedsKey && !event.ctrlKey && !event.metaKey) return;
    const pixels = event.deltaMode === 1 ? 16 : 1;
    const range = view.range();
    const span = range[1] - range[0];
    const sideways = event.shiftKey ? event.deltaX || event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    const next = sideways !== 0
      ? kept(range.map((end) => end + (sideways * pixels / view.width()) * span), view.full())
      : zoomed(range, toAxis(clamped(position(event))), Math.exp(event.deltaY * pixels * WHEEL_STEP), view.full());
    // A wheel event that changes nothing here scrolls the page.
    if (same(next ?? view.full(), range)) return;
    event.preventDefault();
    view.setRange(next);
  }, { passive: false });

  on(area, "keydown", (event) => {
    if (event.target !== area || event.ctrlKey || event.metaKey) return;
    const range = view.range();
    const span = range[1] - range[0];
    const centre = view.cursor() ?? (range[0] + range[1]) / 2;
    const pan = (share) => view.setRange(kept(range.map((end) => end + share * span), view.full()));
    const actions = {
      ArrowLeft: () => (event.altKey ? view.stepCursor(-1, event.shiftKey) : pan(event.shiftKey ? -0.5 : -0.1)),
      ArrowRight: () => (event.altKey ? view.stepCursor(1, event.shiftKey) : pan(event.shiftKey ? 0.5 : 0.1)),
      "+": () => view.setRange(zoomed(range, centre, 1 / 1.5, view.full())),
      "-": () => view.setRange(zoomed(range, centre, 1.5, view.full())),
      "0": () => view.setRange(null),
      Escape: () => view.setCursor(null),
      Enter: () => { if (view.cursor() !== null) view.seek(view.cursor()); },
    };
    actions["="] = actions["+"];
    actions["−"] = actions["-"];
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  return () => listeners.abort();
}

/** The range after zooming by `factor` around `centre`; null if it covers everything. */
export function zoomed([from, to], centre, factor, full) {
  const next = [centre - (centre - from) * factor, centre + (to - centre) * factor];
  if (next[1] - next[0] >= (full[1] - full[0]) * (1 - 1e-9)) return null;
  return kept(next, full);
}

/** A range of the same width moved inside the full range; null if it covers everything. */
export function kept([from, to], full) {
  const span = to - from;
  if (span >= (full[1] - full[0]) * (1 - 1e-9)) return null;
  if (from < full[0]) return [full[0], full[0] + span];
  if (to > full[1]) return [full[1] - span, full[1]];
  return [from, to];
}

function ordered(a, b) {
  return a < b ? [a, b] : [b, a];
}

function same(a, b) {
  const slack = 1e-9 * (b[1] - b[0]);
  return Math.abs(a[0] - b[0]) <= slack && Math.abs(a[1] - b[1]) <= slack;
}
