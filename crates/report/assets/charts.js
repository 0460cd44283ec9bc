// Time axes. Charts with the same axis are zoomed together. Coordinates in drawings have one decimal place, which limits the magnification.
const DEEPEST = 50, axes = new Map();
const axisOf = text => {
  const full = text.split(" ").map(Number), [low, high] = full, charts = [];
  const axis = { full, charts, view: full, zoomed: () => axis.view !== full };
  let pending = 0;
  const draw = () => { pending = 0; for (const chart of charts) chart(axis.view); if (keyed) keyed(); };
  // Shows a range, shifted to lie within the axis. Drawing is deferred to the next frame.
  axis.show = (from, to) => {
    const span = Math.min(high - low, Math.max(to - from, (high - low) / DEEPEST)), start = Math.min(Math.max(low, from), high - span);
    axis.view = span > (high - low) * .9999 ? full : [start, start + span];
    pending = pending || requestAnimationFrame(draw);
  };
  axis.shift = by => axis.show(axis.view[0] + by, axis.view[1] + by);
  axis.scale = (factor, at) => {
    const [from, to] = axis.view, span = Math.min(high - low, Math.max((to - from) * factor, (high - low) / DEEPEST));
    const start = at - (at - from) / (to - from) * span;
    axis.show(start, start + span);
  };
  axis.reveal = at => {
    const [from, to] = axis.view, edge = (to - from) * .1;
    if (at < from) axis.shift(at - edge - from);
    if (at > to) axis.shift(at + edge - to);
  };
  return axis;
};
// Printed pages show the whole axis.
addEventListener("beforeprint", () => axes.forEach(axis => axis.charts.forEach(chart => chart(axis.full))));
addEventListener("afterprint", () => axes.forEach(axis => axis.charts.forEach(chart => chart(axis.view))));

const pen = document.createElement("canvas").getContext("2d"), sans = getComputedStyle(root).getPropertyValue("--sans");
const breadth = (text, size) => { pen.font = `${size}px ${sans}`; return pen.measureText(text).width; };
const short = v => Math.round(v * 10) / 10;
// Ticks at round numbers, like those of the report.
const ticksOf = ([from, to], wanted) => {
  const most = Math.max(Math.abs(from), Math.abs(to)), list = prefixes.s;
  const [factor, unit] = list.find(p => Number(most.toPrecision(3)) >= p[0] * (1 - 1e-9)) || list[list.length - 1];
  const rough = (to - from) / factor / wanted, power = 10 ** Math.floor(Math.log10(rough)), step = power * [1, 2, 5, 10].find(d => d * power >= rough * (1 - 1e-9));
  const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))), ticks = [];
  for (let i = Math.ceil(from / factor / step - 1e-9); i <= to / factor / step + 1e-9; i++) {
    const [whole, rest] = Math.abs(i * step).toFixed(decimals).split("."), tail = (rest || "").replace(/0+$/, "");
    ticks.push({ at: i * step * factor, text: (i < 0 ? "−" : "") + (whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole) + (tail && "." + tail) });
  }
  return { ticks, unit };
};

