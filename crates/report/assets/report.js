const root = document.documentElement, byId = id => document.getElementById(id);

// Themes. Browsers may deny storage to local files.
const themes = ["auto", "light", "dark"], words = { auto: "system default", light: "light", dark: "dark" };
const button = byId("theme");
let theme = "auto";
try { theme = localStorage.getItem("setpoint-theme") || "auto"; } catch {}
const paint = () => {
  if (!themes.includes(theme)) theme = "auto";
  if (theme === "auto") root.removeAttribute("data-theme"); else root.dataset.theme = theme;
  byId("theme-name").textContent = theme[0].toUpperCase() + theme.slice(1);
  button.setAttribute("aria-label", "Colours: " + words[theme]);
};
button.hidden = false;
button.onclick = () => {
  theme = themes[(themes.indexOf(theme) + 1) % 3];
  try { localStorage.setItem("setpoint-theme", theme); } catch {}
  paint();
};
paint();

const copy = byId("copy");
if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.onclick = () => navigator.clipboard.writeText(byId("command").textContent)
    .then(() => { copy.textContent = "Copied"; setTimeout(() => { copy.textContent = "Copy"; }, 1500); }, () => {});
}
// Printing unfolds the scenario and folded figures, but not long tables.
const folded = [...document.querySelectorAll("#scenario, details.more")];
let closed = [];
addEventListener("beforeprint", () => { closed = folded.filter(one => !one.open); closed.forEach(one => { one.open = true; }); });
addEventListener("afterprint", () => closed.forEach(one => { one.open = false; }));

// Saves a figure as an SVG file: on white, with resolved colours, title and description.
const standalone = (drawing, name, title, words) => {
  const svg = drawing.cloneNode(true), [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number), top = 44, edge = 16;
  svg.querySelectorAll(".cross, .brush, .hit, .marks .off, [display=none], [visibility=hidden]").forEach(one => one.remove());
  svg.querySelectorAll("[aria-hidden], [role]").forEach(one => { for (const key of ["aria-hidden", "aria-pressed", "aria-label", "role", "tabindex"]) one.removeAttribute(key); });
  svg.querySelectorAll(".legend .off").forEach(one => { one.setAttribute("opacity", .45); one.setAttribute("text-decoration", "line-through"); });
  for (const one of ["class", "style", "aria-hidden", ...svg.getAttributeNames().filter(one => one.startsWith("data-"))]) svg.removeAttribute(one);
  const all = { xmlns: "http://www.w3.org/2000/svg", viewBox: `${-edge} ${-top} ${width + 2 * edge} ${height + top + edge}`, width: width + 2 * edge, height: height + top + edge, role: "img",
    "font-family": "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif" };
  for (const key in all) svg.setAttribute(key, all[key]);
  const put = (tag, attributes, text) => {
    const one = document.createElementNS(all.xmlns, tag);
    for (const key in attributes) one.setAttribute(key, attributes[key]);
    one.textContent = text;
    return one;
  };
  svg.prepend(put("title", {}, title), put("desc", {}, words), put("rect", { x: -edge, y: -top, width: all.width, height: all.height, fill: "#ffffff" }, ""),
    put("text", { x: 2, y: -18, "font-size": 16, "font-weight": 600, fill: "#1b2530" }, title));
  const before = root.dataset.theme;
  root.dataset.theme = "light";
  const style = getComputedStyle(root);
  const text = new XMLSerializer().serializeToString(svg).replace(/var\((--[a-z0-9-]+)\)/g, (_, key) => style.getPropertyValue(key).trim());
  if (before) root.dataset.theme = before; else delete root.dataset.theme;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  link.download = name + ".svg";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
};
for (const figure of document.querySelectorAll("figure")) {
  const drawing = figure.querySelector(".drawing svg.wide");
  if (!drawing) continue;
  const heading = figure.querySelector("h3") || figure.closest("section").querySelector("h2"), title = heading.textContent;
  const name = figure.id ? figure.id.replace("figure-", "") : figure.closest("section").id;
  const words = (figure.querySelector("[aria-label]") || figure).getAttribute("aria-label") || title;
  const save = document.createElement("button");
  save.type = "button";
  save.className = "save";
  save.textContent = "SVG";
  save.title = "Save this figure as an SVG file";
  save.setAttribute("aria-label", `Save “${title}” as an SVG file`);
  save.onclick = () => standalone(drawing, name, title, words);
  figure.prepend(save);
}

