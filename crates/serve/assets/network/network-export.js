// Standalone SVG of the network view: copies the drawing and its legend with their computed styles in the light theme.

import { svg } from "../dom.js";

const COPIED = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "opacity", "font-size", "font-weight", "text-anchor", "paint-order"];
const MARGIN = 16;
const HEAD = 30;

/** `links` returns the links that are drawn on a canvas, or is null. */
export function svgText({ title, description, root, overlay, key, frame, links }) {
  return inLightTheme(() => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const width = Number(root.getAttribute("width"));
    const height = Number(root.getAttribute("height"));
    const all = { width: width + 2 * MARGIN, height: height + HEAD + key.offsetHeight + 14 + 2 * MARGIN };
    const out = svg("svg", {
      xmlns: "http://www.w3.org/2000/svg", ...all, viewBox: `0 0 ${all.width} ${all.height}`, role: "img",
      "font-family": getComputedStyle(frame).fontFamily,
    });
    const named = (name, text) => { const element = svg(name); element.textContent = text; return element; };
    out.append(named("title", title), named("desc", description));
    out.append(svg("rect", { width: all.width, height: all.height, fill: colour("--paper") }));
    const heading = svg("text", { x: MARGIN, y: MARGIN + 14, "font-size": 15, "font-weight": 600, fill: colour("--ink") });
    heading.textContent = title;
    const drawing = svg("g", { transform: `translate(${MARGIN} ${MARGIN + HEAD})` });
    if (links) drawing.append(...links().flatMap((link) => canvasLink(link, colour)));
    drawing.append(...[...root.children, ...overlay.children].map(copied).filter(Boolean));
    out.append(heading, drawing, keyCopy(key, height));
    return new XMLSerializer().serializeToString(out);
  });
}

/** Calls `work` under the light theme. Nothing is painted meanwhile: the theme is restored before this function returns. */
function inLightTheme(work) {
  const { dataset } = document.documentElement;
  const before = dataset.theme;
  dataset.theme = "light";
  try { return work(); } finally {
    if (before === undefined) delete dataset.theme; else dataset.theme = before;
  }
}

function canvasLink({ d, level, width, paused }, colour) {
  const path = (stroke, more) => svg("path", { d, fill: "none", stroke, ...more });
  const line = path(colour(`--u${level}`), { "stroke-width": width });
  return paused ? [line, path(colour("--alarm"), { "stroke-width": 1.4, "stroke-dasharray": "3 5" })] : [line];
}

/** A copy without hidden elements, hit areas and anything else that only the page needs. */
function copied(element) {
  if (element.getAttribute("visibility") === "hidden" || /net-(queue-)?hit/.test(element.getAttribute("class"))) return null;
  const copy = svg(element.localName);
  for (const { name, value } of element.attributes) {
    if (!/^(class|style|tabindex|role|visibility|aria-.*)$/.test(name)) copy.setAttribute(name, value);
  }
  if (element.localName !== "g") {
    const style = getComputedStyle(element);
    for (const name of COPIED) {
      const value = style.getPropertyValue(name);
      if (value && !DEFAULTS[name]?.includes(value)) copy.setAttribute(name, value);
    }
  }
  if (element.localName === "text") copy.textContent = element.textContent;
  else copy.append(...[...element.children].map(copied).filter(Boolean));
  return copy;
}

/** Default values in SVG; omitting them keeps the file short. */
const DEFAULTS = {
  "fill-opacity": ["1"], "stroke-opacity": ["1"], opacity: ["1"], "stroke-dasharray": ["none"], "stroke-linecap": ["butt"],
  "stroke-linejoin": ["miter"], "text-anchor": ["start"], "paint-order": ["normal"], "font-weight": ["400"], stroke: ["none"],
};

/** A copy of the legend, with its parts positioned as on the page. */
function keyCopy(key, height) {
  const origin = key.getBoundingClientRect();
  const group = svg("g", { transform: `translate(${MARGIN} ${MARGIN + HEAD + height + 14})` });
  for (const element of key.querySelectorAll(".net-key-picture, .net-key-text")) {
    const box = element.getBoundingClientRect();
    if (!box.width) continue;
    const x = (box.left - origin.left).toFixed(1);
    if (element.localName === "svg") {
      const part = svg("g", { transform: `translate(${x} ${(box.top - origin.top).toFixed(1)})` });
      part.append(...[...element.children].map(copied).filter(Boolean));
      group.append(part);
    } else {
      const style = getComputedStyle(element);
      const size = parseFloat(style.fontSize);
      const y = (box.top - origin.top + box.height / 2 + size * 0.35).toFixed(1);
      const text = svg("text", { x, y, "font-size": size, fill: style.color });
      text.textContent = element.textContent;
      group.append(text);
    }
  }
  return group;
}