// Redraws a drawing for part of its time axis: moves the marks, and replaces ticks and labels by copies. Returns the number of points.
const stretch = (svg, view, full, label) => {
  const [left, , right] = svg.dataset.plot.split(" ").map(Number), marks = svg.querySelector(".marks"), whole = view === full;
  const place = t => left + (t - view[0]) / (view[1] - view[0]) * (right - left);
  const factor = (full[1] - full[0]) / (view[1] - view[0]), moved = x => short(place(full[0]) + (x - left) * factor);
  svg.querySelectorAll(".part").forEach(one => one.remove());
  svg.parts = svg.parts || [...marks.querySelectorAll("path, circle")].map(one => [one, one.hasAttribute("d") ? "d" : "cx"]).map(([one, key]) => [one, key, one.getAttribute(key)]);
  let points = 0;
  for (const [one, key, text] of svg.parts) {
    let count = 0;
    const shift = (_, command, x) => { const to = moved(x); if (command !== "H" && to >= left && to <= right) count += 1; return command + to; };
    one.setAttribute(key, whole ? text : text.replace(key === "d" ? /([MLH])(-?[\d.]+)/g : /()(.+)/, shift));
    // An area has an upper and a lower edge.
    points = Math.max(points, one.getAttribute("fill") === "none" ? count : count >> 1);
  }
  const timed = svg.querySelectorAll(".time");
  if (whole) {
    marks.removeAttribute("clip-path");
    timed.forEach(one => one.removeAttribute("display"));
    return 0;
  }
  const id = svg.id || (svg.id = `drawing-${++stretch.count}`);
  make("rect", make("clipPath", svg, { id: id + "-part", class: "part" }), { x: left, y: 0, width: right - left, height: svg.viewBox.baseVal.height });
  marks.setAttribute("clip-path", `url(#${id}-part)`);
  const rows = [...new Set([...svg.querySelectorAll(".time.event text")].map(one => Number(one.getAttribute("y"))))].sort((a, b) => a - b), ends = rows.map(() => left);
  for (const one of timed) {
    one.setAttribute("display", "none");
    const copy = one.cloneNode(true), text = copy.querySelector("text"), at = Number(copy.dataset.at), x = short(place(at));
    copy.setAttribute("class", one.matches(".event") ? "part event" : "part");
    for (const key of ["display", "visibility"]) copy.removeAttribute(key);
    if (one.matches(".ticks")) drawTicks(copy, svg, view, place);
    else if (one.matches(".caption")) text.textContent = `${label} (${ticksOf(view, 10).unit})`;
    else if (one.matches(".unmeasured")) {
      const width = Math.min(x, right) - left;
      if (width < 1 || text && width < breadth(text.textContent, text.getAttribute("font-size")) + 8) continue;
      if (text) text.setAttribute("x", short(left + width / 2)); else copy.firstChild.setAttribute("width", short(width));
    } else if (at < view[0] || at > view[1]) continue;
    else plant(copy, text, x, right, rows, ends);
    one.after(copy);
  }
  return points;
};
stretch.count = 0;
const drawTicks = (group, svg, view, place) => {
  const line = group.querySelector("line"), text = group.querySelector("text"), size = text.getAttribute("font-size"), edge = svg.viewBox.baseVal.width;
  const half = one => breadth(one.text, size) / 2;
  let wanted = 10, { ticks } = ticksOf(view, wanted);
  while (wanted > 2 && ticks.some((one, i) => i && half(one) + half(ticks[i - 1]) + 8 > place(one.at) - place(ticks[i - 1].at))) ({ ticks } = ticksOf(view, --wanted));
  group.textContent = "";
  for (const one of ticks) {
    const stroke = group.appendChild(line.cloneNode()), words = group.appendChild(text.cloneNode()), x = place(one.at);
    for (const key of ["x1", "x2"]) stroke.setAttribute(key, short(x));
    words.setAttribute("x", short(Math.max(half(one), Math.min(x, edge - half(one) - 1))));
    words.textContent = one.text;
  }
};
// Moves a line with its label. Labels of events are placed in rows; a label without space is removed.
const plant = (group, text, x, right, rows, ends) => {
  const gap = Number(group.dataset.gap), line = group.querySelector("line"), arrow = group.querySelector("path");
  if (line) for (const key of ["x1", "x2"]) line.setAttribute(key, x);
  if (arrow) arrow.setAttribute("d", arrow.getAttribute("d").replace(/^M[\d.-]+/, "M" + x));
  if (!text) return;
  if (text.getAttribute("text-anchor") === "middle") return text.setAttribute("x", x);
  const width = breadth(text.textContent, text.getAttribute("font-size")) + gap + 3, after = x + width <= right;
  text.setAttribute("text-anchor", after ? "start" : "end");
  text.setAttribute("x", after ? x + gap : x - gap);
  if (!group.matches(".event")) return;
  const from = after ? x : x - width, row = ends.findIndex(end => from >= end - .5);
  if (row < 0) return text.remove();
  ends[row] = from + width + 8;
  line.setAttribute("y1", Number(line.getAttribute("y1")) + rows[row] - text.getAttribute("y"));
  text.setAttribute("y", rows[row]);
};