// Formats quantities in the same way as the report.
const prefixes = {
  "s": [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"], [1e-12, "ps"]],
  "b/s": [[1e12, "Tb/s"], [1e9, "Gb/s"], [1e6, "Mb/s"], [1e3, "kb/s"], [1, "b/s"]],
  "rad/s": [[1e6, "Mrad/s"], [1e3, "krad/s"], [1, "rad/s"]],
  "B": [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]],
};
const digits = (v, n) => {
  if (v === 0) return "0";
  const places = Math.min(12, Math.max(0, n - 1 - Math.floor(Math.log10(Math.abs(v)))));
  let t = Math.abs(v).toFixed(places);
  if (t.includes(".")) t = t.replace(/\.?0+$/, "");
  return (v < 0 ? "−" : "") + t;
};
const quantity = (v, unit, n = 4) => {
  if (v === null || v === undefined) return "–";
  if (unit === "%") return digits(v * 100, n) + "\u00a0%";
  const list = prefixes[unit];
  if (unit === "°") return digits(v, n) + unit;
  if (!list) return digits(v, n) + (unit === "1/s" || unit === "dB" ? "\u00a0" + unit : "");
  const size = Math.abs(v), [factor, name] = (size === 0 ? list.find(p => p[0] === 1) : list.find(p => size >= p[0] * (1 - 1e-9))) || list[list.length - 1];
  return digits(v / factor, n) + "\u00a0" + name;
};