// Zooming a chart: brush, wheel, pinch, keys and a button.
const zooming = (plot, axis, { load, scale, drawing, hide, reading }) => {
  const bar = document.createElement("div"), note = document.createElement("span"), reset = document.createElement("button");
  bar.className = "zoom";
  bar.hidden = true;
  note.title = "Points drawn in this range";
  reset.type = "button";
  reset.textContent = "Reset";
  reset.setAttribute("aria-label", "Show the whole time axis");
  bar.append(note, reset);
  plot.append(bar);
  // An element with the role of an image could not contain a button.
  plot.setAttribute("role", "group");
  plot.setAttribute("aria-keyshortcuts", "Plus - 0 Shift+ArrowLeft Shift+ArrowRight");
  const all = () => { hide(); axis.show(...axis.full); };
  reset.onclick = () => { all(); plot.focus({ preventScroll: true }); };
  axis.charts.push(view => {
    const { xl } = load(), counts = [...plot.querySelectorAll("svg")].filter(svg => svg.dataset.time).map(svg => [svg, stretch(svg, view, axis.full, xl)]);
    const svg = drawing(), [, points] = counts.find(([one]) => one === svg) || counts[0];
    bar.hidden = view === axis.full;
    note.textContent = points === 1 ? "1 point" : points + " points";
  });

  const places = new Map();
  let drag = null, brush = null;
  // Position in the drawing, and the same position clamped to the axis range.
  const where = (event, s = scale(drawing())) => {
    const frame = drawing().getBoundingClientRect(), p = (event.clientX - frame.left) / frame.width * drawing().viewBox.baseVal.width;
    return { s, p, held: Math.min(Math.max(p, s.left), s.right) };
  };
  const drop = () => { if (brush) brush.remove(); drag = brush = null; plot.classList.remove("dragged"); };
  const pinch = () => {
    const [one, two] = places.values(), { s, p } = where(one), { p: q } = where(two), { ta, tb } = drag;
    if (Math.abs(q - p) < 10 || (tb - ta) * (q - p) <= 0) return;
    const span = (tb - ta) / (q - p) * (s.right - s.left), from = ta - (p - s.left) / (s.right - s.left) * span;
    axis.show(from, from + span);
  };
  plot.addEventListener("pointerdown", event => {
    if (event.button || event.target.closest(".legend, .zoom")) return;
    load();
    if (!drawing()) return;
    const { s, p, held } = where(event);
    if (event.pointerType === "touch") {
      places.set(event.pointerId, event);
      const [one, two] = places.values();
      if (two) { hide(); drag = { ta: s.back(where(one).p), tb: s.back(where(two).p) }; plot.classList.add("dragged"); }
      return;
    }
    if (p < s.left - 12 || p > s.right + 12) return;
    drag = { from: held, x: event.clientX, pan: event.shiftKey, view: axis.view, s };
    plot.setPointerCapture(event.pointerId);
  });
  plot.addEventListener("pointermove", event => {
    if (places.has(event.pointerId)) places.set(event.pointerId, event);
    if (!drag) return;
    if (drag.ta !== undefined) return pinch();
    if (!plot.matches(".dragged") && Math.abs(event.clientX - drag.x) < 4) return;
    hide();
    plot.classList.add("dragged");
    const { s, from, view } = drag, { p, held } = where(event, s), width = s.right - s.left;
    if (drag.pan) return axis.show(...view.map(t => t - (p - from) / width * (view[1] - view[0])));
    brush = brush || make("rect", drawing(), { class: "brush", y: s.top, height: s.bottom - s.top });
    brush.setAttribute("x", Math.min(from, held));
    brush.setAttribute("width", Math.abs(held - from));
  });
  plot.addEventListener("pointerup", event => {
    places.delete(event.pointerId);
    if (brush) {
      const { s, from } = drag, { held } = where(event, s);
      if (Math.abs(held - from) >= 4) axis.show(s.back(Math.min(from, held)), s.back(Math.max(from, held)));
    }
    drop();
  });
  plot.addEventListener("pointercancel", event => { places.delete(event.pointerId); drop(); });
  plot.addEventListener("selectstart", event => { if (drag) event.preventDefault(); });
  plot.addEventListener("dblclick", event => { if (!event.target.closest(".legend, .zoom")) all(); });
  // The wheel alone scrolls the page. Browsers report a pinch on a touchpad as a wheel event with Ctrl.
  plot.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    load();
    if (!drawing()) return;
    hide();
    const { s, held } = where(event), turn = event.deltaY * (event.deltaMode ? 16 : 1);
    axis.scale(Math.exp(Math.min(50, Math.max(-50, turn)) * .006), s.back(held));
  }, { passive: false });
  plot.addEventListener("keydown", event => {
    if (event.key === "Escape") drop();
    if (event.target !== plot || event.ctrlKey || event.metaKey || event.altKey) return;
    const [from, to] = axis.view, at = reading(), middle = at >= from && at <= to ? at : (from + to) / 2;
    const factor = { "+": 2 / 3, "=": 2 / 3, "-": 1.5, "_": 1.5 }[event.key], side = event.shiftKey && { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!factor && !side && event.key !== "0") return;
    event.preventDefault();
    if (factor) axis.scale(factor, middle);
    if (side) axis.shift(side * (to - from) / 4);
    if (event.key === "0") all();
    document.querySelectorAll(".zoom span[aria-live]").forEach(one => one.removeAttribute("aria-live"));
    note.setAttribute("aria-live", "polite");
  });
};