// Tooltips.
let keyed = null;
const tip = byId("tip"), NS = "http://www.w3.org/2000/svg";
const make = (name, parent, attributes) => {
  const element = document.createElementNS(NS, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return parent.appendChild(element);
};
const nearest = (xs, x) => {
  let low = 0, high = xs.length - 1;
  while (high - low > 1) { const middle = (low + high) >> 1; if (xs[middle] <= x) low = middle; else high = middle; }
  return high > low && Math.abs(xs[high] - x) < Math.abs(xs[low] - x) ? high : low;
};

const placeTip = (px, py) => {
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect(), edge = document.documentElement.clientWidth;
  let left = px + 14;
  if (left + width > edge - 8) left = px - width - 14;
  if (left < 8) left = Math.min(Math.max(8, px - width / 2), edge - width - 8);
  tip.style.transform = `translate(${Math.round(left)}px,${Math.round(Math.min(Math.max(8, py - height - 12), innerHeight - height - 8))}px)`;
};
// The point nearest to a position, or null.
const closest = (points, x, y) => {
  let best = null, least = Infinity;
  for (const point of points) {
    const distance = Math.hypot(point.px - x, point.py - y);
    if (distance < least) { least = distance; best = point; }
  }
  return best;
};
const drawn = plot => [...plot.querySelectorAll("svg")].find(svg => svg.getClientRects().length);
const line = (colour, words, text) => {
  const row = document.createElement("div"), box = document.createElement("i"), name = document.createElement("span"), value = document.createElement("em");
  if (colour) box.style.background = colour; else box.hidden = true;
  name.textContent = words;
  value.textContent = text;
  row.append(box, name, value);
  tip.append(row);
  return box;
};

// Tooltips of heat maps. An attribute of the drawing contains the size of the cells and the corners of the panels.
for (const heat of document.querySelectorAll(".heat")) {
  let data, current = null, cross = null;
  const load = () => data = data || JSON.parse(heat.parentElement.querySelector("script").textContent);
  const places = svg => {
    const [width, height, ...corners] = svg.dataset.heat.split(" ").map(Number);
    return { width, height, panels: data.p.map((_, i) => [corners[2 * i], corners[2 * i + 1]]) };
  };
  const hide = () => { keyed = null; if (cross) cross.remove(); cross = null; current = null; tip.hidden = true; };
  const show = (cell, pointer) => {
    const svg = drawn(heat);
    if (!svg) return;
    current = cell;
    const s = places(svg), [left, top] = s.panels[cell.panel], index = cell.row * data.x.n.length + cell.column;
    const x = left + cell.column * s.width, y = top + (data.y.n.length - 1 - cell.row) * s.height;
    if (cross) cross.remove();
    cross = make("g", svg, { class: "cross" });
    for (const name of ["edge", "frame"]) make("rect", cross, { class: name, x, y, width: s.width - 1, height: s.height - 1 });
    tip.textContent = "";
    const head = document.createElement("b");
    head.textContent = data.v[cell.panel][index];
    tip.append(head);
    line(null, data.x.l, data.x.n[cell.column]);
    line(null, data.y.l, data.y.n[cell.row]);
    if (data.p[cell.panel]) line(null, data.p[cell.panel], "");
    const frame = svg.getBoundingClientRect(), factor = frame.width / svg.viewBox.baseVal.width;
    placeTip(frame.left + (x + s.width) * factor - 6, pointer === undefined ? frame.top + y * factor : pointer);
  };
  const move = event => {
    load();
    const svg = drawn(heat);
    if (!svg) return;
    const frame = svg.getBoundingClientRect(), factor = svg.viewBox.baseVal.width / frame.width, s = places(svg);
    const x = (event.clientX - frame.left) * factor, y = (event.clientY - frame.top) * factor;
    for (const [panel, [left, top]] of s.panels.entries()) {
      const column = Math.floor((x - left) / s.width), row = data.y.n.length - 1 - Math.floor((y - top) / s.height);
      if (column >= 0 && column < data.x.n.length && row >= 0 && row < data.y.n.length) {
        keyed = null;
        return show({ panel, row, column }, event.clientY);
      }
    }
    hide();
  };
  heat.addEventListener("pointermove", move);
  heat.addEventListener("pointerdown", move);
  heat.addEventListener("pointerleave", hide);
  heat.addEventListener("blur", hide);
  heat.addEventListener("keydown", event => {
    const [across, up] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] || [0, 0];
    if (event.key === "Escape") return hide();
    if (!across && !up) return;
    event.preventDefault();
    load();
    if (!data.p.length || !data.x.n.length || !data.y.n.length) return;
    let { panel, row, column } = current || { panel: 0, row: data.y.n.length - 1, column: -across };
    row = Math.min(Math.max(0, row + up), data.y.n.length - 1);
    column += across;
    // Moving beyond the edge of a panel continues in the next one.
    if (column >= data.x.n.length && panel + 1 < data.p.length) { panel += 1; column = 0; }
    if (column < 0 && panel > 0) { panel -= 1; column = data.x.n.length - 1; }
    const cell = { panel, row, column: Math.min(Math.max(0, column), data.x.n.length - 1) };
    keyed = () => show(cell);
    keyed();
  });
}
// Tooltips of maps, including points. An attribute of the drawing contains the position of the axes.
for (const field of document.querySelectorAll(".field")) {
  let data, current = null, cross = null;
  const load = () => data = data || JSON.parse(field.parentElement.querySelector("script").textContent);
  const along = side => {
    const [low, high] = side.range;
    return side.log ? v => Math.log(v / low) / Math.log(high / low) : v => (v - low) / (high - low);
  };
  const places = svg => {
    const [left, top, right, bottom] = svg.dataset.field.split(" ").map(Number), x = along(data.x), y = along(data.y);
    return { left, top, right, bottom, x: v => left + x(v) * (right - left), y: v => bottom - y(v) * (bottom - top) };
  };
  // The first and the last pixel of a cell: halfway to its neighbours, within the map.
  const extent = (centres, place, index, low, high) => {
    const at = centres.map(place), here = at[index], half = i => i in at ? Math.abs(at[i] - here) / 2 : null;
    const before = half(index - 1) ?? half(index + 1) ?? 1e9, after = half(index + 1) ?? before;
    const [first, last] = at.length > 1 && at[1] < at[0] ? [here - after, here + before] : [here - before, here + after];
    return [Math.max(low, first), Math.min(high, last)];
  };
  const near = (centres, place, p) => centres.reduce((best, c, i) => Math.abs(place(c) - p) < Math.abs(place(centres[best]) - p) ? i : best, 0);
  const hide = () => { keyed = null; if (cross) cross.remove(); cross = null; current = null; tip.hidden = true; };
  const show = (cell, pointer) => {
    const svg = drawn(field);
    if (!svg) return;
    current = cell;
    const s = places(svg), [x0, x1] = extent(data.x.c, s.x, cell.column, s.left, s.right), [y0, y1] = extent(data.y.c, s.y, cell.row, s.top, s.bottom);
    if (cross) cross.remove();
    cross = make("g", svg, { class: "cross" });
    for (const name of ["edge", "frame"]) make("rect", cross, { class: name, x: x0, y: y0, width: Math.max(1, x1 - x0), height: Math.max(1, y1 - y0) });
    tip.textContent = "";
    const head = document.createElement("b"), value = (data.v[cell.row] || [])[cell.column];
    head.textContent = value === null || value === undefined ? data.m || "no value" : data.n + " " + quantity(value, data.u, 3);
    tip.append(head);
    line(null, data.x.l, quantity(data.x.c[cell.column], data.x.u));
    line(null, data.y.l, quantity(data.y.c[cell.row], data.y.u));
    for (const [x, y, name, words] of data.s) {
      const px = s.x(x), py = s.y(y);
      if (px >= x0 - 4 && px <= x1 + 4 && py >= y0 - 4 && py <= y1 + 4) line(null, name, words);
    }
    const frame = svg.getBoundingClientRect(), factor = frame.width / svg.viewBox.baseVal.width;
    placeTip(frame.left + x1 * factor, pointer === undefined ? frame.top + y0 * factor : pointer);
  };
  const move = event => {
    load();
    const svg = drawn(field);
    if (!svg || !data.x.c.length || !data.y.c.length) return;
    const frame = svg.getBoundingClientRect(), factor = svg.viewBox.baseVal.width / frame.width, s = places(svg);
    const x = (event.clientX - frame.left) * factor, y = (event.clientY - frame.top) * factor;
    if (x < s.left || x > s.right || y < s.top || y > s.bottom) return hide();
    keyed = null;
    show({ column: near(data.x.c, s.x, x), row: near(data.y.c, s.y, y) }, event.clientY);
  };
  field.addEventListener("pointermove", move);
  field.addEventListener("pointerdown", move);
  field.addEventListener("pointerleave", hide);
  field.addEventListener("blur", hide);
  field.addEventListener("keydown", event => {
    const [across, up] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] || [0, 0];
    if (event.key === "Escape") return hide();
    if (!across && !up) return;
    event.preventDefault();
    load();
    if (!data.x.c.length || !data.y.c.length) return;
    const { row, column } = current || { row: data.y.c.length >> 1, column: data.x.c.length >> 1 };
    const held = (index, list) => Math.min(Math.max(0, index), list.length - 1);
    const cell = { row: held(row + up, data.y.c), column: held(column + across, data.x.c) };
    keyed = () => show(cell);
    keyed();
  });
}
// A tooltip chosen by keyboard follows its point while the page scrolls; one chosen by pointer disappears.
addEventListener("scroll", () => { if (keyed) keyed(); else tip.hidden = true; }, { passive: true });