// Switches in a legend. The drawing is then no longer a single image to assistive technology: everything except the legend is hidden from it.
const switching = (plot, drawings, off, hide) => {
  const entries = [...plot.querySelectorAll(".legend [data-series]")], names = [...new Set(entries.map(one => Number(one.dataset.series)))];
  if (!entries.length) return;
  plot.setAttribute("role", "group");
  for (const svg of drawings) {
    svg.removeAttribute("aria-hidden");
    for (const one of svg.children) if (!one.matches(".legend")) one.setAttribute("aria-hidden", "true");
  }
  const paint = () => {
    hide();
    for (const one of plot.querySelectorAll("[data-series]")) one.classList.toggle("off", off.has(Number(one.dataset.series)));
    for (const one of entries) one.setAttribute("aria-pressed", !one.matches(".off"));
  };
  const flip = (series, only) => {
    const alone = names.every(one => off.has(one) === (one !== series));
    if (only) for (const one of names) if (alone || one === series) off.delete(one); else off.add(one);
    else if (!off.delete(series)) off.add(series);
    paint();
  };
  for (const one of entries) {
    const text = one.querySelector("text"), size = Number(text.getAttribute("font-size")), series = Number(one.dataset.series);
    const hit = make("rect", one, { class: "hit", x: text.getAttribute("x") - 26, y: text.getAttribute("y") - size - 2, width: breadth(text.textContent, size) + 31, height: size + 7, rx: 4 });
    make("title", hit, {}).textContent = "Hide or show this series; with Alt, show only this one";
    for (const [key, value] of Object.entries({ role: "button", tabindex: 0, "aria-label": text.textContent })) one.setAttribute(key, value);
    one.addEventListener("click", event => flip(series, event.altKey));
    one.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      flip(series, event.altKey);
    });
  }
  paint();
};

for (const plot of document.querySelectorAll(".plot")) {
  let data, current = null, cross = null;
  const drawings = [...plot.querySelectorAll("svg")], off = new Set(), range = drawings[0] && drawings[0].dataset.time;
  if (range && !axes.has(range)) axes.set(range, axisOf(range));
  const axis = axes.get(range);
  const load = () => {
    if (data) return data;
    data = JSON.parse(plot.parentElement.querySelector("script").textContent);
    data.series.forEach((s, i) => { if (!s.x) s.x = data.series[i - 1].x; });
    data.series.forEach((s, i) => { s.g = s.g ?? i; });
    data.series = data.series.filter(s => s.x.length);
    return data;
  };
  const shown = () => data.series.filter(s => !off.has(s.g)), longest = () => shown().reduce((a, b) => b.x.length > a.x.length ? b : a);
  const drawing = () => drawn(plot);
  const scale = (svg) => {
    const [left, top, right, bottom] = svg.dataset.plot.split(" ").map(Number), [, , y0, y1] = data.range, [x0, x1] = axis ? axis.view : data.range;
    const share = data.log ? x => Math.log(x / x0) / Math.log(x1 / x0) : x => (x - x0) / (x1 - x0);
    const value = data.log ? t => x0 * Math.pow(x1 / x0, t) : t => x0 + t * (x1 - x0);
    return { left, top, right, bottom, x: v => left + Math.min(1, Math.max(0, share(v))) * (right - left), free: v => left + share(v) * (right - left), y: v => bottom - (v - y0) / (y1 - y0) * (bottom - top), back: p => value((p - left) / (right - left)) };
  };
  const hide = () => { keyed = null; if (cross) cross.remove(); cross = null; current = null; tip.hidden = true; };
  const show = (x, pointer) => {
    const svg = drawing();
    if (!svg || !shown().length) return hide();
    const s = scale(svg), main = longest(), [low, high] = axis && axis.zoomed() ? axis.view : [-Infinity, Infinity], within = x => x >= low && x <= high;
    let index = nearest(main.x, x);
    index += main.x[index] < low ? 1 : main.x[index] > high ? -1 : 0;
    const at = main.x[index];
    if (!within(at)) return hide();
    current = { series: main, index };
    if (cross) cross.remove();
    cross = make("g", svg, { class: "cross" });
    make("line", cross, { x1: s.x(at), x2: s.x(at), y1: s.top, y2: s.bottom });
    tip.textContent = "";
    const head = document.createElement("b");
    head.textContent = data.names ? data.names[at] : (data.xl ? data.xl + " " : "") + quantity(at, data.x, 5);
    tip.append(head);
    for (const one of shown()) {
      const i = nearest(one.x, at), y = one.y[i], t = one.t && one.t[i];
      const box = line(one.c, one.n, one.t ? quantity(y, data.y, 3) + " – " + quantity(t, data.y, 3) : quantity(y, data.y));
      if (one.t) box.style.opacity = .4;
      if (!one.t && !data.names && y !== null && within(one.x[i])) {
        const dot = make("circle", cross, { cx: s.x(one.x[i]), cy: Math.max(s.top, Math.min(s.bottom, s.y(y))), r: 4 });
        dot.style.fill = one.c;
      }
    }
    const frame = svg.getBoundingClientRect(), factor = frame.width / svg.viewBox.baseVal.width;
    placeTip(frame.left + s.x(at) * factor, pointer === undefined ? frame.top + s.top * factor : pointer);
  };
  // In a plane: all visible points, in the order of the curves.
  const places = svg => {
    const s = scale(svg), found = [];
    data.series.forEach((one, series) => one.x.forEach((x, index) => {
      const y = one.y[index];
      if (x === null || y === null) return;
      const px = s.free(x), py = s.y(y);
      if (px >= s.left - 1 && px <= s.right + 1 && py >= s.top - 1 && py <= s.bottom + 1) found.push({ px, py, series, index });
    }));
    return found;
  };
  const showPoint = (point, pointer) => {
    const svg = drawing();
    if (!svg || !point) return;
    const one = data.series[point.series];
    current = point;
    if (cross) cross.remove();
    cross = make("g", svg, { class: "cross" });
    make("circle", cross, { cx: point.px, cy: point.py, r: 5 }).style.fill = one.c;
    tip.textContent = "";
    const head = document.createElement("b");
    head.textContent = one.n;
    tip.append(head);
    if (one.a) line(null, one.a.l, quantity(one.a.v[point.index], one.a.u));
    line(null, data.xl, quantity(one.x[point.index], data.x));
    line(null, data.yl, quantity(one.y[point.index], data.y));
    const frame = svg.getBoundingClientRect(), factor = frame.width / svg.viewBox.baseVal.width;
    placeTip(frame.left + point.px * factor, pointer === undefined ? frame.top + point.py * factor : pointer);
  };
  // The left and right keys move along a curve, up and down to another curve.
  const stepTo = (key, steps) => {
    const svg = drawing(), all = svg ? places(svg) : [];
    if (!all.length) return;
    const here = current ? all.findIndex(p => p.series === current.series && p.index === current.index) : -1;
    let next = all[Math.min(Math.max(0, here + steps), all.length - 1)];
    if (current && (key === "ArrowUp" || key === "ArrowDown")) {
      const series = [...new Set(all.map(p => p.series))], at = series.indexOf(current.series) + (key === "ArrowUp" ? 1 : -1);
      next = all.find(p => p.series === series[(at + series.length) % series.length]);
    }
    keyed = () => showPoint(next);
    keyed();
  };
  const move = event => {
    load();
    const svg = drawing();
    if (!svg || event.buttons && plot.matches(".dragged")) return;
    if (event.target.closest(".legend, .zoom")) return hide();
    if (data.yl !== undefined) {
      const frame = svg.getBoundingClientRect(), factor = svg.viewBox.baseVal.width / frame.width;
      keyed = null;
      return showPoint(closest(places(svg), (event.clientX - frame.left) * factor, (event.clientY - frame.top) * factor), event.clientY);
    }
    const frame = svg.getBoundingClientRect(), s = scale(svg), p = (event.clientX - frame.left) / frame.width * svg.viewBox.baseVal.width;
    if (p < s.left - 12 || p > s.right + 12) return hide();
    keyed = null;
    show(s.back(Math.min(Math.max(p, s.left), s.right)), event.clientY);
  };
  plot.addEventListener("pointermove", move);
  plot.addEventListener("pointerdown", move);
  plot.addEventListener("pointerleave", hide);
  plot.addEventListener("blur", hide);
  plot.addEventListener("keydown", event => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageDown: -20, PageUp: 20, Home: -1e9, End: 1e9 }[event.key];
    const across = event.key === "ArrowUp" || event.key === "ArrowDown";
    if (event.target !== plot) return;
    if (event.key === "Escape") return hide();
    if (event.shiftKey && steps && axis) return;
    if (!steps && !(across && load().yl !== undefined)) return;
    event.preventDefault();
    load();
    if (!shown().length) return;
    if (data.yl !== undefined) return stepTo(event.key, steps || 0);
    const { series, index } = current || edge(steps);
    const x = series.x[Math.min(Math.max(0, index + steps), series.x.length - 1)];
    if (axis) axis.reveal(x);
    keyed = () => show(x);
    keyed();
  });
  // Keyboard navigation starts at the edge of the visible part.
  const edge = steps => {
    const series = longest(), [from, to] = axis && axis.zoomed() ? axis.view : [-Infinity, Infinity];
    const before = series.x.findLastIndex(x => x < from), after = series.x.findIndex(x => x > to);
    return { series, index: steps > 0 ? before : after < 0 ? series.x.length : after };
  };
  if (axis) zooming(plot, axis, { load, scale, drawing, hide, reading: () => current && current.series.x[current.index] });
  switching(plot, drawings, off, hide);
}
// The first chart is followed by a hint.
const first = document.querySelector("svg[data-time]");
if (first) {
  const hint = document.createElement("p");
  hint.className = "note hint";
  hint.textContent = "Drag across a chart to zoom into its time axis." + (document.querySelector(".legend") ? " Click a name in a legend to hide or show its series." : "");
  first.closest(".figures").after(hint);
}
